"""Tasks as a tree."""

from __future__ import annotations

from itertools import chain, islice
from operator import attrgetter

import click

from gittask.cli.command import command
from gittask.cli.complete import TASK, complete_task
from gittask.cli.context import context
from gittask.cli.options import after_option, following, limit_option, lines_option, page
from gittask.cli.result import result, stream
from gittask.cli.table import GAP, cells, cut
from gittask.core import names
from gittask.core.meaning import joined
from gittask.views.tree import DEEPEST, Row, rows, tree

LEVELS = 20
"""How many levels are shown at most, unless more are asked for."""
LINE = 33
"""How many columns a task needs beside the lines of the tree, without its title."""
SHORTEST = 8
"""A title that would be cut to fewer cells than this is left out."""


@command("tree")
@click.argument("task", required=False, metavar="[TASK]", shell_complete=complete_task)
@click.option("--closed", is_flag=True, help="Also what is done or cancelled.")
@click.option(
    "--depth",
    type=click.IntRange(1, DEEPEST),
    metavar="N",
    help=f"Show so many levels; else at most {LEVELS}, as far as they fit.",
)
@limit_option(None)
@lines_option
@after_option("TASK", TASK)
def tree_command(
    task: str | None, closed: bool, depth: int | None, limit: int | None, after: str | None
) -> None:
    """Show tasks with their parts and with what they need, as a tree.

    Of TASK also what it is part of, and what needs it; without TASK all that is unfinished. A
    line that names no relation is a part. What was shown before is not shown in full again.
    --limit and --after count the tasks at the top.

    \b
    gittask tree
    gittask tree k3m9 --closed
    gittask tree --depth 2
    """
    here = context()
    reader, width = here.reader, here.output.terminal.width
    above = names.task(reader, task) if task else None
    levels = depth or _levels(width)
    behind = after and names.task_id(reader, after)
    every = tree(reader, here.at, above, closed=closed, depth=levels)
    if here.output.json and not here.output.lines:
        nodes, more = page(every, limit, behind, attrgetter("id"))
        document = {"tree": [node.as_json() for node in nodes]}
        result(here, document | ({"next": more} if more else {}), ())
        return
    found = islice(following(every, behind, attrgetter("id")), limit)
    if here.output.lines:
        stream(here, (node.as_json() for node in found))
        return
    shown = (_line(row, width) for row in rows(reader, found))
    first = list(islice(shown, 1))
    result(here, {}, chain(first, shown), page=True)
    if not first:
        here.output.message("no tasks")


def _levels(width: int | None) -> int:
    """How many levels leave room for a line at the deepest."""
    return LEVELS if width is None else min(max((width - LINE) // 3 + 1, 3), LEVELS)


def _line(row: Row, width: int | None) -> str:
    title = row.title
    if width is not None:
        room = width - cells(joined(row.before, row.after, between=GAP)) - len(GAP)
        title = cut(title, room) if room >= SHORTEST else ""
    return joined(row.before, title, row.after, between=GAP)
