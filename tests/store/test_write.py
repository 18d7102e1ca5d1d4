from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.errors import Contention, GittaskError, Moved, NoIdentity
from gittask.store import refs
from gittask.store.repo import Person, Repo

Git = Callable[..., str]
ANN = Person("Ann", "ann@example.org", 1_767_225_600, 60)
BOB = Person("Bob", "bob@example.org", 1_767_225_601, -90)


@pytest.fixture
def found(repo: Path) -> Repo:
    return Repo.discover(repo)


def test_the_root_is_the_same_everywhere(found: Repo, repo: Path, bare: Path, git: Git) -> None:
    git(repo, "config", "commit.gpgsign", "true")
    root = Repo.discover(repo).root()
    assert root == found.root() == Repo.discover(bare).root()
    assert root == "d3beaeb813a57f5917e2747f624712be7a051a80"
    info = found.commit_info(root)
    assert (info.parents, list(found.files(info.tree))) == ((), [])
    assert found.tip() is None
    git(repo, "fsck", "--strict")


def test_a_commit_holds_what_was_asked(found: Repo, repo: Path, git: Git) -> None:
    one = found.write(None, {"a/x": b"1", "b": b"2"}, ANN, BOB, "one\n\nBody: ü\n")
    two = found.write(one, {"a/x": None, "c": b"3"}, BOB, BOB, "two")
    assert found.tip() == git(repo, "rev-parse", "gittask") == two
    assert git(repo, "ls-tree", "-r", "--name-only", "gittask") == "b\nc"
    shown = git(repo, "show", "-s", "--format=%an %ae %ad|%cn %cd|%B", "--date=raw", one)
    assert shown == ("Ann ann@example.org 1767225600 +0100|Bob 1767225601 -0130|one\n\nBody: ü")
    info = found.commit_info(two)
    assert (info.parents, info.author, info.committer, info.message) == ((one,), BOB, BOB, "two")
    git(repo, "fsck", "--strict")


def test_the_users_work_is_untouched(found: Repo, repo: Path, git: Git) -> None:
    (repo / "code.txt").write_text("changed\n")
    (repo / "staged.txt").write_text("staged\n")
    git(repo, "add", "staged.txt")
    (repo / ".git" / "hooks").mkdir(exist_ok=True)
    for name in ("pre-commit", "post-commit", "reference-transaction", "post-update"):
        hook = repo / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch '{repo}/hook-ran'\nexit 1\n")
        hook.chmod(0o755)
    kept = [repo / ".git" / name for name in ("index", "HEAD", "config")]
    before = [path.read_bytes() for path in kept]
    status = git(repo, "status", "--porcelain")
    found.move(None, found.root(), "made")
    found.write(found.root(), {"a": b"1"}, ANN, ANN, "m")
    assert [path.read_bytes() for path in kept] == before
    assert git(repo, "status", "--porcelain") == status
    assert not (repo / "hook-ran").exists()


def test_a_branch_that_moved_is_not_overwritten(found: Repo, repo: Path) -> None:
    other = Repo.discover(repo)
    one = found.write(None, {"a": b"1"}, ANN, ANN, "one")
    two = other.write(one, {"a": b"2"}, ANN, ANN, "two")
    with pytest.raises(Moved):
        found.write(one, {"a": b"3"}, ANN, ANN, "three")
    with pytest.raises(Moved):
        found.write(None, {"a": b"3"}, ANN, ANN, "three")
    with pytest.raises(Moved):
        found.move(None, one, "again")
    with pytest.raises(Moved):
        found.move(one, two, "again")
    assert found.tip() == two


