"""The versions of a record as the data branch has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gittask.core.record import Record
from gittask.history.versions import Versions
from gittask.store import packaged
from gittask.store.repo import Repo
from gittask.store.snapshot import Snapshot
from tests.clones import Clone
from tests.memory import task
from tests.program import Program
from tests.stored import path, write


def versions(folder: Path, path: str) -> Versions:
    repo = Repo.discover(folder)
    return Versions(Snapshot(repo, packaged.schemas(), repo.tip()), path)


def test_the_newest_comes_first_and_each_knows_what_it_comes_of(repo: Path) -> None:
    held = task("abcd")
    for title in "xyz":
        held = Record("task", held.id, {**held.data, "title": title})
        write(repo, held)
    found = versions(repo, path(held))
    assert [(found.data(commit) or {})["title"] for commit in found.commits] == ["z", "y", "x"]
    first, second, third = found.commits
    assert [list(found.parents(commit)) for commit in found.commits] == [[second], [third], []]
    assert first == Repo.discover(repo).tip()


@pytest.fixture
def clone(repo: Path) -> Clone:
    clone = Clone(repo, "alice")
    clone.init()
    return clone


def test_who_made_a_version_and_under_which_execution(clone: Clone) -> None:
    made = clone.new("First", why="It fails")
    program = Program(clone.folder)
    execution = program.json("start", made, "--as", "alice")["execution"]["id"]
    clone.by_hand(clone.path(made), lambda text: text.replace("priority: 2", "priority: 0"))
    found = versions(clone.folder, clone.path(made))
    hand, claim, new = (found.maker(commit) for commit in found.commits)
    assert (hand.actor, hand.execution) == ("hand", None)
    assert hand.at.endswith(".000Z")
    assert (claim.actor, claim.execution) == ("alice", execution)
    assert (new.actor, new.execution) == ("alice", None)


def test_a_file_that_cannot_be_read_is_no_version(clone: Clone) -> None:
    path = clone.path(clone.new("First"))
    clone.by_hand(path, lambda _: "<<<<<<< ours\n")
    clone.by_hand(path, lambda _: None)
    found = versions(clone.folder, path)
    assert [found.data(commit) is None for commit in found.commits] == [True, True, False]


def test_the_history_of_the_code_is_never_meant(found: Repo) -> None:
    with pytest.raises(AssertionError):
        Versions(Snapshot(found, packaged.schemas(), None), "gittask.yaml")
