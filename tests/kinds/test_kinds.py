"""Every kind has its rules in a module of its own, found by its name."""

from __future__ import annotations

import pytest

from gittask.core.record import Record
from gittask.kinds import Attempt, kind, readable
from gittask.store.packaged import schemas
from tests.memory import MemoryReader, actor, event, project, store, task

OWNED = ("execution", "handoff", "note", "decision", "message", "wait", "approval", "review")
EXAMPLES = [
    *(task("abcd"), actor("ann"), project("shop"), store()),
    *(event(name, "abcd", 1) for name in OWNED),
]


def test_every_schema_has_a_kind() -> None:
    assert {kind(name).name for name in schemas().kinds} == set(schemas().kinds)
    with pytest.raises(ModuleNotFoundError):
        kind("gossip")


@pytest.mark.parametrize("record", EXAMPLES, ids=lambda record: record.kind)
def test_a_summary_is_one_line(record: Record) -> None:
    long = {key: f"{value}\nmore" for key, value in record.data.items() if key in TEXTS}
    for data in (record.data, {**record.data, **long}):
        summary = kind(record.kind).summary(data)
        assert summary
        assert "\n" not in summary.strip("\n")


TEXTS = ("body", "objective")
"""The texts of several lines that a summary is made of."""


def test_what_cannot_be_read_is_told_apart_on_request() -> None:
    good, bad = task("abcd"), task("bbbb")
    reader = MemoryReader(good, bad, bad=[bad.id])
    assert readable(reader, "task", good.id, task=None) == good
    assert readable(reader, "task", bad.id, task=None) is None
    assert readable(reader, "task", "k3m9q2k3m9ff", task=None) is None
    assert readable(reader, "task", None, task=None) is None


def test_a_kind_without_rules_of_its_own_allows_what_its_schema_allows() -> None:
    note = event("note", "abcd", 1)
    attempt = Attempt(MemoryReader(), None, note, "ann", True, None)
    assert list(kind("note").may(attempt)) == []
