"""What the processes of the races do: call the program in a loop, each in its own process."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

from tests.program import Program

_barriers: list[Barrier] = []


class Call(NamedTuple):
    """A call that was made: what it was, how it ended, what it wrote, and how long it took."""

    args: tuple[str, ...]
    code: int
    out: str
    err: str
    seconds: float


def pool(size: int) -> ProcessPoolExecutor:
    """So many processes, each of which waits at the start of ``calls`` until all are there."""
    context = get_context("spawn")
    barrier = context.Barrier(size)
    return ProcessPoolExecutor(size, context, initializer=_remember, initargs=(barrier,))


def _remember(barrier: Barrier) -> None:
    _barriers.append(barrier)


def calls(folder: Path, batch: Sequence[tuple[str, ...]]) -> list[Call]:
    """Make the calls one after another, as soon as all processes of the pool are ready."""
    (barrier,) = _barriers
    barrier.wait()
    program = Program(folder)
    done = []
    for args in batch:
        began = time.monotonic()
        result = program(*args, code=None)
        seconds = time.monotonic() - began
        done.append(Call(args, result.code, result.out, result.err, seconds))
    return done


def write(program: Program, task: str) -> None:
    """Write without end, and print the id of each record once it is said to be written."""
    number = 0
    while True:
        number += 1
        print(program("new", f"Task {number}").id, flush=True)
        print(program("note", task, f"Note {number}").id, flush=True)
        program("set", task, f"title=Title {number}", f"labels+=label-{number % 5}")


if __name__ == "__main__":
    write(Program(Path(sys.argv[1])), sys.argv[2])
