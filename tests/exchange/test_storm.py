"""Twenty clones at once against a slow remote: all arrives, nobody forces, and all of them end.

A larger one, with figures: ``python -m tests.storm --clones 40 --tasks 5 --hook 0.5``.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from tests.cli import racers
from tests.cli.racers import Call
from tests.storm import Storm, gather, git

CLONES = 20
HOOK = 0.1  # seconds


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    """The processes of the clones, which take longest to start."""
    with racers.pool(CLONES) as made:
        yield made


@pytest.fixture
def storm(tmp_path: Path) -> Storm:
    return gather(tmp_path, CLONES, HOOK)


def level(storm: Storm, last: list[Call]) -> None:
    """Sync once more wherever it was too busy, then everywhere; all have the same afterwards."""
    busy = [clone for clone, call in zip(storm.clones, last, strict=True) if call.code == 7]
    for clone in (*busy, *storm.clones):
        clone("sync")
    trees = {git(clone.folder, "rev-parse", "gittask^{tree}") for clone in storm.clones}
    assert trees == {git(storm.bare, "rev-parse", "gittask^{tree}")}
    assert storm.forced() == []
    storm.clones[0]("verify")
    assert git(storm.bare, "fsck", "--no-dangling") == ""


def test_all_that_was_written_arrives(storm: Storm, pool: ProcessPoolExecutor) -> None:
    batches = [[("new", f"Task {n} {i}") for i in range(2)] for n in range(CLONES)]
    done = storm.at_once(pool, [[*batch, ("sync",)] for batch in batches])
    made = [call.out.strip() for calls in done for call in calls[:2]]
    assert len(set(made)) == 2 * CLONES
    assert {call.code for calls in done for call in calls[:2]} == {0}
    for *_, synced in done:
        assert synced.code in (0, 7), synced
        assert synced.code == 0 or "still unpushed" in synced.err
    assert any(synced.code == 0 for *_, synced in done)
    level(storm, [calls[-1] for calls in done])
    assert {task["id"] for task in storm.clones[0].records("task")} == set(made)


def test_each_task_has_one_holder(storm: Storm, pool: ProcessPoolExecutor) -> None:
    first = storm.clones[0]
    *own, shared = [first.new(f"Task {number}") for number in range(CLONES + 1)]
    first("sync")
    done = storm.at_once(pool, [[("start", shared), ("start", task)] for task in own])
    codes = sorted(first.code for first, _ in done)
    assert codes.count(0) == 1
    assert set(codes) <= {0, 4, 7}
    level(storm, [calls[-1] for calls in done])
    executions = {one["id"]: one for one in first.records("execution")}
    won = [calls[0].code == 0 for calls in done].index(True)
    for task, holder, calls in zip(own, range(CLONES), (calls[1] for calls in done), strict=True):
        state = first.task(task)["state"]
        assert state["epoch"] == (calls.code == 0)
        if calls.code == 0:
            assert executions[state["holder"]]["actor"] == f"clone{holder}"
        else:  # too busy: then nothing of it is anywhere
            assert calls.code == 7, calls
    state = first.task(shared)["state"]
    assert (state["epoch"], executions[state["holder"]]["actor"]) == (1, f"clone{won}")
    assert len(executions) == sum(call.code == 0 for calls in done for call in calls)
