"""Approvals: an exact action, allowed by who may, as far as the scope goes and no longer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gittask.store.packaged import schemas
from tests.cli.acting import HANDOFF, Actor, person
from tests.conftest import Git
from tests.program import Program

DROP = "drop index orders_old"
PAST = "2020-01-01T00:00:00.000Z"
SIZE = 8


def granted(codex: Actor, ann: Actor, task: str, action: str = DROP, *args: str) -> str:
    approval = codex("approve", "request", task, action, *args).id
    return ann("approve", "grant", approval).id


def allowed(actor: Actor, task: str, action: str = DROP, *args: str) -> bool:
    code = actor("approve", "check", task, action, *args, code=None).code
    assert code in (0, 4)
    return code == 0


def path(approval: dict[str, Any]) -> str:
    owner = {"task": approval.get("task"), "project": approval.get("project")}
    return schemas().path("approval", approval["id"], **owner)


def standing(actor: Actor, *args: str) -> list[str]:
    return [row["standing"] for row in actor.json("approve", "list", *args)["approvals"]]


# -- asking and answering -----------------------------------------------------------------------


def test_a_request_makes_the_task_wait(
    gittask: Program, git: Git, ann: Actor, codex: Actor, held: str
) -> None:
    before = git(gittask.folder, "rev-parse", "gittask")
    document = codex.json("approve", "request", held, DROP)
    assert git(gittask.folder, "rev-parse", "gittask~") == before
    asked = document["approval"]
    assert (asked["scope"], asked["requested_by"], asked["spent"]) == ("once", "codex-1", None)
    assert asked["state"]["status"] == "requested"
    (wait,) = gittask.records("wait")
    assert (wait["on"], wait["subject"], wait["responder"]) == ("approval", asked["id"], "ann")
    assert codex.line(held).startswith("codex-1 waits for ann since ")
    assert codex.line(held).endswith(f": approve {DROP}")
    (item,) = ann.inbox()
    assert (item["kind"], item["command"]) == ("approval", f"gittask approve grant {asked['id']}")
    assert codex.inbox() == []
    ann(*item["command"].split()[1:])
    assert ann.inbox() == []
    assert not codex.waiting(held)


def test_what_is_not_granted_is_refused(ann: Actor, codex: Actor, held: str) -> None:
    error = codex.error("approve", "check", held, DROP, code=4)
    assert error["details"] == {"action": DROP, "approval": None, "status": None}
    assert f"gittask approve request {held} '{DROP}'" in error["hint"]
    approval = codex("approve", "request", held, DROP).id
    error = codex.error("approve", "check", held, DROP, code=4)
    assert error["details"] == {"action": DROP, "approval": approval, "status": "requested"}
    ann("approve", "deny", approval, "--reason", "Not before the backup")
    error = codex.error("approve", "check", held, DROP, code=4)
    assert error["details"]["status"] == "denied"
    assert "is denied by ann: Not before the backup" in error["message"]


def test_what_is_granted_is_allowed_until_it_is_revoked(
    ann: Actor, codex: Actor, held: str
) -> None:
    approval = granted(codex, ann, held, DROP, "--scope", "task")
    document = codex.json("approve", "check", held, DROP)
    assert (document["approval"]["id"], document["commit"]) == (approval, None)
    assert allowed(codex, held, DROP, "--use")
    assert allowed(codex, held, DROP, "--use")
    ann("approve", "revoke", approval, "--reason", "The window is over")
    assert not allowed(codex, held)
    assert standing(ann, held) == ["revoked"]


def test_the_action_must_be_the_same(ann: Actor, codex: Actor, held: str) -> None:
    granted(codex, ann, held, DROP, "--scope", "task")
    for other in (DROP + " ", DROP.upper(), DROP + "; true", "drop index *", ""):
        assert not allowed(codex, held, other)


def test_a_pattern_is_said_in_so_many_words(ann: Actor, codex: Actor, held: str) -> None:
    granted(codex, ann, held, "glob:pytest *", "--scope", "task")
    assert allowed(codex, held, "pytest -q tests")
    assert not allowed(codex, held, "pytest -q; rm -rf /")
    assert codex.error("approve", "check", held, "glob:pytest *", code=2)
    assert "names no action" in codex.error("approve", "request", held, "glob:*", code=5)["message"]


def test_an_answer_is_given_once(ann: Actor, codex: Actor, held: str) -> None:
    approval = codex("approve", "request", held, DROP).id
    error = ann.error("approve", "revoke", approval, "--reason", "x", code=4)
    assert "is requested, it cannot become revoked" in error["message"]
    ann("approve", "grant", approval)
    for args in (["grant", approval], ["deny", approval, "--reason", "x"]):
        error = ann.error("approve", *args, code=4)
        assert "is granted by ann" in error["message"]
        assert f"gittask approve revoke {approval}" in error["hint"]
    ann("approve", "revoke", approval, "--reason", "x")
    assert "is revoked by ann" in ann.error("approve", "grant", approval, code=4)["message"]


def test_an_approval_is_named_by_its_task_if_it_is_the_only_one(
    ann: Actor, codex: Actor, held: str
) -> None:
    assert ann.error("approve", "grant", held, code=3)
    first = codex("approve", "request", held, "a").id
    second = codex("approve", "request", held, "b").id
    error = ann.error("approve", "grant", held, code=3)
    assert error["details"]["candidates"] == sorted([first, second])
    ann("approve", "deny", first, "--reason", "x")
    assert ann("approve", "grant", held).id == second
    assert ann("approve", "revoke", held, "--reason", "x").id == second


# -- who may answer -----------------------------------------------------------------------------


def test_nobody_grants_their_own_request(gittask: Program, ann: Actor, held: str) -> None:
    bob = person(gittask, "bob")
    approval = ann("approve", "request", held, DROP, "--to", "bob").id
    for args in (["grant", approval], ["deny", approval, "--reason", "x"]):
        error = ann.error("approve", *args, code=4)
        assert "nobody answers their own request" in error["message"]
    bob("approve", "grant", approval)
    error = ann.error("approve", "revoke", approval, "--reason", "x", code=4)
    assert "nobody answers their own request" in error["message"]


def test_agents_grant_nothing_unless_the_project_names_them(
    gittask: Program, ann: Actor, codex: Actor
) -> None:
    other = Actor(gittask, "codex-2")
    ann("project", "add", "shop")
    task = gittask.new("Fix it", "--project", "shop")
    codex("start", task)
    approval = codex("approve", "request", task, DROP).id
    assert "is no person" in other.error("approve", "grant", approval, code=4)["message"]
    assert "own request" in codex.error("approve", "grant", approval, code=4)["message"]
    other("note", task, "here")  # now an actor of the store
    ann("project", "set", "shop", "approvers+=codex-2")
    error = ann.error("approve", "grant", approval, code=4)
    assert "only codex-2 may answer it" in error["message"]
    assert ann.inbox() == []
    assert other.kinds() == ["approval"]
    other("approve", "grant", approval)
    assert allowed(codex, task)
    own = other("approve", "request", task, "other", "--to", "codex-2", code=4)
    assert "own request" in own.err


def test_only_people_say_who_approves(gittask: Program, ann: Actor, codex: Actor) -> None:
    ann("project", "add", "shop")
    ann("project", "set", "shop", "approvers+=ann")
    task = gittask.new("Fix it", "--project", "shop")
    codex("start", task)
    error = codex.error("project", "set", "shop", "approvers=codex-1", code=4)
    assert "only a person may say who approves" in error["message"]
    error = codex.error("set", task, "project=none", code=4)
    assert "only a person may move it elsewhere" in error["message"]
    error = codex.error("actor", "set", "codex-1", "kind=person", code=4)
    assert "only a person may say" in error["message"]
    ann("set", task, "project=none")


def test_a_grant_by_somebody_who_may_not_give_it_is_void(
    gittask: Program, ann: Actor, codex: Actor, held: str
) -> None:
    asked = codex.json("approve", "request", held, DROP)["approval"]
    forged = {"status": "granted", "by": "codex-1", "at": asked["created"]["at"], "reason": None}
    gittask.change(path(asked), state=forged)
    assert not allowed(codex, held)
    assert standing(ann, held) == ["void"]
    gittask.change(path(asked), state={**forged, "by": "ann"})
    assert allowed(codex, held)


def test_who_is_asked(gittask: Program, ann: Actor, codex: Actor, held: str) -> None:
    bob = person(gittask, "bob")
    codex("approve", "request", held, DROP, "--to", "bob")
    assert bob.kinds() == ann.kinds() == ["approval"]
    assert codex.line(held).startswith("codex-1 waits for bob since ")
    assert codex.error("approve", "request", held, "x", "--to", "codex-1", code=4)
    own = ann.error("approve", "request", held, "x", code=2)
    assert "--to" in own["hint"]


# -- how far a grant reaches --------------------------------------------------------------------


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


# -- how long -----------------------------------------------------------------------------------


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


# -- once ---------------------------------------------------------------------------------------


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


# -- asking by checking -------------------------------------------------------------------------


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
