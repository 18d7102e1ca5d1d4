"""Lists of tasks: those that are not closed, and those that can be started."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import click

from gittask.cli.board import board_lines
from gittask.cli.command import command
from gittask.cli.complete import ACTOR, LABEL, PROJECT, TASK
from gittask.cli.context import Context, context
from gittask.cli.options import F, after_option, page_options
from gittask.cli.result import result, show_page, stream
from gittask.cli.table import table
from gittask.core import names
from gittask.core.meaning import meant
from gittask.core.queue import CLOSED, UNFINISHED
from gittask.core.record import Record
from gittask.errors import Usage
from gittask.views import graph
from gittask.views.board import Card, board, card
from gittask.views.listing import (
    STATUSES,
    Filter,
    count,
    due,
    listed,
    priority,
    status,
)
from gittask.views.words import short
from gittask.views.work import holding_actor


def filters(command: F) -> F:
    """The options that say which tasks are meant by what their own records hold."""
    options: list[Callable[[F], F]] = [
        click.option(
            "--label", "labels", multiple=True, type=LABEL, help="Has this; may be repeated."
        ),
        click.option("--project", type=PROJECT, help="Of this project."),
        click.option("--responsible", type=ACTOR, help="This actor answers for it."),
        click.option("--parent", type=TASK, help="Part of it."),
        click.option("--type", metavar="TYPE", help="task, bug, feature, chore, epic ..."),
        click.option("--priority", type=click.IntRange(0, 4), metavar="0-4", help="0 is urgent."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@command("list")
@click.option(
    "--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="May be repeated."
)
@click.option("--closed", is_flag=True, help="Also what is done or cancelled.")
@filters
@click.option("--holder", type=ACTOR, help="This actor works on it.")
@click.option("--blocked", is_flag=True, help="Needs a task that is not done yet.")
@click.option("--waiting", is_flag=True, help="Waits for a person, an approval, a time ...")
@click.option(
    "--board", "as_board", is_flag=True, help="In columns, by how they stand; --limit is of each."
)
@page_options
@after_option("TASK", TASK)
def list_command(
    statuses: tuple[str, ...],
    closed: bool,
    as_board: bool,
    limit: int,
    everything: bool,
    after: str | None,
    **wanted: Any,
) -> None:
    """List tasks that are not closed, the most urgent first.

    \b
    gittask list
    gittask list --status review --responsible alice
    gittask list --label urgent --blocked
    gittask list --closed --all --json
    gittask list --board --project routing
    """
    here = context()
    chosen = statuses or (STATUSES if closed else UNFINISHED)
    if as_board:
        if after:
            raise Usage("a board has no next page", hint="leave out --after, or --board")
        _board(here, None if everything else limit, statuses=chosen, **wanted)
    else:
        _list(here, limit, everything, after, statuses=chosen, **wanted)


@command("ready")
@filters
@page_options
@after_option("TASK", TASK)
def ready_command(limit: int, everything: bool, after: str | None, **wanted: Any) -> None:
    """List the tasks that can be started now.

    They are open, nobody holds them, what they depend on is done or cancelled, and they wait
    for nothing. Tasks that wait for each other in a circle are named in a warning.

    \b
    gittask ready
    gittask ready --label urgent --limit 1
    """
    _list(context(), limit, everything, after, ready=True, **wanted)


def _wanted(here: Context, **wanted: Any) -> Filter:
    """What was asked for, by the ids of what it names."""
    reader = here.reader
    for name, kind in _NAMED.items():
        if wanted.get(name) is not None:
            wanted[name] = names.named(reader, kind, wanted[name]).id
    if wanted["parent"] is not None:
        wanted["parent"] = names.task_id(reader, wanted["parent"])
    return Filter(**wanted)


def _list(here: Context, limit: int, everything: bool, after: str | None, **asked: Any) -> None:
    """Show the tasks that fit."""
    wanted = _wanted(here, **asked)
    after = after and names.task_id(here.reader, after)
    found = listed(here.reader, wanted, here.at, after=after)
    if here.output.lines:
        stream(here, (task.data for task in islice(found, None if everything else limit)))
        return
    rows = list(islice(found, None if everything else limit))
    lines = [] if here.output.json else _table(here, rows)
    if wanted.ready:
        _warn(here, rows)
    shown = [task.data for task in rows]
    total = count(here.reader, wanted, here.at)
    more = rows[-1].id if rows and next(found, None) is not None else None
    show_page(here, "tasks", shown, total, lines, page=everything, more=more)


def _board(here: Context, limit: int | None, **wanted: Any) -> None:
    """Show the tasks that fit as a board, at most ``limit`` in each column."""
    found = list(listed(here.reader, _wanted(here, **wanted), here.at))
    closed = any(status in CLOSED for status in wanted["statuses"])
    columns = board(here.reader, found, here.at, closed=closed)
    document = {"board": [column.as_json(limit) for column in columns], "total": len(found)}

    def describe(task: Record) -> Card:
        return card(here.reader, task, here.at, when=here.when)

    lines = board_lines(columns, describe, limit, here.output.terminal.width)
    result(here, document, lines, page=True)


def _warn(here: Context, ready: Sequence[Record]) -> None:
    """Name what is ready only because something is gone, and what can never become ready."""
    for task in ready:
        for needed in graph.dependencies(here.reader, task):
            if needed.status == graph.MISSING:
                here.output.warn(f"{task.id} needs {needed.id}, which does not exist")
    for circle in graph.all_circles(here.reader, here.at):
        here.output.warn(f"these wait for each other: {circle}; perhaps {circle.remedy}")


_NAMED = {"project": "project", "responsible": "actor", "holder": "actor"}
"""The filters that name another record, and its kind."""


def _table(here: Context, tasks: Iterable[Record]) -> list[str]:
    """Tasks, one a line; where there is little room without who, priority, day and status."""
    return table([_row(here, one) for one in tasks], here.output.terminal.width, (3, 4, 2, 1))


def _row(here: Context, task: Record) -> list[str]:
    actor = holding_actor(here.reader, task)
    return [
        meant(short(here.reader, task.id), "id"),
        status(task),
        priority(task),
        actor or f"({task.data['responsible']})",
        due(task, here.at),
        task.data["title"],
    ]
