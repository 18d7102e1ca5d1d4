"""Claims over several clones: one winner, and a claim made alone says that it is provisional."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cli import racers
from tests.conftest import Git
from tests.program import Program

CLONES = 16
ROUNDS = 5


def team(folders: list[Path]) -> list[Program]:
    """Clones that share one store, the first of which made it."""
    programs = [Program(folder) for folder in folders]
    for program in programs:
        program("init")
        program("sync")
    return programs


def claimable(program: Program, title: str) -> str:
    """A task at the remote that anybody may start."""
    task = program("new", title, "--why", "it matters").id
    program("sync")
    return task


def test_of_many_clones_one_gets_the_task(clones: Callable[[int], list[Path]], git: Git) -> None:
    programs = team(clones(CLONES))
    with racers.pool(CLONES) as pool:
        for number in range(ROUNDS):
            task = claimable(programs[0], f"Task {number}")
            for program in programs:
                program("sync")
            batch = [("start", task, "--json")]
            running = [pool.submit(racers.calls, program.folder, batch) for program in programs]
            done = [call for each in running for call in each.result()]
            assert sorted(call.code for call in done) == [0] + [4] * (CLONES - 1), done
            winner = next(n for n, call in enumerate(done) if call.code == 0)
            told = f"is held by clone{winner} since 20"
            assert all(told in call.out for n, call in enumerate(done) if n != winner)
            assert all("provisional" not in call.out for call in done)
    for program in programs:
        program("sync")
    trees = {git(program.folder, "rev-parse", "gittask^{tree}") for program in programs}
    assert len(trees) == 1
    held = programs[0].json("list", "--all")["tasks"]
    assert [task["state"]["epoch"] for task in held] == [1] * ROUNDS
    executions = [path for path in files(git, programs[0]) if "/executions/" in path]
    assert len(executions) == ROUNDS  # who lost left no trace
    programs[0]("verify")


def files(git: Git, program: Program) -> list[str]:
    return git(program.folder, "ls-tree", "-r", "--name-only", "gittask").splitlines()


def test_a_claim_is_at_the_remote_at_once(
    clones: Callable[[int], list[Path]], bare: Path, git: Git
) -> None:
    first, second = team(clones(2))
    task = claimable(first, "Task")
    started = second("start", task)
    assert "provisional" not in started.err
    assert git(bare, "rev-parse", "gittask") == git(second.folder, "rev-parse", "gittask")
    refused = first("start", task, "--json", code=4)  # it had not synced since
    assert refused.error["details"]["actor"] == "clone1"


def test_a_claim_without_the_remote_is_provisional_until_a_sync(
    clones: Callable[[int], list[Path]], bare: Path
) -> None:
    first, second = team(clones(2))
    task = claimable(first, "Task")
    second("sync")
    gone = bare.rename(bare.with_name("gone"))
    started = first("start", task)
    assert "provisional" in started.err
    assert "provisional" in first("status", task).out
    assert "provisional" in first("show", task).out
    first("report", task, "half of it")
    gone.rename(bare)
    synced = first("sync")
    assert f"claim of {task} is confirmed" in synced.err
    assert "provisional" not in first("status", task).out
    assert "provisional" not in first("show", task).out


def test_a_provisional_claim_that_came_second_is_superseded(
    clones: Callable[[int], list[Path]],
) -> None:
    first, second = team(clones(2))
    task = claimable(first, "Task")
    second("sync")
    first("start", task)
    second("start", task, "--offline")
    note = second("report", task, "done before I heard").id
    synced = second("sync")
    assert f"claim of {task} is superseded: it is held by clone0 since" in synced.err
    entries = second.json("timeline", task)["entries"]
    assert [entry["late"] for entry in entries if entry["id"] == note] == [True]
    assert second.json("show", task)["task"]["state"]["epoch"] == 1


def test_no_push_asks_but_does_not_tell(
    clones: Callable[[int], list[Path]], bare: Path, git: Git
) -> None:
    first, second = team(clones(2))
    task = claimable(first, "Task")
    before = git(bare, "rev-parse", "gittask")
    assert "provisional" in second("start", task, "--no-push").err  # it had not heard of the task
    assert git(bare, "rev-parse", "gittask") == before
