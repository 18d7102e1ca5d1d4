"""By which way a message came, and calls that are repeated with a key."""

from __future__ import annotations

from tests.cli.acting import Actor
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
