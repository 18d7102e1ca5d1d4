"""Locks of git, left over by the dead and held by the living, are waited for and never broken."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gittask.store import lock as writers
from gittask.store import refs
from tests.conftest import Git
from tests.faults import scenes
from tests.program import Program


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits."""
    monkeypatch.setattr(refs, "PATIENCE", 0.0)
    monkeypatch.setattr(writers, "PATIENCE", 0.0)
    monkeypatch.setattr("gittask.cli.claiming.time.sleep", lambda _: None)


LEFT = [
    ("heads/gittask", "refs/heads/gittask.lock", ("new", "x"), scenes.made),
    ("config", "config.lock", ("init",), scenes.nothing),
    ("packed-refs", "packed-refs.lock", ("init", "--undo"), scenes.made),
    ("synced", "refs/gittask/synced/origin/gittask.lock", ("sync",), scenes.ahead),
    ("tracking", "refs/remotes/origin/gittask.lock", ("sync",), scenes.parted),
]


@pytest.mark.parametrize(("name", "path", "args", "build"), LEFT, ids=[each[0] for each in LEFT])
def test_a_lock_that_is_left_over_is_named_and_stays(
    name: str, path: str, args: tuple[str, ...], build: scenes.Build, tmp_path: Path, git: Git
) -> None:
    scenes.Scene(name, args, build).make(tmp_path / "scene", git)
    program = Program(tmp_path / "scene" / "here")
    lock = program.folder / ".git" / path
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()
    os.utime(lock, (1, 1))
    refused = program(*args, "--json", code=7).error
    assert refused["code"] == "contention"
    assert f"rm '{lock}'" in refused["hint"]
    assert refused["retryable"]
    assert str(lock) in program("doctor", code=5).err
    assert lock.exists()
    lock.unlink()
    program(*args)


def test_a_lock_that_a_living_git_holds_is_left_to_it(tmp_path: Path, git: Git) -> None:
    """It commits in the end what it meant to commit, and the next write stands on that."""
    scenes.Scene("new", (), scenes.made).make(tmp_path / "scene", git)
    here = tmp_path / "scene" / "here"
    program = Program(here)
    before = scenes.tip(here, git)
    theirs = git(here, "commit-tree", "gittask^{tree}", "-p", "gittask", "-m", "theirs")
    with talking(here, "update-ref", "--stdin") as say:
        say(f"start\nupdate refs/heads/gittask {theirs} {before}\nprepare\n", 2)
        program("new", "Ours", code=7)
        assert scenes.tip(here, git) == before
        say("commit\n", 1)
    assert scenes.tip(here, git) == theirs
    program("new", "Ours")
    assert git(here, "rev-parse", "gittask^") == theirs


@contextmanager
def talking(folder: Path, *args: str) -> Iterator[Callable[[str, int], None]]:
    """A git process that is told what to do, and answers with so many lines."""
    argv = ["git", "-C", str(folder), *args]
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        told, answered = process.stdin, process.stdout
        assert told is not None
        assert answered is not None

        def say(text: str, answers: int) -> None:
            told.write(text)
            told.flush()
            for _ in range(answers):
                assert answered.readline().endswith(": ok\n")

        yield say
        told.close()
        assert process.wait() == 0
