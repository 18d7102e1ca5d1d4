"""Search over every kind of record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from gittask.cli.command import command
from gittask.cli.complete import ACTOR, LABEL, PROJECT
from gittask.cli.context import Context, context
from gittask.cli.options import after_option, page, page_options, span_options, typed
from gittask.cli.result import result, stream
from gittask.cli.table import cut, table
from gittask.core import ids, names
from gittask.core.meaning import joined, meant
from gittask.core.moment import span
from gittask.core.record import Record
from gittask.core.stamp import creation
from gittask.core.text import one_line
from gittask.errors import Usage
from gittask.store.index.words import Words, by_words, each_by_words
from gittask.store.packaged import schemas
from gittask.store.search import Search
from gittask.views.entries import kept
from gittask.views.find import Filter, Results, Row
from gittask.views.listing import STATUSES
from gittask.views.words import short


@command("find")
@click.argument("words", nargs=-1)
@click.option(
    "--kind",
    "kinds",
    metavar="KIND",
    multiple=True,
    type=click.Choice(schemas().kinds),
    help=f"May be repeated: {', '.join(schemas().kinds)}.",
)
@span_options
@click.option("--by", type=ACTOR, help="Made by this actor.")
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice(STATUSES),
    help="Of its task; may be repeated.",
)
@click.option(
    "--label", "labels", multiple=True, type=LABEL, help="Its task has this; may be repeated."
)
@click.option("--project", type=PROJECT, help="Of this project.")
@page_options
@after_option("KIND/ID")
def find_command(
    words: tuple[str, ...],
    kinds: tuple[str, ...],
    since: str | None,
    until: str | None,
    limit: int,
    everything: bool,
    after: str | None,
    **wanted: Any,
) -> None:
    """Find records of every kind by the words in them, the best match first.

    All of the words have to be in a record; where no record has them all, those with some are
    shown. Case, accents, width and English endings do not matter: "route" finds "Routing". "Two
    words" in double quotes, within the shell's, stand together; mig* is any word that begins so.
    An id or the beginning of one is a word too, and so is a commit's hash. Closed tasks are
    searched as well. With a filter and no words, all that it leaves is shown, the newest first.

    \b
    gittask find routing table
    gittask find '"drop index"' --kind approval --kind decision
    gittask find timeout --since 2026-11-01 --by codex-1 --status review
    gittask find --kind decision --project routing --since 7d
    gittask find 3f9c2ab
    """
    text = typed(words)
    if text is None and not (kinds or since or until or any(wanted.values())):
        raise Usage("nothing is asked for", hint="say words, or a filter such as --kind decision")
    here = context()
    first, last = span(since, until, here.at)
    fits = Filter(kinds=kinds or None, since=first, until=last, **_known(here, **wanted))
    reader, known = here.reader, here.session.schemas

    most = None if everything else limit

    def search(kept: Words | None) -> tuple[Results, Iterator[Row], str | None]:
        found = Results(reader, known, text or "", fits, Search, kept)
        hits, more = page(found.hits, most, after, found.name)
        return found, map(found.row, hits), more

    def shown(kept: Words | None) -> tuple[Results, list[Row], str | None]:
        found, rows, more = search(kept)
        return found, list(rows), more

    if here.output.lines:
        each = each_by_words(here.repo, known, reader, lambda kept: search(kept)[1])
        stream(here, (row.as_json() for row in each))
        return
    found, rows, more = by_words(here.repo, known, reader, shown)
    document = {"hits": [row.as_json() for row in rows], "total": len(found.hits)}
    document |= {"next": more} if more else {}
    if rows and not found.every_word:
        here.output.message("no record has all of these words; these have some")
    result(here, document | {"every_word": found.every_word}, _lines(here, rows), page=True)
    _tell(here, len(rows), len(found.hits))


def _known(here: Context, **wanted: Any) -> dict[str, Any]:
    """The filters, of which those that name another record must name one that is there."""
    if wanted["by"] is not None:
        wanted["by"] = names.maker(here.reader, wanted["by"])
    if wanted["project"] is not None:
        wanted["project"] = names.named(here.reader, "project", wanted["project"]).id
    return wanted


def _tell(here: Context, shown: int, total: int) -> None:
    if not total:
        here.output.message("nothing found")
        here.output.message("hint: try fewer words, the beginning of one (mig*), or fewer filters")
    elif shown < total:
        here.output.message(f"{shown} of {total} hits; --all shows the rest")


# -- text for people --------------------------------------------------------------------------


def _lines(here: Context, rows: Sequence[Row]) -> Iterator[str]:
    """Two lines for each hit: which record it is, and where in it the words are."""
    width = here.output.terminal.width
    heads = table([_head(here, row) for row in rows], width, (3, 2, 4))
    for head, row in zip(heads, rows, strict=True):
        line = joined("    ", meant(f"{row.place}: ", "aside"), *_marked(row))
        yield head
        yield line if width is None else cut(line, width)


def _head(here: Context, row: Row) -> list[str]:
    record = row.record
    task = short(here.reader, record.task) if record.task else ""
    made = creation(record.data)
    return [
        record.kind,
        meant(_name(here, record, task), "id"),
        here.when(made.at),
        made.by,
        "" if record.kind == "task" else task,
        row.title or "",
    ]


def _name(here: Context, record: Record, task: str) -> str:
    """What ``gittask show`` takes for the record."""
    if record.kind == "task":
        return task
    if record.kind in kept(here.session.schemas):
        return ids.ending(record.id)
    if record.kind in ("actor", "project"):
        return record.id
    return here.session.schemas.path(record.kind, record.id)


def _marked(row: Row) -> Iterator[str]:
    """The line in pieces, safe to show; what was searched for stands out on a terminal."""
    place = 0
    for start, end in row.spans:
        yield one_line(row.line[place:start])
        yield meant(one_line(row.line[start:end]), "match")
        place = end
    yield one_line(row.line[place:])
