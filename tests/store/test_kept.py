"""What git prunes while it is being written: it comes back, and only that."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gittask.errors import GittaskError
from gittask.store import kept
from gittask.store.process import Completed
from gittask.store.repo import Person, Repo
from gittask.store.writing import MANY, Writing
from tests.branch import commit_to
from tests.conftest import Git

ANN = Person("Ann", "ann@example.org", 1_767_225_600)


def write(repo: Path, name: str) -> str:
    """Add a file to the data branch, as a process of its own would; returns the commit."""
    found = Repo.discover(repo)
    return commit_to(found, found.tip(), {f"a/{name}": name.encode()}, ANN, ANN, name)


def lose(repo: Path, git: Git, commit: str) -> None:
    """Delete what a commit and its folders and files are stored in, as a late prune would."""
    listed = git(repo, "ls-tree", "-r", "-t", commit).splitlines()
    ids = [
        commit,
        git(repo, "rev-parse", f"{commit}^{{tree}}"),
        *(one.split()[2] for one in listed),
    ]
    for id in ids:
        (repo / ".git" / "objects" / id[:2] / id[2:]).unlink(missing_ok=True)


def fault(git: Git, repo: Path) -> str:
    return git(repo, "fsck", "--no-dangling", "--connectivity-only", check=False)


@pytest.fixture
def branch(repo: Path) -> Path:
    """The repository, with a data branch."""
    found = Repo.discover(repo)
    found.move(None, found.root(), "made")
    return repo


def test_what_is_read_comes_back(branch: Path, git: Git) -> None:
    commit = write(branch, "one")
    lose(branch, git, commit)
    found = Repo.discover(branch)
    entry = found.lookup(commit, "a/one")
    assert entry is not None
    assert found.blob(entry.id) == b"one"
    assert fault(git, branch) == ""


def test_what_git_misses_comes_back(branch: Path, git: Git) -> None:
    write(branch, "one")
    for commit in git(branch, "rev-list", "gittask").splitlines():
        lose(branch, git, commit)
    found = Repo.discover(branch)
    assert len(list(found.log(found.tip() or ""))) == 2
    assert fault(git, branch) == ""


def test_a_gap_in_history_that_git_passes_over_is_closed(branch: Path, git: Git) -> None:
    """Where it has a graph it lists what is on this side of the gap, and says that all is well."""
    git(branch, "commit-graph", "write", "--reachable")
    commits = [write(branch, name) for name in ("one", "two", "three", "four")]
    lose(branch, git, commits[1])
    found = Repo.discover(branch)
    assert [each.id for each in found.log(commits[3])][:4] == commits[::-1]
    found.forget_written()
    lose(branch, git, commits[1])
    with pytest.raises(GittaskError, match=commits[1]):
        list(found.log(commits[3]))


def test_what_belongs_to_no_branch_stays_away(branch: Path, git: Git) -> None:
    found = Repo.discover(branch)
    tip = found.tip()
    blob = found.write_object(3, b"a secret")
    write(branch, "one")
    git(branch, "reflog", "expire", "--expire=now", "--all")
    git(branch, "prune", "--expire=now")
    assert not Repo.discover(branch).exists(blob)
    found.restore_recent()
    assert not Repo.discover(branch).exists(blob)
    assert tip is not None


@pytest.mark.parametrize("step", ["write_tree", "create_commit"])
def test_a_prune_between_the_steps_of_a_write(
    branch: Path, git: Git, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Whatever git takes away before the branch moves, what the branch gets is whole."""
    plain: Callable[..., str] = getattr(Writing, step)

    def pruned(self: Writing, *args: object, **named: object) -> str:
        made = plain(self, *args, **named)
        git(branch, "prune", "--expire=now")
        return made

    monkeypatch.setattr(Writing, step, pruned)
    commit = write(branch, "one")
    assert git(branch, "rev-parse", "gittask") == commit
    assert fault(git, branch) == ""
    assert git(branch, "show", "gittask:a/one") == "one"


