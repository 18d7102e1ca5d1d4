"""Options that several commands share, and how rows of records are cut to a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click

from gittask.cli.context import Context
from gittask.core.record import Record

F = TypeVar("F", bound=Callable[..., Any])

PAGE = 50
"""How many rows a list shows unless it is asked for more."""

task_argument = click.argument("task", metavar="TASK")


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


def page_options(command: F) -> F:
    """``--limit`` and ``--all``."""
    command = click.option("--all", "everything", is_flag=True, help="Show all rows.")(command)
    return click.option(
        "--limit",
        type=click.IntRange(min=1),
        default=PAGE,
        show_default=True,
        help="Show at most so many rows.",
    )(command)


def page(rows: Sequence[Any], limit: int, everything: bool) -> Sequence[Any]:
    """The rows of one page."""
    return rows if everything else rows[:limit]


def record_json(record: Record) -> dict[str, Any]:
    """A record as ``--json`` shows it."""
    return record.data


def show_page(
    context: Context, plural: str, rows: Sequence[Any], total: int, lines: Iterable[str]
) -> None:
    """A list of records: the rows of this page, and how many there are."""
    document = {plural: list(rows), "total": total}
    problems = context.reader.problems
    if problems:
        document["problems"] = [problem.as_json() for problem in problems]
    context.output.result(document, lines)
    if len(rows) < total:
        context.output.message(f"{len(rows)} of {total} {plural}; --all shows the rest")
    for problem in problems:
        context.output.message(f"warning: unreadable: {problem}")
