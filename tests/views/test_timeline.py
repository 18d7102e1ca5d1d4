"""What happened to a task, in order, and told as it comes."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.record import Data, Record
from gittask.views.entries import Merge
from gittask.views.timeline import EVERYTHING, Choice
from tests.memory import START, MemoryReader, at, event, task, task_id
from tests.views.telling import chosen, entries, timeline


def test_it_begins_with_the_task() -> None:
    (first,) = entries(task("a"))
    assert (first.at, first.by, first.kind, first.text) == (START, "alice", "created", "Task a")


def test_a_conflict_stands_after_what_it_came_of() -> None:
    sides = {"kept_by": side(3, "bob"), "lost_by": side(8, "alice")}
    conflict = event("conflict", "a", 3, **sides)
    changed = {"priority": f"1 {at(3)} bob", "due": f"1 {at(8)} alice"}
    found = [entry.kind for entry in entries(task("a", changed=changed), conflict)]
    assert found == ["created", "changed", "changed", "conflict"]


def side(minute: int, by: str) -> dict[str, object]:
    return {"counter": 1, "at": at(minute), "by": by}


def test_order_is_time_then_id() -> None:
    records = [event("note", "a", minute) for minute in (9, 3, 5)]
    same_time = [event("note", "a", 5, body=body) for body in "xyz"]
    found = entries(task("a"), *records, *same_time)
    assert [(entry.at, entry.id) for entry in found] == sorted((e.at, e.id) for e in found)
    assert len(found) == 7


# -- late ---------------------------------------------------------------------------------------


def test_what_a_stale_execution_adds_after_the_newer_claim_is_late() -> None:
    stale = event("execution", "a", 1, epoch=1)
    newer = event("execution", "a", 10, epoch=2, actor="codex-2")
    newest = event("execution", "a", 20, epoch=3, actor="codex-3")
    notes = [
        event("note", "a", minute, body=body, execution=execution.id)
        for minute, body, execution in [
            (5, "in time", stale),
            (10, "at once", stale),
            (11, "late 1", stale),
            (15, "in time", newer),
            (25, "late 2", newer),
            (26, "in time", newest),
        ]
    ]
    free = event("note", "a", 27, body="of nobody")
    found = entries(task("a", epoch=3, holder=newest.id), stale, newer, newest, *notes, free)
    assert [entry.text for entry in found if entry.late] == ["late 1", "late 2"]


def test_reviewers_are_never_late() -> None:
    looking = event("execution", "a", 1, epoch=1, lane="review")
    newer = event("execution", "a", 10, epoch=2)
    note = event("note", "a", 20, execution=looking.id)
    assert not any(entry.late for entry in entries(task("a", epoch=2), looking, newer, note))


def test_a_claim_that_did_not_win_makes_nothing_late() -> None:
    holds = event("execution", "a", 1, epoch=1)
    lost = event("execution", "a", 2, epoch=2)
    note = event("note", "a", 20, execution=holds.id)
    assert not any(entry.late for entry in entries(task("a", epoch=1), holds, lost, note))


def test_no_other_task_is_opened() -> None:
    others = [task("b"), event("note", "b", 1), event("execution", "b", 1)]
    reader = MemoryReader(task("a", depends_on=["b"], parent="b"), event("note", "a", 1), *others)
    list(timeline(reader).entries())
    own = {record.id for record in reader.records.values() if record.task == task_id("a")}
    assert {id for _, id in reader.opened} <= own


# -- merges -------------------------------------------------------------------------------------


def test_a_merge_is_an_entry() -> None:
    merge = Merge("ab" * 20, ("cd" * 20, "ef" * 20), at(3), "bob", "merge: 2 records of origin")
    reader = MemoryReader(task("a"), event("note", "a", 2), event("note", "a", 4))
    assert [entry.kind for entry in timeline(reader, EVERYTHING, merge).entries()] == [
        *("created", "observation", "merge", "observation"),
    ]
    (entry,) = timeline(reader, chosen("merge"), merge).entries()
    assert (entry.at, entry.by, entry.record, entry.id) == (at(3), "bob", "commit", "ab" * 20)
    assert entry.text == "merge: 2 records of origin\nof cdcdcdcdcdcd and efefefefefef"
    assert entry.details["parents"] == ["cd" * 20, "ef" * 20]


# -- as it comes --------------------------------------------------------------------------------


def noted(count: int, *more: Record) -> MemoryReader:
    """A task with so many notes, two of each minute."""
    return MemoryReader(
        *more, *(event("note", "a", 2 + n // 2, body=f"note {n}") for n in range(count))
    )


@pytest.mark.parametrize("reverse", [False, True])
def test_entries_come_before_the_rest_is_opened(reverse: bool) -> None:
    reader = noted(
        100, task("a"), event("execution", "a", 1), event("handoff", "a", 30), event("wait", "a", 3)
    )
    found = timeline(reader).entries(reverse=reverse)
    next(found)
    assert len([id for kind, id in reader.opened if kind == "note"]) <= 2
    list(islice(found, 9))
    assert len([id for kind, id in reader.opened if kind == "note"]) <= 14


def test_who_was_never_overtaken_is_not_looked_through_for_late_reports() -> None:
    newer = event("execution", "a", 40, epoch=2, actor="codex-2")
    claim = event("execution", "a", 1, epoch=1)
    held = task("a", epoch=2, holder=newer.id)
    said = [event("note", "a", 45, body=body, execution=newer.id) for body in "xyz"]
    reader = noted(60, held, claim, newer, *said)
    list(islice(timeline(reader).entries(reverse=True), 3))
    assert len([id for kind, id in reader.opened if kind == "note"]) <= 5


EVENTS = st.builds(
    lambda kind, minute, by, n: event(kind, "a", minute, created_by=by, **_told_apart(kind, n)),
    st.sampled_from(["note", "message", "handoff", "decision", "wait", "execution"]),
    st.integers(0, 3),
    st.sampled_from(["alice", "bob"]),
    st.integers(0, 2),
)
CHOICES = st.builds(
    Choice,
    kinds=st.sets(st.sampled_from(["note", "observation", "task", "wait", "comment"])).map(
        frozenset
    ),
    by=st.sampled_from([None, None, "alice", "bob"]),
    since=st.sampled_from(["", at(1), at(2)]),
    until=st.sampled_from([Choice.until, at(2), at(3)]),
)


def _told_apart(kind: str, number: int) -> Data:
    text = {"note": "body", "message": "body", "handoff": "summary", "decision": "title"}
    return {text.get(kind, "objective" if kind == "execution" else "condition"): f"said {number}"}


@given(st.lists(EVENTS, max_size=12), CHOICES)
def test_both_directions_and_every_choice_agree(records: list[Record], choice: Choice) -> None:
    reader = MemoryReader(task("a"), *records)
    everything = list(timeline(reader).entries())
    assert len(everything) == 1 + len({record.id for record in records})
    assert everything[0].kind == "created"
    assert [(e.at, e.id) for e in everything[1:]] == sorted((e.at, e.id) for e in everything[1:])
    found = timeline(reader, choice)
    assert list(found.entries()) == [entry for entry in everything if choice.takes(entry)]
    assert list(found.entries(reverse=True)) == list(found.entries())[::-1]
    assert found.total() in (None, len(list(found.entries())))


def test_what_cannot_be_read_hides_nothing() -> None:
    bad = event("note", "a", 2)
    reader = MemoryReader(task("a"), bad, event("note", "a", 3), bad=[bad.id])
    assert [entry.at for entry in timeline(reader).entries()] == [START, at(3)]
    assert [problem.file for problem in reader.problems] == [bad.id]
