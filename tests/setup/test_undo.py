"""What init sets it also takes back, to the byte."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program


@pytest.fixture
def program(repo: Path) -> Program:
    return Program(repo)


def state(folder: Path, git: Git) -> tuple[str, bytes, list[str]]:
    """References, configuration, and the names in git's own folder."""
    names = sorted(path.name for path in (folder / ".git").iterdir())
    return git(folder, "for-each-ref"), (folder / ".git/config").read_bytes(), names


def test_all_of_it_if_nothing_was_written(program: Program, git: Git) -> None:
    before = state(program.folder, git)
    program("init")
    program("init")
    done = program.json("init", "--undo")["undo"]
    assert done["branch"] is True
    assert state(program.folder, git) == before


def test_what_a_variable_held_before_is_there_again(program: Program, git: Git) -> None:
    git(program.folder, "config", "gittask.branch", "other")
    git(program.folder, "config", "merge.gittask.driver", "mine")
    before = state(program.folder, git)
    program("init", "--branch", "tasks")
    program("init", "--undo")
    assert state(program.folder, git) == before


def test_tasks_are_never_taken_away(program: Program, git: Git) -> None:
    program("init")
    program.new()
    tip = git(program.folder, "rev-parse", "gittask")
    done = program("init", "--undo")
    assert "it holds tasks" in done.err
    assert git(program.folder, "rev-parse", "gittask") == tip
    assert git(program.folder, "config", "--get-regexp", "gittask", check=False) == ""


def test_what_was_kept_for_speed_is_taken_away(program: Program) -> None:
    program("init")
    task = program.new()
    program("find", "needed")
    program("timeline", task)
    program("inbox")
    program("site", "build", "pages")
    program("init", "--undo")
    assert not (program.folder / ".git/gittask").exists()


def test_what_was_changed_since_is_left(program: Program, git: Git) -> None:
    program("init")
    git(program.folder, "config", "merge.gittask.name", "mine")
    assert "merge.gittask.name: it was changed since" in program("init", "--undo").err
    assert git(program.folder, "config", "merge.gittask.name") == "mine"


def test_where_nothing_was_set(program: Program) -> None:
    assert program("--json", "init", "--undo", code=3).error["code"] == "not_found"


def test_not_while_the_branch_is_checked_out(program: Program, git: Git) -> None:
    program("init")
    tree = program.folder.parent / "tree"
    git(program.folder, "worktree", "add", "-q", str(tree), "gittask")
    assert "is checked out in" in program("--json", "init", "--undo", code=4).error["message"]


def test_the_strategy_is_set_for_the_data_branch_alone(
    program: Program, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = os.environ["PATH"].split(os.pathsep)
    without = [each for each in folders if not (Path(each) / "git-merge-gittask").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(without))
    assert "not on the PATH" in program("--json", "init", "--strategy", code=2).error["message"]
    tool = tmp_path / "bin" / "git-merge-gittask"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\nexit 2\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:/usr/bin:/bin")
    settings = program.json("init", "--strategy")["init"]["settings"]
    assert settings["branch.gittask.mergeOptions"] == "-s gittask"
    assert git(program.folder, "config", "--get", "pull.twohead", check=False) == ""
    program("init", "--undo")
    assert git(program.folder, "config", "--get-regexp", "branch", check=False) == ""


def test_the_current_execution_is_no_part_of_it(program: Program) -> None:
    program("init")
    task = program.new()
    program("start", task)
    program("init", "--undo")
    program("report", task, "still at it")
    (note,) = program.records("note")
    assert note["execution"] == program.task(task)["state"]["holder"]
