"""What happened to a task."""

from __future__ import annotations

from collections.abc import Iterator

import click

from gittask.cli.command import command
from gittask.cli.context import context
from gittask.cli.options import page, page_options, show_page, task_argument
from gittask.core import names
from gittask.core.moment import point
from gittask.core.text import one_line
from gittask.views.timeline import NAMES, Entry, timeline
from gittask.views.words import block, when


@command("timeline")
@task_argument
@click.option(
    "--kind",
    "kinds",
    metavar="KIND",
    multiple=True,
    type=click.Choice(sorted(NAMES)),
    help=f"May be repeated: {', '.join(sorted(NAMES))}.",
)
@click.option("--since", metavar="TIME", help="From this day or time (UTC) on: 2026-11-30.")
@click.option("--reverse", is_flag=True, help="The newest first.")
@page_options
def timeline_command(
    task: str,
    kinds: tuple[str, ...],
    since: str | None,
    reverse: bool,
    limit: int,
    everything: bool,
) -> None:
    """Show everything that happened to a task, the newest entries last.

    If not all fit, it is the newest that are shown.

    \b
    gittask timeline k3m9
    gittask timeline k3m9 --kind handoff --kind question
    gittask timeline k3m9 --since 2026-11-30T10:00 --reverse --limit 5
    """
    here = context()
    first = point(since) if since is not None else ""
    found = [
        entry
        for entry in timeline(here.reader, names.task(here.reader, task))
        if entry.at >= first and (not kinds or {entry.kind, entry.record} & set(kinds))
    ]
    rows = page(found[::-1], limit, everything)
    rows = rows if reverse else rows[::-1]
    lines = (text for entry in rows for text in _entry(entry))
    show_page(here, "entries", [entry.as_json() for entry in rows], len(found), lines)


_SHORT_IDS = ("note", "decision", "message", "handoff")
"""The kinds of record that commands take by the random end of their id."""


def _entry(entry: Entry) -> Iterator[str]:
    first, *rest = entry.text.splitlines() or [""]
    late = " (late)" if entry.late else ""
    id = f" {entry.id.partition('-')[2]}" if entry.record in _SHORT_IDS else ""
    yield one_line(f"{when(entry.at)}  {entry.by}  {entry.kind}{id}{late}  {first}")
    yield from block("\n".join([*rest, *entry.more]), "    ")
