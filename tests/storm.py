"""Many clones at once against one slow remote, to be tested and measured.

    python -m tests.storm --clones 20 --tasks 5 --hook 0.2

Each clone is a process of its own. The remote refuses whatever is no fast-forward, logs where its
branch stood, and its hook takes a while, as a server's checks do.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.cli import racers
from tests.cli.racers import Call
from tests.program import Program


@dataclass(frozen=True)
class Storm:
    """A remote whose pushes each take ``hook`` seconds and more, and clones of it."""

    bare: Path
    clones: list[Program]

    def at_once(
        self, pool: ProcessPoolExecutor, batches: Sequence[Sequence[tuple[str, ...]]]
    ) -> list[list[Call]]:
        """What came of the calls of each clone, all clones at once."""
        pairs = zip(self.clones, batches, strict=True)
        running = [pool.submit(racers.calls, clone.folder, batch) for clone, batch in pairs]
        return [each.result() for each in running]

    def tries(self) -> int:
        """How often something was pushed so far, taken or not."""
        return len((self.bare / "tries").read_text().splitlines())

    def forced(self) -> list[str]:
        """The moves of the remote's branch that left a commit behind, of all since it was made."""
        tips = git(self.bare, "reflog", "--format=%H", "refs/heads/gittask").split()
        pairs = zip(tips[1:], tips, strict=False)
        return [
            f"{old}..{new}"
            for old, new in pairs
            if git(self.bare, "rev-list", "-1", old, f"^{new}")
        ]


def gather(folder: Path, clones: int, hook: float) -> Storm:
    """Make the remote, its store and the clones in an empty folder."""
    code, bare = folder / "code", folder / "bare.git"
    git(folder, "init", "-q", "-b", "main", "code")
    git(code, *person(0), "commit", "-q", "--allow-empty", "-m", "first")
    git(folder, "clone", "-q", "--bare", "code", "bare.git")
    git(bare, "config", "receive.denyNonFastForwards", "true")
    git(bare, "config", "core.logAllRefUpdates", "always")
    folders = [folder / f"clone{number}" for number in range(clones)]
    for number, each in enumerate(folders):
        git(folder, "clone", "-q", *person(number), "bare.git", each.name)
        if number == 0:
            Program(each)("init")
            Program(each)("sync")
    script = bare / "hooks" / "pre-receive"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f'#!/bin/sh\necho >> "$GIT_DIR/tries"\nsleep {hook}\n')
    script.chmod(0o755)
    (bare / "tries").touch()
    return Storm(bare, [Program(each) for each in folders])


def git(folder: Path, *args: str) -> str:
    done = subprocess.run(["git", "-C", folder, *args], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def person(number: int) -> tuple[str, ...]:
    """The options that make git know somebody, one for each clone."""
    return "-c", f"user.name=Clone{number}", "-c", f"user.email=clone{number}@example.org"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clones", type=int, default=20)
    parser.add_argument("--tasks", type=int, default=5)
    parser.add_argument("--hook", type=float, default=0.2)
    asked = parser.parse_args()
    os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    with tempfile.TemporaryDirectory() as folder, racers.pool(asked.clones) as pool:
        storm = gather(Path(folder), asked.clones, asked.hook)
        made = [[("new", f"Task {n}", "--why", "x") for n in range(asked.tasks)]] * asked.clones
        storm.at_once(pool, made)
        told("sync", storm, [one for (one,) in storm.at_once(pool, [[("sync",)]] * asked.clones)])
        for clone in storm.clones:
            clone("sync")
        tasks = [task["id"] for task in storm.clones[0].records("task")]
        before = storm.tries()
        own = [[("start", task)] for task in tasks[: asked.clones]]
        told("start, each its own", storm, [one for (one,) in storm.at_once(pool, own)], before)
        before = storm.tries()
        one = storm.clones[0].new("For all")
        storm.clones[0]("sync")
        shared = [[("start", one)]] * asked.clones
        told("start, all the same", storm, [one for (one,) in storm.at_once(pool, shared)], before)


def told(what: str, storm: Storm, done: list[Call], before: int = 0) -> None:
    codes = {code: sum(call.code == code for call in done) for code in {c.code for c in done}}
    seconds = sorted(call.seconds for call in done)
    print(
        f"{what}: exit codes {codes}; {storm.tries() - before} pushes tried; "
        f"seconds: first {seconds[0]:.1f}, half {seconds[len(seconds) // 2]:.1f}, "
        f"last {seconds[-1]:.1f}; forced: {len(storm.forced())}",
        flush=True,
    )


if __name__ == "__main__":
    main()
