"""Many processes on one repository: nothing is lost, one wins, and nobody blocks for long."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from gittask.store import lock, refs
from tests.cli import racers
from tests.conftest import Git
from tests.program import Program

SIZE = 8
EACH = 25
ROUNDS = 20
KILLS = 20


def race(
    pool: ProcessPoolExecutor, program: Program, batches: Sequence[Sequence[tuple[str, ...]]]
) -> list[racers.Call]:
    """Let each process of the pool make its calls, all at once; returns all of them."""
    running = [pool.submit(racers.calls, program.folder, batch) for batch in batches]
    return [call for each in running for call in each.result()]


def intact(program: Program, git: Git) -> None:
    """The store is valid, and so is the repository."""
    program("verify")
    assert git(program.folder, "fsck", "--no-dangling", "--no-progress") == ""


def test_writers_lose_nothing(gittask: Program, git: Git) -> None:
    before = int(git(gittask.folder, "rev-list", "--count", "gittask"))
    with racers.pool(SIZE) as pool:
        batches = [[("new", f"Task {n} {i}") for i in range(EACH)] for n in range(SIZE)]
        done = race(pool, gittask, batches)
    assert {call.code for call in done} == {0}
    ids = [call.out.strip() for call in done]
    assert len(set(ids)) == SIZE * EACH
    assert {task["id"] for task in gittask.json("list", "--all")["tasks"]} == set(ids)
    assert int(git(gittask.folder, "rev-list", "--count", "gittask")) == before + SIZE * EACH
    # All of them acted for the first time, and yet the actor was registered once.
    changes = git(gittask.folder, "log", "--format=%h", "gittask", "--", "actors/ann.yaml")
    assert len(changes.splitlines()) == 1
    intact(gittask, git)


def test_one_claim_wins(gittask: Program, git: Git) -> None:
    tasks = [gittask.new(f"Task {number}") for number in range(ROUNDS)]
    with racers.pool(SIZE) as pool:
        for task in tasks:
            batches = [[("start", task, "--as", f"codex-{n}", "--json")] for n in range(SIZE)]
            done = race(pool, gittask, batches)
            assert sorted(call.code for call in done) == [0] + [4] * (SIZE - 1)
            winner = next(call.args[3] for call in done if call.code == 0)
            assert all(f"is held by {winner} since" in call.out for call in done if call.code)
            state = gittask.task(task)["state"]
            (execution,) = (one for one in gittask.records("execution") if one["task"] == task)
            assert (state["epoch"], state["holder"]) == (1, execution["id"])
            assert execution["actor"] == winner
    intact(gittask, git)


def test_mixed_writers_while_git_packs(gittask: Program, git: Git) -> None:
    """Every call that succeeded shows its effect once, though git repacks all the time."""
    shared = gittask.new("Shared")

    def batch(n: int) -> list[tuple[str, ...]]:
        mine = ("--as", f"codex-{n}")
        return [
            *[("set", shared, f"labels+=label-{n}-{i}", *mine) for i in range(4)],
            ("set", shared, f"title=Title {n}", f"priority={n % 5}", *mine),
            ("start", shared, "--lane", "review", *mine),
            *[("note", shared, f"note {n} {i}", *mine) for i in range(4)],
            ("new", f"Task {n}", "--depends-on", shared, *mine),
            ("report", shared, f"report {n}", *mine),
        ]

    with racers.pool(SIZE) as pool:
        running = [pool.submit(racers.calls, gittask.folder, batch(n)) for n in range(SIZE)]
        packed = 0
        while not all(each.done() for each in running):
            git(gittask.folder, "gc", "--quiet", check=False)  # a writer may hold a lock
            packed += 1
        done = [call for each in running for call in each.result()]
    assert packed
    assert [call for call in done if call.code] == []
    stored = gittask.task(shared)
    assert stored["labels"] == sorted(f"label-{n}-{i}" for n in range(SIZE) for i in range(4))
    wanted = {f"note {n} {i}" for n in range(SIZE) for i in range(4)}
    wanted |= {f"report {n}" for n in range(SIZE)}
    assert sorted(note["body"] for note in gittask.records("note")) == sorted(wanted)
    assert len(gittask.json("dep", "list", shared)["needed_by"]) == SIZE
    assert stored["title"] in {f"Title {n}" for n in range(SIZE)}
    intact(gittask, git)


TIDYING = (
    "gc --quiet",
    "gc --quiet --prune=now",
    "prune --expire=now",
    "repack -adfq",
    "maintenance run --quiet",
    "pack-refs --all",
    "reflog expire --expire=now --all",
)


def test_git_tidies_up_and_prunes_beside_writers_and_syncs(
    gittask: Program, bare: Path, git: Git
) -> None:
    """Git deletes what no reference leads to yet, though it will; nothing of it is lost."""
    git(gittask.folder, "remote", "add", "origin", str(bare))
    gittask("sync")
    batches = [
        [call for i in range(5) for call in (("new", f"Task {n} {i}"), ("sync",), ("inbox",))]
        for n in range(SIZE // 2)
    ]
    with racers.pool(len(batches)) as pool:
        running = [pool.submit(racers.calls, gittask.folder, batch) for batch in batches]
        tidied = 0
        while not all(each.done() for each in running):
            words = TIDYING[tidied % len(TIDYING)].split()
            git(gittask.folder, *words, check=False)  # another git may be at it
            tidied += 1
        done = [call for each in running for call in each.result()]
    assert tidied
    assert [call for call in done if call.code and (call.args[0], call.code) != ("sync", 7)] == []
    gittask("sync")
    made = {call.out.strip() for call in done if call.args[0] == "new"}
    assert {task["id"] for task in gittask.records("task")} == made
    assert git(bare, "rev-parse", "gittask") == git(gittask.folder, "rev-parse", "gittask")
    intact(gittask, git)


def test_a_kill_at_any_moment(gittask: Program, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was said to be written is there, the rest is whole or absent, and writing goes on."""
    monkeypatch.setattr(refs, "PATIENCE", 0.02)
    chance = random.Random(7)
    task = gittask.new("Shared")
    said = set()
    for _ in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.racers", str(gittask.folder), task],
            cwd=Path(__file__).parent.parent.parent,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        said |= {process.stdout.readline().strip() for _ in range(chance.randrange(1, 6))}
        assert "" not in said
        sum(range(chance.randrange(500_000)))  # some moment of the writes that follow
        process.kill()
        said |= {line.strip() for line in process.stdout if line.endswith("\n")}
        process.stdout.close()
        process.wait()
        said.add(new_after_a_kill(gittask))
    gittask("verify")
    there = {record["id"] for kind in ("task", "note") for record in gittask.records(kind)}
    assert said <= there
    assert len(said) > 2 * KILLS
    intact(gittask, git)


