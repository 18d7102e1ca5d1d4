"""``git merge -s gittask``: the whole merge by git, as a sync would make it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clones import Clone

PROGRAM = f"#!/bin/sh\nexec '{sys.executable}' -P -m gittask.cli.strategy \"$@\"\n"


@pytest.fixture(autouse=True)
def strategy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The strategy on the PATH, as an installation puts it there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git-merge-gittask").write_text(PROGRAM)
    (folder / "git-merge-gittask").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


class Forked:
    """A clone with a work tree on its data branch, and what another clone pushed meanwhile."""

    def __init__(self, one: Clone, two: Clone, folder: Path) -> None:
        self.one = one
        self.tree = Clone(folder, one.actor)
        one.init()
        self.id = one.new("task")
        self.gone = one.new("removed by hand")
        one.sync()
        two.sync()
        two.set(self.id, title="first", labels=["x"])
        two.set(self.gone, priority=0)
        two.note(self.id, "seen")
        two.sync()
        one.set(self.id, title="second", priority=0)
        one.git("fetch", "-q", "origin")
        one.git("worktree", "add", "-q", str(folder), "gittask")

    def twin(self, folder: Path) -> Clone:
        """A copy of the clone, in which the same is merged by a sync."""
        self.one.git("clone", "-q", "--no-local", str(self.one.folder), str(folder))
        twin = Clone(folder, "bob")
        twin.git("branch", "-q", "gittask", "origin/gittask")
        twin.git("remote", "set-url", "origin", self.one.git("remote", "get-url", "origin"))
        twin.git("fetch", "-q")
        for name, value in (("name", "Twin"), ("email", "twin@example.org")):
            twin.git("config", f"user.{name}", value)
        return twin


@pytest.fixture
def forked(clones: Callable[[int], list[Path]], tmp_path: Path) -> Forked:
    one, two = (Clone(folder, by) for folder, by in zip(clones(2), ("bob", "ann"), strict=True))
    return Forked(one, two, tmp_path / "tree")


@pytest.mark.parametrize(
    "command",
    [
        ("merge", "-q", "--no-edit", "-s", "gittask", "origin/gittask"),
        ("pull", "-q", "--no-rebase", "--no-edit", "-s", "gittask", "origin", "gittask"),
        ("-c", "pull.twohead=gittask", "merge", "-q", "--no-edit", "origin/gittask"),
        ("-c", "branch.gittask.mergeOptions=-s gittask", "merge", "-q", "origin/gittask"),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_a_merge_by_git_is_the_merge_of_a_sync(
    forked: Forked, command: tuple[str, ...], tmp_path: Path
) -> None:
    twin = forked.twin(tmp_path / "twin")
    (lost,) = twin.sync().conflicts
    forked.tree.git(*command)
    assert forked.one.tree == twin.tree
    assert [each["id"] for each in forked.one.conflicts()] == [lost.id]
    assert forked.tree.git("status", "--porcelain") == ""
    assert len(forked.one.git("rev-list", "--parents", "-1", "gittask").split()) == 3


def test_a_rebase_gives_the_same_records(forked: Forked, tmp_path: Path) -> None:
    twin = forked.twin(tmp_path / "twin")
    twin.sync()
    forked.tree.git("rebase", "-q", "-s", "gittask", "origin/gittask")
    assert forked.one.tree == twin.tree
    assert len(forked.one.git("rev-list", "--parents", "-1", "gittask").split()) == 2


def test_the_conflict_is_told(forked: Forked) -> None:
    said = forked.tree.git("merge", "--no-edit", "-s", "gittask", "origin/gittask", err=True)
    (lost,) = forked.one.conflicts()
    assert f"conflict: of {lost['record']} title one value is kept aside, as {lost['id']}" in said


def test_a_record_that_one_side_removed_stays(forked: Forked) -> None:
    path = forked.one.path(forked.gone)
    forked.tree.git("rm", "-q", path)
    forked.tree.git("commit", "-qm", "gone")
    forked.tree.git("merge", "-q", "--no-edit", "-s", "gittask", "origin/gittask")
    assert forked.one.task(forked.gone)["priority"] == 0


def test_what_is_not_committed_is_never_overwritten(forked: Forked) -> None:
    file = forked.tree.folder / forked.one.path(forked.id)
    file.write_text(file.read_text() + "# mine\n")
    before = forked.one.tip
    forked.tree.git("merge", "-q", "-s", "gittask", "origin/gittask", check=False)
    assert file.read_text().endswith("# mine\n")
    assert forked.one.tip == before


@pytest.mark.parametrize("code", [0, 1])
def test_code_is_never_merged_by_it(forked: Forked, code: int) -> None:
    """Neither code into the store nor the store into code."""
    clone, other = ((forked.one, "gittask"), (forked.tree, "main"))[code]
    tip = clone.git("rev-parse", "HEAD")
    said = clone.git(
        "merge", "--allow-unrelated-histories", "-s", "gittask", other, check=False, err=True
    )
    assert "holds no task store" in said
    assert clone.git("rev-parse", "HEAD") == tip
    assert clone.git("status", "--porcelain") == ""


def test_several_branches_at_once_are_refused(forked: Forked) -> None:
    other = forked.one.git("commit-tree", "gittask~1^{tree}", "-p", "gittask~1", "-m", "other")
    tip = forked.one.tip
    said = forked.tree.git("merge", "-s", "gittask", "origin/gittask", other, check=False, err=True)
    assert "2 branches cannot be merged at once" in said
    assert forked.one.tip == tip
    assert forked.tree.git("status", "--porcelain") == ""


def test_an_older_program_leaves_a_newer_store_alone(forked: Forked) -> None:
    store = forked.tree.folder / "gittask.yaml"
    store.write_text(store.read_text().replace("format: 1", "format: 999"))
    forked.tree.git("commit", "-qam", "newer")
    tip = forked.one.tip
    said = forked.tree.git("merge", "-s", "gittask", "origin/gittask", check=False, err=True)
    assert "takes a newer gittask" in said
    assert forked.one.tip == tip
