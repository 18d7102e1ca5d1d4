"""What is asked for by checking, and the list of approvals."""

from __future__ import annotations

import pytest

from tests.cli.acting import Actor
from tests.cli.approving import DROP, allowed, standing
from tests.conftest import Git
from tests.program import Program


def test_check_and_ask_in_one(
    gittask: Program, git: Git, ann: Actor, codex: Actor, held: str
) -> None:
    before = git(gittask.folder, "rev-parse", "gittask")
    args = ("approve", "check", held, DROP, "--request", "--scope", "task")
    error = codex.error(*args, code=4)
    assert git(gittask.folder, "rev-parse", "gittask~") == before
    assert error["details"]["commit"] == git(gittask.folder, "rev-parse", "gittask")
    (approval,), (wait,) = gittask.records("approval"), gittask.records("wait")
    assert error["details"]["approval"] == approval["id"] == wait["subject"]
    assert error["details"]["wait"] == wait["id"]
    assert approval["scope"] == "task"
    again = codex.error(*args, code=4)
    assert again["details"]["status"] == "requested"
    ann("approve", "deny", approval["id"], "--reason", "no")
    assert codex.error(*args, code=4)["details"]["status"] == "denied"
    assert len(gittask.records("approval")) == 1  # nobody is asked over and over
    codex("approve", "request", held, DROP)
    ann("approve", "grant", held)
    assert allowed(codex, held, DROP, "--request", "--use")
    assert codex.error(*args, code=4)["details"]["status"] == "requested"
    assert len(gittask.records("approval")) == 3


def test_options_of_a_request_without_one(codex: Actor, held: str) -> None:
    error = codex.error("approve", "check", held, DROP, "--scope", "task", code=2)
    assert "--request" in error["hint"]


def test_list(gittask: Program, ann: Actor, codex: Actor, held: str) -> None:
    ids = [codex("approve", "request", held, action).id for action in "abc"]
    ann("approve", "grant", ids[0], "--expires", "2099-01-01")
    ann("approve", "deny", ids[1], "--reason", "no")
    document = ann.json("approve", "list", "--limit", "2")
    assert document["total"] == 3
    assert [row["id"] for row in document["approvals"]] == ids[:0:-1]
    assert standing(ann, "--status", "granted", "--status", "requested") == ["requested", "granted"]
    out = ann("approve", "list", held, "--status", "granted").out
    assert out == f"{ids[0]}  granted  once  {held[:4]}  until 2099-01-01 00:00 UTC  codex-1: a\n"
    assert standing(ann, gittask.new()) == []


@pytest.mark.parametrize(
    ("level", "call"),
    [("task", "set {task}"), ("store", "store set"), ("actor", "actor set codex-1")],
)
def test_who_says_that_nothing_is_allowed_is_named(
    gittask: Program, ann: Actor, codex: Actor, held: str, level: str, call: str
) -> None:
    ann(*call.format(task=held).split(), "allowed=None")  # the word, however it is written
    id = {"task": held, "actor": "codex-1"}.get(level) or gittask.records("store")[0]["id"]
    error = codex.error("approve", "check", held, DROP, code=4)
    assert f"{level} {id} allows nothing without it" in error["message"]
    codex("approve", "request", held, DROP)
    error = codex.error("approve", "check", held, DROP, code=4)
    assert f"{level} {id} allows nothing without it" in error["message"]


def test_a_pattern_that_was_denied_stands_against_a_list(
    ann: Actor, codex: Actor, held: str
) -> None:
    ann("store", "set", "allowed+=glob:rm *")
    assert allowed(codex, held, "rm -rf build")
    denied = codex("approve", "request", held, "glob:rm -rf *").id
    ann("approve", "deny", denied, "--reason", "Never")
    assert not allowed(codex, held, "rm -rf build")
    assert allowed(codex, held, "rm build")
