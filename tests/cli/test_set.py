"""``set``: every type of field, lists and their items, and what cannot be set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Git
from tests.program import Program


@pytest.fixture
def task(gittask: Program) -> str:
    gittask("project", "add", "shop")
    gittask("actor", "add", "bob", "--kind", "person")
    return gittask.new("A task", "--label", "late")


def after(gittask: Program, task: str, *words: str) -> dict[str, Any]:
    gittask("set", task, *words)
    return gittask.task(task)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("title=Fix: the = sign", "Fix: the = sign"),
        ("title=none", "none"),
        ("why=two\nlines\n", "two\nlines\n"),
        ("why=", None),
        ("priority=0", 0),
        ("priority= 4 ", 4),
        ("type=bug", "bug"),
        ("project=shop", "shop"),
        ("project=none", None),
        ("responsible=BOB", "bob"),
        ("instructions=- one\n- two", "- one\n- two"),
        ("provider=codex", "codex"),
        ("due=2026-02-28", "2026-02-28"),
        ("due=None", None),
        ("labels=b,a,b", ["a", "b"]),
        ("labels+=urgent", ["late", "urgent"]),
        ("labels+=late", ["late"]),
        ("labels-=late", []),
        ("labels=", []),
        ("labels=none", []),
        ("workspace.branch=fix/routing", {"branch": "fix/routing"}),
    ],
)
def test_a_field(gittask: Program, task: str, word: str, value: Any) -> None:
    field = word.partition("=")[0].rstrip("+-").partition(".")[0]
    assert after(gittask, task, word)[field] == value


def test_several_at_once_are_one_commit(gittask: Program, task: str, git: Git) -> None:
    words = ["title=New", "labels+=a", "labels-=late", "labels+=b", "priority=1"]
    stored = after(gittask, task, *words)
    assert (stored["title"], stored["labels"], stored["priority"]) == ("New", ["a", "b"], 1)
    assert git(gittask.folder, "log", "-1", "--format=%s", "gittask").startswith(f"set {task}: ")
    assert stored["changed"].keys() == {
        *("title", "priority", "labels.a", "labels.b", "labels.late")
    }


def test_references_by_prefix(gittask: Program, task: str) -> None:
    other, third = gittask.new("Other"), gittask.new("Third")
    assert after(gittask, task, f"parent={other[:5].upper()}")["parent"] == other
    assert after(gittask, task, "parent=")["parent"] is None
    stored = after(gittask, task, f"depends_on={other[:6]}, {third}")
    assert stored["depends_on"] == sorted([other, third])
    assert after(gittask, task, f"depends_on-={third[:6]}")["depends_on"] == [other]
    assert after(gittask, task, "depends_on=none")["depends_on"] == []


def test_items_with_ids(gittask: Program, task: str) -> None:
    (item,) = after(gittask, task, "acceptance+=Orders arrive, all of them")["acceptance"]
    assert item["text"] == "Orders arrive, all of them"
    assert item["met"] is False
    words = [f"acceptance.{item['id']}.met=yes", f"acceptance.{item['id']}.evidence=seen"]
    (item,) = after(gittask, task, *words)["acceptance"]
    assert (item["met"], item["evidence"]) == (True, "seen")
    (item,) = after(gittask, task, f"acceptance.{item['id']}.evidence=none")["acceptance"]
    assert item["evidence"] is None
    assert len(after(gittask, task, "acceptance+=Second")["acceptance"]) == 2
    assert len(after(gittask, task, f"acceptance-={item['id']}")["acceptance"]) == 1
    assert after(gittask, task, "acceptance=")["acceptance"] == []


def test_links(gittask: Program, task: str) -> None:
    (link,) = after(gittask, task, "links+=see: https://example.org/a:b")["links"]
    assert (link["rel"], link["target"]) == ("see", "https://example.org/a:b")
    (link,) = after(gittask, task, f"links.{link['id']}.title=The page")["links"]
    assert link["title"] == "The page"
    assert after(gittask, task, f"links-={link['id']}")["links"] == []


def test_long_text_from_a_file(gittask: Program, task: str, tmp_path: Path) -> None:
    (tmp_path / "why.md").write_text("# Why\n\nBecause `x=1` and a, b.\n")
    gittask("set", task, "why", "-F", str(tmp_path / "why.md"))
    assert gittask.task(task)["why"] == "# Why\n\nBecause `x=1` and a, b."
    gittask("set", task, "instructions", "-F", "-", input="from stdin")
    assert gittask.task(task)["instructions"] == "from stdin"


def test_nothing_to_change_writes_nothing(gittask: Program, task: str, git: Git) -> None:
    before = git(gittask.folder, "rev-parse", "gittask")
    assert gittask.json("set", task, "labels+=late", "title=A task")["commit"] is None
    assert git(gittask.folder, "rev-parse", "gittask") == before


@pytest.mark.parametrize(
    ("word", "field", "says"),
    [
        ("tilte=x", "tilte", "is not a field"),
        ("title", "title", "is not an assignment"),
        ("=x", "=x", "is not an assignment"),
        ("title+=x", "title", "is not a list"),
        ("title.x=1", "title.x", "has no such part"),
        ("state=done", "state", "cannot be set"),
        ("status=done", "status", "cannot be set"),
        ("id=x", "id", "cannot be set"),
        ("created=x", "created", "cannot be set"),
        ("changed=x", "changed", "cannot be set"),
        ("priority=high", "priority", "must be a whole number"),
        ("priority=5", "priority", "must be at most 4"),
        ("priority=", "priority", "must be a whole number"),
        ("title=", "title", "must not be empty"),
        ("title=two\nlines", "title", "must be one line"),
        ("due=2026-02-30", "due", "is not a real date"),
        ("due=tomorrow", "due", "is not of the right form"),
        ("labels-=nope", "labels", "does not hold 'nope'"),
        ("labels=a b", "labels.0", "is not of the right form"),
        ("acceptance=x", "acceptance", "is a list of items"),
        ("acceptance-=zz", "acceptance", "has no item 'zz'"),
        ("acceptance.zz.met=true", "acceptance.zz.met", "has no item 'zz'"),
        ("acceptance.zz=true", "acceptance.zz", "has no such part"),
        ("links+=https", "links", "needs two parts"),
        ("project=nowhere", "project", "no project 'nowhere'"),
        ("responsible=nobody", "responsible", "no actor 'nobody'"),
        ("parent=zzzzzz", "parent", "no task 'zzzzzz'"),
        ("depends_on+=zzzzzz", "depends_on", "no task 'zzzzzz'"),
    ],
)
def test_what_cannot_be_set(gittask: Program, task: str, word: str, field: str, says: str) -> None:
    before = gittask.task(task)
    result = gittask("set", task, word, "labels+=other", "--json", code=5)
    assert result.problems[field].startswith(says)
    assert all(problem["hint"] for problem in result.error["details"]["problems"])
    assert gittask.task(task) == before


def test_a_slip_of_the_pen(gittask: Program, task: str) -> None:
    error = gittask("set", task, "tilte=x", "prority=1", "zzz=1", "--json", code=5).error
    hints = [problem["hint"] for problem in error["details"]["problems"]]
    assert hints[:2] == ["did you mean title?", "did you mean priority?"]
    assert hints[2].startswith("there are title, why, ")


@pytest.mark.parametrize("args", [[], ["why=x", "-F", "-"], ["why", "title", "-F", "-"]])
def test_wrong_calls(gittask: Program, task: str, args: list[str]) -> None:
    assert gittask("set", task, *args, "--json", code=2).error["hint"].startswith("gittask set")


def test_actors_and_projects(gittask: Program, task: str) -> None:
    gittask("actor", "set", "bob", "name=Bob B.", "identities+=chat:bob7", "keys+=ssh-ed25519 A,B")
    bob = next(actor for actor in gittask.records("actor") if actor["id"] == "bob")
    assert bob["name"] == "Bob B."
    assert [(one["channel"], one["handle"]) for one in bob["identities"]] == [("chat", "bob7")]
    assert bob["keys"] == ["ssh-ed25519 A,B"]
    gittask("project", "set", "shop", "responsible=bob", "instructions=Be kind")
    assert gittask.task(gittask("new", "x", "--project", "shop").id)["responsible"] == "bob"
    assert gittask.task(task)["responsible"] == "ann"
    assert "bob" in gittask("actor", "list").out
    assert gittask.json("project", "list")["total"] == 1
    refused = gittask("actor", "add", "bob", "--json", code=4).error
    assert refused["hint"] == "change it: gittask actor set bob ..."
