"""What happened to a task."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from operator import attrgetter

import click

from gittask.cli.command import command
from gittask.cli.complete import ACTOR
from gittask.cli.context import Context, context
from gittask.cli.options import after_option, following, page_options, span_options, task_argument
from gittask.cli.result import result, stream
from gittask.core import ids, names
from gittask.core.meaning import joined, meant
from gittask.core.moment import span
from gittask.core.record import Record
from gittask.core.text import one_line
from gittask.errors import GittaskError
from gittask.history.merges import merges
from gittask.history.versions import Versions
from gittask.store import packaged
from gittask.views.entries import Entry, Merge, names_of
from gittask.views.timeline import Choice, Timeline, choices
from gittask.views.versions import History
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
@click.option("--by", type=ACTOR, help="What this actor did.")
@span_options
@click.option("--reverse", is_flag=True, help="The newest first.")
@page_options
@after_option("ENTRY")
def timeline_command(
    task: str,
    kinds: tuple[str, ...],
    by: str | None,
    since: str | None,
    until: str | None,
    reverse: bool,
    limit: int,
    everything: bool,
    after: str | None,
) -> None:
    """Show everything that happened to a task, the newest entries last.

    If not all fit, it is the newest that are shown, and those before an ENTRY with --after: what
    "next" said in JSON, or AT/KIND/ID of one that was shown. With --execution, only what was
    done under that execution. The kind command also finds handoffs with the output of a command,
    and files those that say which files changed. A merge is one in which both sides had changed
    the task.

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
    by = None if by is None else names.maker(here.reader, by)
    first, last = span(since, until, here.at)
    choice = Choice(frozenset(kinds), by, execution, first or "", last or Choice.until)
    past = _past(here, found, choice)
    view = Timeline(here.reader, here.session.schemas, found, choice, *past)
    _show(here, view, None if everything else limit, after, reverse=reverse)


def _past(here: Context, task: Record, choice: Choice) -> tuple[list[Merge], History | None]:
    """The merges of a task and the versions of it, as far as they are wanted and can be read."""
    path = here.session.schemas.path_of(task)
    try:
        found = []
        if choice.wants(["merge"]) and choice.execution is None:
            found = list(merges(here.reader, path.rpartition("/")[0]))
        told = choice.wants(names_of(here.session.schemas, "task"))
        return found, Versions(here.reader, path) if told else None
    except GittaskError as error:
        here.output.warn(
            "merges and what was overwritten are left out, for history cannot be read: "
            f"{error.message}"
        )
        return [], None


# -- output -----------------------------------------------------------------------------------


def _show(
    here: Context, view: Timeline, limit: int | None, after: str | None, *, reverse: bool
) -> None:
    """The newest entries up to a limit, each opened only when its turn has come."""
    newest = following(view.entries(reverse=True), after, attrgetter("cursor"))
    more, whole = None, limit is None and after is None
    if whole:
        rows = newest if reverse else view.entries()
    else:
        some = list(islice(newest, limit))
        more = some[-1].cursor if some and next(newest, None) is not None else None
        rows = iter(some if reverse else some[::-1])
    if here.output.lines:
        stream(here, (entry.as_json() for entry in rows))
        return
    if here.output.json:
        entries = [entry.as_json() for entry in rows]
        whole = whole or (after is None and more is None)
        document = {"entries": entries, "total": len(entries) if whole else _total(view)}
        result(here, document | ({"next": more} if more else {}), ())
        return
    lines = (line for entry in rows for line in _entry(entry, here.when))
    first = list(islice(lines, 1))
    result(here, {}, chain(first, lines), page=True)
    if not first:
        here.output.message("no entries")
    if more:
        total = view.total()
        how_many = f"the newest {limit}" if total is None else f"{limit} of {total}"
        if after is not None:
            how_many = f"{limit}"
        here.output.message(f"{how_many} entries; --all shows the rest; --after {more} the next")


def _total(view: Timeline) -> int:
    """How many entries there are: opened to be counted if need be."""
    counted = view.total()
    return sum(1 for _ in view.entries()) if counted is None else counted


_SHORT_IDS = ("note", "decision", "message", "handoff")
"""The kinds of record that commands take by the random end of their id."""


def _entry(entry: Entry, when: When) -> Iterator[str]:
    first, *rest = entry.text.splitlines() or [""]
    id = ids.ending(entry.id) if entry.record in _SHORT_IDS else ""
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
