"""The merges in which two versions of a task's records came together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gittask.history.merges import merges
from gittask.kinds.actor import PROGRAM
from gittask.store import packaged
from gittask.store.repo import Person, Repo
from gittask.store.snapshot import Snapshot
from gittask.views.entries import Merge

ANN = Person("Ann", "ann@example.org", 1_796_000_000)
BOB = Person("Bob", "bob@example.org", 1_796_000_060)


class Branch:
    """Commits of the data branch, as anybody can make them."""

    def __init__(self, repo: Path) -> None:
        self.repo = Repo.discover(repo)
        self.tip = self.add([], {"tasks/aa/a/notes/0": b"0"})

    def add(self, parents: list[str], files: dict[str, bytes | None], author: Person = ANN) -> str:
        tree = self.repo.write_tree(self.repo.tree(parents[0]) if parents else None, files)
        return self.repo.create_commit(tree, parents, author, BOB, "a commit\n\nmore\n")

    def meet(self, mine: str, theirs: str, author: Person = ANN) -> str:
        """Two notes that were made apart, and the merge of both, which is the tip from now on."""
        one = self.add([self.tip], {mine: mine.encode()})
        other = self.add([self.tip], {theirs: theirs.encode()})
        self.tip = self.add([one, other], {theirs: theirs.encode()}, author)
        return self.tip

    def merges(self, folder: str = "tasks/aa/a") -> list[Merge]:
        return list(merges(Snapshot(self.repo, packaged.schemas(), self.tip), folder))


@pytest.fixture
def branch(repo: Path) -> Branch:
    return Branch(repo)


def test_a_merge_counts_where_both_sides_did_something(branch: Branch) -> None:
    both = branch.meet("tasks/aa/a/notes/1", "tasks/aa/a/notes/2")
    branch.meet("tasks/aa/a/notes/3", "tasks/bb/b/notes/1")
    branch.meet("tasks/bb/b/notes/2", "tasks/aa/a/notes/4")
    branch.meet("tasks/bb/b/notes/3", "tasks/bb/b/notes/4")
    (found,) = branch.merges()
    assert found.commit == both
    assert found.parents == branch.repo.parents(both)
    assert (found.by, found.at, found.subject) == ("ann", ANN.at, "a commit")
    assert len(branch.merges("tasks/bb/b")) == 1
    assert branch.merges("tasks/cc/c") == []


def test_who_had_the_program_merge_is_named(branch: Branch) -> None:
    program = Person("gittask", PROGRAM, 1_700_000_000)
    branch.meet("tasks/aa/a/notes/1", "tasks/aa/a/notes/2", author=program)
    (found,) = branch.merges()
    assert (found.by, found.at) == ("bob", BOB.at)


def test_no_branch_has_no_merges(repo: Path) -> None:
    assert list(merges(Snapshot(Repo.discover(repo), packaged.schemas(), None), "tasks")) == []


def test_merges_of_other_tasks_cost_nothing(
    branch: Branch, monkeypatch: pytest.MonkeyPatch
) -> None:
    branch.meet("tasks/aa/a/notes/1", "tasks/aa/a/notes/2")
    for number in range(20):
        branch.meet(f"tasks/bb/b/notes/{number}", f"tasks/cc/c/notes/{number}")
    branch.merges()
    read, info, git = [], Repo.commit_info, Repo.git

    def opened(repo: Repo, commit: str) -> Any:
        read.append(commit)
        return info(repo, commit)

    def ran(repo: Repo, *args: str, **named: Any) -> Any:
        asked.append(named.get("input", b"").count(b"\n"))
        return git(repo, *args, **named)

    asked: list[int] = []
    monkeypatch.setattr(Repo, "commit_info", opened)
    monkeypatch.setattr(Repo, "git", ran)
    assert len(branch.merges()) == 1
    assert asked == [3]
    assert len(set(read) - {branch.tip}) == 1
