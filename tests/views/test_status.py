"""The status line of a task, and the overview of a store."""

from __future__ import annotations

import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.record import Record
from gittask.views.status import LENGTH, line, overview
from gittask.views.words import ago, when
from tests.memory import NOW, START, MemoryReader, actor, at, event, task, task_id

CLAIM = event("execution", "a", 4)
RUNS = event("execution", "a", 4, state={"status": "running"})


def said(*records: Record, bad: tuple[str, ...] = ()) -> str:
    reader = MemoryReader(*records, bad=bad)
    found = reader.get("task", task_id("a"))
    assert found
    return line(reader, found, NOW)


def test_ready() -> None:
    assert said(task("a")) == "ready: nobody has held it since 2026-11-30 10:00 UTC"
    released = task("a", changed={"state": f"2 {at(7)} bob", "title": f"3 {at(8)} bob"})
    assert said(released) == "ready: nobody has held it since 2026-11-30 10:07 UTC"


def test_ready_after_a_report_names_what_is_next() -> None:
    assert said(task("a"), event("handoff", "a", 1)) == (
        "ready: nobody has held it since 2026-11-30 10:00 UTC; next: the other half"
    )


@pytest.mark.parametrize(
    ("status", "fields", "expected"),
    [
        ("done", {"outcome": "Orders arrive\nall of them"}, "done by bob at {}: Orders arrive"),
        ("done", {}, "done by bob at {}: Task a"),
        ("cancelled", {"reason": "too late", "outcome": "x"}, "cancelled by bob at {}: too late"),
    ],
)
def test_closed(status: str, fields: dict[str, str], expected: str) -> None:
    closed = task("a", status, **fields, changed={"state": f"2 {at(7)} bob"})
    assert said(closed, event("wait", "a", 1)) == expected.format("2026-11-30 10:07 UTC")


def test_blocked_names_the_first_and_how_many() -> None:
    needing = task("a", depends_on=["b", "c", "d"])
    records = [needing, task("b", "done"), task("c"), task("d")]
    since = "since 2026-11-30 10:00 UTC"
    assert said(*records) == f"blocked by {task_id('c')} (open, alice) and 1 more {since}: Task c"
    assert "unreadable" in said(*records, bad=(task_id("c"),))


def test_blocked_names_who_works_on_what_blocks_and_since_when_it_is_needed() -> None:
    claim = event("execution", "b", 4)
    needing = task("a", depends_on=["b"], changed={f"depends_on.{task_id('b')}": f"1 {at(9)} bob"})
    assert said(needing, task("b", "active", holder=claim.id), claim) == (
        f"blocked by {task_id('b')} (active, codex-1) since 2026-11-30 10:09 UTC: Task b"
    )


def test_a_task_in_a_circle_still_has_a_line() -> None:
    records = [task("a", depends_on=["b"]), task("b", depends_on=["a"])]
    assert said(*records).startswith("in a circle, so that it can never start: ")


def test_claimed_without_a_report() -> None:
    held = task("a", "active", holder=CLAIM.id)
    assert said(held, CLAIM) == (
        "codex-1 claimed it at 2026-11-30 10:04 UTC, no report yet: make it work"
    )


def test_at_work_says_the_last_report_of_the_holder() -> None:
    held = task("a", "active", holder=RUNS.id)
    progress = [
        event("note", "a", 5, kind="progress", body="first", execution=RUNS.id),
        event("note", "a", 6, kind="progress", body="second\nmore", execution=RUNS.id),
        event("note", "a", 7, kind="progress", body="of another", execution=CLAIM.id + "x"),
        event("note", "a", 8, body="an observation", execution=RUNS.id),
    ]
    assert (
        said(held, RUNS, *progress) == "codex-1 has worked on it since 2026-11-30 10:04 UTC: second"
    )
    report = event("handoff", "a", 9, execution=RUNS.id)
    assert said(held, RUNS, *progress, report).endswith(": half of it")


def test_a_report_that_cannot_be_read_is_passed_over() -> None:
    held = task("a", "active", holder=RUNS.id)
    first, second = (
        event("note", "a", minute, kind="progress", body=f"at {minute}", execution=RUNS.id)
        for minute in (5, 6)
    )
    assert said(held, RUNS, first, second, bad=(second.id,)).endswith(": at 5")


def test_a_holder_that_ended_works_no_more() -> None:
    failed = event("execution", "a", 4, state={"status": "failed", "at": at(9)})
    held = task("a", "active", holder=failed.id)
    assert said(held, failed) == (
        "codex-1 works no more, failed at 2026-11-30 10:09 UTC: make it work"
    )


