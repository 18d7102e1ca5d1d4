"""Where the index of history cannot tell, git does; and it is kept up, whatever happens to it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gittask.store import lock, packing
from gittask.store.past import asked, filling
from gittask.store.repo import Person, Repo
from tests.conftest import Git

ANN = Person("Ann", "ann@example.org", 1_767_225_600)
PATH = "tasks/aa/a/x"

Asked = Callable[[Repo], bool]
"""Ask for the versions of a file; whether git walked for them. They are the right ones."""


def grow(repo: Repo, count: int, path: str = PATH) -> str:
    """So many commits more on the data branch, each of which changes a file; gives the last."""
    for _ in range(count):
        tip = repo.tip()
        done = len(list(repo.log(tip))) if tip else 0
        files: dict[str, bytes | None] = {path: b"%d" % done, "tasks/bb/b/x": b"%d" % (done // 2)}
        repo.refs.move(repo.ref, tip, repo.commit(tip, files, ANN, ANN, "a commit"), "test")
    return repo.tip() or ""


@pytest.fixture(name="walked")
def _walked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    ran: list[str] = []
    git = Repo.git

    def run(repo: Repo, *args: str, **named: Any) -> Any:
        ran.extend(args)
        return git(repo, *args, **named)

    def walked(repo: Repo) -> bool:
        tip = repo.tip() or ""
        expected = [commit.id for commit in repo.log(tip, PATH)]
        with monkeypatch.context() as patch:
            patch.setattr(Repo, "git", run)
            ran.clear()
            assert [*asked.versions(repo, tip, PATH)[0]] == expected
        return "rev-list" in ran

    return walked


@pytest.fixture(name="started")
def _started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The programs that were let run behind us."""
    found: list[list[str]] = []
    monkeypatch.setattr(packing, "alone", found.append)
    return found


def index(repo: Repo) -> Path:
    return repo.common_dir / "gittask" / "history-1.sqlite3"


def test_what_came_since_is_taken_in(found: Repo, walked: Asked) -> None:
    for _ in range(3):
        grow(found, 2)
        assert not walked(found)


def test_a_branch_may_go_back_and_elsewhere(found: Repo, walked: Asked, git: Git) -> None:
    first = grow(found, 2)
    grow(found, 3)
    assert not walked(found)
    git(found.common_dir, "update-ref", found.ref, first)
    assert not walked(found)
    grow(found, 1)
    git(found.common_dir, "reflog", "expire", "--expire=now", "--all")
    git(found.common_dir, "gc", "-q", "--prune=now")
    assert not walked(Repo.discover(found.common_dir))


def test_much_is_taken_in_behind_a_command(
    found: Repo, walked: Asked, started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "FEW", 3)
    grow(found, 5)
    assert walked(found)
    assert walked(found)
    assert [argv[3:] for argv in started] == [["gittask.store.past", str(found.common_dir)]]
    for asked_at in (0, time.time() + 1e6):  # by a clock that was ahead
        started.clear()
        os.utime(found.common_dir / "gittask" / "history-asked", (asked_at, asked_at))
        assert walked(found)
        assert len(started) == 1
    asked.fill(found)
    assert not walked(found)
    grow(found, 2)
    assert not walked(found)


def test_that_program_takes_in_all(
    found: Repo, walked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "FEW", 0)
    monkeypatch.setattr(packing, "alone", partial(subprocess.run, check=True))
    grow(found, 3)
    assert walked(found)
    assert not walked(found)


def test_what_was_broken_off_goes_on(
    found: Repo, walked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "_BATCH", 2)
    grow(found, 7)
    add, taken = filling.Filling._add, []

    def breaking(its: filling.Filling, commit: Any) -> Any:
        taken.append(commit.id)
        if len(taken) == 6:
            raise KeyboardInterrupt
        return add(its, commit)

    monkeypatch.setattr(filling.Filling, "_add", breaking)
    with pytest.raises(KeyboardInterrupt):
        asked.fill(found)
    asked.fill(found)
    assert len(taken) == 6 + 3  # four of seven were kept
    assert not walked(found)


