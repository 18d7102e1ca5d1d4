"""The inbox names files of every kind that cannot be read, and reads only what changed for it."""

from __future__ import annotations

from shutil import rmtree
from typing import Any

import pytest

from gittask.store.packaged import schemas
from tests.benchmarks.counting import counted
from tests.conftest import Git
from tests.program import Program

EVENT = "20261130t100411z-k3m9q2"
KINDS = ("note", "decision", "message", "handoff", "review", "wait", "approval", "conflict")


def unreadable(gittask: Program) -> list[str]:
    """The files that the inbox names."""
    items: list[dict[str, Any]] = gittask.json("inbox")["inbox"]
    return sorted(item["record"] for item in items if item["kind"] == "unreadable")


def path(kind: str, task: str) -> str:
    return schemas().path(kind, EVENT, task=task)


@pytest.mark.parametrize("closed", [False, True])
def test_a_bad_file_of_each_kind(gittask: Program, closed: bool) -> None:
    task = gittask.new()
    if closed:
        gittask("close", task)
    assert unreadable(gittask) == []
    bad = {path(kind, task): b"[\n" for kind in KINDS}
    bad |= {"actors/bob.yaml": b"[\n", "projects/depot/project.yaml": b"[\n"}
    gittask.push(bad)
    assert unreadable(gittask) == sorted(bad)
    gittask.push({path("note", task): None, "actors/bob.yaml": None})
    assert unreadable(gittask) == sorted({*bad} - {path("note", task), "actors/bob.yaml"})


def test_nothing_is_read_again_for_it(gittask: Program) -> None:
    task = gittask.new()
    gittask.push({path("note", task): b"[\n"})
    assert unreadable(gittask) == [path("note", task)]
    assert counted(gittask, "inbox").parsed == 0


def test_without_an_index_all_is_looked_through(
    gittask: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = gittask.new()
    gittask.push({path(kind, task): b"[\n" for kind in KINDS})
    monkeypatch.setattr("gittask.store.index.database.connect", lambda *_, **__: None)
    assert unreadable(gittask) == sorted(path(kind, task) for kind in KINDS)


def test_a_lost_folder_of_what_was_looked_through_is_not_missed(gittask: Program, git: Git) -> None:
    task = gittask.new()
    before = git(gittask.folder, "rev-parse", "gittask")
    gittask.push({path("note", task): b"[\n"})
    assert unreadable(gittask) == [path("note", task)]
    lost = git(gittask.folder, "rev-parse", f"gittask:{path('note', task).rpartition('/')[0]}")
    git(gittask.folder, "update-ref", "refs/heads/gittask", before)
    rmtree(gittask.folder / ".git/gittask/kept", ignore_errors=True)
    (gittask.folder / ".git/objects" / lost[:2] / lost[2:]).unlink()
    assert unreadable(gittask) == []
