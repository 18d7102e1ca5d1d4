"""No command touches what is the user's: HEAD, index, configuration, hooks, refs, work tree."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.acting import HANDOFF
from tests.cli.test_contract import CALLS
from tests.conftest import Git
from tests.program import Program

DATA = ("refs/heads/gittask", "refs/remotes/origin/gittask", "refs/gittask/")
"""The references that are the program's own."""

DONE = {
    "site build": "../pages",
    "set": "{task} priority=1",
    "edit": "{task}",
    "actor add": "carol",
    "close": "{other} --outcome done",
    "cancel": "{other} --reason r",
    "reopen": "{closed} --reason r",
    "dep add": "{task} {closed}",
    "dep remove": "{other} {task}",
    "actor set": "bob name=Robert",
    "project set": "depot name=Depot",
    "recover": "{other}",
    "retry": "{other} --no-ack r",
    "approve request": "{task} action --to bob",
    "answer": "{question} yes",
    "approve grant": "{approval}",
    "approve deny": "{approval} --reason r",
    "approve revoke": "{approval} --reason r",
    "review": "{handoff} --verdict approved --synthesis s",
    "schema": "task",
    "project add": "shop",
}
"""Calls that come to something, where those of the contract name a record that is not there."""

REFUSED = (
    *("approve check", "approve revoke", "resume", "resolve", "merge-driver", "commit"),
    *("textconv", "pr check", "pr waive"),
)
"""The commands for which the calls find nothing that they could do."""


class Picture:
    """Everything of a repository that is not the program's, by a name that tells what changed."""

    def __init__(self, git: Git, folder: Path) -> None:
        private = folder / ".git"
        refs = git(folder, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        self.parts = {
            "HEAD": _read(private / "HEAD"),
            "index": _read(private / "index"),
            "config": _read(private / "config"),
            "hooks": _hash(private / "hooks"),
            "info": _hash(private / "info"),
            "refs": repr([ref for ref in refs if not ref.startswith(DATA)]),
            "work tree": _hash(folder, without=private),
            "status": git(folder, "status", "--porcelain", "--ignored"),
            "in progress": repr(sorted(p.name for p in private.glob("*_HEAD"))),
            "FETCH_HEAD": _read(private / "FETCH_HEAD"),
            "stash": git(folder, "stash", "list"),
        }

    def differs(self, other: Picture) -> list[str]:
        return [name for name, part in self.parts.items() if other.parts[name] != part]


def _read(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def _hash(folder: Path, without: Path | None = None) -> str:
    """What stands in a folder: paths, modes, contents, and when each was last changed."""
    found = []
    for path in sorted(folder.rglob("*")):
        if without and (path == without or without in path.parents):
            continue
        facts = path.lstat()
        kept = str(path.readlink()) if path.is_symlink() else _read(path) if path.is_file() else ""
        found.append((str(path), facts.st_mode, facts.st_mtime_ns if path.is_file() else 0, kept))
    return hashlib.sha256(repr(found).encode()).hexdigest()


@pytest.fixture
def user(clones: Callable[[int], list[Path]], git: Git) -> Program:
    """A clone with a store, in which somebody is in the middle of work on code."""
    (folder,) = clones(1)
    gittask = Program(folder)
    gittask("init")
    gittask("sync")
    (folder / "code.txt").write_text("staged\n")
    git(folder, "add", "code.txt")
    (folder / "code.txt").write_text("staged and changed\n")
    (folder / "new.txt").write_text("untracked\n")
    (folder / "link").symlink_to("nowhere")
    (folder / ".gitignore").write_text("*.ignored\n")
    (folder / "x.ignored").write_text("ignored\n")
    for name in ("pre-commit", "pre-push", "post-commit", "reference-transaction", "post-checkout"):
        hook = folder / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\ntouch hook-ran\nexit 0\n")
        hook.chmod(0o755)
    git(folder, "tag", "v1")
    git(folder, "update-ref", "refs/heads/side", "HEAD")
    (folder / "hook-ran").unlink(missing_ok=True)
    return gittask


@pytest.fixture
def names(user: Program) -> dict[str, str]:
    """The records that the calls are about."""
    task, other = user.new("Task"), user.new("Other")
    closed = user.new("Closed")
    user("close", closed)
    user("actor", "add", "bob", "--kind", "person")
    user("project", "add", "depot")
    question = user("ask", task, "May I?").id
    approval = user("approve", "request", task, "drop it", "--as", "codex-1").id
    user("start", other, "--as", "codex-1")
    handoff = user("handoff", other, *HANDOFF, "--as", "codex-1").id
    user("dep", "add", other, task)
    return {
        "task": task,
        "other": other,
        "closed": closed,
        "question": question,
        "approval": approval,
        "handoff": handoff,
    }


def _words(name: str, names: dict[str, str]) -> list[str]:
    if name == "handoff":
        return ["--as", "clone0", "handoff", names["task"], *HANDOFF]
    said = DONE.get(name, CALLS[name])
    return ["--as", "clone0", *name.split(), *said.format(**names).split()]


SETS_HOOKS = ("hook install", "hook uninstall")
"""The commands that are there to change the hooks."""


@pytest.mark.parametrize("name", [name for name in CALLS if name not in SETS_HOOKS])
def test_a_command_leaves_the_users_things_alone(
    user: Program,
    names: dict[str, str],
    git: Git,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.setenv("EDITOR", "sed -i s/Task/Renamed/")
    if name in ("report", "release", "handoff", "beat", "resume", "takeover"):
        user("start", names["task"], "--as", "clone0")
    before = Picture(git, user.folder)
    first = user(*_words(name, names), code=None)
    assert (first.code == 0) == (name not in REFUSED), first
    assert Picture(git, user.folder).differs(before) == []
    user(*_words(name, names), "--json", code=None)
    assert Picture(git, user.folder).differs(before) == []


def test_init_sets_what_it_says_and_takes_it_back(
    clones: Callable[[int], list[Path]], git: Git
) -> None:
    (folder,) = clones(1)
    gittask = Program(folder)
    before = Picture(git, folder)
    said = gittask.json("init")["init"]["settings"]
    after = Picture(git, folder)
    assert after.differs(before) == ["config"]
    assert said
    for key, value in said.items():
        assert git(folder, "config", "--local", key) == value
    gittask("init", "--undo")
    assert set(Picture(git, folder).differs(before)) <= {"config"}
    for key in said:
        assert git(folder, "config", "--local", key, check=False) == ""


@pytest.mark.parametrize("state", ["merge", "rebase", "cherry-pick", "bisect", "detached"])
def test_what_git_is_in_the_middle_of_stays(user: Program, git: Git, state: str) -> None:
    folder = user.folder
    git(folder, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", "ours")
    git(folder, "branch", "-f", "theirs", "HEAD~1")
    git(folder, "worktree", "add", "-q", str(folder.parent / "t"), "theirs")
    (folder.parent / "t" / "code.txt").write_text("theirs\n")
    git(folder.parent / "t", "-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", "theirs")
    commands = {
        "merge": ["merge", "theirs"],
        "rebase": ["rebase", "theirs"],
        "cherry-pick": ["cherry-pick", "theirs"],
        "bisect": ["bisect", "start", "HEAD", "v1"],
        "detached": ["checkout", "-q", "--detach", "v1"],
    }
    git(folder, "-c", "core.hooksPath=/dev/null", *commands[state], check=False)
    before = Picture(git, folder)
    task = user.new("Beside it")
    for args in (["start", task], ["report", task, "x"], ["sync"], ["list"], ["close", task]):
        user(*args)
    assert Picture(git, folder).differs(before) == []
