"""A record's file in lines for people: each change is a line, and nothing harms who reads it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.codec import decode, encode
from gittask.core.stamp import PATTERN
from gittask.views.patch import LONGEST, TOO_LONG, patch
from gittask.views.textconv import lines
from tests.program import controls

EXAMPLE = Path(__file__).parents[2] / ".tasks-example"
FILES = sorted(EXAMPLE.rglob("*.yaml"))
TASK = EXAMPLE / "tasks/82/ej5y14xxaj82/task.yaml"


def shown(data: Any) -> list[str]:
    return list(lines(encode(data)))


def change(data: Any, **fields: Any) -> list[str]:
    """What went and came when fields of a record are set."""
    return list(patch(shown(data), shown({**data, **fields})))


@pytest.fixture
def task() -> dict[str, Any]:
    found: dict[str, Any] = decode(TASK.read_bytes())
    return found


def test_a_field_is_a_line_that_says_who_set_it(task: dict[str, Any]) -> None:
    stamp = {"priority": "2 2026-11-17T08:00:59.123Z alice"}
    assert change(task, priority=3, changed={**task["changed"], **stamp}) == [
        "-priority: 0 (by bruno, 2026-11-16 06:20 UTC)",
        "+priority: 3 (by alice, 2026-11-17 08:00 UTC)",
    ]
    due = {"due": "3 2026-11-17T08:00:59.123Z alice"}
    assert change(task, due="2026-12-01", changed={**task["changed"], **due}) == [
        "+due: 2026-12-01 (by alice, 2026-11-17 08:00 UTC)"
    ]


def test_the_state_is_a_sentence(task: dict[str, Any]) -> None:
    state = {
        "status": "active",
        "epoch": 2,
        "holder": "20261117t080059z-k3m9q2",
        "since": "2026-11-17T08:00:59.123Z",
        "outcome": None,
        "reason": None,
    }
    line = "status: active, held by k3m9q2 since 2026-11-17 08:00 UTC, claim 2"
    assert line in shown({**task, "state": state, "changed": {}})
    assert f"{line} (by codex-1, 2026-11-17 08:00 UTC)" in shown(
        {**task, "state": state, "changed": {"state": "1 2026-11-17T08:00:59.123Z codex-1"}}
    )


def test_acceptance_is_a_checklist(task: dict[str, Any]) -> None:
    items = [
        {"id": "a1", "text": "It works", "met": False, "evidence": None},
        {"id": "a2", "text": "It is fast", "met": True, "evidence": "12 ms"},
    ]
    bare = {**task, "acceptance": items, "changed": {}}
    assert "  - [ ] a1: It works" in shown(bare)
    assert "  - [x] a2: It is fast; evidence: 12 ms" in shown(bare)
    done = [{**items[0], "met": True}, items[1]]
    stamp = {"acceptance.a1.met": "1 2026-11-17T08:00:59.123Z alice"}
    assert change(bare, acceptance=done, changed=stamp) == [
        " acceptance:",
        "-  - [ ] a1: It works",
        "+  - [x] a1: It works (met by alice, 2026-11-17 08:00 UTC)",
    ]


def test_what_was_taken_away_says_by_whom(task: dict[str, Any]) -> None:
    stamp = {**task["changed"], "labels.production": "9 2026-11-17T08:00:59.123Z alice"}
    assert change(task, labels=["intermittent"], changed=stamp) == [
        " labels:",
        "-  - production",
        "+labels.production: removed (by alice, 2026-11-17 08:00 UTC)",
    ]


def test_a_handoff_says_none_where_there_is_nothing() -> None:
    file = next(EXAMPLE.rglob("handoffs/20261118t090618z-afnws9.yaml"))
    assert list(lines(file.read_bytes()))[8:] == [
        "condition: blocked",
        "summary: build-7 is back; the second attempt was half done and not pushed",
        "changed:",
        "  - routing/read.py: attempts moved into read_orders, not finished",
        "commits:",
        "  - e1809d5df837 wip: attempts in read_orders, on fix/lock-timeout, "
        "patch id: 779ee471e1cf",
        "verified: none",
        "not verified:",
        "  - Anything of this, because the host stopped before a test was run",
        "uncertain:",
        "  - Is any of it still wanted? (matters for: it can be thrown away), codex-2 could say",
        "next action: Compare with what codex-2 wrote, then drop the branch on build-7 "
        "(by codex-2)",
    ]


def test_texts_of_several_lines_keep_them() -> None:
    data = {
        "id": "n",
        "created": {"at": "2026-11-17T08:00:59.123Z", "by": "ann"},
        "body": "one\n\n  two",
        "command": {"argv": ["ls", "a b"], "exit_code": 1, "tail": "x\ny"},
    }
    found = shown(data)
    assert found[:7] == [
        *("body:", "  one", "", "    two"),
        *('command: ["ls","a b"], exit code 1', "  tail:", "    x"),
    ]


# -- nothing is hidden ------------------------------------------------------------------------


def leaves(value: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """Where the texts and truth values of a record are, stamps aside."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in pairs:
            if path or key != "changed" or isinstance(each, list):
                yield from leaves(each, *path, key)
    elif isinstance(value, str | bool):
        yield path


