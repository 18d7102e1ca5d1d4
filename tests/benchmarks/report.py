"""What was measured, as a table in the terminal and as docs/performance.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pygit2

from tests.benchmarks.plot import Series, chart
from tests.benchmarks.process import git
from tests.benchmarks.timing import OURS, Measured

DOCS = Path(__file__).parents[2] / "docs"

_PAGE = """\
# Performance

What work costs on stores of {sizes} tasks with five records each, beside
something else done in turn with it: each figure is the median of {runs} runs by the {clock} clock,
each run a whole process unless it says "library". A ratio says more than a time, which is the
machine's as well.

{machine}

To measure again, and write this page: `{command}`

![Cost of commands against the number of tasks](performance.svg)

| work | tasks | cost | at most | measured | |
|---|--:|--:|---|--:|---|
{rows}

## Missed

{missed}

## Why

By `python -X importtime` and cProfile, in milliseconds of processor time where `python -c pass`
takes 11:

- **Reading** (`show`, `status`, `brief`, `ready`, `approve check`): Python 11, typing and what it
  loads 9, click 9, the modules of this program 25, SQLite 1; the question itself 6 to 9. No file of
  git is opened and no YAML parsed; what is left is loading.
- **Writing** (`new`, `note`, `handoff`): 25 more for the core of libgit2, the validator and the
  commit.
- **Library, one commit each**: what is left above bare pygit2 is checking, encoding and the index.
- **Bulk import**: what is allowed to whom 30 %, encoding 25 %, the index of records 20 %, folders
  10 %.
- **Merge driver**: Python and the validator; records in our own form are read without a YAML
  parser.
- **`sync` with nothing to do**: at a path of the same machine `git fetch` takes 8, less than
  starting Python does; so the limit cannot be met there. Where the remote has to be waited for, as
  any over a network, the row beside it says what a person sees: one connection, and what is loaded
  meanwhile.
- **Merging few tasks**: git needs 5 to 40 for all of it; a third of ours is understanding records.
- **First reading**: most of it is reading YAML, 600,000 files one by one on one core.
- **`route` at 100,000**: a sentence of common words fits thousands of tasks, of which those that
  can be among the best are looked at.
"""


def lines(measured: Measured) -> Iterator[tuple[str, ...]]:
    """The rows of the table for one piece of work: one a limit, one if it has none."""
    row = measured.row
    tasks = f"{row.tasks:,}" if row.tasks else "any"
    cost = _cost(measured)
    for limit in measured.limits:
        ratio = "-" if measured.stopped else f"{limit.ratio:.2f}"
        said = "met" if limit.met else "**missed**"
        yield row.name, tasks, cost, f"{limit.most:g} x {limit.against}", ratio, said
    if not measured.limits:
        others = [name for name in row.costs if name != OURS]
        ratios = [
            f"{measured.medians[OURS] / measured.medians[name]:.2f} x {name}"
            for name in others
            if measured.stopped is None
        ]
        said = "**missed**" if measured.stopped else "reported"
        yield row.name, tasks, cost, "", ", ".join(ratios) or "-", said


def _cost(measured: Measured) -> str:
    if measured.ours is None:
        return f"over {measured.stopped:g} s"
    if measured.row.unit != "s":
        return f"{measured.ours:.0f} {measured.row.unit}"
    return f"{1000 * measured.ours:.0f} ms" if measured.ours < 10 else f"{measured.ours:.1f} s"


def page(
    done: Sequence[Measured], sizes: Sequence[int], runs: int, clock: str, command: str
) -> str:
    """The page of documentation."""
    missed = [
        f"- {name}, {tasks} tasks: {cost}" + (f", {ratio} where {most} is allowed" if most else "")
        for measured in done
        for name, tasks, cost, most, ratio, said in lines(measured)
        if said != "met" and said != "reported"
    ]
    return _PAGE.format(
        sizes=" and ".join([", ".join(f"{size:,}" for size in sizes[:-1]), f"{sizes[-1]:,}"])
        if len(sizes) > 1
        else f"{sizes[0]:,}",
        runs=runs,
        clock=clock,
        machine=machine(),
        command=command,
        rows="\n".join(f"| {' | '.join(line)} |" for one in done for line in lines(one)),
        missed="\n".join(missed) or "Nothing.",
    )


def machine() -> str:
    """What it was measured on, in general words, and when."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[0]
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}: {os.cpu_count()} cores, {memory:.0f} GiB of "
        f"memory, {platform.system()}, Python {platform.python_version()}, {git(Path(), 'version')}"
        f", libgit2 {pygit2.LIBGIT2_VERSION}; {load:.1f} processes wanted a core."
    )


def series(done: Sequence[Measured]) -> Series:
    """The times of single commands, by number of tasks, as the chart shows them."""
    shown = ("show", "ready", "note", "inbox", "find", "sync, nothing to do")
    return {
        name: {one.row.tasks: one.ours for one in done if one.row.name == name and one.ours}
        for name in shown
    }


def write(
    done: Sequence[Measured], sizes: Sequence[int], runs: int, clock: str, command: str
) -> None:
    """Write the page and its chart."""
    (DOCS / "performance.md").write_text(page(done, sizes, runs, clock, command), encoding="utf-8")
    (DOCS / "performance.svg").write_text(chart(series(done)), encoding="utf-8")
