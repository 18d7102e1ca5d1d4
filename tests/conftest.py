"""What every test shares: a home of its own, and real repositories in a temporary folder."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pygit2
import pytest
from pygit2.enums import ConfigLevel

from gittask.store.repo import Repo

# Whether a test passes depends on neither the clock nor chance; what is new is looked for with
# ``pytest --hypothesis-profile=explore``.
hypothesis.settings.register_profile("steady", deadline=None, derandomize=True)
hypothesis.settings.register_profile("explore", deadline=None)
hypothesis.settings.load_profile("steady")

Git = Callable[..., str]
"""``git(folder, *args, input=None, check=True)`` -> what git wrote on standard output."""

_PERSONAL = (
    *("EDITOR", "VISUAL", "PAGER", "GPG_TTY", "GNUPGHOME", "SSH_ASKPASS", "XDG_CONFIG_HOME"),
    *("COLUMNS", "LESS", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"),
)
_LEVELS = (
    ConfigLevel.PROGRAMDATA,
    ConfigLevel.SYSTEM,
    ConfigLevel.XDG,
    ConfigLevel.GLOBAL,
)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home; nothing of the machine's user, environment or configuration is seen."""
    folder = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("GIT_", "GITTASK_")) or name in _PERSONAL:
            monkeypatch.delenv(name)
    config = folder / ".gitconfig"
    config.write_text("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("TZ", "UTC")
    # Thousands of processes run the program: its files are compiled once, beside no source.
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    compiled = tmp_path_factory.getbasetemp().parent / "compiled"
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(compiled))
    if hasattr(time, "tzset"):
        time.tzset()
    # The library looked for the home when it was loaded, so it has to be told.
    for level in _LEVELS:
        pygit2.settings.search_path[level] = str(folder)
    return folder


@pytest.fixture
def git() -> Git:
    """Run the git program in a folder, as a user would."""

    def run(folder: Path, *args: str, input: str | None = None, check: bool = True) -> str:
        done = subprocess.run(
            ["git", "-C", str(folder), *args], input=input, capture_output=True, text=True
        )
        if check and done.returncode != 0:
            raise AssertionError(f"git {' '.join(args)}: {done.stderr}")
        return done.stdout.strip()

    return run


def _identify(git: Git, folder: Path, name: str) -> None:
    git(folder, "config", "user.name", name)
    git(folder, "config", "user.email", f"{name.lower()}@example.org")


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    """The folder of a repository with one commit on ``main``."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    _identify(git, folder, "Ann")
    (folder / "code.txt").write_text("code\n")
    git(folder, "add", "code.txt")
    git(folder, "commit", "-q", "-m", "first")
    return folder


@pytest.fixture
def found(repo: Path) -> Repo:
    """The repository ``repo``, as the store sees it."""
    return Repo.discover(repo)


@pytest.fixture
def bare(tmp_path: Path, repo: Path, git: Git) -> Path:
    """The folder of a bare repository, to be a remote, that holds the ``main`` of ``repo``."""
    folder = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(folder))
    git(folder, "remote", "remove", "origin")
    return folder


@pytest.fixture
def clones(tmp_path: Path, bare: Path, git: Git) -> Callable[[int], list[Path]]:
    """``clones(n)``: the folders of n clones of ``bare``, each with an identity of its own."""

    def make(count: int) -> list[Path]:
        folders = [tmp_path / f"clone{number}" for number in range(count)]
        for number, folder in enumerate(folders):
            git(tmp_path, "clone", "-q", str(bare), str(folder))
            _identify(git, folder, f"Clone{number}")
        return folders

    return make
