"""Whatever stands in git's folder ``gittask/``: every command works, or says what is in its way."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.acting import HANDOFF
from tests.conftest import Git
from tests.faults import scenes
from tests.faults.test_disk import one_sentence
from tests.program import Program

FILES = (
    "current.json",
    "observed.json",
    "init.json",
    "failed.json",
    "lock",
    "beats/{execution}.json",
)
"""What the program keeps on a machine; ``pending`` and ``edit`` are folders."""

FOLDERS = ("beats", "pending", "edit")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def garbage(path: Path) -> None:
    path.write_bytes(b"\x00\xff{[\x1b[31m" * 9)


def other_shape(path: Path) -> None:
    path.write_bytes(b'{"execution": 7, "settings": [1], "actor": {}, "tip": [], "a": {"b": null}}')


def a_list(path: Path) -> None:
    path.write_bytes(b"[" * 90_000 if path.name != "init.json" else b'["x"]')


def folder(path: Path) -> None:
    path.mkdir()
    (path / "inside").touch()


def loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.fixture
def program(tmp_path: Path, git: Git) -> Program:
    """A store with a remote, a task that ann holds, and all that is kept of it on this machine."""
    scenes.Scene("", (), scenes.shared).make(tmp_path / "scene", git)
    program = Program(tmp_path / "scene" / "here")
    program("start", program.json("list")["tasks"][0]["id"])
    program("beat")
    program("inbox")
    return program


def everything(program: Program, task: str) -> None:
    """Commands of every kind: each works, or says one sentence with a next step."""
    for args in (
        ("list",),
        ("show", task),
        ("status",),
        ("brief", task),
        ("inbox",),
        ("where",),
        ("new", "Another"),
        ("note", task, "seen"),
        ("beat",),
        ("set", task, "priority=0"),
        ("handoff", task, *HANDOFF),
        ("sync",),
        ("doctor",),
        ("init",),
        ("init", "--undo"),
    ):
        done = program(*args, code=None)
        assert done.code in (0, 1, 2, 3, 4, 5), (args, done)
        assert done.code == 0 or one_sentence(done.err), (args, done)
        if args[0] in ("list", "show", "new", "set", "sync"):
            assert done.code == 0, (args, done)


@pytest.mark.parametrize("names", [FILES, FOLDERS], ids=["files", "folders"])
@pytest.mark.parametrize("put", [empty, garbage, other_shape, a_list, folder, loop])
def test_what_is_left_there_stops_nothing(
    put: Callable[[Path], None], names: tuple[str, ...], program: Program
) -> None:
    (task,) = program.json("list")["tasks"]
    (execution,) = program.records("execution")
    for name in names:
        path = program.folder / ".git/gittask" / name.format(execution=execution["id"])
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        put(path)
    everything(program, task["id"])
    assert program.task(task["id"])["priority"] == 0


@pytest.mark.parametrize("put", [empty, garbage, other_shape, folder, loop])
def test_a_conflict_that_cannot_be_read_is_named_and_kept(
    put: Callable[[Path], None], program: Program
) -> None:
    (task,) = program.json("list")["tasks"]
    left = program.folder / ".git/gittask/pending/20261130t100411z-k3m9q2.yaml"
    left.parent.mkdir()
    put(left)
    program("sync")
    said = program("doctor", code=5).err
    assert left.name in said
    program("doctor", "--fix", code=5)
    assert os.path.lexists(left)
    assert program.task(task["id"])


def test_what_a_writer_left_half_written_is_never_read(program: Program) -> None:
    """A file is written beside its place, under a name that no reader asks for."""
    for place in ("", "beats/", "pending/"):
        half = program.folder / ".git/gittask" / f"{place}.tmp5x2k"
        half.parent.mkdir(exist_ok=True)
        half.write_bytes(b"{")
    program("sync")
    program("inbox")
    program("doctor")