def test_a_branch_that_moves_at_the_last_moment_is_not_overwritten(
    found: Repo, repo: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = found.write(None, {"a": b"1"}, ANN, ANN, "one")
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
    one = found.write(None, {"a": b"1"}, ANN, ANN, "one")
    git(repo, "pack-refs", "--all")
    two = found.write(one, {"a": b"2"}, ANN, ANN, "two")
    git(repo, "pack-refs", "--all")
    git(repo, "branch", "-m", "gittask", "real")
    git(repo, "symbolic-ref", "refs/heads/gittask", "refs/heads/real")
    three = found.write(two, {"a": b"3"}, ANN, ANN, "three")
    assert git(repo, "rev-parse", "real") == three == found.tip()
    assert git(repo, "symbolic-ref", "refs/heads/gittask") == "refs/heads/real"


def test_a_merge_has_all_its_parents(found: Repo, git: Git, repo: Path) -> None:
    one = found.write(None, {"a": b"1"}, ANN, ANN, "one")
    side = found.create_commit(found.write_tree(None, {"s": b"1"}), [one], ANN, ANN, "side")
    tree = found.write_tree(None, {"merged": b"1"})
    merge = found.write(one, {"more": b"2"}, ANN, ANN, "merge", [side], base_tree=tree)
    assert found.parents(merge) == (one, side)
    assert git(repo, "ls-tree", "-r", "--name-only", merge) == "merged\nmore"


def test_the_reflog_is_written_as_configured(found: Repo, bare: Path, repo: Path, git: Git) -> None:
    root = found.root()
    found.move(None, root, "made\nby us")
    found.write(root, {"a": b"1"}, ANN, ANN, "subject\n\nbody")
    log = git(repo, "reflog", "show", "--format=%gs|%gn", "gittask")
    assert log == "gittask: subject|Ann\nmade by us|Ann"
    without = Repo.discover(bare)
    without.move(None, without.root(), "made")
    without.write(without.root(), {"a": b"1"}, ANN, ANN, "subject")
    assert git(bare, "reflog", "show", "gittask") == ""


def test_texts_that_a_commit_cannot_hold_are_cleaned(found: Repo, repo: Path, git: Git) -> None:
    person = Person("A\nauthor <x>", "a@\ud800b", 5)
    made = found.write(None, {"a": b"1"}, person, person, "sub\0ject\ud800")
    info = found.commit_info(made)
    assert (info.author.name, info.author.email) == ("A author x", "a@?b")
    assert info.message == "subject?"
    git(repo, "fsck", "--strict")
    for bad in (Person(" ", "a@b", 5), Person("a", "<>", 5)):
        with pytest.raises(NoIdentity) as caught:
            found.write(made, {"a": b"2"}, ANN, bad, "m")
        assert "git config user.name" in caught.value.hint
    assert found.tip() == made


def test_a_commit_of_what_is_not_there_is_refused(found: Repo) -> None:
    tree = found.write_tree(None, {})
    with pytest.raises(GittaskError, match="cannot be written"):
        found.create_commit("1" * 40, [], ANN, ANN, "m")
    with pytest.raises(GittaskError, match="cannot be written"):
        found.create_commit(tree, ["1" * 40], ANN, ANN, "m")


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
    tip = found.write(None, {"a": b"1"}, ANN, ANN, "one") if exists else None
    lock = repo / ".git" / "refs" / "heads" / "gittask.lock"
    lock.touch()
    os.utime(lock, (lock.stat().st_mtime - 3600,) * 2)
    with pytest.raises(Contention) as caught:
        found.write(tip, {"a": b"2"}, ANN, ANN, "two")
    error = caught.value
    assert str(lock) in error.message
    assert f"rm '{lock}'" in error.hint
    assert error.details["lock"] == str(lock)
    assert 3600 <= error.details["age_seconds"] < 3700
    assert lock.exists()
    assert found.tip() == tip
    lock.unlink()
    found.write(tip, {"a": b"2"}, ANN, ANN, "two")


@pytest.mark.parametrize("exists", [True, False])
def test_a_lock_that_goes_away_is_waited_for(
    found: Repo, repo: Path, monkeypatch: pytest.MonkeyPatch, exists: bool
) -> None:
    tip = found.write(None, {"a": b"1"}, ANN, ANN, "one") if exists else None
    lock = repo / ".git" / "refs" / "heads" / "gittask.lock"
    lock.touch()
    monkeypatch.setattr(refs.time, "sleep", lambda _: lock.unlink())
    made = found.write(tip, {"a": b"2"}, ANN, ANN, "two")
    assert found.tip() == made


def in_child(attempt: Callable[[], None]) -> str:
    """What an attempt raises in a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            attempt()
            said = "nothing"
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as file:
        return file.read()


def test_a_full_disk_is_a_fault_and_not_contention(found: Repo, repo: Path, git: Git) -> None:
    one = found.write(None, {"a": b"1"}, ANN, ANN, "one")
    other = found.create_commit(found.tree(one), [one], ANN, ANN, "other")

    def move(old: str | None) -> Callable[[], None]:
        def attempt() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
            found.move(old, other, "full")

        return attempt

    def write() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        found.write(one, {"b": b"2"}, ANN, ANN, "two")

    assert in_child(move(one)).startswith("GittaskError: refs/heads/gittask cannot be moved")
    assert in_child(write).startswith("GittaskError: the files cannot be written")
    assert found.tip() == one
    git(repo, "branch", "-D", "gittask")
    assert in_child(move(None)).startswith("GittaskError: git update-ref failed")
    assert found.tip() is None


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to become another user")
def test_no_permission_is_a_fault_and_not_contention(found: Repo, repo: Path) -> None:
    one = found.write(None, {"a": b"1"}, ANN, ANN, "one")
    other = found.create_commit(found.tree(one), [one], ANN, ANN, "other")
    for folder in [repo, *repo.parents][:4]:
        folder.chmod(0o755)

    def move() -> None:
        os.setuid(12345)
        found.move(one, other, "mine")

    assert "GittaskError: refs/heads/gittask cannot be moved" in in_child(move)
    assert "Permission denied" in in_child(move)
    assert found.tip() == one
