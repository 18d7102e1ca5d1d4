"""``timeline``: what only the history of the data branch tells, changes and merges."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.acting import Actor
from tests.cli.filled import RECORDS
from tests.clones import Clone, meet, shared
from tests.conftest import Git
from tests.program import Program, path_of
from tests.stored import lose, write


def told(program: Program, task: str, *options: str) -> list[dict[str, Any]]:
    """The entries of a timeline."""
    found: list[dict[str, Any]] = program.json("timeline", task, *options)["entries"]
    return found


def changes(program: Program, task: str) -> list[tuple[str, str]]:
    """Who changed what of a task itself."""
    found = told(program, task, "--kind", "changed", "--kind", "state")
    return [(entry["by"], entry["text"]) for entry in found]


# -- changes ------------------------------------------------------------------------------------


def test_every_change_is_told_with_both_values(
    gittask: Program, ann: Actor, codex: Actor, git: Git
) -> None:
    task = ann("new", "First", "--why", "It fails").id
    execution = codex.json("start", task)["execution"]["id"]
    codex("set", task, "priority=0", "title=Second", "--execution", execution)
    ann("set", task, "title=Third", "labels+=urgent")
    ann("set", task, "labels-=urgent", "priority=2")
    codex("release", task, "--reason", "no time", "--execution", execution)
    ann("close", task, "--outcome", "It works")
    assert changes(gittask, task) == [
        ("codex-1", 'priority: 2 -> 0, title: "First" -> "Second"'),
        ("ann", 'label added: urgent, title: "Second" -> "Third"'),
        ("ann", "label removed: urgent, priority: 0 -> 2"),
        ("ann", "done: It works"),
    ]
    every = told(gittask, task)
    assert (every[0]["kind"], every[0]["text"]) == ("created", "First")
    assert [entry["kind"] for entry in every[1:3]] == ["claim", "changed"]
    commit = every[2]["details"]["commit"]
    assert git(gittask.folder, "log", "-1", "--format=%s", commit).startswith(f"set {task}")
    under = told(gittask, task, "--execution", execution)
    assert [entry["kind"] for entry in under] == ["claim", "changed", "ended"]
    shown = gittask("timeline", task, "--kind", "changed").out.splitlines()
    assert shown[0].endswith('codex-1  changed  priority: 2 -> 0, title: "First" -> "Second"')


def test_after_a_squash_by_git_each_change_keeps_its_actor(
    gittask: Program, ann: Actor, codex: Actor, git: Git
) -> None:
    task = ann("new", "First", "--why", "It fails").id
    base = git(gittask.folder, "rev-parse", "gittask")
    ann("set", task, "title=Second")
    codex("set", task, "priority=0")
    ann("set", task, "title=Third")
    before = told(gittask, task)
    tip = git(gittask.folder, "rev-parse", "gittask")
    squash = git(gittask.folder, "commit-tree", f"{tip}^{{tree}}", "-p", base, "-m", "squashed")
    git(gittask.folder, "update-ref", "refs/heads/gittask", squash)
    assert changes(gittask, task) == [
        ("codex-1", "priority: 2 -> 0"),
        ("ann", 'title: "First" -> "Third"'),
    ]
    assert [entry["at"] for entry in told(gittask, task)[1:]] == [
        before[2]["at"],
        before[3]["at"],
    ]


def test_an_edit_by_hand_is_told(gittask: Program, ann: Actor) -> None:
    task = ann("new", "First", "--why", "It fails").id
    gittask.change(path_of(task), priority=1)
    assert changes(gittask, task) == [("mallory", "priority: 2 -> 1 (by hand)")]


@pytest.fixture
def pair(clones: Callable[[int], list[Path]]) -> list[Clone]:
    return shared(clones(2))


def test_both_sides_of_a_merge_are_told_by_every_clone(pair: list[Clone]) -> None:
    first, second = pair
    task = first.new("First", why="It fails")
    meet(first, second)
    first.set(task, title="Mine", priority=0)
    second.set(task, title="Yours")
    meet(first, second)
    second.set(task, title="Ours")
    meet(first, second)
    for clone in pair:
        found = changes(Program(clone.folder), task)
        assert found[:2] == [
            ("actor0", 'priority: 2 -> 0, title: "First" -> "Mine"'),
            ("actor1", 'title: "First" -> "Yours"'),
        ]
        assert [(by, text.rpartition("-> ")[2]) for by, text in found[2:]] == [("actor1", '"Ours"')]


def test_a_shallow_clone_tells_who_set_each_field_last(
    pair: list[Clone], bare: Path, tmp_path: Path, git: Git
) -> None:
    first, _ = pair
    task = first.new("First", why="It fails")
    first.set(task, title="Second")
    first.set(task, title="Third")
    first.sync()
    clone = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", "-b", "gittask", f"file://{bare}", str(clone))
    assert changes(Program(clone), task) == [("actor0", 'title: "Third"')]
    assert told(Program(clone), task)[0]["text"] == "the task"


def test_without_history_the_rest_is_told(repo: Path, git: Git) -> None:
    write(repo, *RECORDS)
    before = git(repo, "rev-parse", "gittask^")
    lose(repo, before)
    result = Program(repo)("timeline", "abcd")
    assert len(result.out.splitlines()) == 6
    said = "warning: merges and what was overwritten are left out, for history cannot be read"
    assert result.err.startswith(said)


# -- merges -------------------------------------------------------------------------------------


def merges(clone: Clone, task: str) -> list[dict[str, object]]:
    document = Program(clone.folder).json("timeline", task, "--kind", "merge")
    found: list[dict[str, object]] = document["entries"]
    return found


def test_a_merge_of_what_both_sides_did_to_the_task(pair: list[Clone]) -> None:
    first, second = pair
    both, one = first.new("Both"), first.new("One")
    meet(first, second)
    first.set(both, title="Mine")
    first.note(one, "mine")
    second.note(both, "theirs")
    first.sync()
    second.sync()
    merged, sides = second.tip, second.git("rev-parse", "gittask^1", "gittask^2").split()
    first.sync()
    for clone in pair:
        (entry,) = merges(clone, both)
        assert (entry["by"], entry["id"]) == (second.actor, merged)
        assert entry["details"]["parents"] == sides  # type: ignore[index]
        assert merges(clone, one) == []
    shown = Program(first.folder)("timeline", both).out.splitlines()
    assert f"merge {str(merged)[:12]}  merge: " in next(line for line in shown if "merge " in line)


def test_a_plain_merge_by_git_is_a_merge_of_who_made_it(pair: list[Clone], git: Git) -> None:
    first, second = pair
    both = first.new("Both")
    meet(first, second)
    first.note(both, "mine")
    second.note(both, "theirs")
    second.sync()
    tree = first.folder.parent / "tree"
    git(first.folder, "fetch", "-q", "origin")
    git(first.folder, "worktree", "add", "-q", str(tree), "gittask")
    git(tree, "merge", "-q", "--no-edit", "origin/gittask")
    (entry,) = merges(first, both)
    assert (entry["by"], entry["id"]) == ("clone0", first.tip)


def test_a_shallow_clone_has_the_merges_that_it_knows_of(
    pair: list[Clone], bare: Path, tmp_path: Path, git: Git
) -> None:
    first, second = pair
    both = first.new("Both")
    meet(first, second)
    first.note(both, "mine")
    second.note(both, "theirs")
    meet(first, second)
    assert len(merges(first, both)) == 1
    clone = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", "-b", "gittask", f"file://{bare}", str(clone))
    entries = Program(clone).json("timeline", both)["entries"]
    assert [entry["kind"] for entry in entries] == ["created", "observation", "observation"]
