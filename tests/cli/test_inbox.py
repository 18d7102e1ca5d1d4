"""The inbox: nothing that wants somebody is left out, and each command settles its item."""

from __future__ import annotations

import shlex

from gittask.store.packaged import schemas
from tests.cli.acting import HANDOFF, Actor, person
from tests.program import Program

PAST = "2020-01-01T00:00:00.000Z"


def settle(actor: Actor, command: str) -> None:
    """Run the command of an item, with words where it leaves them open."""
    name, *args = shlex.split(command)
    assert name == "gittask"
    actor(*(arg.replace("...", "because") for arg in args))


def settled(actor: Actor, kind: str) -> None:
    """The inbox holds one item, of this kind, and its command settles it."""
    (item,) = actor.inbox()
    assert item["kind"] == kind
    settle(actor, item["command"])
    assert actor.inbox() == []


def test_nothing(gittask: Program, ann: Actor) -> None:
    gittask.new()
    assert ann("inbox").out == ""
    assert ann("inbox").err == "nothing wants ann\n"
    assert ann.json("inbox", "--all") == {"inbox": [], "total": 0}


def test_a_question(gittask: Program, ann: Actor, codex: Actor, held: str) -> None:
    bob = person(gittask, "bob")
    question = codex("ask", held, "May I?", "--to", "bob").id
    assert ann.inbox() == []
    (item,) = bob.inbox()
    assert item == {
        "kind": "question",
        "task": held,
        "record": question,
        "at": gittask.records("message")[0]["created"]["at"],
        "to": ["bob"],
        "text": "codex-1 asks: May I?",
        "command": f'gittask answer {question} "..."',
        "title": "Fix it",
    }
    settled(bob, "question")


def test_a_question_to_nobody_is_for_who_answers_for_the_task(
    gittask: Program, ann: Actor, codex: Actor, held: str
) -> None:
    bob = person(gittask, "bob")
    codex("ask", held, "May I?")
    assert bob.inbox() == []
    settled(ann, "question")


def test_a_question_to_an_agent(ann: Actor, codex: Actor, held: str) -> None:
    ann("ask", held, "How far?", "--to", "codex-1")
    assert ann.inbox() == []
    settled(codex, "question")


def test_an_approval(ann: Actor, codex: Actor, held: str) -> None:
    codex("approve", "request", held, "drop it")
    settled(ann, "approval")


def test_an_approval_for_a_project(gittask: Program, ann: Actor, codex: Actor) -> None:
    ann("project", "add", "shop")
    task = gittask.new("Fix it", "--project", "shop")
    codex("start", task)
    codex("approve", "request", task, "drop it", "--scope", "project")
    settled(ann, "approval")


def test_a_handoff(ann: Actor, codex: Actor, held: str) -> None:
    codex("handoff", held, *HANDOFF)
    assert codex.inbox() == []
    (item,) = ann.inbox()
    assert item["kind"] == "review"
    settle(ann, item["command"])
    settled(ann, "review")  # what was approved is to be closed


def handed(codex: Actor, task: str, who: str, *more: str) -> None:
    codex("handoff", task, *HANDOFF, "--next-by", who, *more)


def test_a_handoff_reaches_whom_its_next_action_names(
    gittask: Program, ann: Actor, codex: Actor, held: str
) -> None:
    bob = person(gittask, "bob")
    handed(codex, held, "Bob")
    (item,) = bob.inbox()
    assert (item["kind"], item["to"]) == ("handoff", ["bob"])
    assert item["text"] == "codex-1 hands on to bob: look at it"
    assert ann.kinds() == ["review"]
    settled(bob, "handoff")


def test_an_agent_is_told_how_to_go_on(codex: Actor, claude: Actor, held: str) -> None:
    claude("note", held, "here")
    handed(codex, held, "claude-1", "--kind", "retry_context")
    (item,) = claude.inbox()
    assert item["command"] == f'gittask start {held} --ack "..."'
    settled(claude, "handoff")


def test_a_handoff_in_passing_is_to_be_acknowledged(
    gittask: Program, codex: Actor, held: str
) -> None:
    bob = person(gittask, "bob")
    handed(codex, held, "bob", "--kind", "progress")
    settled(bob, "handoff")
    handed(codex, held, "codex-1", "--kind", "progress")
    assert codex.inbox() == []


def test_a_handoff_goes_away_with_the_task(
    gittask: Program, ann: Actor, codex: Actor, held: str
) -> None:
    bob = person(gittask, "bob")
    handed(codex, held, "bob")
    ann("close", held)
    assert bob.inbox() == []


def test_an_answer_to_an_agent(ann: Actor, codex: Actor, held: str) -> None:
    question = codex("ask", held, "May I?", "--to", "ann").id
    assert codex.inbox() == []
    answer = ann("answer", question, "Yes").id
    (item,) = codex.inbox()
    assert (item["record"], item["text"]) == (answer, "ann answers: Yes")
    assert ann.inbox() == []
    settled(codex, "answer")


def test_changes_that_a_review_asks_for(ann: Actor, codex: Actor, held: str) -> None:
    codex("handoff", held, *HANDOFF)
    ann("review", held, "--verdict", "changes_requested", "--finding", "No test")
    (item,) = codex.inbox()
    assert item["text"] == "ann asks for changes: No test"
    assert ann.inbox() == []
    settled(codex, "changes")


def test_who_is_not_known_has_no_inbox(gittask: Program) -> None:
    error = gittask("inbox", "--as", "nobody", "--json", code=3).error
    assert "gittask actor add nobody --kind person (or --kind agent)" in error["hint"]


