"""What happened to a task."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import chain, islice

import click

from gittask.cli.command import command
from gittask.cli.context import Context, context
from gittask.cli.options import page_options, task_argument
from gittask.core import names
from gittask.core.filemerge import AUTHOR
from gittask.core.meaning import joined, meant
from gittask.core.moment import point
from gittask.core.record import Record
from gittask.core.text import one_line
from gittask.errors import GittaskError, Usage
from gittask.merges import merges
from gittask.store import packaged
from gittask.views.entries import Entry, Merge
from gittask.views.timeline import Choice, Timeline, choices
from gittask.views.words import When, block

KINDS = choices(packaged.schemas())


@command("timeline")
@task_argument
@click.option(
    "--kind",
    "kinds",
    metavar="KIND",
    multiple=True,
    type=click.Choice(KINDS),
    help=f"May be repeated: {', '.join(KINDS)}.",
)
@click.option("--by", metavar="ACTOR", help="What this actor did.")
@click.option("--since", metavar="TIME", help="From this day or time (UTC) on: 2026-11-30.")
@click.option("--until", metavar="TIME", help="To the end of this day, or before this time.")
@click.option("--reverse", is_flag=True, help="The newest first.")
@page_options
def timeline_command(
    task: str,
    kinds: tuple[str, ...],
    by: str | None,
    since: str | None,
    until: str | None,
    reverse: bool,
    limit: int,
    everything: bool,
) -> None:
    """Show everything that happened to a task, the newest entries last.

    If not all fit, it is the newest that are shown. With --execution, only what was done under
    that execution. The kind command also finds handoffs with the output of a command, and files
    those that say which files changed. A merge is one in which both sides had changed the task.

    \b
    gittask timeline k3m9
    gittask timeline k3m9 --kind handoff --kind question
    gittask timeline k3m9 --since 2026-11-30T10:00 --reverse --limit 5
    gittask timeline k3m9 --by codex-1 --kind command --all
    """
    here = context()
    found = names.task(here.reader, task)
    execution = click.get_current_context().meta.get("gittask.execution")
    if execution is not None:
        execution = names.event(here.reader, "execution", execution, task=found.id).id
    choice = Choice(frozenset(kinds), by, execution, *_span(since, until))
    view = Timeline(here.reader, here.session.schemas, found, choice, _merges(here, found, choice))
    _show(here, view, reverse=reverse, limit=None if everything else limit)
    if by is not None and by not in (AUTHOR, *here.reader.ids("actor")):
        here.output.message(f"the store knows no actor {one_line(by)!r}: gittask actor list")


def _span(since: str | None, until: str | None) -> tuple[str, str]:
    """From when on, and before when; a day that is named as the end is within."""
    first = "" if since is None else point(since)
    if until is None:
        return first, Choice.until
    try:
        end = point(str(date.fromisoformat(until.strip()) + timedelta(days=1)))
    except (ValueError, OverflowError):
        end = point(until)
    if end <= first:
        raise Usage("--until is before --since", hint="give a later --until, or leave one out")
    return first, end


def _merges(here: Context, task: Record, choice: Choice) -> Iterator[Merge]:
    """The merges of a task; without history there are none to tell of."""
    if choice.execution or (choice.kinds and "merge" not in choice.kinds):
        return
    folder = here.session.schemas.path_of(task).rpartition("/")[0]
    try:
        yield from merges(here.reader, folder)
    except GittaskError as error:
        here.output.warn(f"merges are left out, for history cannot be read: {error.message}")


# -- output -----------------------------------------------------------------------------------


def _show(here: Context, view: Timeline, *, reverse: bool, limit: int | None) -> None:
    """The newest entries up to a limit, each opened only when its turn has come."""
    newest = view.entries(reverse=True)
    if limit is None:
        rows = newest if reverse else view.entries()
    else:
        some = list(islice(newest, limit))
        rows = iter(some if reverse else some[::-1])
    if here.output.json:
        _document(here, view, list(rows), newest, limit)
        return
    lines = (line for entry in rows for line in _entry(entry, here.when))
    line = next(lines, None)
    if line is None:
        here.output.message("no entries")
    else:
        here.output.result({}, chain([line], lines), page=True)
    if limit is not None and next(newest, None) is not None:
        total = view.total()
        how_many = f"the newest {limit}" if total is None else f"{limit} of {total}"
        here.output.message(f"{how_many} entries; --all shows the rest")
    for problem in here.reader.problems:
        here.output.message(f"warning: unreadable: {problem}")


def _document(
    here: Context, view: Timeline, rows: list[Entry], rest: Iterator[Entry], limit: int | None
) -> None:
    """All of it as JSON, and how many entries there are: opened to be counted if need be."""
    total = len(rows)
    if total == limit:
        counted = view.total()
        total = total + sum(1 for _ in rest) if counted is None else counted
    document = {"entries": [entry.as_json() for entry in rows], "total": total}
    problems = here.reader.problems
    if problems:
        document["problems"] = [problem.as_json() for problem in problems]
    here.output.result(document, ())


_SHORT_IDS = ("note", "decision", "message", "handoff")
"""The kinds of record that commands take by the random end of their id."""


def _entry(entry: Entry, when: When) -> Iterator[str]:
    first, *rest = entry.text.splitlines() or [""]
    id = entry.id.partition("-")[2] if entry.record in _SHORT_IDS else ""
    if entry.kind == "merge":
        id = entry.id[:12]
    kind = joined(
        meant(entry.kind, "heading"),
        meant(id, "id") if id else "",
        meant("(late)", "warning") if entry.late else "",
        between=" ",
    )
    at = meant(when(entry.at), "aside")
    yield joined(at, one_line(entry.by), kind, one_line(first), between="  ")
    yield from block("\n".join([*rest, *entry.more]), "    ")
