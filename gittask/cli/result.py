"""What a command came to, as its result: with what is provisional, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gittask.cli.context import Context
from gittask.core.record import Data, Record
from gittask.kinds import readable
from gittask.session import Outcome
from gittask.views import unread


def result(here: Context, document: Data, lines: Iterable[str], *, page: bool = False) -> None:
    """A result, and whatever could not be read on the way to it."""
    problems = here.reader.problems
    if problems:
        document = {**document, **unread.fields(problems)}
    here.output.result(document, lines, page=page)
    # Asked for anew: some came up as the lines were made.
    for said in unread.sentences(here.reader.problems, "unreadable"):
        here.output.message(f"warning: {said}")


def told(here: Context, outcome: Outcome, text: str) -> None:
    """Report what an action came to: its main record, and the commit if one was made."""
    main = outcome.change.main
    document = {main.kind: main.data, "commit": outcome.commit}
    actor = here.actor(here.reader)
    if outcome.commit and actor.id not in here.reader.ids("actor"):
        here.output.message(f"{actor.id} acts for the first time, as a new {actor.data['kind']}")
    here.output.result(document, main.id)
    here.output.message(text if outcome.commit else f"{text} (nothing to change)")


def provisional(here: Context, task: Record) -> bool:
    """Whether the remote does not know yet of the claim by which the task is held."""
    holder = readable(here.reader, "execution", task.data["state"]["holder"], task=task.id)
    return holder is not None and here.session.unconfirmed(holder)


def stream(here: Context, rows: Iterable[Data]) -> None:
    """The rows of a list under ``--jsonl``, and what could not be read on the way to them."""
    here.output.rows(rows)
    for said in unread.sentences(here.reader.problems, "unreadable"):
        here.output.warn(said)


def show_page(
    here: Context,
    plural: str,
    rows: Sequence[Any],
    total: int,
    lines: Iterable[str],
    *,
    page: bool = False,
    more: str | None = None,
) -> None:
    """A list of records: the rows of this page, and how many there are.

    ``more`` is what to give to ``--after`` for the next page, where there is one.
    """
    if here.output.lines:
        stream(here, rows)
        return
    following = {"next": more} if more else {}
    result(here, {plural: list(rows), "total": total, **following}, lines, page=page)
    if total == 0:
        here.output.message(f"no {plural}")
    if len(rows) < total:
        next_page = f"; --after {more} the next" if more else ""
        here.output.message(f"{len(rows)} of {total} {plural}; --all shows the rest{next_page}")
