"""Ids: unique, unlike a number, unlike each other but for case, and safe as a file's name."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gittask.core import ids
from gittask.core.schema import shard
from gittask.store.packaged import schemas

TASK = re.compile(schemas().document("task")["$defs"]["task_id"]["pattern"])
EVENT = re.compile(schemas().document("note")["$defs"]["event_id"]["pattern"])
ITEM = re.compile(schemas().document("task")["$defs"]["item_id"]["pattern"])
SLUG = re.compile(schemas().document("task")["$defs"]["slug"]["pattern"])

# What a reader of YAML 1.2 (core schema) or 1.1 takes for a number, a word or a time.
NUMBER_1_2 = re.compile(
    r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)|true|false|null|~"
)
AT = "2026-11-30T10:04:11.123Z"
entropy = st.binary(min_size=16, max_size=16)


def plain_in_1_1(text: str) -> bool:
    """Whether a reader of YAML 1.1 takes an unquoted text for a string."""
    loader: Any = yaml.SafeLoader("")
    return bool(loader.resolve(yaml.ScalarNode, text, (True, False)) == "tag:yaml.org,2002:str")


def test_a_hundred_thousand_ids() -> None:
    chance = random.Random(1)
    made = [ids.task_id(chance.randbytes(16)) for _ in range(100_000)]
    assert len({id.casefold() for id in made}) == len(made)
    assert all(TASK.fullmatch(id) for id in made)
    assert not any(NUMBER_1_2.fullmatch(id) for id in made)
    assert all(plain_in_1_1(id) for id in made[:5_000])
    assert len({shard(id) for id in made}) == 256


@given(entropy)
def test_the_form_of_every_id(data: bytes) -> None:
    assert TASK.fullmatch(ids.task_id(data))
    assert ITEM.fullmatch(ids.item_id(0, data))
    assert EVENT.fullmatch(ids.event_id(AT, data))
    assert EVENT.fullmatch(ids.event_id(AT, data, length=12))
    assert plain_in_1_1(ids.item_id(0, data))


@pytest.mark.parametrize("data", [b"\0" * 16, b"\xff" * 16, b"\0" * 15 + b"\x01"])
def test_extremes(data: bytes) -> None:
    assert TASK.fullmatch(ids.task_id(data))
    assert ITEM.fullmatch(ids.item_id(0, data))


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_events_are_in_order_of_time(one: int, two: int) -> None:
    first = ids.event_id("2026-11-30T10:04:11.999Z", one.to_bytes(8, "big"))
    second = ids.event_id("2026-11-30T10:04:12.000Z", two.to_bytes(8, "big"))
    assert first < second
    assert first.startswith("20261130t100411z-")


def test_the_parts_of_an_events_id() -> None:
    made = "2026-11-30T10:04:11.123Z"
    for length in (6, 12):
        id = ids.event_id(made, b"\x01\x02\x03", length)
        assert ids.second(id) == "20261130t100411z"
        assert len(ids.ending(id)) == length
        assert id == f"{ids.second(id)}-{ids.ending(id)}"
        assert re.fullmatch(ids.EVENT, id)


def test_derived_ids_depend_on_every_word() -> None:
    made = {
        ids.task_id(ids.derived(*words))
        for words in (
            ["task", "a", "b"],
            ["task", "ab", ""],
            ["task", "", "ab"],
            ["tas", "ka", "b"],
        )
    }
    assert len(made) == 4
    assert ids.derived("task", "a", "b") == ids.derived("task", "a", "b")


@given(st.text(max_size=60))
def test_a_slug_can_name_a_file_or_is_empty(text: str) -> None:
    slug = ids.slug(text)
    assert slug == "" or SLUG.fullmatch(slug)
    assert ids.slug(slug) == slug


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Ann Wong", "ann-wong"),
        ("--x--", "x"),
        ("CON", ""),
        ("com7", ""),
        ("console", "console"),
        ("None", ""),
        ("null", ""),
        ("nonesuch", "nonesuch"),
        ("漢字", ""),
        ("a" * 60, "a" * 39),
        ("../../etc", "etc"),
    ],
)
def test_slugs(text: str, slug: str) -> None:
    assert ids.slug(text) == slug
