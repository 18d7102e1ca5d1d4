from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.errors import GittaskError, NoStore, Usage
from gittask.store.repo import Repo

Git = Callable[..., str]


def test_the_repository_is_found_upward(repo: Path) -> None:
    below = repo / "a" / "b"
    below.mkdir(parents=True)
    for start in (repo, below, repo / ".git", repo / ".git" / "refs"):
        found = Repo.discover(start)
        assert (found.git_dir, found.common_dir) == (repo / ".git", repo / ".git")
        assert found.worktree == repo
        assert found.worktree_key == "main"
        assert found.git("rev-parse", "--absolute-git-dir").stdout.decode() == f"{repo}/.git\n"


def test_outside_of_a_repository(tmp_path: Path) -> None:
    for start in (tmp_path, tmp_path / "missing"):
        with pytest.raises(NoStore, match="not inside a git repository") as caught:
            Repo.discover(start)
        assert "git init" in caught.value.hint


def test_a_ceiling_is_respected(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = repo / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repo / "a"))
    with pytest.raises(NoStore):
        Repo.discover(below)


def test_a_bare_repository(bare: Path) -> None:
    found = Repo.discover(bare / "refs")
    assert (found.git_dir, found.worktree, found.worktree_key) == (bare, None, "main")
    assert found.git("rev-parse", "--is-bare-repository").stdout == b"true\n"


def test_linked_worktrees_share_one_store(repo: Path, tmp_path: Path, git: Git) -> None:
    git(repo, "worktree", "add", "-q", "--detach", str(tmp_path / "main"))
    here, there = Repo.discover(repo), Repo.discover(tmp_path / "main")
    assert there.worktree == tmp_path / "main"
    assert there.git_dir == repo / ".git" / "worktrees" / "main"
    assert there.common_dir == here.common_dir == repo / ".git"
    assert {here.worktree_key, there.worktree_key} == {"main", "worktrees/main"}
    here.move(None, here.root(), "made")
    assert there.tip() == here.tip() == here.root()
    assert (here.head_branch(), there.head_branch()) == ("main", None)


def test_a_hook_of_another_repository_does_not_lead_there(
    repo: Path, bare: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = (repo / ".git" / "index").read_bytes()
    for name in git(repo, "rev-parse", "--local-env-vars").split():
        monkeypatch.setenv(name, str(bare))
    monkeypatch.delenv("GIT_CONFIG_PARAMETERS")
    monkeypatch.delenv("GIT_CONFIG_COUNT")
    found = Repo.discover(repo)
    found.move(None, found.root(), "made")
    for name in list(os.environ):
        if name.startswith("GIT_") and os.environ[name] == str(bare):
            monkeypatch.delenv(name)
    assert git(repo, "rev-parse", "gittask") == found.root()
    assert git(bare, "branch", "--list", "gittask") == ""
    assert (repo / ".git" / "index").read_bytes() == index
    assert git(repo, "status", "--porcelain") == ""


def test_a_hook_writes_beside_the_commit_in_progress(repo: Path, tmp_path: Path, git: Git) -> None:
    code = (
        "from pathlib import Path; from gittask.store.repo import Person, Repo\n"
        "repo = Repo.discover(Path.cwd()); ann = Person('Ann', 'ann@example.org', 1)\n"
        "tip = repo.tip()\n"
        "made = repo.commit(tip, {str(repo.head()): b'seen'}, ann, ann, 'from a hook')\n"
        "repo.move(tip, made, 'test')"
    )
    for name in ("pre-commit", "post-commit"):
        hook = repo / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}"\n')
        hook.chmod(0o755)
    linked = tmp_path / "linked"
    git(repo, "worktree", "add", "-q", "-b", "side", str(linked))
    for folder in (repo, linked):
        (folder / "code.txt").write_text(f"changed in {folder.name}\n")
        git(folder, "commit", "-q", "-a", "-m", "second")
        assert git(folder, "status", "--porcelain") == ""
        assert git(folder, "show", "--format=", "--name-only", "HEAD") == "code.txt"
    seen = git(repo, "ls-tree", "--name-only", "gittask").split()
    assert seen == sorted(git(repo, "rev-parse", "main", "side", "main^").split())
    assert git(repo, "rev-list", "--count", "gittask") == "4"