def test_a_holder_whose_record_is_bad_is_unknown() -> None:
    held = task("a", "active", holder=RUNS.id, since=START)
    assert "not known" in said(held, RUNS, bad=(RUNS.id,))


def test_waiting_for_a_person_comes_before_the_work() -> None:
    held = task("a", "active", holder=RUNS.id)
    assert said(held, RUNS, event("wait", "a", 5)) == (
        "codex-1 has waited for alice since 2026-11-30 10:05 UTC: approve `drop index`"
    )


def test_waiting_for_an_answer_says_the_question() -> None:
    question = event("message", "a", 5, kind="question", to="alice", body="May I?\nIt is big.")
    waiting = event("wait", "a", 5, subject=question.id, condition="an answer to: May I?")
    assert said(task("a"), question, waiting) == (
        "codex-1 has waited for alice since 2026-11-30 10:05 UTC: May I?"
    )
    answer = event("message", "a", 6, kind="answer", in_reply_to=question.id)
    assert said(task("a"), question, waiting, answer).startswith("ready: nobody has held it")


def test_waiting_for_an_approval_says_the_action() -> None:
    asked = event("approval", "a", 5)
    waiting = event("wait", "a", 5, on="approval", subject=asked.id, condition="c")
    assert said(task("a"), asked, waiting) == (
        "codex-1 has waited for alice since 2026-11-30 10:05 UTC: approve drop index"
    )


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"on": "task", "subject": "b00000000000"}, "has waited for task b00000000000 {}: c"),
        ({"on": "time", "until": at(130)}, "waits until 2026-11-30 12:10 UTC: c"),
        ({"on": "task"}, "has waited for task {}: c"),
        ({"on": "event", "responder": "bob"}, "has waited for bob {}: c"),
    ],
)
def test_waiting_for_other_things(fields: dict[str, str], expected: str) -> None:
    line = f"codex-1 {expected}".format("since 2026-11-30 10:05 UTC")
    assert said(task("a"), event("wait", "a", 5, condition="c", **fields)) == line


def test_several_waits_are_counted_and_the_oldest_is_said() -> None:
    waits = [event("wait", "a", 5), event("wait", "a", 6, condition="other")]
    assert said(task("a"), *waits) == (
        "codex-1 has waited for alice since 2026-11-30 10:05 UTC (and 1 more): approve `drop index`"
    )


def test_a_wait_that_expired_wants_somebody() -> None:
    waiting = event("wait", "a", 5, expires=at(9), otherwise="keep the index")
    assert said(task("a"), waiting) == (
        "codex-1 waited for alice until 2026-11-30 10:09 UTC: approve `drop index`; "
        "now: keep the index"
    )


def test_in_review() -> None:
    held = task("a", "review", holder=RUNS.id)
    report = event("handoff", "a", 30, summary="all of it")
    in_review = "in review since 2026-11-30 10:30 UTC, alice decides: all of it"
    assert said(held, RUNS, report) == in_review
    automatic = event("handoff", "a", 31, kind="auto", summary="automatic")
    assert said(held, RUNS, report, automatic).endswith(": all of it")
    assert said(held, RUNS) == "in review since 2026-11-30 10:00 UTC, alice decides: Task a"


def test_in_review_says_the_last_review_of_that_handoff() -> None:
    held = task("a", "review")
    report = event("handoff", "a", 30, summary="all of it")
    refused = event(
        "review",
        "a",
        31,
        handoff=report.id,
        verdict="changes_requested",
        findings=["no test"],
        created_by="bob",
    )
    assert said(held, report, refused) == (
        "bob asked codex-1 for changes at 2026-11-30 10:31 UTC: no test"
    )
    approved = event("review", "a", 32, handoff=report.id, verdict="approved", created_by="bob")
    assert said(held, report, refused, approved) == (
        "in review, approved by bob at 2026-11-30 10:32 UTC, alice decides: all of it"
    )
    older = event("review", "a", 33, verdict="changes_requested")
    assert said(held, report, older).startswith("in review since 2026-11-30 10:30 UTC")


@given(st.text(min_size=1, max_size=300).filter(str.strip))
def test_a_line_is_one_short_harmless_line(text: str) -> None:
    reader = MemoryReader(task("a", "done"))
    found = reader.records["task", task_id("a")]
    found.data["state"]["outcome"] = text
    shown = line(reader, found, NOW)
    assert len(shown) <= LENGTH
    assert not set(shown) & set("\n\r\t\x00\x07\x1b\x9b\u202e\u2028")


