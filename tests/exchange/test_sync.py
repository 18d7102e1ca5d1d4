"""Syncing with a real remote: what is exchanged, what is refused, and what happens to races."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.errors import Contention, NeedsDecision, NoStore, RemoteError
from gittask.exchange.sync import PATIENCE, ROUNDS, Pace, rounds
from tests.clones import Clone, meet, shared
from tests.conftest import Git


@pytest.fixture
def pair(clones: Callable[[int], list[Path]]) -> tuple[Clone, Clone]:
    """Two clones of one remote that have a store."""
    one, two = shared(clones(2))
    return one, two


def hook(bare: Path, name: str, script: str) -> None:
    path = bare / "hooks" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


# -- the ordinary exchange ------------------------------------------------------------------------


def test_what_is_new_goes_both_ways(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    here = one.new("here")
    assert one.sync().pushed == 1
    there = two.new("there")
    done = two.sync()
    assert (done.pulled, done.merged, done.conflicts) == (1, 0, [])
    one.sync()
    assert one.tip == two.tip
    assert one.task(there)["title"] == "there"
    assert two.task(here)["title"] == "here"


def test_a_merge_has_both_sides_as_parents_and_says_what_it_is(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    one.new("here")
    one.sync()
    two.new("there")
    before = two.tip
    two.sync()
    lines = two.git("log", "-1", "--format=%an <%ae>%n%cn%n%s%n%P", "gittask").split("\n")
    assert lines[0] == "gittask <gittask@gittask.invalid>"
    assert lines[1] == "actor1"
    assert lines[2] == "merge: 1 record of origin"
    assert lines[3] == f"{before} {one.tip}"


def test_edits_of_different_fields_come_together(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    one.set(id, title="better", labels=["x"])
    two.set(id, priority=0, labels=["y"])
    meet(one, two)
    task = one.task(id)
    assert (task["title"], task["priority"], task["labels"]) == ("better", 0, ["x", "y"])
    assert one.conflicts() == []


def test_of_two_values_the_later_stands_and_the_other_is_told(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    one.set(id, title="first")
    one.sync()
    two.set(id, title="second")
    two.set(id, title="third")
    (conflict,) = two.sync().conflicts
    one.sync()
    assert one.task(id)["title"] == "third"
    assert one.conflicts() == [conflict.data]
    assert (conflict.data["kept"], conflict.data["lost"]) == ("third", "first")
    assert f"Conflict: {one.path(id)} title" in one.git("log", "-1", "--format=%B", "gittask")


def test_notes_of_one_task_are_all_kept(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    one.note(id, "0")
    meet(one, two)
    one.note(id, "1")
    one.set(id, title="one")
    two.note(id, "2")
    two.note(id, "3")
    two.set(id, title="two")
    meet(one, two)
    assert [note.data["body"] for note in one.reader.all("note", task=id)] == ["0", "1", "2", "3"]


def test_idle_syncs_write_nothing(pair: tuple[Clone, Clone], bare: Path) -> None:
    one, two = pair
    one.new("task")
    meet(one, two)

    def written() -> list[tuple[Path, int]]:
        folders = [one.folder / ".git", two.folder / ".git", bare]
        files = [path for folder in folders for path in folder.rglob("*")]
        ours = [path for path in files if "sqlite3" not in path.name]  # these come and go
        return sorted((path, path.stat().st_mtime_ns) for path in ours if path.is_file())

    before = written()
    for _ in range(10):
        for clone in (one, two):
            done = clone.sync()
            assert (done.pulled, done.pushed) == (0, 0)
    assert written() == before


def test_the_work_tree_is_left_alone(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    id = one.new("task")
    meet(one, two)
    (one.folder / "code.txt").write_text("half an edit\n")
    one.git("add", "code.txt")
    before = (one.git("status", "--porcelain"), one.git("for-each-ref", "refs/heads/main"))
    index = (one.folder / ".git" / "index").read_bytes()
    two.set(id, title="x")
    two.sync()
    one.set(id, title="y")
    one.sync()
    assert (one.git("status", "--porcelain"), one.git("for-each-ref", "refs/heads/main")) == before
    assert (one.folder / ".git" / "index").read_bytes() == index
    assert not (one.folder / ".git" / "FETCH_HEAD").exists()


def test_a_fresh_clone_gets_its_branch_by_syncing(
    pair: tuple[Clone, Clone], tmp_path: Path, bare: Path, git: Git
) -> None:
    id = pair[0].new("task")
    pair[0].sync()
    git(tmp_path, "clone", "-q", str(bare), "fresh")
    fresh = Clone(tmp_path / "fresh", "ann")
    assert fresh.sync().pulled > 2
    assert fresh.task(id)["title"] == "task"


# -- when the remote is not as it should be -------------------------------------------------------


def test_without_a_remote_there_is_nothing_to_sync_with(repo: Path) -> None:
    clone = Clone(repo, "ann")
    clone.init()
    with pytest.raises(NeedsDecision, match="no remote") as caught:
        clone.sync()
    assert "git remote add" in caught.value.hint


def test_a_remote_that_cannot_be_reached_is_not_an_empty_one(
    pair: tuple[Clone, Clone], tmp_path: Path, bare: Path
) -> None:
    one, _ = pair
    one.new("unpushed")
    before, tracking = one.tip, one.git("rev-parse", "origin/gittask")
    bare.rename(tmp_path / "gone.git")
    with pytest.raises(RemoteError, match=r"could not be reached.*still unpushed"):
        one.sync()
    assert (one.tip, one.git("rev-parse", "origin/gittask")) == (before, tracking)
    (tmp_path / "gone.git").rename(bare)
    assert one.sync().pushed == 1


def test_a_store_on_neither_side_is_no_store(clones: Callable[[int], list[Path]]) -> None:
    (folder,) = clones(1)
    with pytest.raises(NoStore, match="no task store"):
        Clone(folder, "ann").sync()


def test_the_branch_never_becomes_the_first_of_an_empty_remote(
    repo: Path, tmp_path: Path, git: Git
) -> None:
    git(tmp_path, "init", "-q", "--bare", "empty.git")
    git(repo, "remote", "add", "origin", str(tmp_path / "empty.git"))
    clone = Clone(repo, "ann")
    clone.init()
    with pytest.raises(NeedsDecision, match="is empty") as caught:
        clone.sync()
    assert caught.value.hint == "push your code first: git push origin main"
    assert git(tmp_path / "empty.git", "for-each-ref") == ""
    git(repo, "push", "-q", "origin", "main")
    clone.sync()
    assert git(tmp_path / "empty.git", "rev-parse", "gittask") == clone.tip


def test_a_branch_that_somebody_removed_is_not_published_again(
    pair: tuple[Clone, Clone], bare: Path, git: Git
) -> None:
    one, _ = pair
    git(bare, "branch", "-D", "gittask")
    with pytest.raises(NeedsDecision, match="is there no more") as caught:
        one.sync()
    assert caught.value.hint == "to publish it again: git push origin gittask"
    one.git("push", "-q", "origin", "gittask")
    assert one.sync().pushed == 0


def test_a_branch_that_is_there_but_broken_is_not_taken_for_absent(
    pair: tuple[Clone, Clone], bare: Path, git: Git
) -> None:
    one, two = pair
    id = one.new("task")
    one.sync()
    blob = git(bare, "rev-parse", f"gittask:{one.path(id)}")
    (bare / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(RemoteError, match="could not be fetched"):
        two.sync()


def test_where_the_remote_stands_is_known_in_a_clone_of_one_branch_too(
    pair: tuple[Clone, Clone],
) -> None:
    one, _ = pair
    one.git("config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main")
    one.new("task")
    one.sync()
    assert one.git("rev-parse", "origin/gittask") == one.tip


def test_a_push_that_a_hook_declines_says_so_in_its_words(
    pair: tuple[Clone, Clone], bare: Path
) -> None:
    one, _ = pair
    hook(bare, "pre-receive", "echo 'tasks are closed on Fridays' >&2; exit 1")
    id = one.new("unpushed")
    with pytest.raises(NeedsDecision, match="tasks are closed on Fridays"):
        one.sync()
    assert one.task(id)["title"] == "unpushed"
    assert one.git("rev-list", "--count", "origin/gittask..gittask") == "1"


def test_hooks_of_code_do_not_run(pair: tuple[Clone, Clone]) -> None:
    one, _ = pair
    hook(one.folder / ".git", "pre-push", "exit 1")
    one.new("task")
    assert one.sync().pushed == 1


# -- races ----------------------------------------------------------------------------------------


def test_a_push_that_came_second_is_merged_and_pushed_again(
    pair: tuple[Clone, Clone], bare: Path
) -> None:
    one, two = pair
    two.new("first")
    # When one pushes, two's commit arrives just before: the remote's branch moves meanwhile.
    two.git("push", "-q", "origin", "gittask:refs/heads/waiting")
    move = 'git update-ref refs/heads/gittask refs/heads/waiting; rm "$0"'
    hook(bare, "pre-receive", f"unset GIT_QUARANTINE_PATH; {move}")
    one.new("second")
    slept: list[float] = []
    pace = Pace(clock=lambda: 0.0, sleep=slept.append, chance=lambda: 0.5)
    done = one.sync(pace)
    assert len(slept) == 1
    assert (done.pulled, done.pushed) == (2, 1)
    assert len(one.reader.ids("task")) == 2
    assert one.git("rev-parse", "gittask") == one.git("rev-parse", "origin/gittask")


def test_an_endless_race_ends_and_keeps_what_is_here(pair: tuple[Clone, Clone], bare: Path) -> None:
    one, _ = pair
    hook(bare, "update", "touch $GIT_DIR/refs/heads/gittask.lock")
    id = one.new("unpushed")
    slept: list[float] = []
    pace = Pace(clock=lambda: 25.0 * len(slept), sleep=slept.append, chance=lambda: 0.0)
    with pytest.raises(Contention, match="still unpushed"):
        one.sync(pace)
    assert len(slept) == 3
    assert one.task(id)["title"] == "unpushed"


class Told:
    """Time that passes by pauses, and by rounds of a length that is told."""

    def __init__(self, chance: float, round: float) -> None:
        self.now = 0.0
        self.round = round
        self.slept: list[float] = []
        self.pace = Pace(lambda: self.now, self._sleep, lambda: chance)

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def rounds(self) -> int:
        for _ in rounds(self.pace):
            self.now += self.round
        return len(self.slept) + 1


@pytest.mark.parametrize("chance", [0.0, 0.5, 0.99])
@pytest.mark.parametrize("round", [0.01, 0.5, 7.0, 100.0])
def test_rounds_are_bounded_in_number_and_time(chance: float, round: float) -> None:
    told = Told(chance, round)
    count = told.rounds()
    assert count <= ROUNDS
    assert told.now <= PATIENCE + round
    assert count == ROUNDS or told.now >= PATIENCE  # nobody waits only to give up


def test_pauses_are_as_long_as_the_rounds_and_vary() -> None:
    slow, slower, lucky = Told(0.5, 1.0), Told(0.5, 2.0), Told(0.1, 1.0)
    for told in (slow, slower, lucky):
        told.rounds()
    assert slow.slept[:4] == [0.5, 1.0, 2.0, 2.0]
    assert slower.slept[:4] == [1.0, 2.0, 4.0, 4.0]
    assert lucky.slept[:4] == pytest.approx([0.1, 0.2, 0.4, 0.4])
