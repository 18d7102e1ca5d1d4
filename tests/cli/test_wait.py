"""Waiting: who can end it, what ends it by itself, and what happens if nothing does."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.codec import encode
from gittask.store.packaged import schemas
from tests.cli.acting import HANDOFF, Actor
from tests.program import Program

PAST = "2020-01-01T00:00:00.000Z"


@pytest.fixture
def task(gittask: Program) -> str:
    return gittask.new("Fix it")


EVENT = ("--on", "event", "--for", "The fix is out", "--responder", "ann")


def path(wait: dict[str, Any]) -> str:
    return schemas().path("wait", wait["id"], task=wait["task"])


def only(gittask: Program) -> dict[str, Any]:
    (wait,) = gittask.records("wait")
    return wait


def test_a_task_that_waits_is_not_ready(gittask: Program, ann: Actor, task: str) -> None:
    assert ann.ready(task)
    wait = ann("wait", task, *EVENT).id
    assert wait == only(gittask)["id"]
    assert not ann.ready(task)
    assert ann.waiting(task)
    assert ann.line(task).startswith("ann has waited for ann since ")
    assert ann.line(task).endswith(": The fix is out")
    ann("wait", task, "--met", wait, "--reason", "Released as 2.1")
    assert ann.ready(task)
    assert not ann.waiting(task)
    state = gittask.records("wait")[0]["state"]
    assert (state["status"], state["by"], state["reason"]) == ("met", "ann", "Released as 2.1")


def test_one_commit_that_names_what_is_waited_for(ann: Actor, task: str) -> None:
    document = ann.json("wait", task, *EVENT)
    assert list(document) == ["wait", "commit"]
    assert document["wait"]["on"] == "event"
    assert document["wait"]["task"] == task


@pytest.mark.parametrize("on", ["person", "approval", "event"])
def test_somebody_must_be_able_to_end_it(ann: Actor, task: str, on: str) -> None:
    error = ann.error("wait", task, "--on", on, "--for", "x", code=2)
    assert "somebody who can end it" in error["message"]
    assert "--responder" in error["hint"]
    assert ann.error("wait", task, "--on", on, "--for", "x", "--responder", "bob", code=3)


def test_an_agent_cannot_answer_itself(gittask: Program, codex: Actor, task: str) -> None:
    codex("start", task)
    error = codex.error("wait", task, *EVENT[:-1], "codex-1", code=5)
    assert "cannot answer itself" in error["message"]
    codex("actor", "add", "codex-2")
    codex.program("--as", "ann", "actor", "add", "ci", "--kind", "service")
    for responder in ("codex-2", "ci"):
        codex("wait", task, *EVENT[:-1], responder)
    assert len(gittask.records("wait")) == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--on", "event", "--responder", "ann"], "what is waited for is missing"),
        (["--on", "time"], "--until"),
        (["--on", "event", "--for", "x", "--responder", "ann", "--until", "2h"], "--until"),
        (["--on", "task"], "which task"),
        (["r7q2", "--on", "time", "--until", "2h"], "SUBJECT"),
        ([*EVENT, "--otherwise", "go on"], "--expires"),
        ([*EVENT, "--expires", "soon"], "is no time"),
        ([*EVENT, "--met", "x"], "say one of"),
        ([], "say one of"),
        ([*EVENT, "--reason", "x"], "--reason"),
        (["--met", "x"], "--reason"),
        (["--met", "x", "--reason", "x", "--for", "y"], "nothing else"),
    ],
)
def test_what_does_not_belong_together(ann: Actor, task: str, args: list[str], said: str) -> None:
    error = ann.error("wait", task, *args, code=2)
    assert said in error["message"]
    assert error["hint"]


@pytest.mark.parametrize(
    "args", [["--on", "time", "--until", "2020-01-01"], [*EVENT, "--expires", "2020-01-01"]]
)
def test_what_is_to_come_is_not_past(ann: Actor, task: str, args: list[str]) -> None:
    assert "is past already" in ann.error("wait", task, *args, code=5)["message"]


def test_for_a_time(gittask: Program, ann: Actor, task: str) -> None:
    ann("wait", task, "--on", "time", "--until", "2099-12-01")
    assert ann.line(task) == ("ann waits until 2099-12-01 00:00 UTC: it is 2099-12-01T00:00Z")
    assert not ann.ready(task)
    gittask.change(path(only(gittask)), until=PAST)
    assert ann.ready(task)


def test_for_some_time(ann: Actor, task: str) -> None:
    wait = ann.json("wait", task, "--on", "time", "--until", "2h")["wait"]
    assert wait["condition"] == f"it is {wait['until'][:16]}Z"


def test_for_a_task(gittask: Program, ann: Actor, task: str) -> None:
    other = gittask.new("Other")
    ann("wait", task, other[:8], "--on", "task")
    assert only(gittask)["condition"] == "Other is done"
    assert only(gittask)["subject"] == other
    assert not ann.ready(task)
    ann("close", other, "--outcome", "done")
    assert ann.ready(task)


def test_for_an_answer(ann: Actor, codex: Actor, task: str) -> None:
    question = ann("ask", task, "May I?").id
    assert ann.ready(task)  # nobody in particular was asked
    codex("wait", task, question, "--on", "person", "--responder", "ann")
    assert codex.line(task).startswith("codex-1 has waited for ann since ")
    assert codex.line(task).endswith(": May I?")
    ann("answer", question, "Yes")
    assert ann.ready(task)


def test_for_an_answer_to_what_is_no_question(ann: Actor, task: str) -> None:
    comment = ann("say", task, "Hm").id
    error = ann.error("wait", task, comment, "--on", "person", "--responder", "ann", code=2)
    assert "is no question but a comment" in error["message"]


def test_for_an_approval(gittask: Program, ann: Actor, codex: Actor, task: str) -> None:
    codex("start", task)
    approval = codex("approve", "request", task, "drop it").id
    other = gittask.new("Other")
    sibling = ann.error("wait", other, approval, "--on", "approval", "--responder", "ann", code=3)
    assert "not one of task" in sibling["message"]
    codex("wait", task, approval, "--on", "approval", "--responder", "ann")
    assert len(gittask.records("wait")) == 2
    assert ann.waiting(task)
    ann("approve", "deny", approval, "--reason", "no")
    assert not ann.waiting(task)


def test_what_happens_when_it_expires(
    gittask: Program, ann: Actor, codex: Actor, task: str
) -> None:
    codex("start", task)
    codex("wait", task, *EVENT, "--expires", "2h", "--otherwise", "Use the old version")
    assert codex.waiting(task)
    gittask.change(path(only(gittask)), expires=PAST)
    assert not codex.waiting(task)
    assert codex.line(task) == (
        "codex-1 waited for ann until 2020-01-01 00:00 UTC: The fix is out; now: "
        "Use the old version"
    )
    wait = only(gittask)["id"]
    command = f'gittask wait {task} --cancel {wait} --reason "..."'
    for actor in (ann, codex):
        (item,) = actor.inbox()
        assert (item["kind"], item["command"]) == ("expired", command)
    codex("wait", task, "--cancel", wait, "--reason", "Used the old version")
    assert ann.inbox() == codex.inbox() == []


# -- circles ------------------------------------------------------------------------------------


def test_a_circle_of_waits_is_named(gittask: Program, ann: Actor) -> None:
    a, b, c = (gittask.new(name) for name in "abc")
    ann("wait", a, b, "--on", "task")
    ann("dep", "add", b, c)
    error = ann.error("wait", c, a, "--on", "task", code=5)
    assert f"would close a circle: {c} -> {a} -> {b} -> {c}" in error["message"]
    error = ann.error("wait", a, a, "--on", "task", code=5)
    assert f"{a} -> {a}" in error["message"]
    assert len(gittask.records("wait")) == 1


def test_a_dependency_may_not_close_a_circle_over_a_wait(gittask: Program, ann: Actor) -> None:
    a, b = gittask.new("a"), gittask.new("b")
    wait = ann("wait", a, b, "--on", "task").id
    assert f"{b} -> {a} -> {b}" in ann.error("dep", "add", b, a, code=5)["message"]
    ann("wait", a, "--cancel", wait, "--reason", "x")
    ann("dep", "add", b, a)


def test_a_part_does_not_wait_for_the_whole(gittask: Program, ann: Actor) -> None:
    whole = gittask.new("whole")
    part = gittask.new("part", "--parent", whole)
    small = gittask.new("small", "--parent", part)
    error = ann.error("wait", small, whole, "--on", "task", code=5)
    assert "is what the task is a part of" in error["message"]
    ann("wait", whole, small, "--on", "task")


def test_circles_that_a_merge_made_are_found(gittask: Program, ann: Actor) -> None:
    a, b = sorted(gittask.new(name) for name in "ab")
    ann("wait", a, b, "--on", "task")
    wait = only(gittask)
    second = {**wait, "id": "20991130t100000z-000000", "task": b, "subject": a}
    second["created"] = {"at": "2099-11-30T10:00:00.000Z", "by": "ann"}
    gittask.push({path(second): encode(second)})
    remedy = f"gittask wait {b} --cancel {second['id']} --reason ..."
    (item,) = ann.inbox()
    assert (item["kind"], item["command"]) == ("circle", remedy)
    assert f"{a} -> {b} -> {a}" in item["text"]
    assert ann.json("status")["status"]["circles"] == [{"tasks": [a, b], "remedy": remedy}]
    assert not ann.ready(a)
    assert not ann.ready(b)


# -- ending -------------------------------------------------------------------------------------


def test_who_may_end_it(gittask: Program, ann: Actor, codex: Actor, task: str) -> None:
    codex("start", task)
    stranger, responder = Actor(gittask, "stranger"), Actor(gittask, "ci")
    codex.program("--as", "ann", "actor", "add", "ci", "--kind", "service")
    waits = [codex("wait", task, *EVENT[:-1], "ci").id for _ in range(3)]
    error = stranger.error("wait", task, "--met", waits[0], "--reason", "x", code=4)
    assert "is not for stranger to end" in error["message"]
    for actor, wait in zip((ann, codex, responder), waits, strict=True):
        actor("wait", task, "--met", wait, "--reason", "x")
    error = ann.error("wait", task, "--cancel", waits[0], "--reason", "x", code=4)
    assert "has ended already: met" in error["message"]


def test_who_lost_the_task_makes_nobody_wait(
    gittask: Program, ann: Actor, codex: Actor, task: str
) -> None:
    codex("start", task)
    wait = codex("wait", task, *EVENT).id
    ann("takeover", task, "--reason", "silent")
    for args in (EVENT, ("--met", wait, "--reason", "x")):
        error = codex.error("wait", task, *args, code=4)
        assert "no longer holds" in error["message"]
    codex("ask", task, "Am I out?", "--to", "ann")
    assert len(gittask.records("wait")) == 1
    assert "question" in ann.kinds()


def test_the_responder_ends_it_whatever_became_of_their_own_attempt(
    gittask: Program, codex: Actor, task: str
) -> None:
    codex("start", task)
    codex("handoff", task, *HANDOFF)
    other = Actor(gittask, "codex-2")
    other("start", task, "--ack", "understood")
    wait = other("wait", task, *EVENT[:-1], "codex-1").id
    codex("wait", task, "--met", wait, "--reason", "it is out")
    assert only(gittask)["state"]["status"] == "met"


def test_a_closed_task_waits_for_nothing(ann: Actor, task: str) -> None:
    ann("close", task, "--outcome", "done")
    assert "waits for nothing" in ann.error("wait", task, *EVENT, code=4)["message"]
