"""Approvals: an exact action that is asked for, and answered by who may."""

from __future__ import annotations

from tests.cli.acting import Actor, person
from tests.cli.approving import DROP, allowed, granted, path, standing
from tests.conftest import Git
from tests.program import Program

# -- asking and answering --------------------------------------------------------------------------


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
    assert codex.line(held).startswith("codex-1 has waited for ann since ")
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


# -- who may answer --------------------------------------------------------------------------------


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
    assert codex.line(held).startswith("codex-1 has waited for bob since ")
    assert codex.error("approve", "request", held, "x", "--to", "codex-1", code=4)
    own = ann.error("approve", "request", held, "x", code=2)
    assert "--to" in own["hint"]
