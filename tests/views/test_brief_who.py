"""For whom a brief is: what they may do, and by which commands they go on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gittask.core.beat import Signs
from gittask.core.record import Record
from gittask.views.brief.compose import Brief, brief
from gittask.views.effective import effective
from tests.memory import START, actor, event, task
from tests.views.briefs import about, commands, labels, made, part, text, texts


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


def said(found: Brief) -> dict[str, str]:
    """What each command is for, by its second word."""
    return {each.line.split()[1]: each.what for each in found.commands}


def test_a_task_waits_for_an_answer_only_if_somebody_is_asked() -> None:
    assert said(made(task("abcd")))["ask"] == "Ask; the task waits"
    assert said(made(task("abcd"), who="alice"))["ask"] == "Ask"


def test_one_who_looks_on_is_not_told_to_claim() -> None:
    holder = claim(actor="claude-1")
    found = made(held(holder, "review"), holder, role="reviewer")
    assert "claim it" not in labels(found, "who")
    assert "begin first (see Commands)" in labels(found, "who")
    done = made(task("abcd", "done", outcome="o"), role="editor")
    assert "It is done" not in labels(done, "who")
    assert "The task is done; to go on with it, reopen it" in labels(done, "who")


@pytest.mark.parametrize("remote", [True, False])
@pytest.mark.parametrize("status", ["open", "done"])
def test_what_is_written_is_to_be_sent_where_there_is_a_remote(status: str, remote: bool) -> None:
    found = commands(made(task("abcd", status, outcome=None), remote=remote))
    assert ("gittask sync" in found) is remote


def test_a_name_that_the_store_does_not_know_is_said() -> None:
    reads = about(task("abcd"))
    assert "not known" not in labels(brief(reads, 9000), "who")
    misspelt = replace(reads, actor=actor("codex1", "agent"))
    assert "You are codex1 (agent, not known to this store yet)" in labels(
        brief(misspelt, 9000), "who"
    )


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
    assert not any("approve" in each for each in commands(found))
    assert said(found)["ask"] == "Ask"


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
        (
            {"expires": "2026-11-30T13:00:00.000Z"},
            "for one use, until 2026-11-30 13:00 UTC, granted by alice",
        ),
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


def test_who_set_what_is_allowed_is_said_as_elsewhere() -> None:
    """Also where the last change took an entry away."""
    changed = {
        "allowed.glob:pytest *": "1 2026-11-30T10:01:00.000Z alice",
        "allowed.glob:rm *": "2 2026-11-30T10:02:00.000Z bob",
    }
    reads = about(task("abcd", allowed=["glob:pytest *"], changed=changed))
    (item,) = [each for each in part(brief(reads, 9000), "who") if "Allowed" in each["label"]]
    assert item["by"] == "bob"
    assert effective(reads.reader, reads.task, "codex-1")["allowed"]["by"] == "bob"


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


def test_what_came_to_nothing_is_not_approved() -> None:
    """It leaves nothing to approve, and there is nobody to send it back to."""
    failed = claim(state={"status": "failed", "reason": "no access"})
    report = event("handoff", "abcd", 3, execution=failed.id, kind="retry_context")
    free = task("abcd", epoch=1)
    for role in ("editor", "reviewer"):
        found = commands(made(free, failed, report, who="alice", role=role))
        assert not any("approved" in each or "changes_requested" in each for each in found)
    understood = f'gittask review {report.id} --verdict acknowledged --synthesis "..."'
    assert understood in found
    read = event("review", "abcd", 4, handoff=report.id, synthesis="s", created_by="alice")
    assert understood not in commands(
        made(free, failed, report, read, who="alice", role="reviewer")
    )


def test_changes_are_asked_for_of_one_who_still_works() -> None:
    holder = claim()
    report = event("handoff", "abcd", 3, execution=holder.id)
    found = commands(made(held(holder), holder, report, who="alice", role="reviewer"))
    assert f'gittask review {report.id} --verdict changes_requested --finding "..."' in found
    assert not any("approved" in each for each in found)


def test_nobody_is_told_to_approve_their_own() -> None:
    holder = claim(state={"status": "reported", "reason": None})
    report = event("handoff", "abcd", 3, execution=holder.id)
    found = made(held(holder, "review"), holder, report, under=holder, role="reviewer")
    assert not any("--verdict" in each for each in commands(found))


def test_what_is_asked_of_the_reader_comes_with_the_command_that_answers() -> None:
    asked = event(
        "message",
        "abcd",
        3,
        **{"kind": "question", "from": "bob", "to": "codex-1", "body": "Why?"},
        created_by="bob",
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
