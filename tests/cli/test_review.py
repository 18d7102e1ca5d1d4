"""Reviews: what follows from each verdict, and what a new holder has to say first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.acting import HANDOFF, Actor
from tests.conftest import Git
from tests.program import Program

WRONG = ("--verdict", "changes_requested", "--synthesis", "Reads the new table")
FINDING = ("--finding", "The old one is still written")


def state(gittask: Program, task: str) -> tuple[str, int, str | None]:
    found = gittask.task(task)["state"]
    return found["status"], found["epoch"], found["holder"]


def editors(gittask: Program) -> list[str]:
    """The status of each execution of the edit lane."""
    executions = gittask.records("execution")
    return [one["state"]["status"] for one in executions if one["lane"] == "edit"]


def only(records: list[dict[str, Any]]) -> dict[str, Any]:
    (record,) = records
    return record


# -- verdicts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("beside", [False, True])
def test_changes_put_the_task_back_to_its_holder(
    gittask: Program, git: Git, codex: Actor, claude: Actor, held: str, beside: bool
) -> None:
    claim = state(gittask, held)
    handoff = codex("handoff", held, *HANDOFF).id
    assert editors(gittask) == ["reported"]
    if beside:
        claude("start", held, "--lane", "review")
        assert state(gittask, held) == ("review", *claim[1:])
    before = git(gittask.folder, "rev-parse", "gittask")
    document = claude.json("review", handoff, *WRONG, *FINDING, "--question", "Why?")
    assert git(gittask.folder, "rev-parse", "gittask~") == before
    assert document["review"]["verdict"] == "changes_requested"
    assert document["review"]["questions"] == ["Why?"]
    assert state(gittask, held) == ("active", *claim[1:])
    assert editors(gittask) == ["running"]
    assert codex.line(held).startswith("claude-1 asked codex-1 for changes at ")
    assert codex.line(held).endswith("The old one is still written")

    error = claude.error("start", held, code=4)
    assert "is held by codex-1" in error["message"]
    codex("report", held, "On it")
    assert "codex-1 has worked on it" in codex.line(held)
    codex("handoff", held, *HANDOFF)
    assert state(gittask, held) == ("review", *claim[1:])
    assert len(gittask.records("handoff")) == 2
    gittask("verify", "..gittask")


def test_changes_open_the_task_if_its_holder_has_ended(
    gittask: Program, codex: Actor, claude: Actor, held: str
) -> None:
    codex("handoff", held, "--kind", "final", *HANDOFF)
    claude("review", held, *WRONG, *FINDING)
    assert state(gittask, held) == ("open", 1, None)
    assert editors(gittask) == ["done"]
    reason = gittask.task(held)["state"]["reason"]
    assert reason == "changes requested by claude-1: The old one is still written"
    assert claude.ready(held)
    assert claude("start", held).id  # who reviewed the handoff has understood it


def test_changes_of_what_no_longer_stands_are_only_kept(
    gittask: Program, ann: Actor, codex: Actor, claude: Actor, held: str
) -> None:
    first = codex("handoff", held, *HANDOFF).id
    codex("handoff", held, *HANDOFF)
    claude("review", first, *WRONG, *FINDING)
    assert state(gittask, held)[0] == "review"
    ann("takeover", held, "--reason", "mine now")
    late = codex("handoff", held, *HANDOFF).id
    claude("review", late, *WRONG, *FINDING)
    assert state(gittask, held)[0] == "active"
    ann("close", held, "--outcome", "done")
    error = claude.error("review", late, *WRONG, *FINDING, code=4)
    assert f"gittask reopen {held}" in error["hint"]
    assert len(gittask.records("review")) == 2


@pytest.mark.parametrize("verdict", ["approved", "acknowledged"])
def test_other_verdicts_leave_the_task_in_review(
    gittask: Program, ann: Actor, codex: Actor, claude: Actor, held: str, verdict: str
) -> None:
    codex("handoff", held, *HANDOFF)
    before = state(gittask, held)
    claude("review", held, "--verdict", verdict, "--synthesis", "Right")
    assert state(gittask, held) == before
    assert f"in review, {verdict} by claude-1" in codex.line(held)
    (item,) = ann.inbox()
    closes = f'gittask close {held} --outcome "..."'
    assert (item["command"] == closes) is (verdict == "approved")
    ann("close", held, "--outcome", "done")
    assert ann.inbox() == []


def test_nobody_approves_their_own_handoff(gittask: Program, codex: Actor, held: str) -> None:
    codex("handoff", held, *HANDOFF)
    error = codex.error("review", held, "--verdict", "approved", "--synthesis", "Right", code=4)
    assert "codex-1's own" in error["message"]
    assert gittask.records("review") == []


def test_a_reviewer_may_do_nothing_else(codex: Actor, claude: Actor, held: str) -> None:
    codex("handoff", held, *HANDOFF)
    claude("start", held, "--lane", "review")
    error = claude.error("close", held, "--outcome", "done", code=4)
    assert "does not hold task" in error["message"]


def test_what_a_verdict_needs(codex: Actor, claude: Actor, held: str) -> None:
    codex("handoff", held, *HANDOFF)
    error = claude.error("review", held, "--verdict", "acknowledged", code=5)
    assert "synthesis: is missing" in error["message"]
    error = claude.error("review", held, *WRONG, code=5)
    assert "--finding" in error["hint"]
    assert claude.error("review", held, "--verdict", "approved", "--synthesis", " ", code=5)
    assert claude.error("review", "zzzz", *WRONG, code=3)


def test_a_task_without_a_handoff(claude: Actor, held: str) -> None:
    assert "has no handoff" in claude.error("review", held, *WRONG, *FINDING, code=3)["message"]


def test_a_synthesis_from_a_file(gittask: Program, codex: Actor, claude: Actor, held: str) -> None:
    handoff = codex("handoff", held, *HANDOFF).id
    args = ("--as", claude.name, "review", handoff, "--verdict", "approved", "-F", "-")
    gittask(*args, input="Right,\nand tested\n")
    assert only(gittask.records("review"))["synthesis"] == "Right,\nand tested"


# -- taking up ----------------------------------------------------------------------------------

UNSURE = (
    *("--condition", "watch", "--summary", "Reads the new table", "--changed", "none"),
    *("--verified", "none", "--not-verified", "none"),
    *("--uncertain", "Is the old one needed? :: It is dropped next"),
    *("--next", "Drop the old one", "--next-by", "editor"),
)


def test_who_goes_on_says_first_what_they_understood(
    gittask: Program, git: Git, codex: Actor, claude: Actor, held: str
) -> None:
    handoff = codex("handoff", held, *UNSURE).id
    before = git(gittask.folder, "rev-parse", "gittask")
    error = claude.error("start", held, code=4)
    assert error["details"]["handoff"] == handoff
    assert error["details"]["summary"] == "Reads the new table"
    assert error["details"]["uncertain"][0]["question"] == "Is the old one needed?"
    assert error["details"]["next_action"]["do"] == "Drop the old one"
    for text in ("Reads the new table", "Is the old one needed?", "It is dropped next", "Drop"):
        assert text in error["message"]
    assert f'gittask start {held} --ack "what you understood"' in error["hint"]
    assert git(gittask.folder, "rev-parse", "gittask") == before

    started = claude.json("start", held, "--ack", "The old table goes")
    assert git(gittask.folder, "rev-parse", "gittask~") == before
    review = only(gittask.records("review"))
    assert (review["handoff"], review["verdict"]) == (handoff, "acknowledged")
    assert review["synthesis"] == "The old table goes"
    assert review["execution"] == started["execution"]["id"]
    assert review["created"]["by"] == "claude-1"
    gittask("verify", "..gittask")


def test_why_it_is_not_said_is_kept(
    gittask: Program, codex: Actor, claude: Actor, held: str
) -> None:
    handoff = codex("handoff", held, *UNSURE).id
    assert claude.error("start", held, "--no-ack", " ", code=2)
    claude("start", held, "--no-ack", "It is night, and the depot stands still")
    note = only(gittask.records("note"))
    assert note["kind"] == "event"
    assert handoff in note["body"]
    assert note["body"].endswith("It is night, and the depot stands still")
    assert note["execution"] == gittask.task(held)["state"]["holder"]
    assert gittask.records("review") == []


def test_who_needs_to_say_nothing(
    gittask: Program, ann: Actor, codex: Actor, claude: Actor, held: str
) -> None:
    codex("handoff", held, *UNSURE)
    claude("start", held, "--lane", "review")  # looks only
    codex("start", held)  # goes on with what it handed off itself
    assert state(gittask, held)[1] == 2
    codex("handoff", held, *UNSURE)
    ann("review", held, "--verdict", "approved", "--synthesis", "Right")
    ann("start", held)  # has reviewed it
    assert state(gittask, held)[1] == 3


def test_an_automatic_handoff_is_not_to_be_understood(
    codex: Actor, claude: Actor, held: str
) -> None:
    codex("handoff", held, "--kind", "auto", *HANDOFF)
    codex("release", held)
    claude("start", held)


def test_what_cannot_be_acknowledged(codex: Actor, claude: Actor, gittask: Program) -> None:
    task = gittask.new()
    for option in ("--ack", "--no-ack"):
        error = claude.error("start", task, option, "x", code=2)
        assert "has no handoff to acknowledge" in error["message"]
    codex("start", task)
    codex("handoff", task, *HANDOFF)
    error = claude.error("start", task, "--ack", "x", "--no-ack", "y", code=2)
    assert "exclude each other" in error["message"]
    assert claude.error("start", task, "--ack", "", code=5)


def test_a_held_task_is_refused_before_anything_is_asked(
    codex: Actor, claude: Actor, held: str
) -> None:
    codex("handoff", held, "--kind", "progress", *UNSURE)
    assert "is held by codex-1" in claude.error("start", held, code=4)["message"]


# -- late notes ---------------------------------------------------------------------------------


def test_a_late_note_is_acknowledged(
    gittask: Program, ann: Actor, codex: Actor, claude: Actor, held: str
) -> None:
    ann("takeover", held, "--reason", "silent")
    note = codex("note", held, "Half of it is in a branch").id
    error = claude.error("review", note, *WRONG, *FINDING, code=5)
    assert "must be acknowledged for a note" in error["message"]
    claude("review", note, "--verdict", "acknowledged", "--synthesis", "There is a branch")
    review = only(gittask.records("review"))
    assert review["note"] == note
    assert "handoff" not in review
    assert "late" not in ann.kinds()
