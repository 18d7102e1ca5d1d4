"""By which way a message came, and calls that are repeated with a key."""

from __future__ import annotations

from tests.cli.acting import HANDOFF, Actor
from tests.program import Program


def test_a_key_is_for_one_sort_of_call(gittask: Program, codex: Actor) -> None:
    task = gittask.new()
    first = codex("ask", task, "May I?", "--idempotency-key", "k").id
    for call in (("answer", first, "yes"), ("say", task, "May I?")):
        said = codex.error(*call, "--idempotency-key", "k", code=4)["message"]
        assert said == f"the idempotency key was used already, for the question {first}"
    assert codex("ask", task, "May I?", "--idempotency-key", "k").id == first


def test_the_channel_is_told_where_it_is_no_terminal(gittask: Program, ann: Actor) -> None:
    task = gittask.new()
    ann("say", task, "Here", "--channel", "chat")
    ann("say", task, "There")
    told = [line for line in ann("timeline", task).out.splitlines() if "comment" in line]
    assert told[0].endswith("  by chat: Here")
    assert told[1].endswith("  There")
    assert "Comment by chat, " in ann("brief", task).out


def test_who_does_not_hold_a_task_holds_nobody_up(
    held: str, ann: Actor, codex: Actor, claude: Actor
) -> None:
    claude("start", held, "--lane", "review")
    claude("ask", held, "Why so?", "--to", "ann")
    assert not ann.waiting(held)
    codex("ask", held, "May I?", "--to", "ann")
    assert ann.waiting(held)


def test_who_reviewed_before_is_not_told_to_take_the_task(
    held: str, codex: Actor, claude: Actor
) -> None:
    claude("start", held, "--lane", "review")
    codex("handoff", held, *HANDOFF[:-1], "claude-1")
    (item,) = [one for one in claude.inbox() if one["kind"] == "handoff"]
    assert item["command"].startswith("gittask review ")
