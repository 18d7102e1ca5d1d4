"""``python -m tests.benchmarks``: measure, print the table, and perhaps write the page of it.

It is no test: no limit that is missed makes it fail. The stores take minutes to make, once.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks import commands, inside, report
from tests.benchmarks.generate import default_cache
from tests.benchmarks.place import Place
from tests.benchmarks.timing import CLOCKS, LONGEST, Measured, Row, measure, use

Group = Callable[[Place, int], Iterator[Row]]

GROUPS: dict[str, Group] = {
    "starting": commands.starting,
    "reading": commands.reading,
    "writing": commands.writing,
    "searching": commands.searching,
    "committing": inside.committing,
    "importing": inside.importing,
    "first": commands.first,
    "changes": commands.changes,
    "merging": inside.merging,
    "syncing": commands.syncing,
    "driving": commands.driving,
    "strategy": inside.strategy,
    "histories": commands.histories,
}
ONCE = ("starting", "driving", "histories")
"""The groups in which the number of tasks does not matter."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--sizes", default="100,1000,10000,100000", help="numbers of tasks")
    parser.add_argument("--only", action="append", choices=GROUPS, help="may be repeated")
    parser.add_argument("--runs", type=int, default=7, help="of which the median is taken")
    parser.add_argument("--clock", choices=CLOCKS, default="wall", help="cpu on a busy machine")
    parser.add_argument("--longest", type=float, default=LONGEST, help="seconds of one process")
    parser.add_argument("--commits", type=int, default=100_000, help="of a long history")
    parser.add_argument("--store", type=Path, default=default_cache(), help="where stores are kept")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md and .svg")
    asked = parser.parse_args()
    if asked.write and asked.only:
        parser.error("--write goes without --only: the page shows all that is measured")
    use(asked.clock, asked.longest)
    sizes = sorted(int(size) for size in asked.sizes.split(","))
    asked.store.mkdir(parents=True, exist_ok=True)
    print(report.machine(), flush=True)
    done = []
    for measured in _measured(asked, sizes):
        done.append(measured)
        for line in report.lines(measured):
            print("{:36}{:>8}{:>12}  {:28}{:>10}  {}".format(*line), flush=True)
    if asked.write:
        command = shlex.join(["python", "-m", "tests.benchmarks", *sys.argv[1:]])
        report.write(done, sizes, asked.runs, asked.clock, command)


def _measured(asked: argparse.Namespace, sizes: list[int]) -> Iterator[Measured]:
    """Each row as soon as it is measured; copies of stores go when their group is done."""
    for name in asked.only or GROUPS:
        for tasks in sizes[:1] if name in ONCE else sizes:
            with tempfile.TemporaryDirectory(dir=asked.store) as scratch:
                place = Place(asked.store, Path(scratch), asked.commits)
                for row in GROUPS[name](place, tasks):
                    yield measure(row, asked.runs)


if __name__ == "__main__":
    main()
