"""A disk that is full, cannot be written or fails: one sentence, and nothing half-written.

By strace one call after another of the program fails (all of them: see test_kill). Where this
process may mount a file system, a small one is filled, so that all programs meet a full disk.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.faults import scenes
from tests.faults.scenes import SCENES, Scene
from tests.faults.test_kill import MOST, SIDES, passed_through, stand
from tests.faults.tracing import ROOT, Tracer, sample
from tests.program import Program

ERRORS = ("ENOSPC", "EROFS", "EIO")
PAGE = 4096
SOME = [one for one in SCENES if one.name in ("init", "new", "start", "sync merges")]
CODES = (1, 6, 7)


def one_sentence(stderr: str) -> bool:
    """Whether what is said is one error, and no traceback."""
    return stderr.count("error: ") >= 1 and "Traceback" not in stderr and "a fault in" not in stderr


@pytest.mark.parametrize("scene", SOME, ids=lambda scene: scene.name)
def test_a_call_that_fails_leaves_the_state_before_or_after(
    scene: Scene, tmp_path: Path, scratch: Path, git: Git
) -> None:
    kept, place = tmp_path / "kept", tmp_path / "place"
    args = scene.make(kept, git)
    scenes.copy(kept, place)
    tracer = Tracer(place, args, scratch)
    calls = [call for call in tracer.observe() if call.process == 0 and call.name != "unlink"]
    after, passed = stand(place, git), passed_through(kept, place, git)
    for number, call in enumerate(sample(calls, MOST)):
        scenes.copy(kept, place)
        last = max(one.number for one in calls if one.name == call.name)
        # The error has to be written too.
        until = "" if call.name == "write" else f"..{last}"
        done = tracer.inject(call, f"error={ERRORS[number % 3]}", until)
        now = stand(place, git)
        spared = "/gittask/index-" in call.line  # it goes on without, and asks chance once more
        if done.returncode == 0:
            assert now == after or spared, (call, done)
        else:
            assert done.returncode in CODES, (call, done)
            assert one_sentence(done.stderr), (call, done)
        for side in SIDES:
            assert now[side] <= passed[side] or spared, (call, done)
            assert scenes.problems(place / side, git) == "", (call, done)
        assert scenes.locks(place) == [], call
        again = Program(place / "here")(*args, code=None)
        assert again.code in (0, *scene.settled), (call, again)


class Disk:
    """A small disk of its own, with nothing on it yet."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def leave(self, pages: int, names: int) -> None:
        """Fill it up to so many pages and so many files."""
        self.empty()
        free = os.statvfs(self.place)
        with (self.place / "filler").open("wb") as filler:
            filler.write(b"\0" * (free.f_bavail - pages) * free.f_frsize)
        folder = self.place / "fillers"
        folder.mkdir()
        for number in range(os.statvfs(self.place).f_favail - names):
            (folder / str(number)).touch()

    def empty(self) -> None:
        """Take the filling out."""
        (self.place / "filler").unlink(missing_ok=True)
        for filler in (self.place / "fillers").glob("*"):
            filler.unlink()
        if (self.place / "fillers").exists():
            (self.place / "fillers").rmdir()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A disk of 8 MB; without the right to mount one the test is skipped."""
    place = tmp_path / "disk"
    place.mkdir()
    options = ["-t", "tmpfs", "-o", "size=8m,nr_inodes=1500", "tmpfs", str(place)]
    try:
        done = subprocess.run(["mount", *options], capture_output=True, text=True)
    except OSError as error:
        pytest.skip(f"no disk can be mounted here: {error}")
    if done.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    try:
        yield Disk(place)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


LEVELS = [(pages, 99) for pages in range(0, 40, 8)] + [(99, names) for names in range(0, 24, 6)]
"""How many pages, and how many files, still fit on the disk."""


@pytest.mark.parametrize("scene", SOME, ids=lambda scene: scene.name)
def test_a_full_disk_leaves_the_state_before_or_after(
    scene: Scene, disk: Disk, tmp_path: Path, git: Git
) -> None:
    kept, place = tmp_path / "kept", disk.place / "place"
    args = scene.make(kept, git)
    before = stand(kept, git)
    refused = 0
    for level in LEVELS:
        disk.empty()
        scenes.copy(kept, place)
        disk.leave(*level)
        program = Program(place / "here")
        done = program(*args, code=None)
        disk.empty()
        refused += done.code != 0
        assert done.code in (0, *CODES), (level, done)
        assert done.code == 0 or one_sentence(done.err), (level, done)
        if done.code == 0:
            assert stand(place, git) != before, (level, done)
        for side in SIDES:
            assert scenes.problems(place / side, git) == "", (level, done)
        assert scenes.locks(place) == [], (level, done)
        if scenes.tip(place / "here", git):
            assert scenes.records(program)
        again = program(*args, code=None)
        assert again.code in (0, *scene.settled), (level, again)
    assert refused > 0


MERGES = {"driver": (), "strategy": ("-s", "gittask")}


@pytest.mark.parametrize("how", MERGES)
def test_a_merge_by_git_on_a_full_disk_is_right_or_none(
    how: str, disk: Disk, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "git-merge-gittask"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -P -m gittask.cli.strategy \"$@\"\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    kept, place = tmp_path / "kept", disk.place / "place"
    Scene("merge", (), scenes.parted).make(place, git)
    here, tree = place / "here", place / "tree"
    git(here, "fetch", "-q", "origin")
    git(here, "worktree", "add", "-q", str(tree), "gittask")
    scenes.copy(place, kept)
    before = git(tree, "rev-parse", "HEAD")
    merged = [*MERGES[how], "-q", "--no-edit", "origin/gittask"]
    git(tree, "merge", *merged)
    expected, lost = git(tree, "rev-parse", "HEAD^{tree}"), pending(here)
    refused = 0
    for level in LEVELS:
        disk.empty()
        scenes.copy(kept, place)
        disk.leave(*level)
        done = subprocess.run(["git", "-C", tree, "merge", *merged], capture_output=True)
        disk.empty()
        assert scenes.problems(here, git) == "", level
        if done.returncode == 0:
            assert git(tree, "rev-parse", "HEAD^{tree}") == expected, (level, done)
            assert pending(here) == lost, (level, done)
            continue
        refused += 1
        assert git(tree, "rev-parse", "HEAD") == before, (level, done)
        (place / "here/.git/worktrees/tree/index.lock").unlink(missing_ok=True)
        git(tree, "reset", "-q", "--hard")
        git(tree, "clean", "-qfd")
        git(tree, "merge", *merged)
        assert git(tree, "rev-parse", "HEAD^{tree}") == expected, (level, done)
        assert pending(here) == lost, (level, done)
    assert 0 < refused < len(LEVELS)


def pending(here: Path) -> set[str]:
    """The conflicts that the driver left for the next sync."""
    found = (here / ".git" / "gittask" / "pending").glob("[!.]*")
    return {path.name for path in found}