def new_after_a_kill(program: Program) -> str:
    """A task made after a writer was killed: at once, or after git's own lock was removed."""
    left = program.folder / ".git" / "refs" / "heads" / "gittask.lock"
    if left.exists():
        assert f"rm '{left}'" in program("new", "Afterwards", code=7).err
        left.unlink()
    return program("new", "Afterwards").id


class TestLocks:
    def test_a_reference_that_git_left_locked(
        self, gittask: Program, git: Git, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(refs, "PATIENCE", 0.02)
        task = gittask.new()
        before = git(gittask.folder, "rev-parse", "gittask")
        held = gittask.folder / ".git" / "refs" / "heads" / "gittask.lock"
        held.touch()
        for args in (
            ["new", "x"],
            ["set", task, "priority=1"],
            ["start", task],
            ["note", task, "x"],
        ):
            error = gittask(*args, "--json", code=7).error
            assert error["code"] == "contention"
            assert error["retryable"] is True
            assert str(held) in error["message"]
            assert error["details"]["lock"] == str(held)
            plain = gittask(*args, code=7)
            assert "nothing to change" not in plain.err
            assert f"rm '{held}'" in plain.err
        assert gittask.json("list")["total"] == 1  # reading goes on
        assert held.exists()
        assert git(gittask.folder, "rev-parse", "gittask") == before
        held.unlink()
        gittask("set", task, "priority=1")

    def test_a_writer_that_hangs(self, gittask: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        """The lock between writers only keeps them in line: who waits too long goes on."""
        monkeypatch.setattr(lock, "PATIENCE", 0.02)
        with lock.hold(gittask.folder / ".git" / "gittask" / "lock") as held:
            assert held
            assert gittask.new()

    def test_a_killed_holder_blocks_nobody(
        self, gittask: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lock, "PATIENCE", 3600)
        path = gittask.folder / ".git" / "gittask" / "lock"
        code = "import pathlib, sys; from gittask.store import lock\n"
        code += f"with lock.hold(pathlib.Path({str(path)!r})): print('held', flush=True); input()"
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        with process:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            process.kill()
            process.wait()
            assert gittask.new()