@pytest.mark.parametrize("step", ["write_tree", "create_commit"])
def test_a_pack_is_dropped_between_the_steps_of_a_write(
    branch: Path, git: Git, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Many files are one pack, which git drops if nothing in it is on a branch."""
    plain: Callable[..., str] = getattr(Writing, step)

    def dropped(self: Writing, *args: object, **named: object) -> str:
        made = plain(self, *args, **named)
        git(branch, "gc", "-q", "--prune=now")
        return made

    monkeypatch.setattr(Writing, step, dropped)
    found = Repo.discover(branch)
    files: dict[str, bytes | None] = {f"a/{n}": b"%d" % n for n in range(MANY)}
    commit_to(found, found.tip(), files, ANN, ANN, "many")
    assert fault(git, branch) == ""
    assert git(branch, "show", "gittask:a/7") == "7"


def test_a_pack_that_is_missed_comes_back_and_no_other(branch: Path) -> None:
    found = Repo.discover(branch)
    tree, other = (
        found.write_tree(None, {f"{name}/{n}": b"%d" % n for n in range(MANY)}) for name in "ab"
    )
    for file in (branch / ".git" / "objects" / "pack").iterdir():
        file.unlink()
    again = Repo.discover(branch)
    assert len(list(again.files(tree))) == MANY
    assert not again.exists(other)


def test_it_is_forgotten_in_time_but_not_before_it_is_whole(
    branch: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    first = write(branch, "one")
    lose(branch, git, first)
    monkeypatch.setattr(time, "time", lambda: now + 2 * kept.SPAN * kept.FOLDERS)
    write(branch, "two")
    assert fault(git, branch) == ""
    (folder,) = (branch / ".git" / "gittask" / "kept").iterdir()
    assert not (folder / first).exists()


def test_what_a_clock_far_ahead_left_is_forgotten_too(
    branch: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 1e9)
    first = write(branch, "one")
    lose(branch, git, first)
    monkeypatch.setattr(time, "time", lambda: now)
    write(branch, "two")
    assert fault(git, branch) == ""
    (folder,) = (branch / ".git" / "gittask" / "kept").iterdir()
    assert not (folder / first).exists()


def test_without_hard_links_it_works_as_git_does(
    branch: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", refused)
    commit = write(branch, "one")
    assert fault(git, branch) == ""
    lose(branch, git, commit)
    with pytest.raises(GittaskError, match="is missing"):
        Repo.discover(branch).tree(commit)


def test_a_folder_of_them_that_is_taken_away_is_made_again(branch: Path, git: Git) -> None:
    found = Repo.discover(branch)
    found.write_object(3, b"one")
    shutil.rmtree(branch / ".git" / "gittask" / "kept")
    many: dict[str, bytes | None] = {f"a/{name}": b"%d" % name for name in range(MANY)}
    commit = commit_to(found, found.tip(), {"b": b"two"}, ANN, ANN, "one more")
    shutil.rmtree(branch / ".git" / "gittask" / "kept")
    commit_to(found, commit, many, ANN, ANN, "a pack")
    for pack in (branch / ".git" / "objects" / "pack").iterdir():
        pack.unlink()
    assert Repo.discover(branch).lookup(found.tip() or "", "a/7")
    assert fault(git, branch) == ""


def test_a_history_that_git_cuts_short_without_an_error_comes_back(branch: Path, git: Git) -> None:
    """Beside a graph of older commits it says what it lacks, and still ends well."""
    found = Repo.discover(branch)
    write(branch, "one")
    git(branch, "commit-graph", "write", "--reachable")
    for name in ("two", "three"):
        write(branch, name)
    middle = git(branch, "rev-parse", "gittask~1")
    (branch / ".git" / "objects" / middle[:2] / middle[2:]).unlink()
    assert len(git(branch, "rev-list", "--topo-order", "gittask").splitlines()) < 4
    assert len(list(found.log(found.tip() or ""))) == 4


def test_a_pack_that_git_pruned_while_it_was_written_is_written_again(
    branch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, failed = Repo.git, list[tuple[str, ...]]()

    def pruned(repo: Repo, *args: str, **named: Any) -> Any:
        if args[0] == "index-pack" and not failed:
            failed.append(args)
            said = "error: unable to write file .git/objects/pack/x.pack: No such file or directory"
            return Completed(b"", said, 128)
        return run(repo, *args, **named)

    monkeypatch.setattr(Repo, "git", pruned)
    found = Repo.discover(branch)
    many: dict[str, bytes | None] = {f"a/{name}": b"%d" % name for name in range(MANY)}
    assert found.exists(found.write_tree(None, many))
    assert failed
