"""Preferences: the nearest level decides, people alone set policy, nothing opens by accident."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gittask.core.codec import decode, encode
from gittask.core.merge import merge
from gittask.store.packaged import schemas
from tests.cli.acting import HANDOFF, Actor
from tests.conftest import Git
from tests.forging import agent, told
from tests.program import Program, path_of
from tests.stored import session

PYTEST, LS = "pytest -q tests", "ls -l a,b=c"
PROJECT, STORE = "projects/shop/project.yaml", "gittask.yaml"


@pytest.fixture
def task(gittask: Program, ann: Actor, codex: Actor) -> str:
    """A task of project shop that codex-1 holds."""
    ann("project", "add", "shop")
    made = gittask.new("Fix it", "--project", "shop")
    codex("start", made)
    return made


def allowed(actor: Actor, task: str, action: str, *args: str) -> str | None:
    """The level that allows an action, or None."""
    result = actor("--json", "approve", "check", task, action, *args, code=None)
    assert result.code in (0, 4)
    if result.code:
        return None
    document = result.document
    assert document["commit"] is None
    level: str = document["policy"]["level"] if document["policy"] else "grant"
    return level


def effective(actor: Actor, task: str) -> dict[str, Any]:
    holds: dict[str, Any] = actor.json("show", task, "--effective")["effective"]
    return holds


def provider(program: Program, execution: str) -> Any:
    (found,) = [one for one in program.records("execution") if one["id"] == execution]
    return found["provider"]


# -- what is allowed -----------------------------------------------------------------------------


def test_each_level_can_allow_and_the_nearest_decides_alone(
    ann: Actor, codex: Actor, task: str
) -> None:
    assert allowed(codex, task, PYTEST) is None
    ann("actor", "set", "codex-1", "allowed+=glob:pytest *")
    assert allowed(codex, task, PYTEST) == "actor"
    assert allowed(ann, task, PYTEST) is None
    ann("store", "set", "allowed+=glob:pytest *", f"allowed+={LS}")
    assert allowed(codex, task, PYTEST) == allowed(ann, task, LS) == "store"
    ann("project", "set", "shop", f"allowed={LS}")
    assert allowed(codex, task, LS) == "project"
    assert allowed(codex, task, PYTEST) is None
    ann("set", task, "allowed=none")
    assert allowed(codex, task, LS) is allowed(codex, task, "none") is None
    ann("set", task, "allowed=")
    assert allowed(codex, task, LS) == "project"


def test_check_says_which_level_allowed_it(
    gittask: Program, git: Git, ann: Actor, codex: Actor, task: str
) -> None:
    ann("project", "set", "shop", "allowed+=glob:pytest *")
    tip = git(gittask.folder, "rev-parse", "gittask")
    for args in ((), ("--use",), ("--request",)):
        result = codex("approve", "check", task, PYTEST, *args)
        assert result.out == "allowed by project shop\n"
        document = codex.json("approve", "check", task, PYTEST, *args)
        assert document["policy"] == {"level": "project", "id": "shop"}
        assert document["approval"] is document["commit"] is None
    assert git(gittask.folder, "rev-parse", "gittask") == tip  # nothing asked, nothing spent


def test_a_grant_is_looked_for_first_and_a_no_is_final(ann: Actor, codex: Actor, task: str) -> None:
    ann("project", "set", "shop", "allowed+=glob:pytest *")
    denied = codex("approve", "request", task, PYTEST).id
    assert allowed(codex, task, PYTEST) == "project"
    ann("approve", "deny", denied, "--reason", "It deletes the tables")
    error = codex.error("approve", "check", task, PYTEST, code=4)
    assert "is denied by ann: It deletes the tables" in error["message"]
    assert allowed(codex, task, "pytest -q other") == "project"
    again = codex("approve", "request", task, PYTEST, "--scope", "task").id
    ann("approve", "grant", again)
    assert allowed(codex, task, PYTEST) == "grant"
    ann("approve", "revoke", again, "--reason", "x")
    assert allowed(codex, task, PYTEST) is None


def test_who_lost_the_task_is_allowed_nothing(ann: Actor, codex: Actor, task: str) -> None:
    ann("store", "set", f"allowed+={LS}")
    ann("takeover", task, "--reason", "silent")
    assert "no longer holds" in codex.error("approve", "check", task, LS, code=4)["message"]
    assert allowed(ann, task, LS) == "store"


@pytest.mark.parametrize("broken", [PROJECT, STORE])
def test_what_cannot_be_read_opens_no_door(
    gittask: Program, ann: Actor, codex: Actor, task: str, broken: str
) -> None:
    ann("actor", "set", "codex-1", f"allowed+={LS}")
    assert allowed(codex, task, LS) == "actor"
    gittask.push({broken: b"]["})
    error = codex.error("approve", "check", task, LS, code=5 if broken == STORE else 4)
    assert "cannot be read" in error["message"] or broken in error["message"]
    holds = effective(codex, task)
    assert holds["allowed"] is holds["approvers"] is None
    assert holds["unknown"].keys() == {"allowed", "approvers"}
    text = codex("show", task, "--effective").out
    assert text.count("nobody and nothing") == 2


def test_an_unreadable_project_is_no_reason_not_to_ask(
    gittask: Program, ann: Actor, codex: Actor, task: str
) -> None:
    ann("set", task, "approvers=ann")
    ann("store", "set", f"allowed+={LS}")
    gittask.push({PROJECT: b"]["})
    assert allowed(codex, task, LS, "--request") is None
    ann("approve", "grant", task)
    assert allowed(codex, task, LS) == "grant"


# -- who approves --------------------------------------------------------------------------------


def test_the_nearest_approvers_answer(ann: Actor, codex: Actor, claude: Actor, task: str) -> None:
    claude("note", task, "here")
    ann("store", "set", "approvers=ann")
    ann("set", task, "approvers=claude-1")
    asked = codex("approve", "request", task, LS).id
    assert "only claude-1 may answer it" in ann.error("approve", "grant", asked, code=4)["message"]
    claude("approve", "grant", asked)
    assert allowed(codex, task, LS) == "grant"
    ann("set", task, "approvers=")  # now it is for ann alone, and what claude-1 granted is void
    assert allowed(codex, task, LS) is None


# -- who may set it ------------------------------------------------------------------------------

SETS = ("set {task}", "project set shop", "store set", "actor set codex-1")


@pytest.mark.parametrize("call", SETS)
@pytest.mark.parametrize("name", ["allowed", "approvers"])
def test_an_agent_sets_no_policy(ann: Actor, codex: Actor, task: str, call: str, name: str) -> None:
    words = call.format(task=task).split()
    if name == "approvers" and call.startswith("actor"):
        assert "is not a field" in str(codex.error(*words, "approvers=ann", code=5)["details"])
        return
    error = codex.error(*words, f"{name}+=codex-1", code=4)
    assert "only a person may say" in error["message"]
    ann(*words, f"{name}+=codex-1")
    assert "only a person" in codex.error(*words, f"{name}=", code=4)["message"]
    codex(*words, "provider=codex", "instructions=Look twice")


@pytest.mark.parametrize("path", ["task", PROJECT, STORE, "actors/codex-1.yaml"])
def test_verify_finds_the_policy_that_an_agent_wrote_by_hand(
    gittask: Program, task: str, path: str
) -> None:
    path = path_of(task) if path == "task" else path
    opened = session(gittask.folder).repo
    data = decode(gittask.stored(path))
    kind = schemas().locate(path)
    assert kind
    stamp = {"allowed.ls": "9 2026-11-30T10:00:00.000Z codex-1"}
    data |= {"allowed": ["ls"], "changed": {**data["changed"], **stamp}}
    files: dict[str, bytes | None] = {path: encode(data, schemas().order(kind.kind))}
    author, tip = agent("codex-1"), opened.tip()
    made = opened.commit(tip, files, author, author, "set: it\n\nActor: codex-1\n")
    opened.move(tip, made, "test")
    (found,) = told(gittask.folder, f"{tip}..{made}")
    assert found.startswith("allowed: : only a person may say what is allowed without approval")


def test_verify_finds_a_merge_that_chose_the_wider_policy(
    gittask: Program, git: Git, ann: Actor, task: str
) -> None:
    folder = gittask.folder
    ann("project", "set", "shop", "allowed+=glob:rm *", f"allowed+={LS}")
    wide = git(folder, "rev-parse", "gittask")
    ann("note", task, "meanwhile")
    side = git(folder, "rev-parse", "gittask")
    git(folder, "update-ref", "refs/heads/gittask", wide)
    ann("project", "set", "shop", "allowed-=glob:rm *")
    narrow = git(folder, "rev-parse", "gittask")
    codex = ("-c", "user.name=codex-1", "-c", "user.email=codex-1@actors.gittask.invalid")
    tree = git(folder, "rev-parse", f"{side}^{{tree}}")
    made = git(folder, *codex, "commit-tree", "-p", narrow, "-p", side, "-m", "m", tree)
    git(folder, "update-ref", "refs/heads/gittask", made)
    assert any(
        said.startswith("merge: allowed: is glob:rm *, ls") for said in told(folder, f"{side}..")
    )


def test_an_agent_moves_no_task_into_a_more_generous_project(
    ann: Actor, codex: Actor, task: str
) -> None:
    ann("project", "add", "lab")
    codex("set", task, "project=lab")
    ann("project", "set", "shop", f"allowed+={LS}")
    assert "only a person" in codex.error("set", task, "project=shop", code=4)["message"]
    ann("set", task, "project=shop")
    assert allowed(codex, task, LS) == "project"


# -- provider ------------------------------------------------------------------------------------


def test_the_preferred_provider_follows_the_work(
    gittask: Program, ann: Actor, codex: Actor, claude: Actor, task: str
) -> None:
    def taken() -> str:
        return claude("takeover", task, "--reason", "silent").id

    assert provider(gittask, taken()) is None
    ann("actor", "set", "claude-1", "provider=by-actor")
    assert provider(gittask, taken()) == "by-actor"
    ann("store", "set", "provider=by-store")
    assert provider(gittask, taken()) == "by-store"
    ann("project", "set", "shop", "provider=by-project")
    last = taken()
    assert provider(gittask, last) == "by-project"
    ann("set", task, "provider=by-task")
    claude("handoff", task, "--kind", "retry_context", *HANDOFF)
    retried = codex("retry", last, "--ack", "x").id
    assert provider(gittask, retried) == "by-task"
    said = claude("takeover", task, "--reason", "r", "--provider", "mine").id
    assert provider(gittask, said) == "mine"


def test_a_retry_without_any_preference_goes_where_it_was(gittask: Program, codex: Actor) -> None:
    task = gittask.new("Fix it")
    codex("start", task, "--provider", "mine")
    codex("handoff", task, "--kind", "retry_context", *HANDOFF)
    assert provider(gittask, codex("retry", task).id) == "mine"


# -- the store's record --------------------------------------------------------------------------


def test_the_store_is_shown_and_set(gittask: Program, ann: Actor) -> None:
    entry = "glob:make x=1, y=*"
    ann("store", "set", "name=Shop", "lease=30m", f"allowed+={entry}", "allowed+=git  status")
    store = ann.json("store", "show")["store"]
    assert (store["name"], store["lease"]) == ("Shop", "30m")
    assert store["allowed"] == ["git  status", entry]
    assert ann("store", "show").out.encode() == gittask.stored(STORE)
    ann("store", "set", f"allowed-={entry}", "lease=none")
    assert ann.json("store", "show")["store"]["allowed"] == ["git  status"]
    for word in (
        "format=2",
        "id=x",
        "lease=soon",
        "allowed-=nothing",
        "colour=red",
        "allowed+=glob:*",
    ):
        assert ann.error("store", "set", word, code=5)["details"]["problems"][0]["hint"]
    hint = ann.error("store", "set", "lease=1x", code=5)["hint"]
    assert hint == "a number and its unit: 90s, 15m, 2h, 1d; see: gittask schema store"


@pytest.mark.usefixtures("task")
def test_what_was_set_is_said(ann: Actor, codex: Actor) -> None:
    assert ann("store", "set", "lease=30m", "name=Shop").err == "set the store: name, lease\n"
    assert ann("store", "set", "lease=30m").err == "set the store (nothing to change)\n"
    assert ann("project", "set", "shop", "provider=codex").err == "set shop: provider\n"
    assert codex("actor", "set", "codex-1", "name=Codex").err == "set codex-1: name\n"


# -- where it comes from -------------------------------------------------------------------------


def test_effective_says_where_each_comes_from(ann: Actor, codex: Actor, task: str) -> None:
    ann("actor", "set", "codex-1", "instructions=Mind the actor", "provider=codex")
    ann("store", "set", "instructions=Mind the store", "lease=30m")
    ann("project", "set", "shop", "allowed+=glob:pytest *", f"allowed+={LS}", "approvers=ann")
    codex("set", task, "instructions=Mind the task\nand this")
    found = effective(codex, task)
    assert found["actor"] == "codex-1"
    assert [(one["level"], one["value"]) for one in found["instructions"]] == [
        ("task", "Mind the task\nand this"),
        ("store", "Mind the store"),
        ("actor", "Mind the actor"),
    ]
    where = {name: (found[name]["level"], found[name]["id"], found[name]["by"]) for name in ONE}
    assert where["provider"] == ("actor", "codex-1", "ann")
    assert where["allowed"] == where["approvers"] == ("project", "shop", "ann")
    assert where["lease"][::2] == ("store", "ann")
    assert found["allowed"]["value"] == ["glob:pytest *", LS]
    assert found["instructions"][0]["by"] == "codex-1"
    assert found["unknown"] == {}
    lines = codex("show", task, "--effective").out.splitlines()
    assert lines[1] == "for codex-1"
    assert "    and this" in lines
    places = [lines.index(f"    Mind the {level}") for level in ("task", "store", "actor")]
    assert places == sorted(places)
    assert f"  {LS}" in lines
    assert effective(ann, task)["provider"] is None


ONE = ("provider", "allowed", "approvers", "lease")


def test_effective_where_nobody_says_anything(gittask: Program, git: Git, codex: Actor) -> None:
    task = gittask.new("Fix it")
    found = effective(codex, task)
    assert [found[name] and found[name]["value"] for name in ONE] == [None, None, None, "15m"]
    text = codex("show", task, "--effective").out
    assert "nothing without approval" in text
    assert "any person" in text
    git(gittask.folder, "config", "--unset", "user.email")
    assert gittask.json("show", task, "--effective")["effective"]["actor"] is None
    assert "name a task" in codex.error("show", "ann", "--effective", code=2)["hint"]


# -- two clones, and earlier versions ------------------------------------------------------------


def test_two_clones_allow_and_forbid_at_the_same_time(
    clones: Callable[[int], list[Path]],
) -> None:
    one, two = (Program(folder) for folder in clones(2))
    one("init")
    one("store", "set", "allowed+=a", "allowed+=b")
    one("sync")
    two("sync")
    one("store", "set", "allowed+=c", "allowed-=a")
    two("store", "set", "allowed+=d", "provider=codex")
    for program in (one, two, one):
        program("sync")
    for program in (one, two):
        (store,) = program.records("store")
        assert (store["allowed"], store["provider"]) == (["b", "c", "d"], "codex")
        assert program.records("conflict") == []
        program("verify", "..gittask")
    task = one.new("Fix it")
    assert [allowed(Actor(one, "clone0"), task, action) for action in "ab"] == [None, "store"]


@pytest.mark.parametrize("path", ["task", PROJECT, STORE, "actors/codex-1.yaml"])
def test_a_record_of_an_earlier_version_goes_on(
    gittask: Program, codex: Actor, task: str, path: str
) -> None:
    """What it lacks is as if it had the default, and was set by nobody."""
    path = path_of(task) if path == "task" else path
    new = ("allowed", "approvers", *(("provider", "instructions") if "actors" in path else ()))
    whole = decode(gittask.stored(path))
    gittask.push({path: encode({k: v for k, v in whole.items() if k not in new})})
    assert allowed(codex, task, LS) is None
    assert effective(codex, task)["unknown"] == {}
    words = {PROJECT: ("project", "set", "shop"), STORE: ("store", "set")}.get(path)
    words = words or (("set", task) if path == path_of(task) else ("actor", "set", "codex-1"))
    field = "title" if path == path_of(task) else "name"
    codex(*words, f"{field}=Other")
    written = decode(gittask.stored(path))
    assert written.keys() == whole.keys()
    assert written["changed"].keys() - whole["changed"].keys() == {field}
    gittask("verify")
    base = {k: v for k, v in whole.items() if k not in new}
    rules = schemas().rules(schemas().locate(path).kind)  # type: ignore[union-attr]
    assert merge(rules, base, base, written).conflicts == ()


@pytest.mark.parametrize("word", ["none", "null"])
def test_no_word_for_nobody_names_somebody(gittask: Program, ann: Actor, word: str) -> None:
    assert "says that there is none" in ann.error("actor", "add", word, code=5)["message"]
    assert "says that there is none" in ann.error("project", "add", word, code=5)["message"]
    gittask("--as", word, "new", "One", code=2)


def test_an_approver_that_others_called_none_is_one(gittask: Program, ann: Actor) -> None:
    """Another program may have made such a record: it is read as the name that it is."""
    task = gittask.new()
    known = gittask.stored("actors/ann.yaml").replace(b"id: ann\n", b"id: none\n")
    gittask.push({"actors/none.yaml": known.replace(b"ann@example.org", b"none@example.org")})
    gittask.change(path_of(task), approvers=["none"])
    shown = ann("show", task, "--effective").out
    assert "\n  none\n" in shown
    assert "any person" not in shown
    gittask("approve", "request", task, "rm x", "--as", "codex-1")
    assert "only none may answer it" in ann.error("approve", "grant", task, code=4)["message"]
