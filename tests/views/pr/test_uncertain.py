"""Which reports stand, and what they call uncertain."""

from __future__ import annotations

from typing import Any

from gittask.core.record import Record
from gittask.views.pr.uncertain import standing, uncertainties
from tests.memory import MemoryReader, actor, event, task

TASK = task("abcd")
WORK = event("execution", "abcd", 1)
REVIEW = event("execution", "abcd", 2, lane="review", role="reviewer", epoch=0)
PEOPLE = [actor("alice"), actor("codex-1", "agent")]
DOUBT = {"question": "Does it hold?", "impact": "vans", "who": None}


def handoff(minute: int, execution: Record = WORK, *doubts: str, **more: Any) -> Record:
    uncertain = [{**DOUBT, "question": each} for each in doubts]
    return event("handoff", "abcd", minute, execution=execution.id, uncertain=uncertain, **more)


def reader(*records: Record) -> MemoryReader:
    return MemoryReader(TASK, WORK, REVIEW, *PEOPLE, *records)


def questions(*records: Record) -> list[tuple[str, bool]]:
    found = uncertainties(reader(*records), TASK)
    return [(one.data["question"], one.waiver is not None) for one in found]


def test_the_last_report_of_the_work_and_of_those_who_reviewed_it() -> None:
    old, last = handoff(5, WORK, "a"), handoff(7, WORK, "b")
    before, after = handoff(6, REVIEW, "c"), handoff(8, REVIEW, "d")
    auto = handoff(9, WORK, "e", kind="auto")
    assert questions(old, last, before, after, auto) == [("b", False), ("d", False)]
    assert standing(reader(), TASK) == []


def test_a_late_report_displaces_nothing() -> None:
    newer = event("execution", "abcd", 10, epoch=2)
    held = task("abcd", "active", epoch=2, holder=newer.id)
    records = [
        handoff(9, WORK, "a"),
        newer,
        handoff(11, newer, "b", epoch=2),
        handoff(12, WORK, "c"),
    ]
    found = uncertainties(MemoryReader(held, WORK, *PEOPLE, *records), held)
    assert [one.data["question"] for one in found] == ["b"]


def waiver(of: Record, by: str = "alice", minute: int = 20, place: int = 1, **more: Any) -> Record:
    waives = {"handoff": of.id, "uncertain": place}
    return event("decision", "abcd", minute, created_by=by, waives=waives, **more)


def test_a_waiver_of_a_person_holds_until_another_decision_supersedes_it() -> None:
    said = handoff(5, WORK, "a", "b")
    waived = waiver(said)
    assert questions(said, waived) == [("a", True), ("b", False)]
    assert questions(handoff(6, WORK, "b", "a"), said, waived) == [("b", False), ("a", True)]
    other = event("decision", "abcd", 21, supersedes=waived.id)
    assert questions(said, waived, other) == [("a", False), ("b", False)]


def test_what_is_no_waiver() -> None:
    said = handoff(5, WORK, "a")
    assert questions(said, waiver(said, by="codex-1")) == [("a", False)]
    assert questions(said, waiver(said, by="nobody")) == [("a", False)]
    assert questions(said, waiver(said, place=2)) == [("a", False)]
    gone = waiver(handoff(6, WORK, "z"))
    assert questions(said, gone) == [("a", False)]
