"""Claims, takeovers, late writes and syncs in four clones, in any order that chance makes.

Whatever the order: one holder for each epoch, no stale write, nothing lost, and every uncertainty
in front of a person.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program, Result

STEPS = 30


@dataclass
class Team:
    """Four clones and what was promised in them: ids that commands printed with exit code 0."""

    programs: list[Program]
    chance: random.Random
    task: str
    promised: list[tuple[str, str]] = field(default_factory=list)
    mine: dict[int, list[str]] = field(default_factory=dict)
    written: Iterator[int] = field(default_factory=count)

    def step(self) -> None:
        number = self.chance.randrange(len(self.programs))
        action = self.chance.choice(
            ["claim", "claim_offline", "takeover", "report", "write", "beat", "sync", "sync"]
        )
        getattr(self, action)(number, self.programs[number])

    def claim(self, number: int, program: Program) -> None:
        self._claimed(number, program("start", self.task, code=None))

    def claim_offline(self, number: int, program: Program) -> None:
        self._claimed(number, program("start", self.task, "--offline", code=None))

    def takeover(self, number: int, program: Program) -> None:
        reason = ("--reason", "It is silent", "--offline")
        self._claimed(number, program("takeover", self.task, *reason, code=None))

    def _claimed(self, number: int, result: Result) -> None:
        assert result.code in (0, 4), result
        if result.code == 0:
            self.promised.append(("execution", result.id))
            self.mine.setdefault(number, []).append(result.id)

    def report(self, number: int, program: Program) -> None:
        for execution in self.mine.get(number, [])[-2:]:  # the last may be a stale one as well
            done = program("report", self.task, "Half of it", "--execution", execution)
            self.promised.append(("note", done.id))

    def write(self, number: int, program: Program) -> None:
        """Under each execution of this clone: allowed for the holder and for nobody else."""
        holder = program.task(self.task)["state"]["holder"]
        for execution in self.mine.get(number, []):
            title = f"title=As {execution} says, {next(self.written)}"
            done = program("set", self.task, title, "--execution", execution, code=None)
            assert done.code == (0 if execution == holder else 4), (execution, holder, done)

    def beat(self, number: int, program: Program) -> None:
        for execution in self.mine.get(number, [])[-1:]:
            tip = program.task(self.task)
            done = program("beat", "--execution", execution, "--no-push", code=None)
            assert done.code in (0, 4), done
            assert program.task(self.task) == tip

    def sync(self, _number: int, program: Program) -> None:
        program("sync")


def agents(folders: list[Path], git: Git, chance: random.Random) -> Team:
    programs = [Program(folder) for folder in folders]
    for number, program in enumerate(programs):
        git(program.folder, "config", "gittask.actor", f"agent-{number}")
        program("init")
        program("sync")
    task = programs[0]("new", "Task", "--why", "it matters").id
    for program in programs:
        program("sync")
    return Team(programs, chance, task)


@pytest.mark.parametrize("seed", range(3))
def test_one_holder_no_stale_write_and_nothing_lost(
    seed: int, clones: Callable[[int], list[Path]], git: Git
) -> None:
    team = agents(clones(4), git, random.Random(seed))
    start = git(team.programs[0].folder, "rev-parse", "gittask")
    for _ in range(STEPS):
        team.step()
    for program in [*team.programs, *team.programs]:
        program("sync")
    trees = {git(program.folder, "rev-parse", "gittask^{tree}") for program in team.programs}
    assert len(trees) == 1
    program = team.programs[0]
    program("verify")
    program("verify", f"{start}..gittask")

    executions = {one["id"]: one for one in program.records("execution")}
    notes = {one["id"] for one in program.records("note")}
    kept = {"execution": set(executions), "note": notes}
    assert all(id in kept[kind] for kind, id in team.promised)

    state = program.task(team.task)["state"]
    assert state["epoch"] == max(one["epoch"] for one in executions.values())
    assert executions[state["holder"]]["epoch"] == state["epoch"]
    assert state["holder"] in [
        id for id, one in executions.items() if one["epoch"] == state["epoch"]
    ]
    for number, each in enumerate(team.programs):
        team.write(number, each)

    told = program("inbox", "--all", "--json").out
    overtaken = executions.keys() - {state["holder"]}
    conflicts = {one["id"] for one in program.records("conflict")}
    assert [id for id in overtaken | conflicts if id not in told] == []
