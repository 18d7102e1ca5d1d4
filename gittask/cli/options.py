"""Options that several commands share, and how rows of records are cut to a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import dropwhile, islice
from typing import Any, TypeVar

import click

from gittask.cli.complete import TASK
from gittask.cli.output import Output
from gittask.errors import NotFound, Usage

F = TypeVar("F", bound=Callable[..., Any])
Row = TypeVar("Row")

PAGE = 50
"""How many rows a list shows unless it is asked for more."""


task_argument = click.argument("task", type=TASK)


def text_file(help: str = "Read the text from a file; - is standard input.") -> Callable[[F], F]:
    """``-F FILE``: text that is too long, or too dangerous for a shell, to be an argument."""
    return click.option("-F", "--file", "file", metavar="FILE", help=help)


def idempotency_key() -> Callable[[F], F]:
    """``--idempotency-key K``: a repeated call returns the first one's record."""
    return click.option(
        "--idempotency-key",
        "key",
        metavar="K",
        help="A repeated call with the same key returns the first call's record.",
    )


def span_options(command: F) -> F:
    """``--since`` and ``--until``, each as ``moment.span`` reads it."""
    until = "To the end of this day, or before this time."
    command = click.option("--until", metavar="TIME", help=until)(command)
    since = "From this day or time on (UTC): 2026-11-30, yesterday, 3h (ago)."
    return click.option("--since", metavar="TIME", help=since)(command)


def typed(words: Sequence[str]) -> str | None:
    """The words of a command line as one text, None if there are none. Raises Usage if empty."""
    text = " ".join(words)
    if words and not text.strip():
        raise Usage("the words are empty", hint="say at least one word")
    return text or None


def page_options(command: F) -> F:
    """``--limit``, ``--all`` and ``--jsonl``, which shows all rows unless a limit is given."""
    all_rows = click.option(
        "--all", "everything", is_flag=True, callback=_everything, help="Show all rows."
    )
    command = all_rows(command)
    return limit_option(PAGE)(lines_option(command))


def limit_option(usual: int | None) -> Callable[[F], F]:
    """``--limit``; ``usual`` is how many rows are shown without it, None for all."""
    return click.option(
        "--limit",
        type=click.IntRange(min=1),
        default=usual,
        show_default=usual is not None,
        help="Show at most so many rows.",
    )


def lines_option(command: F) -> F:
    """``--jsonl``. It is looked for before anything is parsed, for errors are told by it too."""
    said = "Print each row as one line of JSON, as it comes."
    return click.option("--jsonl", is_flag=True, expose_value=False, help=said)(command)


def _everything(ctx: click.Context, _: click.Parameter, wanted: bool) -> bool:
    usual = click.core.ParameterSource.DEFAULT
    limited = ctx.get_parameter_source("limit") not in (None, usual)
    return wanted or (ctx.ensure_object(Output).lines and not limited)


def after_option(what: str, type: Any = None) -> Callable[[F], F]:
    """``--after``: the next page. ``what`` says which row it names, and how."""
    return click.option("--after", type=type, metavar=what, help="Go on behind this row.")


def following(rows: Iterable[Row], after: str | None, id: Callable[[Row], str]) -> Iterator[Row]:
    """The rows behind the one that ``after`` names. Raises NotFound if there is none."""
    if after is None:
        return iter(rows)
    behind = dropwhile(lambda row: id(row) != after, rows)
    if next(behind, None) is None:
        raise NotFound(f"{after} is not in this list", hint='give what "next" said')
    return behind


def page(
    rows: Iterable[Row], limit: int | None, after: str | None, id: Callable[[Row], str]
) -> tuple[list[Row], str | None]:
    """The rows of one page, and what to give to ``--after`` for the next, if there is one."""
    behind = following(rows, after, id)
    shown = list(islice(behind, limit))
    more = id(shown[-1]) if shown and next(behind, None) is not None else None
    return shown, more