@pytest.mark.parametrize(
    ("extension", "reason"),
    [
        ("refStorage = reftable", "reftable"),
        ("objectFormat = sha256", "SHA-256"),
        ("somethingNew = true", "somethingnew"),
    ],
)
def test_an_unsupported_kind_is_refused_in_one_sentence(
    repo: Path, extension: str, reason: str
) -> None:
    config = repo / ".git" / "config"
    text = config.read_text().replace("repositoryformatversion = 0", "repositoryformatversion = 1")
    config.write_text(f"{text}[extensions]\n\t{extension}\n")
    before = sorted(repo.rglob("*"))
    with pytest.raises(GittaskError, match=f"this repository cannot be used: .*{reason}"):
        Repo.discover(repo)
    assert sorted(repo.rglob("*")) == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs chown")
def test_another_users_repository_is_trusted_exactly_if_git_trusts_it(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (repo, repo / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(GittaskError, match="another user owns it") as caught:
        Repo.discover(repo)
    assert caught.value.hint == f"git config --global --add safe.directory {repo}"
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(repo))
    assert Repo.discover(repo).worktree == repo
    monkeypatch.setenv("GIT_CONFIG_COUNT", "0")
    with pytest.raises(GittaskError, match="another user owns it"):
        Repo.discover(repo)


def test_before_the_first_commit(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk")
    found = Repo.discover(tmp_path)
    assert (found.head(), found.head_branch(), found.tip(), found.tracking()) == (
        None,
        "trunk",
        None,
        None,
    )
    found.move(None, found.root(), "made")
    assert found.tip() == found.root()
    assert git(tmp_path, "status", "--porcelain") == ""


def test_the_branch_is_configurable_and_checked(repo: Path, git: Git) -> None:
    assert Repo.discover(repo).ref == "refs/heads/gittask"
    git(repo, "config", "gittask.branch", "data/tasks")
    assert Repo.discover(repo).ref == "refs/heads/data/tasks"
    for name in ("-f", "HEAD", "@{-1}", "a..b", "", "refs/heads/x"):
        git(repo, "config", "gittask.branch", name)
        with pytest.raises(Usage, match=r"gittask\.branch cannot be"):
            _ = Repo.discover(repo).branch


def test_which_remote(repo: Path, git: Git) -> None:
    def remote() -> str | None:
        return Repo.discover(repo).remote

    assert remote() is None
    git(repo, "remote", "add", "one.two", "/nowhere")
    assert remote() == "one.two"
    git(repo, "remote", "add", "three", "/nowhere")
    assert remote() is None
    git(repo, "remote", "add", "origin", "/nowhere")
    assert remote() == "origin"
    git(repo, "config", "branch.gittask.remote", "three")
    assert remote() == "three"
    git(repo, "config", "gittask.remote", "one.two")
    assert remote() == "one.two"


@pytest.mark.parametrize("name", ["--all", "-c x", "a b", "origin;id", "../x", "", "."])
def test_a_dangerous_remote_is_refused(repo: Path, git: Git, name: str) -> None:
    git(repo, "remote", "add", "origin", "/nowhere")
    if name != "origin;id":  # not a name to refuse, but no remote has it
        git(repo, "config", f"remote.{name}.url", "/nowhere")
    git(repo, "config", "gittask.remote", name)
    with pytest.raises(Usage, match=r"gittask\.remote cannot be"):
        _ = Repo.discover(repo).remote


def test_tracking_is_what_was_last_seen(
    repo: Path, bare: Path, clones: Callable[[int], list[Path]], git: Git
) -> None:
    ours = Repo.discover(repo)
    ours.move(None, ours.root(), "made")
    git(repo, "push", "-q", str(bare), "gittask")
    found = Repo.discover(clones(1)[0])
    assert (found.remote, found.tip(), found.tracking()) == ("origin", None, ours.root())


def test_a_quarantine_can_be_read(
    repo: Path, bare: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repo, "commit", "-q", "--allow-empty", "-m", "pushed")
    pushed = git(repo, "rev-parse", "HEAD")
    incoming = bare / "objects" / "incoming-1"
    (incoming / pushed[:2]).mkdir(parents=True)
    name = Path(pushed[:2], pushed[2:])
    (incoming / name).write_bytes((repo / ".git" / "objects" / name).read_bytes())
    assert not Repo.discover(bare).exists(pushed)
    monkeypatch.setenv("GIT_QUARANTINE_PATH", str(incoming))
    found = Repo.discover(bare)
    assert found.commit_info(pushed).subject == "pushed"
    assert [each.id for each in found.walk(found.head(), pushed)] == [pushed]
