from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.store.local import Local
from gittask.store.repo import Repo

Git = Callable[..., str]


def test_each_worktree_has_its_own_current(repo: Path, tmp_path: Path, git: Git) -> None:
    git(repo, "worktree", "add", "-q", "--detach", str(tmp_path / "main"))
    here, there = Repo.discover(repo), Repo.discover(tmp_path / "main")
    state = Local(here.common_dir)
    assert state.current(here.worktree_key) is None
    state.set_current(here.worktree_key, {"execution": "ä"})
    state.set_current(there.worktree_key, {"execution": "there"})
    again = Local(there.common_dir)
    assert again.current(here.worktree_key) == {"execution": "ä"}
    assert again.current(there.worktree_key) == {"execution": "there"}
    state.clear_current(here.worktree_key)
    state.clear_current(here.worktree_key)
    assert again.current(here.worktree_key) is None
    assert git(repo, "status", "--porcelain") == ""


def test_what_is_current_goes_with_its_worktree(repo: Path, tmp_path: Path, git: Git) -> None:
    def key() -> str:
        git(repo, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
        return Repo.discover(tmp_path / "linked").worktree_key

    state = Local(repo / ".git")
    first = key()
    state.set_current(first, {"execution": "x"})
    git(repo, "worktree", "remove", "--force", str(tmp_path / "linked"))
    assert state.current(first) is None
    assert key() == first
    assert state.current(first) is None


@pytest.mark.parametrize(
    "garbage", [b"", b"\0\0", b"[1]", b"null", b'{"a":', b"\xff", b"[" * 99_999]
)
def test_garbage_counts_as_absent(tmp_path: Path, garbage: bytes) -> None:
    state = Local(tmp_path)
    state.set_current("main", {"a": "1"})
    file = next(tmp_path.rglob("current.json"))
    file.write_bytes(garbage)
    assert state.current("main") is None
    state.set_current("main", {"a": "2"})
    assert state.current("main") == {"a": "2"}


def test_pending_files_wait_until_they_are_dropped(tmp_path: Path) -> None:
    state = Local(tmp_path)
    assert state.pending() == []
    state.add_pending("b.yaml", b"2")
    state.add_pending("a.yaml", b"0")
    state.add_pending("a.yaml", b"1")
    (tmp_path / "gittask" / "pending" / "folder").mkdir()
    assert Local(tmp_path).pending() == [("a.yaml", b"1"), ("b.yaml", b"2"), ("folder", b"")]
    state.drop_pending("a.yaml")
    state.drop_pending("a.yaml")
    assert state.pending() == [("b.yaml", b"2"), ("folder", b"")]


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", ".hidden", "a\0b", "a\n"])
def test_a_pending_name_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    state = Local(tmp_path / "git")
    with pytest.raises(ValueError, match="not a plain file name"):
        state.add_pending(name, b"x")
    state.drop_pending(name)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_write_leaves_the_old_file_and_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = Local(tmp_path)
    state.set_current("main", {"a": "1"})

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gittask.store.local.Path.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        state.set_current("main", {"a": "2"})
    assert state.current("main") == {"a": "1"}
    assert [path.name for path in (tmp_path / "gittask").iterdir()] == ["current.json"]
