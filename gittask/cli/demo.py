"""The demonstration: a remote, two clones, two actors, and everything that may go wrong.

It imports the example store and plays a small story on it, with real commands in real
repositories. Each command is shown with what it printed, and must come out as the story says.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from gittask.cli.stage import Stage
from gittask.core.ids import SHORTEST
from gittask.errors import GittaskError, Refused, Usage
from gittask.store import example

TITLE = "Send orders of a closed depot to the nearest open one"
"""The task of the example on which the story is played."""

ALICE, CODEX, STORE, REMOTE = "alice", "codex", "store", "origin.git"

ACTORS = {CODEX: "codex-1"}
"""Who acts in which clone; in alice's it is she, by git's user.email."""

CODE = {
    "depots.py": """\
KM = {"Ashford": 12, "Dover": 40, "Hythe": 25}


def nearest(closed=()):
    return min(KM, key=KM.get)
""",
    "check.py": """\
from depots import nearest

assert nearest() == "Ashford"
assert nearest(closed=["Ashford"]) == "Hythe", "an order went to a closed depot"
print("2 checks passed")
""",
    ".gitignore": "__pycache__/\n",
}
BEFORE = "return min(KM, key=KM.get)"
AFTER = "return min(KM.keys() - set(closed), key=KM.get)"


def run(keep: Path | None, show: Callable[[str], None]) -> Stage:
    """Play the story in the new folder ``keep``, or in a temporary one that is removed.

    ``show`` takes what is to be seen as it happens. Raises GittaskError at the first command that
    does not come out right, and Usage if the folder is there and not empty.
    """
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="gittask-demo-") as folder:
            return _played(Path(folder).resolve(), show)
    if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        raise Usage(f"{str(keep)!r} is there already", hint="give a folder that is new or empty")
    keep.mkdir(parents=True, exist_ok=True)
    return _played(keep.resolve(), show)


def _played(root: Path, show: Callable[[str], None]) -> Stage:
    stage = Stage(root, show, ACTORS)
    play(stage)
    return stage


def play(stage: Stage) -> None:
    """The whole story. Raises GittaskError at the first command that does not come out right."""
    task = _task()
    _set_up(stage)
    _share(stage)
    _at_once(stage, task)
    _merge(stage, task)
    _hand_off(stage, task)
    _refuse(stage, task)
    _end(stage, task)


def _task() -> str:
    """The short id of the task on which the story is played."""
    for path, content in example.files().items():
        if path.endswith("/task.yaml") and f"title: {TITLE}\n".encode() in content:
            return path.split("/")[2][:SHORTEST]
    raise GittaskError("the example store is not complete", hint="install gittask again")


def _set_up(stage: Stage) -> None:
    stage.say(
        "A bare repository is the remote; alice has a clone of it, with some code. Nothing of this "
        "touches your own repositories or configuration, or needs a network."
    )
    stage.prepare(".", "git", "init", "--quiet", "--bare", REMOTE)
    stage.prepare(".", "git", "clone", "--quiet", REMOTE, ALICE)
    for name, text in CODE.items():
        (stage.root / ALICE / name).write_text(text, encoding="utf-8")
    stage.prepare(ALICE, "git", "add", ".")
    stage.prepare(ALICE, "git", "commit", "--quiet", "-m", "Find the nearest depot")
    stage.run(ALICE, "git", "push", "--quiet", "origin", "main")


def _share(stage: Stage) -> None:
    stage.say(
        "alice makes a task store. It is a branch of its own beside the code, full of plain YAML "
        "files; so an import is a commit: here that of a dozen tasks of a wholesaler."
    )
    stage.run(ALICE, "gittask", "init")
    stage.run(ALICE, "git", "worktree", "add", "--quiet", f"../{STORE}", "gittask")
    for path, content in example.files().items():
        file = stage.root / STORE / path
        if not file.exists():  # the store's own name, its README and alice are there already
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    stage.run(STORE, "git", "add", ".")
    stage.run(STORE, "git", "commit", "--quiet", "-m", "import the example store")
    stage.run(ALICE, "git", "worktree", "remove", f"../{STORE}")
    stage.say("What came by git alone is checked like the rest; then it goes to the remote.")
    stage.run(ALICE, "gittask", "verify")
    stage.run(ALICE, "gittask", "sync")


def _at_once(stage: Stage, task: str) -> None:
    stage.say(
        "An agent, codex-1, has a clone of its own, in which reading works at once. It claims a "
        "task and edits it ..."
    )
    stage.run(".", "git", "clone", "--quiet", REMOTE, CODEX)
    stage.run(CODEX, "gittask", "ready", shows=[task])
    stage.run(CODEX, "gittask", "start", task, "--provider", "codex", shows=["epoch 1"])
    stage.run(CODEX, "gittask", "set", task, "priority=1", "labels+=weekly")
    stage.say("... while alice, who knows nothing of it, edits the same task in her clone.")
    stage.run(ALICE, "gittask", "set", task, "priority=0", "due=2026-12-04")


def _merge(stage: Stage, task: str) -> None:
    stage.say(
        "Both sync. Different fields merge: the claim, the label and the date all stand. Of two "
        "priorities only one can, the same on every machine; the other is kept, and named."
    )
    stage.run(CODEX, "gittask", "sync")
    stage.run(ALICE, "gittask", "sync", shows=["1 in conflict"])
    merged = ["priority     1", "weekly", "2026-12-04", "codex-1 as editor"]
    stage.run(ALICE, "gittask", "show", task, shows=merged)
    stage.run(ALICE, "gittask", "inbox", shows=["1 by codex-1 stands, 0 by alice does not"])


def _hand_off(stage: Stage, task: str) -> None:
    stage.say(
        "codex-1 changes the code, commits, and hands off. What changed is found out from git, a "
        "check is run and kept as evidence, and what is not known has to be said."
    )
    file = stage.root / CODEX / "depots.py"
    file.write_text(CODE["depots.py"].replace(BEFORE, AFTER), encoding="utf-8")
    stage.run(CODEX, "git", "commit", "--quiet", "--all", "-m", "Leave out closed depots")
    report = (
        *("--condition", "green", "--summary", "Orders of a closed depot go to the nearest one"),
        *("--run", f"{Path(sys.executable).name} check.py"),
        *("--not-verified", "All depots closed :: nobody said what should happen then"),
        *("--uncertain", "none", "--next", "Review it", "--next-by", "alice"),
    )
    stage.run(CODEX, "gittask", "handoff", task, *report, shows=["2 checks passed"])
    stage.run(CODEX, "gittask", "sync")


def _refuse(stage: Stage, task: str) -> None:
    stage.say("alice reads that, and takes over. From now on codex-1 may not change the task.")
    stage.run(ALICE, "gittask", "sync")
    reason = "What if all depots are closed? People must decide that"
    stage.run(ALICE, "gittask", "takeover", task, "--reason", reason, shows=["epoch 2"])
    stage.run(ALICE, "gittask", "sync")
    stage.say("codex-1 has not noticed. Its write is refused, with what it can do instead.")
    stage.run(CODEX, "gittask", "sync")
    done = ("--outcome", "Done")
    refused = ["no longer holds", "hint: "]
    stage.run(CODEX, "gittask", "close", task, *done, exit_code=Refused.exit, shows=refused)
    stage.say("What it still knows is welcome, and is kept as a late report.")
    report = (
        *("--kind", "progress", "--condition", "watch"),
        *("--summary", "With all depots closed, nearest() raises ValueError"),
        *("--changed", "none", "--verified", "none", "--not-verified", "none"),
        *("--uncertain", "Who is to get such orders? :: they would be lost"),
        *("--next", "Decide it", "--next-by", "alice"),
    )
    stage.run(CODEX, "gittask", "handoff", task, *report)
    stage.run(CODEX, "gittask", "sync")


def _end(stage: Stage, task: str) -> None:
    stage.say(
        "alice settles the priority, says what is met, and ends it. The task remembers all of it, "
        "and every clone can read that."
    )
    stage.run(ALICE, "gittask", "sync")
    settled = ("priority=0", "acceptance.a1.met=true", "acceptance.a2.met=true")
    stage.run(ALICE, "gittask", "set", task, *settled)
    outcome = "With all depots closed an order fails, and somebody decides"
    stage.run(ALICE, "gittask", "close", task, "--outcome", outcome)
    stage.run(ALICE, "gittask", "sync")
    stage.run(ALICE, "gittask", "timeline", task, shows=["exit code 0", "(late)", outcome])