def test_a_check_that_failed(ann: Actor, codex: Actor, held: str) -> None:
    codex("handoff", held, *HANDOFF, "--condition", "watch", "--run", "exit 3")
    (item,) = ann.inbox()
    assert item["text"] == "codex-1 handed off although a check fails: exit 3 fails"


def test_an_execution_that_was_superseded(ann: Actor, codex: Actor, held: str) -> None:
    codex("report", held, "Half of it")
    ann("takeover", held, "--reason", "silent")
    (item,) = ann.inbox()
    assert "overtaken by epoch 2, because silent" in item["text"]
    assert "last report: Half of it" in item["text"]
    assert f"--execution {item['record']}" in item["command"]
    settled(ann, "superseded")
    assert "is held by ann" in codex.error("start", held, code=4)["message"]


def test_who_lost_the_task_may_let_go_too(
    gittask: Program, ann: Actor, codex: Actor, held: str
) -> None:
    ann("takeover", held, "--reason", "silent")
    codex("release", held)
    assert ann.inbox() == []
    state = gittask.task(held)["state"]
    assert (state["status"], state["epoch"]) == ("active", 2)


def test_who_handed_off_was_not_superseded(ann: Actor, codex: Actor, held: str) -> None:
    codex("handoff", held, *HANDOFF)
    ann("start", held, "--ack", "understood")
    assert ann.inbox() == []


def test_an_execution_that_is_lost(gittask: Program, ann: Actor, codex: Actor) -> None:
    task = gittask.new("Fix it")
    codex("start", task, "--pid", str(2**22 + 1))  # no system gives a process such a number
    (item,) = ann.inbox()
    assert item["kind"] == "lost"
    assert item["command"] == f"gittask recover {item['record']}"
    assert "last report: none" in item["text"]


def test_late_reports(ann: Actor, codex: Actor, held: str) -> None:
    codex("note", held, "in time")
    ann("takeover", held, "--reason", "silent")
    note = codex("note", held, "There is a branch").id
    handoff = codex("handoff", held, *HANDOFF).id
    ann("close", held, "--outcome", "done")
    items = {item["record"]: item for item in ann.inbox()}
    assert items.keys() == {note, handoff}
    assert {item["kind"] for item in items.values()} == {"late"}
    assert items[note]["text"] == "codex-1 reported after losing the task: There is a branch"
    for item in items.values():
        settle(ann, item["command"])
    assert ann.inbox() == []


def test_a_wait_that_expired(gittask: Program, ann: Actor, codex: Actor, held: str) -> None:
    event = ("--on", "event", "--for", "x", "--responder", "ann", "--expires", "2h")
    wait = codex.json("wait", held, *event)["wait"]
    gittask.change(schemas().path("wait", wait["id"], task=held), expires=PAST)
    settled(ann, "expired")


def test_circles_and_bad_files_are_for_people(gittask: Program, ann: Actor, codex: Actor) -> None:
    bob = person(gittask, "bob")
    a, b = gittask.new("a"), gittask.new("b")
    codex("note", a, "here")
    ann("dep", "add", a, b)
    bad = schemas().path("task", gittask.new("c"))
    gittask.change(schemas().path("task", b), depends_on=[a])
    gittask.push({bad: b"id: [\n"})
    for actor in (ann, bob):
        circle, unreadable = actor.inbox()
        assert (circle["kind"], unreadable["kind"]) == ("circle", "unreadable")
        assert bad in unreadable["text"]
        assert unreadable["command"] == "gittask verify"
    assert codex.inbox() == []
    settle(bob, circle["command"])
    assert bob.kinds() == ["unreadable"]


def test_a_bad_file_hides_nothing_else(
    gittask: Program, ann: Actor, codex: Actor, held: str
) -> None:
    question = codex("ask", held, "May I?", "--to", "ann").id
    codex("approve", "request", held, "drop it")
    execution = gittask.records("execution")[0]
    gittask.push({schemas().path("execution", execution["id"], task=held): b"\xff"})
    assert ann.kinds() == ["question", "approval", "unreadable"]
    settle(ann, f'gittask answer {question} "Yes"')


def test_where_no_person_answers_for_the_task_any_may(
    gittask: Program, ann: Actor, codex: Actor
) -> None:
    task = codex("new", "Fix it", "--why", "x").id
    codex("ask", task, "May I?")
    assert gittask.task(task)["responsible"] == "codex-1"
    (item,) = ann.inbox()
    assert item["to"] == ["ann"]  # who asks is not asked
    assert codex.inbox() == []


def test_for_people(ann: Actor, codex: Actor, held: str) -> None:
    question = codex("ask", held, "May\u200b I?", "--to", "ann").id
    head, *lines = ann("inbox").out.splitlines()
    assert head.startswith(f"question  {held[:4]}  Fix it  20")
    assert lines == [
        "    codex-1 asks: May\\u200b I?",
        f'    gittask answer {question} "..."',
    ]
    shown = codex("inbox", "--all").out.splitlines()
    assert shown == [head, lines[0], "    for ann", lines[1]]
    assert codex("inbox").out == ""


def test_what_somebody_waits_for_comes_first(ann: Actor, codex: Actor, held: str) -> None:
    ann("takeover", held, "--reason", "silent")
    codex("note", held, "late")
    codex("ask", held, "Am I out?", "--to", "ann")
    codex("ask", held, "And now?", "--to", "ann")
    items = ann.inbox()
    assert [item["kind"] for item in items] == ["question", "question", "superseded", "late"]
    assert items[0]["text"] == "codex-1 asks: Am I out?"
