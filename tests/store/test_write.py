from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.errors import GittaskError, NoIdentity
from gittask.store.repo import Person, Repo
from tests.branch import commit_to

Git = Callable[..., str]
ANN = Person("Ann", "ann@example.org", 1_767_225_600, 60)
BOB = Person("Bob", "bob@example.org", 1_767_225_601, -90)


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
    one = commit_to(found, None, {"a/x": b"1", "b": b"2"}, ANN, BOB, "one\n\nBody: ü\n")
    two = commit_to(found, one, {"a/x": None, "c": b"3"}, BOB, BOB, "two")
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
    commit_to(found, found.root(), {"a": b"1"}, ANN, ANN, "m")
    assert [path.read_bytes() for path in kept] == before
    assert git(repo, "status", "--porcelain") == status
    assert not (repo / "hook-ran").exists()


def test_a_merge_has_all_its_parents(found: Repo, git: Git, repo: Path) -> None:
    one = commit_to(found, None, {"a": b"1"}, ANN, ANN, "one")
    side = found.create_commit(found.write_tree(None, {"s": b"1"}), [one], ANN, ANN, "side")
    tree = found.write_tree(None, {"merged": b"1"})
    merge = found.create_commit(tree, [one, side], ANN, ANN, "merge")
    assert found.parents(merge) == (one, side)
    assert git(repo, "ls-tree", "-r", "--name-only", merge) == "merged"


def test_texts_that_a_commit_cannot_hold_are_cleaned(found: Repo, repo: Path, git: Git) -> None:
    person = Person("A\nauthor <x>", "a@\ud800b", 5)
    made = commit_to(found, None, {"a": b"1"}, person, person, "sub\0ject\ud800")
    info = found.commit_info(made)
    assert (info.author.name, info.author.email) == ("A author x", "a@?b")
    assert info.message == "subject?"
    git(repo, "fsck", "--strict")
    for bad in (Person(" ", "a@b", 5), Person("a", "<>", 5)):
        with pytest.raises(NoIdentity) as caught:
            commit_to(found, made, {"a": b"2"}, ANN, bad, "m")
        assert "git config user.name" in caught.value.hint
    assert found.tip() == made


def test_a_commit_of_what_is_not_there_is_refused(found: Repo) -> None:
    tree = found.write_tree(None, {})
    with pytest.raises(GittaskError, match="cannot be written"):
        found.create_commit("1" * 40, [], ANN, ANN, "m")
    with pytest.raises(GittaskError, match="cannot be written"):
        found.create_commit(tree, ["1" * 40], ANN, ANN, "m")
