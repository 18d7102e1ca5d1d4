"""What a piece of work costs beside another: both in turn, in the same minutes, medians.

On a machine that others use too, two times say little and their ratio more; where there is more
to do than cores, only the time of the processor (``use("cpu")``) says anything.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.benchmarks.process import SCRIPTS, environment

Run = Callable[[], float]
"""Does the work once and says what it cost: seconds, or MiB where a row says so."""

OURS = "ours"
LONGEST = 60.0
"""Seconds after which a process is stopped, and its row counts as missed, unless said otherwise."""


def _processor() -> float:
    """Seconds of processor time that this process and all that it waited for have used."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": _processor}
_clock = CLOCKS["wall"]
_longest = LONGEST


def use(clock: str, longest: float) -> None:
    """Measure by another clock from now on, and stop a process after so many seconds."""
    global _clock, _longest
    _clock, _longest = CLOCKS[clock], longest


_PEAK = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


class TooLong(Exception):
    """A process was stopped after so many seconds."""


@dataclass(frozen=True)
class Row:
    """One line of the table: what the work costs, beside other costs.

    ``costs`` has ``OURS`` and what it is compared with; ``limits`` says how many times another
    cost ours may be. Without limits the row only reports. ``cold`` work is done once, unwarmed.
    """

    name: str
    tasks: int
    costs: Mapping[str, Run]
    limits: Mapping[str, float] = field(default_factory=dict)
    unit: str = "s"
    cold: bool = False


@dataclass(frozen=True)
class Limit:
    """How many times another cost ours was, and may be."""

    against: str
    most: float
    ratio: float

    @property
    def met(self) -> bool:
        """Whether ours is within the limit."""
        return self.ratio <= self.most


@dataclass(frozen=True)
class Measured:
    """The medians of a row's costs; ``stopped`` says after how many seconds ours was given up."""

    row: Row
    medians: Mapping[str, float]
    stopped: float | None = None

    @property
    def ours(self) -> float | None:
        """What the work costs, if it came to an end."""
        return self.medians.get(OURS)

    @property
    def limits(self) -> list[Limit]:
        """Each limit of the row with what was measured; a row that was stopped is beyond all."""
        ours = float("inf") if self.ours is None else self.ours
        return [
            Limit(against, most, ours / self.medians[against] if against in self.medians else ours)
            for against, most in self.row.limits.items()
        ]

    @property
    def missed(self) -> bool:
        """Whether any limit is missed, or the work did not come to an end."""
        return self.stopped is not None or not all(limit.met for limit in self.limits)


def measure(row: Row, runs: int) -> Measured:
    """Do each work of a row ``runs`` times in turn, after once for warmth."""
    took: dict[str, list[float]] = {name: [] for name in row.costs}
    try:
        for number in range(1 if row.cold else runs + 1):
            for name, run in row.costs.items():
                cost = run()
                if number or row.cold:
                    took[name].append(cost)
    except TooLong as error:
        return Measured(row, {}, stopped=float(str(error)))
    return Measured(row, {name: median(costs) for name, costs in took.items()})


def process(
    argv: Sequence[str | Path],
    folder: Path,
    *,
    before: Callable[[], object] = lambda: None,
    ok: Collection[int] = (0,),
    patience: float = 1,
    env: Mapping[str, str] | None = None,
    clock: str | None = None,
) -> Run:
    """The run of a whole process in a folder, in seconds; ``before`` prepares and is not counted.

    ``patience`` is how many times longer than another it may take before it is stopped; ``clock``
    names the one to measure by, whatever others are measured by. The run raises RuntimeError if
    the process ends with a code that is not ``ok``, and TooLong.
    """
    variables = environment() | dict(env or {})

    def run() -> float:
        before()
        now = CLOCKS[clock] if clock else _clock
        began = now()
        _ended(argv, folder, variables, ok, patience)
        return now() - began

    return run


def peak(argv: Sequence[str | Path], folder: Path, *, before: Callable[[], object]) -> Run:
    """The run of a whole process in a folder, in MiB: how much memory it held at its height."""

    def run() -> float:
        before()
        # Not from this process: its own size would count, a child is a copy of it at first.
        inner = [sys.executable, "-c", _PEAK, *argv]
        return int(_ended(inner, folder, environment(), (0,), 20)) / 1024

    return run


def _ended(
    argv: Sequence[str | Path],
    folder: Path,
    env: Mapping[str, str],
    ok: Collection[int],
    patience: float,
) -> str:
    """The output of a process that has ended well."""
    longest = patience * _longest
    try:
        done = subprocess.run(argv, cwd=folder, env=env, capture_output=True, timeout=longest)
    except subprocess.TimeoutExpired:
        raise TooLong(longest) from None
    if done.returncode not in ok:
        said = done.stderr.decode("utf-8", "replace")
        raise RuntimeError(f"{' '.join(map(str, argv))}: {done.returncode}: {said}")
    return done.stdout.decode("utf-8", "replace")


def here(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> Run:
    """The run of work in this process, in seconds; ``before`` prepares and is not counted."""

    def run() -> float:
        before()
        began = _clock()
        work()
        return _clock() - began

    return run


def python(folder: Path) -> Run:
    """The run of an interpreter that does nothing: what a call costs at the very least."""
    return process([sys.executable, "-c", "pass"], folder)


def gittask(folder: Path, *args: str, ok: Collection[int] = (0,)) -> Run:
    """The run of the installed program in a folder."""
    return process([SCRIPTS / "gittask", *args], folder, ok=ok)
