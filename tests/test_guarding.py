"""The page about CI and hooks: every rule stands in it, and what it tells to run does run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gittask.kinds.authority import BY_PROGRAM, RECORDS, UNUSUAL, WRITERS
from tests.conftest import Git
from tests.forging import ANN
from tests.program import Program

PAGE = (Path(__file__).parent.parent / "docs" / "ci.md").read_text("utf-8")


def block(marker: str) -> str:
    """The block of the page that follows a marker."""
    found = re.search(rf"<!-- {marker} -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program as a command on PATH, as it is when installed."""
    command = tmp_path / "bin" / "gittask"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gittask "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def shared(repo: Path, bare: Path, git: Git) -> Program:
    """The program in a repository whose store is at the remote too."""
    git(repo, "remote", "add", "origin", str(bare))
    program = Program(repo)
    program("init")
    program.new()
    program("sync")
    return program


def remove_an_actor(program: Program, git: Git) -> None:
    """Commit with git alone what nobody may do."""
    git(program.folder, "worktree", "add", "-q", str(program.folder.parent / "tree"), "gittask")
    tree = program.folder.parent / "tree"
    git(tree, "rm", "-q", "actors/ann.yaml")
    git(tree, "commit", "-q", "-m", f"{ANN.name} is gone")


def test_every_rule_stands_there() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE))
    assert {rule.__name__ for rule in (*RECORDS, *WRITERS, *BY_PROGRAM, *UNUSUAL)} <= named
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert rows == [rule.__name__ for rule in (*RECORDS, *WRITERS, *BY_PROGRAM)]


@pytest.mark.usefixtures("on_path")
def test_the_hook_that_it_shows(shared: Program, bare: Path, git: Git) -> None:
    hook = bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(block("hook"))
    hook.chmod(0o755)
    shared("note", shared.new(), "Seen")
    shared("sync")
    remove_an_actor(shared, git)
    said = shared("sync", code=6).err
    assert "gittask refuses the push to gittask:" in said
    assert "still unpushed" in said
    git(shared.folder, "worktree", "remove", "--force", "../tree")
    git(shared.folder, "branch", "-f", "gittask", "origin/gittask")
    assert shared("sync").err == ""


@pytest.mark.usefixtures("on_path")
def test_the_script_that_it_shows(shared: Program, git: Git) -> None:
    def run() -> int:
        script = ["sh", "-ec", block("shell")]
        return subprocess.run(script, cwd=shared.folder, capture_output=True).returncode

    assert (run(), run()) == (0, 0)
    seen = git(shared.folder, "rev-parse", "refs/gittask/verified")
    remove_an_actor(shared, git)
    git(shared.folder, "push", "-q", "origin", "gittask")
    assert (run(), run()) == (5, 5)
    assert git(shared.folder, "rev-parse", "refs/gittask/verified") == seen


def test_what_a_sync_brings_back_is_no_fault(shared: Program, git: Git) -> None:
    remove_an_actor(shared, git)
    shared("sync")
    assert git(shared.folder, "show", "gittask:actors/ann.yaml")
    shared("verify", "gittask~1..gittask")
    shared("verify", "gittask~2..gittask", code=5)