# -- what comes first -------------------------------------------------------------------------

FIRST = event("execution", "a", 2, state={"status": "running"})
NEXT = event("execution", "a", 20, actor="gpt-7", epoch=2, state={"status": "running"})
REPORT = event("handoff", "a", 30, summary="all of it", execution=RUNS.id)
REFUSED = event(
    "review",
    "a",
    31,
    handoff=REPORT.id,
    verdict="changes_requested",
    findings=["no test"],
    created_by="bob",
)
CHANGES = "bob asked codex-1 for changes at 2026-11-30 10:31 UTC: no test"


def test_after_a_takeover_the_new_holder_waits_and_who_asked_is_named() -> None:
    held = task("a", "active", holder=NEXT.id, epoch=2)
    assert said(held, FIRST, NEXT, event("wait", "a", 5, responder="bruno")) == (
        "gpt-7 waits for bruno, as codex-1 asked at 2026-11-30 10:05 UTC: approve `drop index`"
    )
    assert said(held, FIRST, NEXT, event("wait", "a", 21, created_by="gpt-7")).startswith(
        "gpt-7 has waited for alice since 2026-11-30 10:21 UTC"
    )
    until = event("wait", "a", 5, on="time", until=at(130), condition="c")
    assert said(held, FIRST, NEXT, until) == (
        "gpt-7 waits until 2026-11-30 12:10 UTC, as codex-1 asked at 2026-11-30 10:05 UTC: c"
    )


def test_who_holds_a_task_does_not_wait_for_themselves() -> None:
    held = task("a", "active", holder=NEXT.id, epoch=2)
    assert said(held, FIRST, NEXT, event("wait", "a", 5, responder="gpt-7")).startswith(
        "codex-1 has waited for gpt-7 since"
    )


@pytest.mark.parametrize("status", ["active", "review"])
def test_changes_that_are_wanted_come_before_what_is_waited_for(status: str) -> None:
    held = task("a", status, holder=RUNS.id)
    waits = event("wait", "a", 5)
    assert said(held, RUNS, REPORT, REFUSED, waits) == CHANGES
    assert said(held, RUNS, REPORT, REFUSED, event("wait", "a", 5, expires=at(9))) == CHANGES


@pytest.mark.parametrize(
    "after",
    [
        event("note", "a", 40, kind="progress", body="on it", execution=RUNS.id),
        event("message", "a", 40, kind="question", to="bob", body="Which test?"),
        event("wait", "a", 40, responder="bob"),
        event("approval", "a", 40),
    ],
    ids=lambda record: record.kind,
)
def test_changes_that_are_wanted_are_no_news_once_the_holder_went_on(after: Record) -> None:
    held = task("a", "active", holder=RUNS.id)
    assert said(held, RUNS, REPORT, REFUSED) == CHANGES
    assert CHANGES not in said(held, RUNS, REPORT, REFUSED, after)


def test_a_task_that_is_ready_again_says_which_changes_are_wanted() -> None:
    assert said(task("a"), REPORT, REFUSED) == (
        "ready: nobody has held it since 2026-11-30 10:00 UTC; bob wants changes: no test"
    )


_SOME = st.lists(
    st.sampled_from(
        [
            FIRST,
            REPORT,
            REFUSED,
            event("review", "a", 32, handoff=REPORT.id, verdict="approved", created_by="bob"),
            event("wait", "a", 5, responder="bruno"),
            event("wait", "a", 6, on="time", until=at(119)),
            event("wait", "a", 40, on="approval", subject="gone"),
            event("wait", "a", 7, expires=at(9), otherwise="go on " * 40),
            event("message", "a", 8, kind="question", to="alice", body="May I? " * 40),
            event("note", "a", 50, kind="progress", body="seen", execution=RUNS.id),
        ]
    ),
    unique_by=lambda record: record.id,
)


