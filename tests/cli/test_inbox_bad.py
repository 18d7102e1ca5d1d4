"""The inbox names files of every kind that cannot be read, and reads only what changed for it."""

from __future__ import annotations

import json
from shutil import rmtree
from typing import Any

import pytest

from gittask.core.record import Record
from gittask.core.schema import Place, Schemas
from gittask.store.packaged import schemas
from gittask.store.repo import Entry, Repo
from gittask.store.snapshot import read
from tests.conftest import Git
from tests.program import Program, path_of

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


def test_what_did_not_change_is_not_read_again(
    gittask: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = gittask.new()
    for number in range(5):
        gittask("note", task, f"note {number}")
    gittask.push({path("note", task): b"[\n"})
    assert unreadable(gittask) == [path("note", task)]
    seen: list[str] = []

    def spied(repo: Repo, known: Schemas, file: str, entry: Entry, place: Place) -> Record:
        seen.append(file)
        return read(repo, known, file, entry, place)

    monkeypatch.setattr("gittask.judging.lookout.read", spied)
    assert unreadable(gittask) == [path("note", task)]
    assert seen == []
    gittask("set", task, "priority=1")
    assert unreadable(gittask) == [path("note", task)]
    assert seen == [path_of(task)]


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


def test_of_much_that_is_new_the_doctor_is_asked(
    gittask: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gittask.judging.lookout.look.__defaults__", (3,))
    task = gittask.new()
    gittask.push({path(kind, task): b"[\n" for kind in ("note", "decision", "review")})
    result = gittask("inbox")
    assert "not all records were looked through for bad ones: gittask doctor" in result.err
    assert gittask.json("inbox")["looked_through"] is False
    gittask("doctor", code=5)
    assert gittask.json("inbox")["looked_through"] is True
    assert path("note", task) in unreadable(gittask)
    assert "looked through" not in gittask("inbox").err
    gittask("set", task, "priority=1")
    assert path("note", task) in unreadable(gittask)


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"[]",
        b'{"by": "BY", "tree": "x", "bad": {}}',
        b'{"by": "BY", "tree": "%s", "bad": {}}' % (b"1" * 40),
        b'{"by": "BY", "tree": "%s", "bad": {"a": [{"x": 1}]}}',
        b'{"by": "other schemas", "tree": "%s", "bad": {}}',
        b'{"tree": "%s", "bad": {}}',
    ],
)
def test_what_was_kept_is_broken(gittask: Program, kept: bytes) -> None:
    task = gittask.new()
    gittask.push({path("note", task): b"[\n"})
    repo = Repo.discover(gittask.folder)
    if b"%s" in kept:
        kept %= repo.tree(repo.tip() or "").encode()
    file = repo.common_dir / "gittask" / "looked.json"
    file.write_bytes(kept.replace(b"BY", schemas().digest.encode()))
    assert unreadable(gittask) == [path("note", task)]
    assert path("note", task) in json.loads(file.read_bytes())["bad"]
