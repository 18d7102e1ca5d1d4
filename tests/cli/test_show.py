"""``show``: a task, an execution and every other record, as a person reads them."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.codec import decode
from gittask.store.packaged import schemas
from tests.cli.acting import HANDOFF, Actor, person
from tests.program import Program


def order(shown: str, *parts: str) -> None:
    """Check that all parts are there, in this order."""
    places = [shown.index(part) for part in parts]
    assert places == sorted(places), shown


@pytest.fixture
def execution(gittask: Program, held: str) -> str:
    """The execution of codex-1 that holds the task."""
    id: str = gittask.task(held)["state"]["holder"]
    return id


def test_a_task_says_first_what_and_why(ann: Actor, codex: Actor) -> None:
    task = ann("new", "Fix it", "--why", "Orders get lost", "--accept", "They arrive").id
    codex("start", task)
    codex("decide", task, "Where", "--outcome", "Here")
    codex("ask", task, "May I?", "--to", "ann")
    shown = ann("show", task).out
    assert "\nwaits\n" not in shown  # it is about the question, and that is shown
    order(
        shown,
        f"{task}  Fix it\ncodex-1 has waited for ann since ",
        "why\n  Orders get lost\n",
        "acceptance (0 of 1 met)\n  [ ] ",
        "\nstatus  ",
        "open questions\n",
        "decisions\n",
        "attempts\n",
    )


def test_a_task_without_a_why_says_so(ann: Actor) -> None:
    shown = ann("show", ann("new", "Fix it").id).out
    assert "why\n  not said yet, and no work starts without it\n" in shown


def test_an_execution_says_how_the_work_went(
    gittask: Program, ann: Actor, codex: Actor, held: str, execution: str
) -> None:
    codex("report", held, "Half of it")
    codex("note", held, "--run", "echo seen; exit 3")
    asked = codex("approve", "request", held, "drop index").id
    ann("approve", "grant", asked)
    made = codex("handoff", held, *HANDOFF, "--run", "true").id
    ann("review", held, "--verdict", "approved", "--synthesis", "Good")
    shown = ann("show", execution).out
    order(
        shown,
        f"execution {execution} of task {held}\ncodex-1 as editor: reported since ",
        "objective\n  Fix it\n",
        f"task         {held} Fix it (review)\n",
        "lane         edit, epoch 1\n",
        "runtimes\n",
        f"handoff {made}, ",
        "- true passes, `true`, exit code 0, at ",
        "not verified: none\n",
        "approved, ",
        "notes\n",
        "Half of it\n",
        "$ echo seen; exit 3\n",
        "exit code 3\n",
        f"approvals\n  {asked} granted (once), ",
    )
    document = gittask.json("show", execution)
    assert document["execution"]["id"] == execution
    found = document["computed"]
    assert [one["id"] for one in found["handoffs"]] == [made]
    assert [one["body"] for one in found["notes"]] == ["Half of it", "echo seen; exit 3"]
    assert (found["liveness"]["state"], found["provisional"]) == ("reported", False)


def test_executions_name_each_other(
    gittask: Program, ann: Actor, codex: Actor, held: str, execution: str
) -> None:
    codex("release", held, "--reason", "no access")
    retry = codex("retry", execution).id
    assert f"retries      {execution} codex-1 (declined, no access)" in ann("show", retry).out
    assert f"retried by   {retry} codex-1 (claimed)" in ann("show", execution).out
    bob = person(gittask, "bob")
    taken = bob("takeover", held, "--reason", "it is silent").id
    assert "took over because\n  it is silent" in ann("show", taken).out
    assert f"after        {retry} codex-1" in ann("show", taken).out
    assert "codex-1 as editor: superseded since " in ann("show", retry).out


def test_an_execution_whose_task_cannot_be_read(
    gittask: Program, held: str, execution: str
) -> None:
    gittask.push({schemas().path("task", held): b"title: [\n"})
    assert gittask("show", execution).out.startswith(f"execution {execution} of task {held}\n")
    assert "computed" not in gittask.json("show", execution)


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_every_kind_is_shown(
    gittask: Program, ann: Actor, codex: Actor, held: str, option: list[str]
) -> None:
    gittask("project", "add", "shop")
    ids = {
        "note": codex("note", held, "Seen").id,
        "decision": codex("decide", held, "Where", "--outcome", "Here").id,
        "message": codex("ask", held, "May I?", "--to", "ann").id,
        "approval": codex("approve", "request", held, "drop index").id,
        "handoff": codex("handoff", held, *HANDOFF).id,
        "review": ann("review", held, "--verdict", "acknowledged", "--synthesis", "Good").id,
        "project": "shop",
        "actor": "codex-1",
    }
    ids["wait"] = gittask.records("wait")[0]["id"]
    for kind, id in ids.items():
        shown = ann("show", id, *option).out
        assert shown.startswith("{" if option else f"{kind} {id}")
        assert "..." not in shown


def test_raw_is_the_stored_file(gittask: Program, ann: Actor, codex: Actor, held: str) -> None:
    note = codex("note", held, "Seen: yes\nand more").id
    for name, kind in ((note, "note"), (held, "task"), ("ann", "actor")):
        path = schemas().path(kind, name, task=held if kind == "note" else None)
        assert ann("show", name, "--raw").out.encode() == gittask.stored(path)
    raw: Any = decode(ann("show", note, "--raw").out.encode())
    assert raw == ann.json("show", note, "--raw")["note"]