@given(
    st.sampled_from(["open", "active", "review", "done", "cancelled"]),
    st.sampled_from([None, RUNS, NEXT]),
    _SOME,
    st.booleans(),
)
def test_whatever_comes_together_the_line_says_who_and_what(
    status: str, holder: Record | None, some: list[Record], relative: bool
) -> None:
    held = task("a", status, holder=holder.id if holder else None)
    reader = MemoryReader(held, RUNS, NEXT, *some)
    times = partial(ago, now=NOW) if relative else when
    shown = line(reader, held, NOW, when=times)
    assert len(shown) <= LENGTH
    assert not re.search(r"(since|at) (just now|in |\d+ \w+ ago)|until in ", shown)
    if status in ("done", "cancelled"):
        assert shown.startswith(f"{status} by ")
    elif ", as codex-1 asked " in shown:
        assert shown.startswith("gpt-7 waits ")
    sent_back = {REPORT.id, REFUSED.id} <= {one.id for one in some}
    silent = all(one.data["created"]["at"] <= at(31) for one in some)
    if status == "active" and holder is RUNS and sent_back and silent:
        assert "codex-1" in shown
        assert " waited " not in shown


def test_my_own_question_is_none_for_me() -> None:
    mine = event("message", "a", 2, kind="question", body="Who knows?", created_by="alice")
    mine.data["from"] = "alice"
    reader = MemoryReader(task("a"), mine)
    assert overview(reader, "alice", NOW).questions == []


def test_a_question_to_nobody_on_a_task_of_an_agent_is_for_people_too() -> None:
    asked = event("message", "a", 2, kind="question", body="Who knows?")
    held = task("a", responsible="codex-1")
    reader = MemoryReader(held, asked, actor("bob"), actor("codex-1", "agent"))
    assert [row["message"] for row in overview(reader, "bob", NOW).questions] == [asked.id]
    assert overview(reader, "codex-1", NOW).questions == []


# -- the store ----------------------------------------------------------------------------------


def test_overview_is_sorted_by_what_the_actor_has_to_do() -> None:
    mine = event("execution", "a", 1, actor="alice")
    others = event("execution", "b", 1)
    asked = event("message", "b", 2, kind="question", to="alice", body="May I?")
    to_nobody = event("message", "b", 3, kind="question", body="Who knows?")
    answered = event("message", "b", 4, kind="question", to="alice")
    reader = MemoryReader(
        task("a", "active", holder=mine.id),
        task("b", "active", holder=others.id),
        task("c", "review"),
        task("d", "review", responsible="bob"),
        task("e"),
        task("f", depends_on=["e"]),
        task("g", "done"),
        mine,
        others,
        asked,
        to_nobody,
        answered,
        event("message", "b", 5, kind="answer", in_reply_to=answered.id),
        event("message", "b", 6, kind="question", to="bob"),
        event("wait", "b", 2, subject=asked.id),
        event("wait", "b", 7, responder="bob"),
        wanted := event("wait", "b", 8, on="event"),
        event("conflict", "g", 1),
        event("conflict", "g", 2, state={"status": "resolved"}),
    )
    found = overview(reader, "alice", NOW)

    def tasks(rows: list[dict[str, str]]) -> str:
        return "".join(row["task"].rstrip("0") for row in rows)

    assert tasks(found.holds) == "a"
    assert tasks(found.working) == "bd"
    assert tasks(found.reviews) == "c"
    assert tasks(found.ready) == "e"
    assert [row["message"] for row in found.questions] == [asked.id, to_nobody.id]
    assert [row["wait"] for row in found.waits] == [wanted.id]
    assert tasks(found.conflicts) == "g"
    assert found.holds[0]["line"].startswith("alice claimed it")


def test_overview_without_an_actor_leaves_out_what_is_theirs() -> None:
    claim = event("execution", "a", 1)
    asked = event("message", "a", 2, kind="question", to="alice")
    held = task("a", "active", holder=claim.id)
    reader = MemoryReader(held, task("b", "review"), claim, asked, event("wait", "a", 3))
    found = overview(reader, None, NOW)
    assert (found.holds, found.questions, found.waits, found.reviews) == ([], [], [], [])
    assert [row["task"] for row in found.working] == [task_id("a"), task_id("b")]


def test_overview_names_bad_files_and_circles() -> None:
    ring = [task("a", depends_on=["b"]), task("b", depends_on=["a"])]
    reader = MemoryReader(*ring, task("c"), bad=[task_id("c")])
    found = overview(reader, None, NOW).as_json()
    assert [row["file"] for row in found["problems"]] == [task_id("c")]
    assert [row["tasks"] for row in found["circles"]] == [[task_id("a"), task_id("b")]]


def test_a_task_that_does_not_say_why_says_so() -> None:
    line = said(task("a", why=None))
    assert line.endswith("; it does not say why yet, as it must to start")


def test_ready_again_after_a_handoff_that_was_blocked() -> None:
    blocked = event("handoff", "a", 1, condition="blocked", summary="No key")
    assert said(task("a"), blocked).endswith("; codex-1 was blocked: No key")
