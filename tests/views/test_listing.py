"""Filters and order of a list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from gittask.core.queue import ordered
from gittask.core.record import Record
from gittask.views.listing import STATUSES, Filter, listed
from tests.memory import NOW, MemoryReader, at, event, project, task, task_id


def names(records: Iterable[Record]) -> str:
    return "".join(record.id.rstrip("0") for record in records)


def test_what_is_closed_is_not_listed_unless_asked_for() -> None:
    reader = MemoryReader(
        *(task(name, status) for name, status in zip("abcde", STATUSES, strict=True))
    )
    assert names(listed(reader, Filter(), NOW)) == "abc"
    assert names(listed(reader, Filter(statuses=STATUSES), NOW)) == "abcde"
    assert names(listed(reader, Filter(statuses=["done"]), NOW)) == "d"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, "abcd"),
        ({"labels": ["x"]}, "ab"),
        ({"labels": ["x", "y"]}, "b"),
        ({"project": "p"}, "a"),
        ({"responsible": "bob"}, "c"),
        ({"parent": task_id("a")}, "d"),
        ({"type": "bug"}, "b"),
        ({"priority": 0}, "c"),
        ({"priority": 2}, "abd"),
        ({"holder": "codex-1"}, "b"),
        ({"holder": "codex-2"}, ""),
        ({"ready": True}, "cd"),
        ({"blocked": True}, "a"),
        ({"waiting": True}, "d"),
        ({"labels": ["x"], "blocked": True, "type": "task"}, "a"),
        ({"labels": ["x"], "waiting": True}, ""),
    ],
)
def test_filters(wanted: dict[str, Any], found: str) -> None:
    claim = event("execution", "b", 1)
    reader = MemoryReader(
        task("a", labels=["x"], project="p", depends_on=["b"]),
        task("b", "active", labels=["x", "y"], type="bug", holder=claim.id),
        task("c", responsible="bob", priority=0),
        task("d", parent="a"),
        project("p"),
        claim,
        event("wait", "d", 1),
    )
    if wanted == {"ready": True}:
        reader.records.pop(("wait", reader.ids("wait")[0]))
    assert sorted(names(listed(reader, Filter(**wanted), NOW))) == sorted(found)


def test_a_bad_file_hides_nothing_else() -> None:
    reader = MemoryReader(task("a"), task("b"), task("c"), bad=[task_id("b")])
    assert names(listed(reader, Filter(), NOW)) == "ac"
    assert [problem.file for problem in reader.problems] == [task_id("b")]


def test_order_is_by_urgency() -> None:
    def made(minute: int) -> dict[str, str]:
        return {"at": at(minute), "by": "alice"}

    tasks = [
        task("g", priority=3, due="2026-01-01"),
        task("f", created=made(2)),
        task("e", created=made(1)),
        task("d", created=made(1)),
        task("c", due="2026-12-10"),
        task("b", due="2026-12-02"),
        task("a", priority=0),
    ]
    assert names(ordered(tasks)) == "abcdefg"
    assert names(ordered(reversed(tasks))) == "abcdefg"


def test_a_list_opens_only_tasks() -> None:
    claim = event("execution", "a", 1)
    reader = MemoryReader(task("a", "active", holder=claim.id), claim, event("note", "a", 2))
    list(listed(reader, Filter(labels=["x"], holder="codex-1", ready=True), NOW))
    assert {kind for kind, _ in reader.opened} == {"task"}