def put(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(data)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(EXAMPLE).as_posix())
def test_each_change_of_a_value_is_seen(file: Path) -> None:
    data = decode(file.read_bytes())
    before = shown(data)
    for path in leaves(data):
        value = data
        for key in path:
            value = value[key]
        other = not value if isinstance(value, bool) else "other-words"
        assert shown(put(data, path, other)) != before, path


def test_each_stamp_is_seen(task: dict[str, Any]) -> None:
    before = shown(task)
    for unit, line in task["changed"].items():
        counter = PATTERN.fullmatch(line)[1]  # type: ignore[index]
        for other in (f"{counter} 2020-01-01T00:00:00.000Z {line.split()[-1]}", "no stamp"):
            assert shown({**task, "changed": {**task["changed"], unit: other}}) != before, unit


def test_fields_of_a_newer_program_are_shown(task: dict[str, Any]) -> None:
    assert change(task, mood={"now": "good", "why": ["sun"]}) == [
        '+mood: now: good, why: ["sun"]',
    ]
    assert any("colour: red" in line for line in shown(put(task, ("state", "colour"), "red")))


# -- it fails for nothing ---------------------------------------------------------------------

HOSTILE = "a\x1b[31m\u202eb\x9b\u2028c"

values = st.recursive(
    st.sampled_from([None, True, 0, 1.5, "", "a", "a\nb", HOSTILE, "2026-11-17T08:00:59.123Z"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["id", "at", "by", "status", "met", "x\ny"]), inner)
    ),
    max_leaves=5,
)
names = st.sampled_from(
    ["state", "changed", "acceptance", "labels", "verified", "next_action", "body", HOSTILE, ""]
)


@given(st.dictionaries(names, values, max_size=4))
def test_any_shape_is_shown_safely(fields: dict[str, Any]) -> None:
    data = {"id": "x", "created": {"at": 1}, **fields}
    for line in shown(data):
        assert "\n" not in line
        assert not controls(line)
        assert not {"\u202e", "\u2028"} & set(line)


@given(st.binary(max_size=60) | st.text(max_size=30).map(str.encode))
def test_any_bytes_are_shown_safely(content: bytes) -> None:
    for line in lines(content):
        assert "\n" not in line
        assert not controls(line)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"title: [\n", "line 2: "),
        (b"\xff\x00\x1b[31m\n", "line 1: the file is not UTF-8"),
        (b"id: a\nid: b\ncreated: {}\n", "line 2: "),
        (b"<<<<<<< ours\nid: a\n=======\n", "line 1: an unresolved merge conflict"),
        (b"- a\n- b\n", "it holds no record"),
        (b"on: push\n", "it holds no record"),
        (b"", "line 1: the file is empty"),
        (b"id: x\n" * 200_000, "1,200,000 bytes are more than a file may have (1,048,576)"),
    ],
)
def test_what_cannot_be_read_is_shown_as_it_is(content: bytes, why: str) -> None:
    first, *rest = lines(content)
    assert first.startswith(f"gittask shows this file as it is: {why}")
    text = content.decode("utf-8", "backslashreplace")
    assert rest == [
        line.replace("\x00", "\\x00").replace("\x1b", "\\e") for line in text.splitlines()
    ]


# -- patches ----------------------------------------------------------------------------------


@given(*[st.lists(st.sampled_from(["a:", "b: 1", "  - x", "  - y", ""]), max_size=8)] * 2)
def test_a_patch_holds_what_went_and_what_came(before: list[str], after: list[str]) -> None:
    found = list(patch(before, after))
    assert (found == []) == (before == after)
    went = [line[1:] for line in found if line.startswith("-")]
    came = [line[1:] for line in found if line.startswith("+")]
    rest = list(before)
    for line in went:
        rest.remove(line)
    assert sorted([*rest, *came]) == sorted(after)
    assert all(line[1:] in before for line in found if line.startswith(" "))


def test_texts_that_are_too_long_are_not_compared() -> None:
    assert list(patch([], ["x"] * (LONGEST + 1))) == [TOO_LONG]