def test_nothing_runs_on_where_git_is_told_to_leave_nothing_running(
    found: Repo, walked: Asked, started: list[list[str]], git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "FEW", 1)
    git(found.common_dir, "config", "gc.autoDetach", "false")
    grow(found, 3)
    assert walked(found)
    assert started == []


def test_another_process_takes_it_in(found: Repo, walked: Asked, started: list[list[str]]) -> None:
    grow(found, 2)
    with lock.hold(found.common_dir / "gittask" / "history-filling"):
        assert walked(found)
        asked.fill(found)
        assert walked(found)
    assert not walked(found)
    assert started == []


def test_a_shallow_clone_is_left_to_git(
    found: Repo, repo: Path, walked: Asked, tmp_path: Path, git: Git
) -> None:
    grow(found, 4)
    clone = ("clone", "-q", "--depth=2", "-b", "gittask", repo.as_uri())
    git(tmp_path, *clone, "shallow")
    shallow = Repo.discover(tmp_path / "shallow")
    assert walked(shallow)
    git(tmp_path / "shallow", "fetch", "-q", "--unshallow")
    assert not walked(Repo.discover(tmp_path / "shallow"))


def test_grafted_commits_are_left_to_git(found: Repo, walked: Asked) -> None:
    tip = grow(found, 4)
    assert not walked(found)
    grafts = found.common_dir / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{tip} {found.root()}\n")
    assert walked(found)


@pytest.mark.parametrize(("filter", "by_git"), [("blob:none", False), ("tree:0", True)])
def test_a_clone_that_lacks_folders_is_left_to_git(
    found: Repo, repo: Path, walked: Asked, tmp_path: Path, git: Git, filter: str, by_git: bool
) -> None:
    git(repo, "config", "uploadpack.allowFilter", "true")
    git(repo, "config", "uploadpack.allowAnySHA1InWant", "true")
    grow(found, 3)
    clone = ("clone", "-q", "--no-checkout", "-b", "gittask", f"--filter={filter}", repo.as_uri())
    git(tmp_path, *clone, "partial")
    assert walked(Repo.discover(tmp_path / "partial")) == by_git


def test_a_lost_folder_is_left_to_git(found: Repo, repo: Path, walked: Asked, git: Git) -> None:
    grow(found, 3)
    lost = git(found.common_dir, "rev-parse", "gittask~1:tasks/bb")
    kept = [*(found.common_dir / "gittask" / "kept").rglob(f"*{lost[2:]}*")]
    for path in (*kept, found.common_dir / "objects" / lost[:2] / lost[2:]):
        path.unlink()
    assert walked(Repo.discover(repo))  # who wrote it may remember what was in it


def test_a_folder_that_cannot_be_written(found: Repo, walked: Asked) -> None:
    grow(found, 2)
    for path in (found.common_dir / "gittask").glob("history-*"):
        path.unlink()
    index(found).mkdir(parents=True)
    assert walked(found)


def other_commit(content: sqlite3.Connection) -> None:
    content.execute("update known set above = '1' where number = 3")


def other_id(content: sqlite3.Connection) -> None:
    content.execute("update known set id = x'0123' where number = 2")


def no_touch(content: sqlite3.Connection) -> None:
    content.execute("delete from touch where number = 2")


def other_touch(content: sqlite3.Connection) -> None:
    content.execute("update touch set how = 0")


def no_commit(content: sqlite3.Connection) -> None:
    content.execute("delete from known where number = 1")


def no_table(content: sqlite3.Connection) -> None:
    content.execute("drop table place")


DAMAGES = [other_commit, other_id, no_touch, other_touch, no_commit, no_table]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_made_anew(
    found: Repo, walked: Asked, damage: Callable[[sqlite3.Connection], None]
) -> None:
    grow(found, 4)
    assert not walked(found)
    with sqlite3.connect(index(found)) as connection:
        damage(connection)
    connection.close()
    walked(found)
    assert not walked(found)


def test_a_file_that_is_no_index_is_made_anew(found: Repo, walked: Asked) -> None:
    grow(found, 2)
    assert not walked(found)
    index(found).write_bytes(b"no database" * 1000)
    walked(found)
    assert not walked(found)
