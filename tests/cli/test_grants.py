"""Grants: as far as their scope goes, and no longer; once is once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cli.acting import HANDOFF, Actor
from tests.cli.approving import DROP, PAST, allowed, granted, path, standing
from tests.program import Program

SIZE = 8


# -- how far a grant reaches -----------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["once", "execution", "task"])
def test_a_grant_is_not_for_a_sibling(
    gittask: Program, ann: Actor, codex: Actor, scope: str
) -> None:
    ann("project", "add", "shop")
    parent = gittask.new("Whole", "--project", "shop")
    first, second = (
        gittask.new(name, "--parent", parent, "--project", "shop") for name in ("a", "b")
    )
    for task in (parent, first, second):
        codex("start", task)
    granted(codex, ann, first, DROP, "--scope", scope)
    assert [allowed(codex, task) for task in (first, second, parent)] == [True, False, False]


def test_a_grant_for_the_project_is_for_its_tasks(
    gittask: Program, ann: Actor, codex: Actor
) -> None:
    ann("project", "add", "shop")
    ann("project", "add", "depot")
    first, second = (gittask.new(name, "--project", "shop") for name in ("a", "b"))
    other, free = gittask.new("c", "--project", "depot"), gittask.new("d")
    approval = granted(codex, ann, first, DROP, "--scope", "project")
    assert allowed(codex, first)
    assert allowed(codex, second)
    assert not allowed(codex, other)
    assert not allowed(codex, free)
    assert (
        "is in no project"
        in codex.error("approve", "request", free, DROP, "--scope", "project", code=2)["message"]
    )
    assert not codex.waiting(first)
    ann("approve", "revoke", approval, "--reason", "x")
    assert not allowed(codex, second)


def test_a_grant_for_an_execution_is_for_that_alone(
    gittask: Program, ann: Actor, codex: Actor, held: str
) -> None:
    granted(codex, ann, held, DROP, "--scope", "execution")
    beside = Actor(gittask, "claude-1")
    beside("start", held, "--lane", "review")
    assert allowed(codex, held)
    assert not allowed(beside, held)
    assert not allowed(ann, held)
    codex("handoff", held, "--kind", "final", *HANDOFF)
    codex("start", held)
    assert not allowed(codex, held)


def test_a_grant_for_an_execution_needs_one(gittask: Program, codex: Actor) -> None:
    task = gittask.new()
    error = codex.error("approve", "request", task, DROP, "--scope", "execution", code=5)
    assert "the scope is an execution" in error["message"]


@pytest.mark.parametrize("scope", ["once", "execution", "task", "project"])
def test_an_execution_that_lost_the_task_is_allowed_nothing(
    gittask: Program, ann: Actor, codex: Actor, scope: str
) -> None:
    ann("project", "add", "shop")
    task = gittask.new("Fix it", "--project", "shop")
    codex("start", task)
    granted(codex, ann, task, DROP, "--scope", scope)
    ann("takeover", task, "--reason", "silent")
    for args in ((), ("--use",), ("--request",)):
        error = codex.error("approve", "check", task, DROP, *args, code=4)
        assert "no longer holds" in error["message"]
    assert "no longer holds" in codex.error("approve", "request", task, "x", code=4)["message"]
    assert allowed(ann, task) is (scope != "execution")


# -- how long --------------------------------------------------------------------------------------


def test_what_has_expired_counts_no_more(
    gittask: Program, ann: Actor, codex: Actor, held: str
) -> None:
    codex("approve", "request", held, DROP, "--scope", "task", "--expires", "3d")
    ann("approve", "grant", held, "--expires", "2h")
    (approval,) = gittask.records("approval")
    assert approval["changed"].keys() == {"state", "expires"}
    assert allowed(codex, held)
    gittask.change(path(approval), expires=PAST)
    error = codex.error("approve", "check", held, DROP, code=4)
    assert error["details"]["status"] == "expired"
    assert standing(ann, held) == ["expired"]


def test_a_request_that_has_expired_is_not_granted(
    gittask: Program, ann: Actor, codex: Actor, held: str
) -> None:
    codex("approve", "request", held, DROP, "--expires", "3d")
    (approval,) = gittask.records("approval")
    gittask.change(path(approval), expires=PAST)
    assert "expired at" in ann.error("approve", "grant", approval["id"], code=4)["message"]
    assert ann.kinds() == ["expired"]  # the wait for it
    assert not codex.waiting(held)


def test_an_expiry_is_still_to_come(ann: Actor, codex: Actor, held: str) -> None:
    error = codex.error("approve", "request", held, DROP, "--expires", "2020-01-01", code=5)
    assert "is past already" in error["message"]
    approval = codex("approve", "request", held, DROP).id
    assert ann.error("approve", "grant", approval, "--expires", "2020-01-01", code=2)


# -- once ------------------------------------------------------------------------------------------


def test_once_is_once(gittask: Program, ann: Actor, codex: Actor, held: str) -> None:
    approval = granted(codex, ann, held)
    assert allowed(codex, held)  # looking uses nothing up
    document = codex.json("approve", "check", held, DROP, "--use")
    spent = document["approval"]["spent"]
    holder = gittask.task(held)["state"]["holder"]
    assert (spent["by"], spent["execution"]) == ("codex-1", holder)
    error = codex.error("approve", "check", held, DROP, "--use", code=4)
    assert error["details"] == {"action": DROP, "approval": approval, "status": "spent"}
    assert not allowed(codex, held)
    error = ann.error("approve", "revoke", approval, "--reason", "x", code=4)
    assert "used up by codex-1" in error["message"]
    gittask("verify", "..gittask")
    used = [e for e in codex.json("timeline", held)["entries"] if e["text"] == "used"]
    assert [entry["by"] for entry in used] == ["codex-1"]


def test_who_used_it_is_told(ann: Actor, codex: Actor, held: str) -> None:
    granted(codex, ann, held)
    said = codex("approve", "check", held, DROP, "--use").err
    assert said == "granted for once by ann, used now by codex-1\n"


def test_what_lasts_is_used_before_what_is_used_up(ann: Actor, codex: Actor, held: str) -> None:
    granted(codex, ann, held)
    granted(codex, ann, held, "glob:drop *", "--scope", "task")
    assert codex.json("approve", "check", held, DROP, "--use")["commit"] is None
    assert sorted(standing(ann, held)) == ["granted", "granted"]


def test_of_many_processes_one_uses_it(
    gittask: Program, ann: Actor, codex: Actor, held: str
) -> None:
    granted(codex, ann, held)

    def use(_: int) -> int:
        args = ("approve", "check", held, DROP, "--use", "--as", "codex-1")
        return gittask.process(*args).returncode

    with ThreadPoolExecutor(SIZE) as pool:
        codes = sorted(pool.map(use, range(SIZE)))
    assert codes == [0] + [4] * (SIZE - 1)
    (approval,) = gittask.records("approval")
    assert approval["spent"]["by"] == "codex-1"


def test_two_clones_that_use_it_unseen_are_a_conflict(
    clones: Callable[[int], list[Path]],
) -> None:
    one, two = (Program(folder) for folder in clones(2))
    one("init")
    codex = Actor(one, "codex-1")
    task = one.new("Fix it")
    codex("start", task)
    granted(codex, Actor(one, "clone0"), task)
    one("sync", "--as", "clone0")
    two("sync")
    for program in (one, two):
        program("approve", "check", task, DROP, "--use", "--as", "codex-1")
    for program in (one, two, one):
        program("sync", "--as", "clone0")
    for program in (one, two):
        (conflict,) = program.records("conflict")
        assert conflict["field"] == "spent"
        assert not allowed(Actor(program, "codex-1"), task)
    person = Actor(two, "clone0")
    (item,) = person.inbox()
    assert (item["kind"], item["record"]) == ("conflict", conflict["id"])
    error = person.error("resolve", conflict["id"], "--keep", "lost", code=4)
    assert "spent says what was done" in error["message"]
    person(*item["command"].split()[1:])
    assert person.inbox() == []


def test_a_grant_that_is_revoked_here_and_used_there(
    clones: Callable[[int], list[Path]],
) -> None:
    one, two = (Program(folder) for folder in clones(2))
    one("init")
    codex = Actor(one, "codex-1")
    task = one.new("Fix it")
    codex("start", task)
    approval = granted(codex, Actor(one, "clone0"), task)
    one("sync", "--as", "clone0")
    two("sync")
    one("approve", "revoke", approval, "--reason", "x", "--as", "clone0")
    two("approve", "check", task, DROP, "--use", "--as", "codex-1")
    for program in (one, two, one):
        program("sync", "--as", "clone0")
    (kept,) = one.records("approval")
    assert kept["state"]["status"] == "revoked"
    assert kept["spent"]["by"] == "codex-1"
    assert one.records("conflict") == []
