"""What is loose is packed by git behind a command, exactly where git would do so itself."""

from __future__ import annotations

import os
import shutil
from hashlib import sha1
from itertools import count, islice
from pathlib import Path

import pytest

from gittask.store import packing
from tests.conftest import Git
from tests.program import Program

GIT = shutil.which("git")

WRAPPER = """#!/bin/sh
case "$*" in
*"maintenance run"*)
    echo "$*" > {folder}/asked
    read go < {folder}/go
    {git} -c gc.autoDetach=false "$@"
    echo "$?" > {folder}/asked;;
*) exec {git} "$@";;
esac
"""


def crowd(git: Git, folder: Path) -> None:
    """Let git itself think that too many objects are loose, by the folder that it looks at."""
    git(folder, "config", "gc.auto", "1")
    git(folder, "config", "maintenance.auto", "true")
    texts = map(str, count())
    chosen = (text for text in texts if blob(text).startswith("17"))
    for text in islice(chosen, 2):
        git(folder, "hash-object", "-w", "--stdin", input=text)


def blob(text: str) -> str:
    """The id of a file with this content."""
    return sha1(f"blob {len(text)}\0{text}".encode()).hexdigest()


@pytest.fixture
def asked(gittask: Program, git: Git, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders in which git was asked to pack, in a store where that is due."""
    found: list[Path] = []
    monkeypatch.setattr(packing, "start", found.append)
    crowd(git, gittask.folder)
    return found


def test_git_packs_behind_a_command_that_does_not_wait(
    gittask: Program, git: Git, tmp_path: Path
) -> None:
    crowd(git, gittask.folder)
    place = tmp_path / "bin"
    place.mkdir()
    for name in ("asked", "go"):
        os.mkfifo(place / name)
    (place / "git").write_text(WRAPPER.format(folder=place, git=GIT))
    (place / "git").chmod(0o755)
    path = {"PATH": f"{place}{os.pathsep}{os.environ['PATH']}"}
    done = gittask.process("new", "A task", env=path)  # ends, and with it both of its streams
    assert done.returncode == 0
    assert (place / "asked").read_text().endswith("maintenance run --auto --quiet\n")
    assert git(gittask.folder, "count-objects", "-v").count("packs: 0")
    (place / "go").write_text("go\n")
    assert (place / "asked").read_text() == "0\n"
    assert git(gittask.folder, "count-objects", "-v").count("packs: 1")
    assert len(gittask.json("list")["tasks"]) == 1


def test_only_what_writes_asks(gittask: Program, asked: list[Path]) -> None:
    gittask("list")
    assert asked == []
    gittask.new("A")
    assert asked == [gittask.folder]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("gc.auto", "0"), ("gc.auto", "-1"), ("gc.auto", "6700"), ("gc.auto", "6k")),
        *(("maintenance.auto", "false"), ("gc.autoDetach", "no")),
        ("maintenance.autoDetach", "0"),
    ],
)
def test_the_configuration_decides(
    gittask: Program, git: Git, asked: list[Path], key: str, value: str
) -> None:
    git(gittask.folder, "config", key, value)
    gittask.new("A")
    assert asked == []


@pytest.mark.parametrize(("most", "due"), [("2", True), ("3", False), ("0", False)])
def test_many_packs_are_too_many_as_well(
    gittask: Program, git: Git, asked: list[Path], most: str, due: bool
) -> None:
    """Three, and another one that somebody said to keep."""
    git(gittask.folder, "config", "gc.auto", "6700")
    git(gittask.folder, "config", "gc.autoPackLimit", most)
    packs = gittask.folder / ".git/objects/pack"
    for text in ("a", "b", "c", "kept"):
        id = git(gittask.folder, "hash-object", "-w", "--stdin", input=text)
        pack = git(gittask.folder, "pack-objects", "-q", str(packs / "pack"), input=id)
    (packs / f"pack-{pack}.keep").touch()
    gittask.new("A")
    assert asked == [gittask.folder] * due


def test_not_while_git_is_packing(gittask: Program, asked: list[Path]) -> None:
    (gittask.folder / ".git" / "gc.pid").touch()
    gittask.new("A")
    assert asked == []


def test_a_git_that_cannot_be_started_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    packing.start(tmp_path)
