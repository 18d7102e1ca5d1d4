"""A pull request from its beginning to its squash: a bare remote, two agents, and who merges it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.cli.acting import Actor
from tests.program import Program

HANDOFF = (
    *("--condition", "green", "--summary", "It is done", "--changed", "0.txt :: lines"),
    *("--not-verified", "Load :: no data", "--next", "look at it", "--next-by", "ann"),
    *("--uncertain", "Does it hold at month's end? :: vans may leave late"),
    *("--run", "true"),
)
BY_CHANCE = re.compile(
    r"(?P<record>\d{8}t\d{6}z-[0-9a-z]{6})|(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d UTC)"
    r"|(?P<commit>(?<![0-9a-z])(?:[0-9a-f]{40}|[0-9a-f]{12})(?![0-9a-z]))"
)
"""What is another in each run: ids of records, times, and commits in full or in short."""

Stage = tuple[str, Program, str, tuple[str, ...]]
"""A name, the clone of who merges, the task, and the options that name the range."""


def git(folder: Path, *args: str) -> None:
    """Run git in a folder."""
    subprocess.run(["git", "-C", str(folder), *args], check=True, capture_output=True)


def merged(folder: Path) -> Iterator[Stage]:
    """The stage before the squash and, when the next is asked for, the one after it."""
    bare = folder / "bare.git"
    git(folder, "init", "-q", "--bare", "-b", "main", str(bare))
    one = _clone(folder, "one")
    git(one.folder, "commit", "-q", "--allow-empty", "-m", "Begin")
    git(one.folder, "push", "-q", "origin", "HEAD:main")
    two, host = _clone(folder, "two"), _clone(folder, "host")
    one("init")
    task = one.new("Fix routing", "--accept", "No order is lost")
    editor, reviewer = Actor(one, "codex-1"), Actor(two, "claude-1")
    git(one.folder, "switch", "-q", "-c", "topic")
    editor("start", task)
    for number in range(3):
        (one.folder / f"{number}.txt").write_text(f"{number}\n")
        git(one.folder, "add", ".")
        editor("commit", task, "-m", f"Step {number}")
    editor("decide", task, "Where to read", "--outcome", "In one place")
    editor("handoff", task, *HANDOFF)
    git(one.folder, "push", "-q", "origin", "topic")
    one("sync")
    two("init")
    reviewer("start", task, "--lane", "review", "--role", "reviewer")
    reviewer("ask", task, "Who watches it at month's end?", "--to", "ann")
    reviewer("review", task, "--verdict", "approved", "--synthesis", "Right, and tested")
    two("sync")
    host("init")
    git(host.folder, "fetch", "-q")
    yield "before", host, task, ("--base", "origin/main", "--head", "origin/topic")

    git(host.folder, "switch", "-q", "main")
    git(host.folder, "merge", "-q", "--squash", "origin/topic")
    message = f"Fix routing (#1)\n\n* Step 0\n\n  Task: {task}\n"
    git(host.folder, "commit", "-q", "-m", message)
    host("pr", "waive", task, "--uncertain", "1", "--reason", "Watched by hand")
    yield "after", host, task, ("--base", "main~1", "--head", "main")


def _clone(folder: Path, name: str) -> Program:
    git(folder, "clone", "-q", str(folder / "bare.git"), name)
    made = folder / name
    git(made, "symbolic-ref", "HEAD", "refs/heads/main")
    for key, value in (("name", "Ann"), ("email", "ann@example.org")):
        git(made, "config", f"user.{key}", value)
    git(made, "config", "commit.gpgsign", "false")
    return Program(made)


def same(text: str, task: str) -> str:
    """A text with what is another in each run replaced by names, numbered as they come."""
    seen: dict[str, list[str]] = {"record": [], "commit": []}

    def name(found: re.Match[str]) -> str:
        kind = str(found.lastgroup)
        if kind == "time":
            return "TIME"
        what = found[0][:12] if kind == "commit" else found[0]
        known = seen[kind]
        known += [] if what in known else [what]
        return f"{kind}-{known.index(what) + 1}"

    return BY_CHANCE.sub(name, text.replace(f"{task[-2:]}/{task}", "xx/TASK").replace(task, "TASK"))
