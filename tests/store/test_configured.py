"""The configuration that is kept is what git says, whatever was changed in between."""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gittask.errors import GittaskError
from gittask.store import git
from gittask.store.configured import SECTIONS, configuration
from gittask.store.git import Config

Counted = list[tuple[str, ...]]


@pytest.fixture
def repo(repo: Path) -> Path:
    """A repository in which a store is used."""
    (repo / ".git/gittask").mkdir()
    return repo


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """What git was asked so far, on a day on which no file is young."""
    calls: Counted = []
    run = git.run

    def counted(folder: Path, *args: str, **how: object) -> object:
        calls.append(args)
        return run(folder, *args, **how)  # type: ignore[arg-type]

    now = time.time_ns
    monkeypatch.setattr(git, "run", counted)
    monkeypatch.setattr(time, "time_ns", lambda: now() + 60_000_000_000)
    return calls


def told(folder: Path) -> Config:
    """What git says of the sections that are read."""
    said = git.config(folder)
    said["core.hookspath"] = said.get("core.hookspath", [])[:-1]  # the last is the program's own
    return {k: v for k, v in said.items() if k.partition(".")[0] in SECTIONS and v}


def seen(folder: Path) -> Config:
    return configuration(folder, folder / ".git", folder / ".git")


def kept(folder: Path) -> Path:
    return folder / ".git/gittask/config-.git.json"


def test_git_is_not_asked_again(repo: Path, asked: Counted) -> None:
    first = seen(repo)
    assert first == told(repo)
    assert first["user.name"] == ["Ann"]
    del asked[:]
    assert seen(repo) == first
    assert asked == []
    assert stat.S_IMODE(kept(repo).stat().st_mode) == 0o600


def test_what_is_young_is_not_kept(repo: Path) -> None:
    assert seen(repo) == told(repo)
    assert not kept(repo).exists()


Edit = Callable[[Path, Path, str], object]


def by_git(*where: str) -> Edit:
    return lambda repo, _, value: git.run(repo, "config", *where, "gittask.x", value)


def written(name: str, text: str) -> Edit:
    """A file of the home or of git's folder, written in place with these words."""

    def write(repo: Path, home: Path, value: str) -> None:
        file = (repo / ".git" if name.startswith("config") else home) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.format(value=value, home=home))

    return write


def gone(name: str) -> Edit:
    return lambda _, home, __: (home / name).unlink(missing_ok=True)


VALUE = "[gittask]\n\tx = {value}\n"
EDITS: dict[str, Edit] = {
    "local": by_git("--local"),
    "global": by_git("--global"),
    "worktree": by_git("--worktree"),
    "added": by_git("--add"),
    "personal": written(".gitconfig", VALUE),
    "personal, gone": gone(".gitconfig"),
    "xdg": written(".config/git/config", VALUE),
    "xdg, gone": gone(".config/git/config"),
    "system": written("system", VALUE),
    "system, gone": gone("system"),
    "include": written(".gitconfig", "[include]\n\tpath = more\n"),
    "include of home": written(".gitconfig", "[include]\n\tpath = ~/more\n"),
    "include by folder": written(".gitconfig", '[includeIf "gitdir:/"]\n\tpath = more\n'),
    "include by branch": written(".gitconfig", '[includeIf "onbranch:main"]\n\tpath = more\n'),
    "included": written("more", VALUE),
    "included that includes": written("more", "[include]\n\tpath = deep/most\n"),
    "included, gone": gone("more"),
    "deep": written("deep/most", VALUE),
    "to another branch": lambda repo, _, value: (repo / ".git/HEAD").write_text(
        f"ref: refs/heads/{'main' if value == 'a' else 'b'}\n"
    ),
    "extension": lambda repo, *_: git.run(repo, "config", "extensions.worktreeConfig", "true"),
}


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.sampled_from(sorted(EDITS)), st.sampled_from("ab")), max_size=5))
def test_it_is_what_git_says_after_any_change(
    asked: Counted, monkeypatch: pytest.MonkeyPatch, edits: list[tuple[str, str]]
) -> None:
    with tempfile.TemporaryDirectory() as folder, monkeypatch.context() as patch:
        home, repo = Path(folder, "home"), Path(folder, "repo")
        home.mkdir()
        patch.delenv("GIT_CONFIG_GLOBAL", raising=False)
        patch.delenv("GIT_CONFIG_NOSYSTEM", raising=False)
        patch.setenv("HOME", str(home))
        patch.setenv("GIT_CONFIG_SYSTEM", str(home / "system"))
        git.run(home, "init", "-q", "-b", "main", str(repo))
        (repo / ".git/gittask").mkdir()
        for name, value in edits:
            assert seen(repo) == told(repo)
            try:
                EDITS[name](repo, home, value)
            except GittaskError:
                continue  # --worktree of a repository without the extension, a value of many
        assert seen(repo) == told(repo)
        del asked[:]
        assert seen(repo) == told(repo)


def test_equal_size_and_time_are_not_enough(repo: Path, asked: Counted) -> None:
    config = repo / ".git/config"
    git.run(repo, "config", "gittask.x", "aaa")
    before = config.stat()
    assert seen(repo)["gittask.x"] == ["aaa"]
    config.write_text(config.read_text().replace("aaa", "bbb"))
    os.utime(config, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert config.stat().st_size == before.st_size
    assert seen(repo)["gittask.x"] == ["bbb"]
    assert asked


@pytest.mark.usefixtures("asked")
def test_what_the_environment_configures_counts(
    repo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen(repo)
    with monkeypatch.context() as patch:
        patch.setenv("GIT_CONFIG_COUNT", "1")
        patch.setenv("GIT_CONFIG_KEY_0", "gittask.x")
        patch.setenv("GIT_CONFIG_VALUE_0", "said")
        assert seen(repo)["gittask.x"] == ["said"]
    assert "gittask.x" not in seen(repo)
    other = tmp_path / "other"
    other.write_text("[gittask]\n\tx = other\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(other))
    assert seen(repo)["gittask.x"] == ["other"]


@pytest.mark.parametrize(
    "url", ["https://ann:word@host/x", "https://token@host/x", "https://host/x?access=1"]
)
@pytest.mark.usefixtures("asked")
def test_no_secret_is_kept(repo: Path, url: str) -> None:
    seen(repo)
    before = kept(repo).read_bytes()
    git.run(repo, "config", "http.extraHeader", "Authorization: word")
    git.run(repo, "config", "remote.origin.url", url)
    assert seen(repo)["remote.origin.url"] == [url]
    assert kept(repo).read_bytes() == before
    git.run(repo, "config", "remote.origin.url", "https://host/x")
    seen(repo)
    assert b"host/x" in kept(repo).read_bytes()
    assert b"word" not in kept(repo).read_bytes()


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"around": []}', "\0"])
@pytest.mark.usefixtures("asked")
def test_what_is_kept_may_be_anything(repo: Path, text: str) -> None:
    seen(repo)
    kept(repo).write_text(text)
    assert seen(repo) == told(repo)


def test_where_nothing_can_be_kept_git_is_asked(repo: Path, asked: Counted) -> None:
    (repo / ".git/gittask").rmdir()
    assert seen(repo) == told(repo)
    assert not (repo / ".git/gittask").exists()
    (repo / ".git/gittask").write_text("in the way")
    assert seen(repo) == told(repo)
    assert asked
