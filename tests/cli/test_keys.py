"""A repeated call with the same key returns the first call's record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program

SAID = (
    *("--condition", "green", "--summary", "s", "--verified", "none", "--not-verified", "none"),
    *("--uncertain", "none", "--next", "look", "--next-by", "ann"),
)


def commits(git: Git, program: Program) -> int:
    return int(git(program.folder, "rev-list", "--count", "gittask"))


@pytest.mark.parametrize("command", ["new", "note", "report", "handoff"])
def test_a_repeated_call(gittask: Program, git: Git, command: str) -> None:
    task = gittask.new()
    gittask("start", task)
    args = {"new": ["x"], "handoff": [task, *SAID, "--changed", "none"]}.get(command, [task, "x"])
    call = [command, *args, "--idempotency-key", "call-1"]
    first = gittask.json(*call)
    count = commits(git, gittask)
    again = gittask.json(*call)
    assert commits(git, gittask) == count
    assert again["commit"] is None
    (kind,) = first.keys() - {"commit"}
    assert again[kind] == first[kind]
    other = gittask.json(*call[:-1], "call-2")
    assert other[kind]["id"] != first[kind]["id"]
    assert commits(git, gittask) == count + 1


def test_a_key_is_each_actors_own(gittask: Program) -> None:
    call = ("new", "x", "--idempotency-key", "k")
    assert gittask(*call).id == gittask(*call).id != gittask(*call, "--as", "codex-1").id


def test_a_key_is_each_tasks_own(gittask: Program) -> None:
    one, two = gittask.new(), gittask.new()
    key = ("--idempotency-key", "k")
    assert gittask("note", one, "x", *key).id != gittask("note", two, "x", *key).id
    assert len(gittask.records("note")) == 2


def test_an_empty_key(gittask: Program) -> None:
    assert "key is empty" in gittask("new", "x", "--idempotency-key", " ", code=2).err


def test_a_repeated_handoff_runs_no_check_again(gittask: Program, tmp_path: Path) -> None:
    task = gittask.new()
    gittask("start", task)
    ran = tmp_path / "ran"
    args = [*SAID, "--changed", "none", "--run", f"echo x >> {ran}", "--idempotency-key", "k"]
    first = gittask("handoff", task, *args).id
    assert gittask("handoff", task, *args).id == first
    assert ran.read_text() == "x\n"


def test_one_key_in_two_clones_is_one_task(
    clones: Callable[[int], list[Path]], git: Git, gittask: Program
) -> None:
    one, two = (Program(folder) for folder in clones(2))
    one("init")
    git(one.folder, "push", "-q", "origin", "gittask")
    two("init")
    call = ("new", "x", "--idempotency-key", "k", "--as", "codex-1")
    assert one(*call).id == two(*call).id
    one("sync")
    two("sync")
    assert two.json("list")["total"] == 1
    assert gittask.json("list")["total"] == 0
