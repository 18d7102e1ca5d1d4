"""Honest work in several clones, however it comes together, is never found fault with."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program

AGENTS = ("codex-1", "claude-1")
REPORT = (
    *("--summary", "Half of it", "--verified", "none", "--not-verified", "none"),
    *(
        "--changed",
        "code.txt :: shorter",
        "--uncertain",
        "none",
        "--next",
        "The rest",
        "--next-by",
        "editor",
    ),
)
REFUSALS = (0, 2, 3, 4, 5)
"""How a command may end that comes too late, or from somebody who may not: not by a fault."""


class Worker:
    """Somebody with a clone, who does things at random, by the program and by git."""

    def __init__(self, folder: Path, git: Git, chance: random.Random) -> None:
        self.folder = folder
        self.gittask = Program(folder)
        self._git = git
        self._chance = chance

    def act(self) -> None:
        """Do one thing, as oneself or as one of the agents."""
        name = self._chance.choice([name for name in dir(self) if name.startswith("do_")])
        tasks = [task["id"] for task in self.gittask.records("task")]
        task = self._chance.choice(tasks)
        who = self._chance.choice([(), *(("--as", agent) for agent in AGENTS)])
        getattr(self, name)(task, who)

    def call(self, who: tuple[str, ...], *args: str) -> None:
        result = self.gittask(*args, *who, code=None)
        assert result.code in REFUSALS, (args, result)

    def git(self, *args: str) -> str:
        return self._git(self.folder, *args)

    # -- by the program -----------------------------------------------------------------------

    def do_start(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "start", task, "--offline")

    def do_start_again(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "start", task, "--offline", "--no-ack", "I know it")

    def do_look(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "start", task, "--lane", "review")

    def do_take_over(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "takeover", task, "--offline", "--reason", "It is silent")

    def do_report(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "report", task, "Half way")

    def do_hand_off(self, task: str, who: tuple[str, ...]) -> None:
        kind = self._chance.choice(["progress", "deliverable", "final", "retry_context"])
        self.call(who, "handoff", task, "--kind", kind, "--condition", "watch", *REPORT)

    def do_release(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "release", task)

    def do_close(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "close", task, "--outcome", "It works")

    def do_reopen(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "reopen", task, "--reason", "It does not")

    def do_set(self, task: str, who: tuple[str, ...]) -> None:
        value = self._chance.choice(["title=One", "title=Two", "priority=0", "labels+=x"])
        self.call(who, "set", task, value)

    def do_note(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "note", task, "Seen")

    def do_ask(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "ask", task, "May I?", "--to", "clone0")

    def do_answer(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "answer", task, "Yes")

    def do_request(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "approve", "request", task, "drop index")

    def do_grant(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "approve", "grant", task)

    def do_use(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "approve", "check", task, "drop index", "--use")

    def do_review(self, task: str, who: tuple[str, ...]) -> None:
        said = ("--verdict", "changes_requested", "--finding", "It is slow")
        self.call(who, "review", task, *said)

    def do_recover(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "recover", task, "--offline")

    def do_resolve(self, task: str, who: tuple[str, ...]) -> None:
        self.call(who, "resolve", task, "--keep", "kept")

    # -- by git -------------------------------------------------------------------------------

    def do_edit_by_hand(self, task: str, _: tuple[str, ...]) -> None:
        """Commit an edit of what describes a task, with git alone."""
        tree = self._checked_out()
        file = next(tree.glob(f"tasks/*/{task}/task.yaml"))
        lines = file.read_text("utf-8").splitlines()
        title = self._chance.choice(["By hand", "By another hand"])
        edited = [f"title: {title}" if line.startswith("title: ") else line for line in lines]
        file.write_text("\n".join(edited) + "\n", "utf-8")
        self._git(tree, "commit", "-q", "--allow-empty", "-am", "A better title")
        self._leave(tree)

    def do_merge_by_git(self, _: str, __: tuple[str, ...]) -> None:
        """Merge what the remote has with git alone, and our driver."""
        self.git("fetch", "-q", "origin")
        tree = self._checked_out()
        self._git(tree, "merge", "-q", "--no-edit", "origin/gittask")
        self._leave(tree)

    def _checked_out(self) -> Path:
        tree = self.folder.parent / f"{self.folder.name}-tree"
        self.git("worktree", "add", "-q", str(tree), "gittask")
        return tree

    def _leave(self, tree: Path) -> None:
        self.git("worktree", "remove", "--force", str(tree))

    # -- together -----------------------------------------------------------------------------

    def do_sync(self, _: str = "", __: tuple[str, ...] = ()) -> None:
        self.gittask("sync")


@pytest.mark.parametrize("seed", range(3))
def test_honest_work_passes(clones: Callable[[int], list[Path]], git: Git, seed: int) -> None:
    chance = random.Random(seed)
    workers = [Worker(folder, git, chance) for folder in clones(3)]
    for worker in workers:
        worker.gittask("init")
        worker.gittask.new()
        worker.do_sync()
    shared = workers[0].gittask.records("task")[0]["id"]
    for worker in workers:  # what must not be left to chance
        worker.gittask(
            "takeover", shared, "--offline", "--reason", "It is silent", "--as", "codex-1"
        )
        worker.do_edit_by_hand(shared, ())
    workers[1].do_merge_by_git(shared, ())
    for _ in range(50):
        chance.choice(workers).act()
    for worker in (*workers, *workers):
        worker.do_sync()
    subjects = workers[0].git("log", "--format=%s", "gittask")
    for each in ("takeover ", "merge: ", "stamp: ", "Merge remote-tracking", "A better title"):
        assert f"\n{each}" in f"\n{subjects}"
    for worker in workers:
        worker.gittask("verify", "..gittask")
