"""Which reports came late, and which of them nobody has looked at."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.record import Record
from gittask.kinds.execution import reports
from gittask.views.late import Late, late_reports, overtaken
from tests.memory import MemoryReader, at, event, task, task_id

FIRST = event("execution", "a", 1, epoch=1)
SECOND = event("execution", "a", 10, epoch=2, actor="codex-2")
THIRD = event("execution", "a", 20, epoch=3, actor="codex-3")
BESIDE = event("execution", "a", 5, epoch=1, lane="review")


def test_the_first_newer_claim_counts() -> None:
    held = task("a", "active", epoch=3, holder=THIRD.id)
    found = overtaken(held, [FIRST, BESIDE, SECOND, THIRD])
    assert found == {FIRST.id: at(10), SECOND.id: at(20)}


def test_a_claim_that_the_task_does_not_have_counts_for_nothing() -> None:
    held = task("a", "active", epoch=1, holder=FIRST.id)
    assert overtaken(held, [FIRST, SECOND]) == {}


def test_of_two_claims_of_one_epoch_the_one_that_does_not_stand_was_late_from_the_start() -> None:
    twin = event("execution", "a", 4, epoch=1, actor="codex-2")
    held = task("a", "active", epoch=1, holder=FIRST.id)
    assert overtaken(held, [FIRST, twin]) == {twin.id: at(1)}
    assert overtaken(task("a", epoch=1), [FIRST, twin]) == {}


@pytest.mark.parametrize("kind", ["handoff", "note"])
@pytest.mark.parametrize(("minute", "late"), [(9, False), (10, False), (11, True)])
def test_late_until_it_is_reviewed(kind: str, minute: int, late: bool) -> None:
    held = task("a", "done", epoch=2)
    said = event(kind, "a", minute, execution=FIRST.id)
    others = [event(kind, "a", minute, execution=SECOND.id), event("note", "a", 30)]
    records = [held, FIRST, SECOND, said, *others]
    assert list(late_reports(MemoryReader(*records), held)) == [said] * late
    review = event("review", "a", 40, handoff=said.id)
    if kind == "note":
        review.data.pop("handoff")
        review.data["note"] = said.id
    assert list(late_reports(MemoryReader(*records, review), held)) == []


def test_what_the_next_claim_had_not_seen_is_late_whatever_the_clocks_say() -> None:
    """The claimer's clock is far ahead, so that by time nothing would be late."""
    claim = event("execution", "a", 50, epoch=2, actor="codex-2")
    claim.data["overtakes"] = {"execution": FIRST.id, "reports": 1}
    held = task("a", "active", epoch=2, holder=claim.id)
    seen, unseen = (
        event("note", "a", 2, execution=FIRST.id),
        event("note", "a", 3, execution=FIRST.id),
    )
    records = [held, FIRST, claim, unseen, seen]
    assert list(late_reports(MemoryReader(*records), held)) == [unseen]


def test_of_two_claims_of_one_epoch_all_that_the_loser_said_is_late() -> None:
    twin = event("execution", "a", 40, epoch=1, actor="codex-2")
    held = task("a", "active", epoch=1, holder=FIRST.id)
    said = event("note", "a", 0, execution=twin.id)
    assert list(late_reports(MemoryReader(held, FIRST, twin, said), held)) == [said]


def test_where_nobody_was_overtaken_nothing_is_opened() -> None:
    held = task("a", "active", epoch=1, holder=FIRST.id)
    note = event("note", "a", 9, execution=FIRST.id)
    reader = MemoryReader(held, FIRST, note)
    assert not Late(reader, held, [FIRST])(note)
    assert reader.opened == []


def test_no_more_is_opened_than_was_made_up_to_what_is_asked_for() -> None:
    claim = event("execution", "a", 50, epoch=2, actor="codex-2")
    claim.data["overtakes"] = {"execution": FIRST.id, "reports": 2}
    held = task("a", "active", epoch=2, holder=claim.id)
    notes = [event("note", "a", minute, execution=FIRST.id) for minute in range(2, 9)]
    reader = MemoryReader(held, FIRST, claim, *notes)
    late = Late(reader, held, [FIRST, claim])
    assert [late(note) for note in notes[:3]] == [False, False, True]
    assert [id for _, id in reader.opened] == [note.id for note in notes[:3]]


SAID = st.builds(
    lambda kind, minute, mine, n: event(
        kind,
        "a",
        minute,
        execution=FIRST.id if mine else SECOND.id,
        **{"body" if kind == "note" else "summary": f"said {n}"},
    ),
    st.sampled_from(["note", "handoff"]),
    st.integers(2, 5),
    st.booleans(),
    st.integers(0, 3),
)


@given(st.lists(SAID, max_size=12), st.integers(0, 6), st.randoms(use_true_random=False))
def test_the_order_in_which_one_asks_does_not_matter(
    said: list[Record], seen: int, chance: Random
) -> None:
    newer = event("execution", "a", 10, epoch=2, actor="codex-2")
    newer.data["overtakes"] = {"execution": FIRST.id, "reports": seen}
    held = task("a", "active", epoch=2, holder=newer.id)
    records = {record.id: record for record in said}
    reader = MemoryReader(held, FIRST, newer, *records.values())
    unseen = {record.id for record in reports(reader, task_id("a"), FIRST.id)[seen:]}
    late = Late(reader, held, [FIRST, newer])
    asked = list(records.values())
    chance.shuffle(asked)
    assert {record.id for record in asked if late(record)} == unseen
