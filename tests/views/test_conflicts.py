"""What an open conflict says, as the field stands now."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.record import Record
from gittask.views import conflicts
from tests.memory import START, MemoryReader, event, task, task_id

PATH = f"tasks/00/{task_id('a')}"


def conflict(**fields: Any) -> Record:
    """Of two priorities that were set without seeing each other, 1 by codex-1 stands."""
    said = {"record": f"{PATH}/task.yaml", "field": "priority", "kept": 1, "lost": 0}
    return event("conflict", "a", 5, **{**said, **sides(1), **fields})


def sides(counter: int) -> dict[str, Any]:
    return {
        "kept_by": {"counter": counter, "at": START, "by": "codex-1"},
        "lost_by": {"counter": counter, "at": START, "by": "alice"},
    }


def held(priority: int, stamp: str) -> Record:
    return task("a", priority=priority, changed={"priority": f"{stamp[0]} {START} {stamp[1:]}"})


@pytest.mark.parametrize(
    ("now", "said", "may_lose"),
    [
        (held(1, "1codex-1"), "1 by codex-1 stands, 0 by alice does not", True),
        (held(3, "2bob"), "now 3 by bob; 1 by codex-1 stood, 0 by alice did not", False),
        (held(0, "2bob"), "now 0 by bob; 1 by codex-1 stood, 0 by alice did not", True),
        (held(1, "3bob"), "now 1 by bob; 1 by codex-1 stood, 0 by alice did not", True),
        (held(3, "1codex-1"), "now 3 by codex-1; 1 by codex-1 stood, 0 by alice did not", False),
    ],
)
def test_what_was_set_since_is_what_is_said(now: Record, said: str, may_lose: bool) -> None:
    reader = MemoryReader(now, task("b"))
    found = conflict()
    assert conflicts.within(reader, found) == f"priority: {said}"
    assert conflicts.sentence(reader, found) == f"priority of a000 Task a: {said}"
    assert conflicts.may_lose(reader, found) == may_lose


def test_the_record_is_named_where_it_is_not_the_task() -> None:
    reader = MemoryReader(task("a"))
    other = conflict(record=f"{PATH}/executions/x.yaml", field="state", kept="a", lost="b")
    assert conflicts.within(reader, other).startswith("state of executions/x.yaml: ")
    whole = conflict(record=f"{PATH}/notes/x.yaml", field="")
    assert conflicts.sentence(reader, whole).startswith("notes/x.yaml of a000 Task a: 1 by codex-1")
    assert not conflicts.may_lose(reader, other)
    assert not conflicts.may_lose(reader, whole)


def test_of_no_task_the_path_is_named() -> None:
    data = {**conflict().data, "record": "projects/shop/project.yaml", "field": "name"}
    found = Record("conflict", data["id"], {**data, "task": None})
    said = conflicts.sentence(MemoryReader(), found)
    assert said.startswith("name of projects/shop/project.yaml: 1 by codex-1 stands")


def test_long_titles_and_values_are_shortened_and_harmless() -> None:
    reader = MemoryReader(task("a", title="x\u202e" * 90))
    said = conflicts.sentence(reader, conflict(field="why", kept="k" * 900, lost="\u202e"))
    assert len(said) < 200
    assert "\u202e" not in said


def test_an_element_of_a_list_and_a_task_that_is_gone() -> None:
    item = {"id": "a1", "text": "it works", "met": True, "evidence": None}
    found = conflict(field="acceptance.a1.met", kept=True, lost=False)
    reader = MemoryReader(task("a", acceptance=[item]))
    assert conflicts.standing(reader, found) == "true by codex-1 stands, false by alice does not"
    gone = MemoryReader(task("a", acceptance=[]))
    assert conflicts.standing(gone, found).startswith("now none by ")
    assert conflicts.sentence(MemoryReader(), conflict()).startswith("priority: 1 by codex-1 stand")
