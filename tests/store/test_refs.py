from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.errors import Contention, GittaskError, Moved
from gittask.store import refs
from gittask.store.repo import Person, Repo
from tests.branch import commit_to

Git = Callable[..., str]
ANN = Person("Ann", "ann@example.org", 1_767_225_600, 60)
BOB = Person("Bob", "bob@example.org", 1_767_225_601, -90)


def test_a_branch_that_moved_is_not_overwritten(found: Repo, repo: Path) -> None:
    other = Repo.discover(repo)
    one = commit_to(found, None, {"a": b"1"}, ANN, ANN, "one")
    two = commit_to(other, one, {"a": b"2"}, ANN, ANN, "two")
    with pytest.raises(Moved):
        commit_to(found, one, {"a": b"3"}, ANN, ANN, "three")
    with pytest.raises(Moved):
        commit_to(found, None, {"a": b"3"}, ANN, ANN, "three")
    with pytest.raises(Moved):
        found.move(None, one, "again")
    with pytest.raises(Moved):
        found.move(one, two, "again")
    assert found.tip() == two


def test_a_branch_that_moves_at_the_last_moment_is_not_overwritten(
    found: Repo, repo: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = commit_to(found, None, {"a": b"1"}, ANN, ANN, "one")
    mine = found.create_commit(found.tree(one), [one], ANN, ANN, "mine")
    theirs = found.create_commit(found.tree(one), [one], BOB, BOB, "theirs")
    read = found.refs._find

    def meanwhile(command: tuple[str, ...]) -> None:
        monkeypatch.setattr(found.refs, "_find", lambda name: (read(name), git(repo, *command))[0])
        with pytest.raises(Moved):
            found.move(one, mine, "mine")

    meanwhile(("update-ref", "refs/heads/gittask", theirs))
    assert git(repo, "rev-parse", "gittask") == theirs
    git(repo, "update-ref", "refs/heads/gittask", one)
    meanwhile(("update-ref", "-d", "refs/heads/gittask"))
    assert git(repo, "branch", "--list", "gittask") == ""


def test_packed_and_symbolic_references(found: Repo, repo: Path, git: Git) -> None:
    one = commit_to(found, None, {"a": b"1"}, ANN, ANN, "one")
    git(repo, "pack-refs", "--all")
    two = commit_to(found, one, {"a": b"2"}, ANN, ANN, "two")
    git(repo, "pack-refs", "--all")
    git(repo, "branch", "-m", "gittask", "real")
    git(repo, "symbolic-ref", "refs/heads/gittask", "refs/heads/real")
    three = commit_to(found, two, {"a": b"3"}, ANN, ANN, "three")
    assert git(repo, "rev-parse", "real") == three == found.tip()
    assert git(repo, "symbolic-ref", "refs/heads/gittask") == "refs/heads/real"


def test_the_reflog_is_written_as_configured(found: Repo, bare: Path, repo: Path, git: Git) -> None:
    root = found.root()
    found.move(None, root, "made\nby us")
    commit_to(found, root, {"a": b"1"}, ANN, ANN, "subject\n\nbody")
    log = git(repo, "reflog", "show", "--format=%gs|%gn", "gittask")
    assert log == "gittask: subject|Ann\nmade by us|Ann"
    without = Repo.discover(bare)
    without.move(None, without.root(), "made")
    commit_to(without, without.root(), {"a": b"1"}, ANN, ANN, "subject")
    assert git(bare, "reflog", "show", "gittask") == ""


def test_a_name_beside_the_branch_is_a_plain_error(found: Repo, repo: Path, git: Git) -> None:
    git(repo, "branch", "gittask/other")
    with pytest.raises(GittaskError, match="'refs/heads/gittask/other' exists"):
        found.move(None, found.root(), "made")
    assert found.tip() is None


def test_a_damaged_reference_is_named_and_kept(found: Repo, repo: Path) -> None:
    file = repo / ".git" / "refs" / "heads" / "gittask"
    file.write_bytes(b"\0" * 41)
    with pytest.raises(GittaskError, match="refs/heads/gittask cannot be read"):
        found.tip()
    with pytest.raises(GittaskError, match="refs/heads/gittask"):
        found.move(None, found.root(), "made")
    assert file.read_bytes() == b"\0" * 41


@pytest.mark.parametrize("exists", [True, False])
def test_a_lock_that_stays_is_named_and_never_broken(
    found: Repo, repo: Path, monkeypatch: pytest.MonkeyPatch, exists: bool
) -> None:
    monkeypatch.setattr(refs, "PATIENCE", 0.0)
    tip = commit_to(found, None, {"a": b"1"}, ANN, ANN, "one") if exists else None
    lock = repo / ".git" / "refs" / "heads" / "gittask.lock"
    lock.touch()
    os.utime(lock, (lock.stat().st_mtime - 3600,) * 2)
    with pytest.raises(Contention) as caught:
        commit_to(found, tip, {"a": b"2"}, ANN, ANN, "two")
    error = caught.value
    assert str(lock) in error.message
    assert f"rm '{lock}'" in error.hint
    assert error.details["lock"] == str(lock)
    assert 3600 <= error.details["age_seconds"] < 3700
    assert lock.exists()
    assert found.tip() == tip
    lock.unlink()
    commit_to(found, tip, {"a": b"2"}, ANN, ANN, "two")


@pytest.mark.parametrize("exists", [True, False])
def test_a_lock_that_goes_away_is_waited_for(
    found: Repo, repo: Path, monkeypatch: pytest.MonkeyPatch, exists: bool
) -> None:
    tip = commit_to(found, None, {"a": b"1"}, ANN, ANN, "one") if exists else None
    lock = repo / ".git" / "refs" / "heads" / "gittask.lock"
    lock.touch()
    monkeypatch.setattr("gittask.store.refs.time.sleep", lambda _: lock.unlink())
    made = commit_to(found, tip, {"a": b"2"}, ANN, ANN, "two")
    assert found.tip() == made


FAULTY = """
import os, resource, signal, sys
from pathlib import Path
from gittask.store.repo import Person, Repo

folder, fault, action, old, new = sys.argv[1:]
repo = Repo.discover(Path(folder))
ann = Person("Ann", "ann@example.org", 1767225600)
if fault == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
else:
    os.setuid(12345)
try:
    if action == "write":
        repo.move(old or None, repo.commit(old or None, {"b": b"2"}, ann, ann, "two"), "two")
    else:
        repo.move(old or None, new, "moved")
except Exception as error:
    os.write(1, f"{type(error).__name__}: {error}".encode())
"""


def attempt(repo: Path, fault: str, action: str, old: str, new: str = "") -> str:
    """The error of a write in a process that is out of disk space or of rights."""
    argv = [sys.executable, "-c", FAULTY, str(repo), fault, action, old, new]
    read, write = os.pipe()  # a pipe has no size that the limit could cut
    with os.fdopen(read) as said:
        subprocess.run(argv, check=True, stdout=write)
        os.close(write)
        return said.read()


def test_a_full_disk_is_a_fault_and_not_contention(found: Repo, repo: Path, git: Git) -> None:
    one = commit_to(found, None, {"a": b"1"}, ANN, ANN, "one")
    two = found.create_commit(found.tree(one), [one], ANN, ANN, "two")
    moved, written = (attempt(repo, "full", action, one, two) for action in ("move", "write"))
    assert moved.startswith("GittaskError: refs/heads/gittask cannot be moved")
    assert written.startswith("GittaskError: the files cannot be written")
    assert found.tip() == one
    git(repo, "branch", "-D", "gittask")
    assert attempt(repo, "full", "move", "", two).startswith("GittaskError: git update-ref failed")
    assert found.tip() is None


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to become another user"
)
def test_no_permission_is_a_fault_and_not_contention(repo: Path, git: Git) -> None:
    with tempfile.TemporaryDirectory() as folder:  # pytest's own are closed to other users
        Path(folder).chmod(0o755)
        open_to_all = Path(folder) / "bare.git"
        git(repo, "clone", "-q", "--bare", str(repo), str(open_to_all))
        found = Repo.discover(open_to_all)
        one = commit_to(found, None, {"a": b"1"}, ANN, ANN, "one")
        two = found.create_commit(found.tree(one), [one], ANN, ANN, "two")
        said = attempt(open_to_all, "rights", "move", one, two)
        assert said.startswith("GittaskError: refs/heads/gittask cannot be moved")
        assert "Permission denied" in said
        assert found.tip() == one


