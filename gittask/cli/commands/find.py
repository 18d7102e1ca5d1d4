"""Search over every kind of record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

import click

from gittask.cli.command import command
from gittask.cli.commands.status import result
from gittask.cli.context import Context, context
from gittask.cli.options import page, page_options
from gittask.cli.table import cut, table
from gittask.core.document import Document
from gittask.core.meaning import joined, meant
from gittask.core.moment import point
from gittask.core.text import one_line
from gittask.kinds.actor import AUTHOR
from gittask.store.packaged import schemas
from gittask.views.entries import kept
from gittask.views.find import Filter, Finding, Found
from gittask.views.listing import STATUSES
from gittask.views.words import short


@command("find")
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--kind",
    "kinds",
    metavar="KIND",
    multiple=True,
    type=click.Choice(schemas().kinds),
    help=f"May be repeated: {', '.join(schemas().kinds)}.",
)
@click.option("--since", metavar="TIME", help="Made on this day, at this time (UTC), or later.")
@click.option("--until", metavar="TIME", help="Made on this day, before this time, or earlier.")
@click.option("--by", metavar="ACTOR", help="Made by this actor.")
@click.option(
    "--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="Of its task; repeat."
)
@click.option("--label", "labels", multiple=True, metavar="L", help="Its task has this; repeat.")
@click.option("--project", metavar="P", help="Of this project.")
@page_options
def find_command(
    words: tuple[str, ...],
    kinds: tuple[str, ...],
    since: str | None,
    until: str | None,
    limit: int,
    everything: bool,
    **wanted: Any,
) -> None:
    """Find records of every kind by the words in them, the best match first.

    All of the words have to be in a record; where no record has them all, those with some are
    shown. Case, accents, width and English endings do not matter: "route" finds "Routing". "Two
    words" in double quotes, within the shell's, stand together; mig* is any word that begins so.
    An id or the beginning of one is a word too, and so is a commit's hash. Closed tasks are
    searched as well.

    \b
    gittask find routing table
    gittask find '"drop index"' --kind approval --kind decision
    gittask find timeout --since 2026-11-01 --by codex-1 --status review
    gittask find 3f9c2ab
    """
    here = context()
    wanted["since"] = None if since is None else point(since)
    wanted["until"] = None if until is None else _end(until)
    fits = Filter(kinds=kinds or None, **wanted)
    said = Finding(here.reader, here.session.schemas, " ".join(words), fits)
    rows = [said.found(hit) for hit in page(said.hits, limit, everything)]
    document = {"hits": [row.as_json() for row in rows], "total": len(said.hits)}
    if rows and not said.every_word:
        here.output.message("no record has all of these words; these have some")
    result(here, document | {"every_word": said.every_word}, _lines(here, rows), page=True)
    _tell(here, len(rows), len(said.hits))
    if wanted["by"] not in (None, AUTHOR, *here.reader.ids("actor")):
        name = one_line(wanted["by"])
        here.output.message(f"the store knows no actor {name!r}: gittask actor list")


def _end(until: str) -> str:
    """Before when; a day that is named is within."""
    try:
        return point(str(date.fromisoformat(until.strip()) + timedelta(days=1)))
    except (ValueError, OverflowError):
        return point(until)


def _tell(here: Context, shown: int, total: int) -> None:
    if not total:
        here.output.message("nothing found")
        here.output.message("hint: try fewer words, the beginning of one (mig*), or fewer filters")
    elif shown < total:
        here.output.message(f"{shown} of {total} hits; --all shows the rest")


# -- text for people --------------------------------------------------------------------------


def _lines(here: Context, rows: Sequence[Found]) -> Iterator[str]:
    """Two lines for each hit: which record it is, and where in it the words are."""
    width = here.output.terminal.width
    heads = table([_head(here, row) for row in rows], width, (3, 2, 4))
    for head, row in zip(heads, rows, strict=True):
        line = joined("    ", meant(f"{row.field}: ", "aside"), *_marked(row))
        yield head
        yield line if width is None else cut(line, width)


def _head(here: Context, row: Found) -> list[str]:
    found = row.document
    known = here.reader.ids("task")
    task = short(known, found.task) if found.task else ""
    return [
        found.kind,
        meant(_name(here, found, task), "id"),
        here.when(found.at),
        found.by,
        "" if found.kind == "task" else task,
        row.title or "",
    ]


def _name(here: Context, found: Document, task: str) -> str:
    """What ``gittask show`` takes for the record."""
    if found.kind == "task":
        return task
    if found.kind in kept(here.session.schemas):
        return found.id.partition("-")[2]
    if found.kind in ("actor", "project"):
        return found.id
    return here.session.schemas.path(found.kind, found.id)


def _marked(row: Found) -> Iterator[str]:
    """The line in pieces, safe to show; what was searched for stands out on a terminal."""
    place = 0
    for start, end in row.spans:
        yield one_line(row.line[place:start])
        yield meant(one_line(row.line[start:end]), "heading")
        place = end
    yield one_line(row.line[place:])
