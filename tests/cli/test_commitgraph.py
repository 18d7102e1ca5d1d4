"""Git is asked for its graph of commits behind a command, once packs have come."""

from __future__ import annotations

from pathlib import Path

import pytest

from gittask.store import commitgraph, packing
from tests.conftest import Git
from tests.program import Program


@pytest.fixture
def asked(gittask: Program, git: Git, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What git was asked behind a command, where two objects in packs are enough."""
    found: list[tuple[str, ...]] = []
    monkeypatch.setattr(commitgraph, "ENOUGH", 2)
    monkeypatch.setattr(packing, "behind", lambda _, *args: found.append(args))
    git(gittask.folder, "config", "maintenance.auto", "true")
    return found


def graph(folder: Path) -> bytes:
    return (folder / ".git" / "objects" / "info" / "commit-graph").read_bytes()


def test_it_is_asked_for_once_for_what_came_in_packs(
    gittask: Program, git: Git, asked: list[tuple[str, ...]]
) -> None:
    gittask.new("A")
    assert asked == []
    git(gittask.folder, "repack", "-adq")
    gittask("list")
    assert asked == []  # only what writes asks
    gittask.new("B")
    gittask.new("C")
    (args,) = asked
    git(gittask.folder, *args)
    assert b"BIDX" in graph(gittask.folder)
    git(gittask.folder, "repack", "-adq")
    gittask.new("D")
    assert asked == [args, args]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("core.commitGraph", "false"),
        ("gc.writeCommitGraph", "no"),
        ("maintenance.auto", "0"),
        ("remote.origin.partialCloneFilter", "tree:0"),
    ],
)
def test_not_where_git_is_told_otherwise(
    gittask: Program, git: Git, asked: list[tuple[str, ...]], key: str, value: str
) -> None:
    git(gittask.folder, "repack", "-adq")
    git(gittask.folder, "config", key, value)
    gittask.new("A")
    assert asked == []


def test_not_where_nobody_can_note_that_it_was_asked(
    gittask: Program, git: Git, asked: list[tuple[str, ...]]
) -> None:
    git(gittask.folder, "repack", "-adq")
    (gittask.folder / ".git/gittask/graph-asked").symlink_to("gone/away")
    gittask.new("A")
    assert "A" in gittask("list").out
    assert asked == []


def test_a_clone_without_contents_has_its_folders(
    gittask: Program, git: Git, asked: list[tuple[str, ...]]
) -> None:
    git(gittask.folder, "repack", "-adq")
    git(gittask.folder, "config", "remote.origin.partialCloneFilter", "blob:none")
    gittask.new("A")
    assert len(asked) == 1
