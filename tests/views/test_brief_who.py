"""For whom a brief is: what they may do, and by which commands they go on."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.beat import Signs
from gittask.core.record import Record
from tests.memory import START, event, task
from tests.views.briefs import about, commands, labels, made, text, texts


def claim(minute: int = 1, **fields: Any) -> Record:
    return event("execution", "abcd", minute, **fields)


def held(by: Record, status: str = "active", **fields: Any) -> Record:
    return task("abcd", status, holder=by.id, epoch=by.data["epoch"], since=START, **fields)


def test_who_holds_the_task_may_change_it() -> None:
    mine = claim()
    found = made(held(mine), mine, under=mine)
    assert "You hold the task" in labels(found, "who")
    assert f"export GITTASK_ACTOR=codex-1 GITTASK_EXECUTION={mine.id}" in commands(found)
    assert not any(each.startswith("gittask start") for each in commands(found))


def test_who_reviews_may_only_add_records() -> None:
    holder = claim()
    mine = claim(2, lane="review", role="reviewer", actor="claude-1")
    found = made(held(holder), holder, mine, who="claude-1", under=mine, role="reviewer")
    assert "not change the task or its code" in labels(found, "who")
    assert f"codex-1 holds the task: execution {holder.id}" in labels(found, "who")


def test_who_lost_the_task_may_only_report() -> None:
    mine = claim()
    other = claim(2, epoch=2, actor="claude-1")
    found = made(held(other), mine, other, under=mine)
    assert "It has lost the task (epoch 2 stands)" in labels(found, "who")
    assert f'gittask takeover {mine.task} --reason "..."' in commands(found)


def test_whose_execution_has_ended_begins_anew() -> None:
    mine = claim(state={"status": "failed", "reason": "no access"})
    found = made(task("abcd", epoch=1), mine, under=mine)
    assert "It has ended (failed)" in labels(found, "who")
    assert f"gittask start {mine.task}" in commands(found)
    assert "GITTASK_EXECUTION" not in " ".join(commands(found))


def test_who_is_lost_is_told_without_a_clock() -> None:
    mine = claim(state={"status": "running", "reason": None})
    for silence in (2000.0, 3000.0):
        heard = {mine.id: Signs(silence=silence, lease=900.0, gone=None)}
        assert "You count as lost here" in labels(
            made(held(mine), mine, under=mine, heard=heard), "who"
        )
    one, other = (
        text(
            about(
                held(mine),
                mine,
                under=mine,
                heard={mine.id: Signs(silence=silence, lease=900.0, gone=None)},
            )
        )
        for silence in (2000.0, 3000.0)
    )
    assert one == other


def test_a_provisional_claim_is_said() -> None:
    mine = claim()
    assert "provisional" in labels(made(held(mine), mine, under=mine, provisional=True), "who")
    assert "provisional" not in labels(made(held(mine), mine, under=mine), "who")


def test_an_approval_for_another_execution_does_not_count() -> None:
    mine, other = claim(), claim(2, lane="review")
    granted = {"status": "granted", "by": "alice", "reason": None}
    approvals = [
        event(
            "approval", "abcd", 3, scope="execution", execution=one.id, state=granted, action=what
        )
        for one, what in ((mine, "mine"), (other, "theirs"))
    ]
    found = made(held(mine), mine, other, *approvals, under=mine)
    assert texts(found, "who") == ["make it work", "mine"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"spent": {"at": START, "by": "codex-1", "execution": None}}, "No approval stands"),
        ({"expires": "2026-11-30T11:00:00.000Z"}, "No approval stands"),
        ({"expires": "2026-11-30T13:00:00.000Z"}, "Approved for once by alice, until"),
    ],
)
def test_only_what_stands_is_approved(fields: dict[str, Any], said: str) -> None:
    granted = {"status": "granted", "by": "alice", "reason": None}
    found = made(task("abcd"), event("approval", "abcd", 3, state=granted, **fields))
    assert said in labels(found, "who")


@pytest.mark.parametrize(
    ("allowed", "said"),
    [(["glob:pytest *"], ["glob:pytest *"]), (["none", "glob:*"], []), ([], [])],
)
def test_what_needs_no_approval(allowed: list[str], said: list[str]) -> None:
    found = made(task("abcd", allowed=allowed))
    assert texts(found, "who") == said
    assert ("Nothing is written down as allowed" in labels(found, "who")) is (not said)


def test_who_takes_up_anothers_handoff_says_what_they_understood() -> None:
    ended = claim(state={"status": "done", "reason": None})
    report = event("handoff", "abcd", 3, execution=ended.id)
    free = task("abcd", epoch=1)
    assert f'gittask start {free.id} --ack "..."' in commands(
        made(free, ended, report, who="claude-1")
    )
    assert f"gittask start {free.id}" in commands(made(free, ended, report, who="codex-1"))
    said = event("review", "abcd", 4, handoff=report.id, synthesis="s", created_by="claude-1")
    assert f"gittask start {free.id}" in commands(made(free, ended, report, said, who="claude-1"))


def test_no_work_starts_without_a_why() -> None:
    idea = task("abcd", why=None)
    assert f'gittask start {idea.id} --why "..."' in commands(made(idea))


def test_a_reviewer_gets_the_handoff_and_the_review_first() -> None:
    holder = claim(state={"status": "reported", "reason": None})
    report = event("handoff", "abcd", 3, execution=holder.id)
    lines = text(
        about(held(holder, "review"), holder, report, who="alice", role="reviewer")
    ).splitlines()
    headings = [line for line in lines if line.startswith("## ")]
    assert headings[:2] == ["## Handoff under review", "## Commands"]
    found = made(held(holder, "review"), holder, report, who="alice", role="reviewer")
    assert f'gittask review {report.id} --verdict approved --synthesis "..."' in commands(found)


def test_nobody_is_told_to_approve_their_own() -> None:
    holder = claim(state={"status": "reported", "reason": None})
    report = event("handoff", "abcd", 3, execution=holder.id)
    found = made(held(holder, "review"), holder, report, under=holder, role="reviewer")
    assert not any("--verdict" in each for each in commands(found))


def test_what_is_asked_of_the_reader_comes_with_the_command_that_answers() -> None:
    asked = event(
        "message", "abcd", 3, kind="question", to="codex-1", body="Why?", created_by="bob"
    )
    request = event("approval", "abcd", 4, requested_by="claude-1")
    wait = event("wait", "abcd", 5, on="approval", subject=request.id, responder="alice")
    mine, hers = (made(task("abcd"), asked, request, wait, who=who) for who in ("codex-1", "alice"))
    assert f'gittask answer {asked.id} "..."' in commands(mine)
    assert f"gittask approve grant {request.id}" not in commands(mine)
    assert f"gittask approve grant {request.id}" in commands(hers)
    assert f'gittask answer {asked.id} "..."' not in commands(hers)


def test_a_closed_task_is_reopened_first() -> None:
    found = made(task("abcd", "done", outcome="It works"))
    assert commands(found) == [
        "export GITTASK_ACTOR=codex-1",
        f'gittask reopen {task("abcd").id} --reason "..."',
    ]
    assert "It works" in texts(found, "goal")
