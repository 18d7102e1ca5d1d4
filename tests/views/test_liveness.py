"""How an execution stands, by its records and by what was heard of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.beat import Signs, Watched
from gittask.core.record import Record
from gittask.views.liveness import (
    STATES,
    UNHEARD,
    Liveness,
    current,
    is_over,
    liveness,
    superseded,
    watched,
)
from gittask.views.recovery import advise
from gittask.views.show.task import computed
from gittask.views.status import line, overview
from tests.memory import NOW, MemoryReader, at, event, task, task_id

RUNS = event("execution", "a", 5, state={"status": "running"})
NEXT = event("execution", "a", 9, epoch=2, actor="codex-2")
HELD = task("a", "active", epoch=1, holder=RUNS.id, since=at(5))
SILENT = Signs(1000)
DEAD = Signs(1, "process died")


def status(name: str, reason: str | None = None) -> Record:
    return event("execution", "a", 5, state={"status": name, "reason": reason})


def stands(execution: Record, of: Record | None = None, signs: Signs | None = None) -> Liveness:
    held = of or task("a", "active", epoch=1, holder=execution.id, since=at(5))
    return liveness(execution, held, signs, NOW)


@pytest.mark.parametrize("name", ["claimed", "running"])
@pytest.mark.parametrize("signs", [None, Signs(0), Signs(899.9)])
def test_works_while_it_is_heard(name: str, signs: Signs | None) -> None:
    assert stands(status(name), signs=signs) == Liveness(name, "", at(5))


def test_a_silence_as_long_as_the_lease_is_a_loss() -> None:
    found = stands(RUNS, signs=Signs(900))
    assert found == Liveness("lost", "silent for 15 min", "2026-11-30T11:45:00.000Z")
    assert stands(RUNS, signs=Signs(900, lease=901)).state == "running"
    assert stands(RUNS, signs=Signs(0, lease=0)).state == "lost"


def test_a_process_that_is_gone_is_lost_at_once() -> None:
    found = stands(RUNS, signs=DEAD)
    assert found == Liveness("lost", "process died", "2026-11-30T11:59:59.000Z", gone=True)


def test_a_silence_of_ages_has_a_time_too() -> None:
    assert stands(RUNS, signs=Signs(1e300)).since == "1926-12-25T12:00:00.000Z"


@pytest.mark.parametrize("name", ["done", "failed", "cancelled", "declined"])
@pytest.mark.parametrize("signs", [None, SILENT, DEAD])
def test_what_ended_is_never_lost(name: str, signs: Signs | None) -> None:
    assert stands(status(name), signs=signs) == Liveness("ended", name, at(5))
    assert stands(status(name, "no access")).cause == f"{name}: no access"


def test_what_reported_is_not_lost() -> None:
    assert stands(status("reported"), signs=DEAD) == Liveness("reported", "", at(5))


class TestSuperseded:
    def test_by_a_later_epoch(self) -> None:
        later = task("a", "active", epoch=2, holder=NEXT.id, since=at(9), reason="silent")
        found = stands(RUNS, later, DEAD)
        assert found == Liveness("superseded", "overtaken by epoch 2, because silent", at(9))
        assert stands(NEXT, later).state == "claimed"

    def test_by_another_claim_of_the_same_epoch(self) -> None:
        other = task("a", "active", epoch=1, holder=NEXT.id)
        assert stands(RUNS, other).cause == "it holds the task no more"

    def test_when_the_task_was_let_go(self) -> None:
        assert stands(RUNS, task("a", epoch=1)).state == "superseded"

    def test_when_the_task_was_closed(self) -> None:
        assert stands(RUNS, task("a", "done", epoch=1)).cause == "the task is done"

    def test_never_in_the_review_lane(self) -> None:
        review = event("execution", "a", 5, lane="review", epoch=1)
        assert superseded(review, task("a", "active", epoch=7, holder=NEXT.id)) is None

    def test_an_end_of_its_own_stands(self) -> None:
        later = task("a", "active", epoch=2, holder=NEXT.id)
        assert stands(status("failed"), later).state == "ended"


class TestWaiting:
    WAIT = event("wait", "a", 6, execution=RUNS.id)

    def test_who_waits_may_be_silent(self) -> None:
        reader = MemoryReader(HELD, RUNS, self.WAIT)
        found = current(reader, RUNS, HELD, {RUNS.id: SILENT}, NOW)
        assert found.state == "waiting"

    def test_the_wait_of_another_is_not_its_own(self) -> None:
        other = event("wait", "a", 6, execution=NEXT.id)
        reader = MemoryReader(HELD, RUNS, NEXT, other)
        assert current(reader, RUNS, HELD, {RUNS.id: SILENT}, NOW).state == "lost"

    def test_the_wait_of_the_task_is_everybodys(self) -> None:
        reader = MemoryReader(HELD, RUNS, event("wait", "a", 6))
        assert current(reader, RUNS, HELD, {RUNS.id: SILENT}, NOW).state == "waiting"

    def test_a_wait_that_is_over_excuses_nobody(self) -> None:
        over = event("wait", "a", 6, execution=RUNS.id, state={"status": "met"})
        reader = MemoryReader(HELD, RUNS, over)
        assert current(reader, RUNS, HELD, {RUNS.id: SILENT}, NOW).state == "lost"


SIGNS = st.none() | st.builds(
    Signs,
    silence=st.floats(0, allow_nan=False, allow_infinity=False),
    gone=st.none() | st.just("process died"),
    lease=st.sampled_from([0.0, 900.0]),
)


@given(
    name=st.sampled_from(["claimed", "running", "reported", "done", "failed", "declined"]),
    lane=st.sampled_from(["edit", "review"]),
    epoch=st.integers(0, 2),
    held=st.integers(0, 2),
    holds=st.booleans(),
    waiting=st.booleans(),
    signs=SIGNS,
)
def test_every_execution_has_one_state(
    name: str,
    lane: str,
    epoch: int,
    held: int,
    holds: bool,
    waiting: bool,
    signs: Signs | None,
) -> None:
    execution = event("execution", "a", 5, lane=lane, epoch=epoch, state={"status": name})
    of = task("a", "active", epoch=held, holder=execution.id if holds else NEXT.id)
    found = liveness(execution, of, signs, NOW, waiting=waiting)
    assert found.state in STATES
    assert found.since is None or found.since <= NOW
    if found.state == "lost":
        assert signs is not None
        assert signs.gone or signs.silence >= signs.lease
        assert found.cause
    over = found.state in ("ended", "superseded")
    assert is_over(execution, of) == over
    advice = advise(execution, of, found, polluted=False, claimable=True)
    assert (advice.proposal == "same") == found.gone
    assert execution.id in advice.command or advice.proposal == "none"


class TestWatched:
    def test_those_of_which_more_is_expected(self) -> None:
        ended = event("execution", "a", 1, state={"status": "failed"})
        review = event("execution", "a", 7, lane="review")
        reader = MemoryReader(HELD, ended, RUNS, review)
        assert {one.id for one in watched(reader, HELD)} == {RUNS.id, review.id}

    def test_what_was_written_counts_and_nothing_else(self) -> None:
        other = event("note", "a", 8, execution=NEXT.id)
        mine = [event(kind, "a", 6, execution=RUNS.id) for kind in ("note", "message", "handoff")]
        wait = event("wait", "a", 6, execution=RUNS.id)
        reader = MemoryReader(HELD, RUNS, other, wait, event("note", "a", 9), *mine)
        assert list(watched(reader, HELD)) == [Watched(RUNS.id, task_id("a"), frozenset(), 3)]

    def test_all_runtimes_but_the_last_are_former(self) -> None:
        def runtime(id: str, minute: int, *, ended: bool) -> dict[str, object]:
            empty = dict.fromkeys(("provider", "model", "session", "host", "pid", "resume"))
            end = {"ended": at(50) if ended else None, "ended_reason": None}
            return {"id": id, **empty, "started": at(minute), **end}

        runtimes = [
            runtime("a1", 9, ended=True),
            runtime("b1", 7, ended=False),
            runtime("c1", 6, ended=False),
        ]
        execution = event("execution", "a", 5, runtimes=runtimes)
        of = task("a", "active", epoch=1, holder=execution.id)
        (one,) = watched(MemoryReader(of, execution), of)
        assert one.former == {"a1", "c1"}

    def test_nothing_is_opened_for_a_task_that_nobody_works_on(self) -> None:
        free = task("a")
        reader = MemoryReader(free, event("note", "a", 8))
        assert list(watched(reader, free)) == []
        assert reader.opened == []


class TestShown:
    REPORT = event("note", "a", 6, kind="progress", body="half of it", execution=RUNS.id)
    AUTO = event("handoff", "a", 7, kind="auto", summary="stopped", execution=RUNS.id)
    READER = MemoryReader(HELD, RUNS, REPORT, AUTO)

    def test_in_the_status_line(self) -> None:
        assert line(self.READER, HELD, NOW, {RUNS.id: DEAD}) == (
            "codex-1 lost since 2026-11-30 11:59 UTC (process died); last: half of it"
        )

    def test_an_automatic_report_never_displaces_one_that_was_meant(self) -> None:
        assert "half of it" in line(self.READER, HELD, NOW)
        assert "stopped" not in line(self.READER, HELD, NOW)

    def test_without_a_report(self) -> None:
        shown = line(MemoryReader(HELD, RUNS), HELD, NOW, {RUNS.id: DEAD})
        assert shown.endswith("(process died); no report yet: make it work")

    def test_not_when_it_is_heard(self) -> None:
        assert "lost" not in line(self.READER, HELD, NOW, {RUNS.id: Signs(0)})
        assert line(self.READER, HELD, NOW, UNHEARD) == line(self.READER, HELD, NOW)

    def test_in_the_overview(self) -> None:
        found = overview(self.READER, None, NOW, {RUNS.id: DEAD})
        assert "lost" in found.working[0]["line"]

    def test_beside_the_task(self) -> None:
        (one,) = computed(self.READER, HELD, NOW, {RUNS.id: DEAD})["executions"]
        assert (one["status"], one["cause"]) == ("lost", "process died")
        assert one["since"] == "2026-11-30T11:59:59.000Z"


class TestAdvice:
    def proposed(
        self,
        execution: Record = RUNS,
        signs: Signs | None = None,
        *,
        of: Record = HELD,
        polluted: bool = False,
        claimable: bool = False,
    ) -> str:
        found = stands(execution, of, signs)
        advice = advise(execution, of, found, polluted=polluted, claimable=claimable)
        return advice.command if advice.proposal != "none" else ""

    def test_a_process_that_died_leaves_its_execution(self) -> None:
        assert self.proposed(signs=DEAD) == f"gittask recover {RUNS.id} --same"

    def test_a_silence_asks_for_a_new_one(self) -> None:
        assert self.proposed(signs=SILENT) == f"gittask recover {RUNS.id} --new"

    @pytest.mark.parametrize("signs", [None, SILENT, DEAD])
    def test_a_polluted_context_asks_for_a_new_one(self, signs: Signs | None) -> None:
        expected = f"gittask recover {RUNS.id} --new --polluted"
        assert self.proposed(signs=signs, polluted=True) == expected

    def test_nothing_while_it_works_or_once_it_reported(self) -> None:
        assert self.proposed() == ""
        reported = status("reported")
        of = task("a", "review", epoch=1, holder=reported.id)
        assert self.proposed(reported, of=of) == ""

    @pytest.mark.parametrize("polluted", [False, True])
    def test_what_is_over_is_tried_again_where_the_task_is_free(self, polluted: bool) -> None:
        free = task("a", epoch=1)
        for execution in (RUNS, status("failed")):
            retry = f"gittask retry {execution.id}"
            assert self.proposed(execution, of=free, claimable=True, polluted=polluted) == retry
            assert self.proposed(execution, of=free, polluted=polluted) == ""
        assert self.proposed(status("done"), of=free, claimable=True) == ""