def test_references_below_a_folder(found: Repo, repo: Path, git: Git) -> None:
    one = commit_to(found, None, {"a": b"1"}, ANN, ANN, "one")

    def below() -> list[str]:
        by_git = git(repo, "for-each-ref", "--format=%(refname)", "refs/gittask/seen/far/")
        assert found.refs.below("refs/gittask/seen/far/") == by_git.split()
        return by_git.split()

    assert below() == []
    for name in ("far/b", "far/deep/c", "other/b", "farther"):
        git(repo, "update-ref", f"refs/gittask/seen/{name}", one)
    git(repo, "pack-refs", "--all")
    git(repo, "update-ref", "refs/gittask/seen/far/a", one)
    git(repo, "update-ref", "refs/gittask/seen/far/b", found.root())
    folder = repo / ".git" / "refs" / "gittask" / "seen" / "far"
    (folder / "d.lock").touch()
    assert [name.rpartition("/")[2] for name in below()] == ["a", "b", "c"]
    (folder / "e").write_text("half of an id")
    assert len(below()) == 3
    git(repo, "symbolic-ref", "refs/gittask/seen/far/f", "refs/gittask/seen/far/a")
    assert len(below()) == 4


def test_where_a_branch_was_before_it_moved_for_a_reason(
    found: Repo, repo: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = found.ref
    assert found.refs.before(ref, "(finish)") is None
    one = commit_to(found, None, {"a": b"1"}, ANN, ANN, "one")
    two = commit_to(found, one, {"a": b"2"}, ANN, ANN, "two")
    assert found.refs.before(ref, "(finish)") is None
    git(repo, "update-ref", "-m", "rebase (finish): elsewhere", ref, one)
    assert found.refs.before(ref, "(finish)") == two
    git(repo, "update-ref", "-m", "rebase (finish): again", ref, two)
    for reason in ("commit: one", "commit: two"):
        git(repo, "update-ref", "-m", reason, ref, one)
        git(repo, "update-ref", "-m", reason, ref, two)
    assert found.refs.before(ref, "(finish)") == one
    log = (repo / ".git" / "logs" / ref).read_bytes()
    line = log.index(b"rebase (finish): again")
    for far in range(len(log) - line, len(log) - log.rindex(b"\n", 0, line)):
        monkeypatch.setattr(refs, "_FAR", far)  # the line is cut somewhere
        assert found.refs.before(ref, "(finish)") in (None, one)
