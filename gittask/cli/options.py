"""Options that several commands share, and how rows of records are cut to a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from gittask.cli.context import Context
from gittask.core.text import one_line
from gittask.errors import GittaskError

F = TypeVar("F", bound=Callable[..., Any])

PAGE = 50
"""How many rows a list shows unless it is asked for more."""


def complete_task(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The tasks whose id begins as typed, for the shell; nothing where there is no store."""
    try:
        reader = Context(ctx).reader
        ids = [id for id in reader.ids("task") if id.startswith(incomplete.lower())][:PAGE]
        tasks = [task for id in ids if (task := reader.get("task", id))]
    except GittaskError:
        return []
    return [CompletionItem(task.id, help=one_line(task.data["title"])) for task in tasks]


task_argument = click.argument("task", metavar="TASK", shell_complete=complete_task)


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


def show_page(
    context: Context,
    plural: str,
    rows: Sequence[Any],
    total: int,
    lines: Iterable[str],
    *,
    page: bool = False,
) -> None:
    """A list of records: the rows of this page, and how many there are."""
    document = {plural: list(rows), "total": total}
    problems = context.reader.problems
    if problems:
        document["problems"] = [problem.as_json() for problem in problems]
    context.output.result(document, lines, page=page)
    if total == 0:
        context.output.message(f"no {plural}")
    if len(rows) < total:
        context.output.message(f"{len(rows)} of {total} {plural}; --all shows the rest")
    for problem in problems:
        context.output.message(f"warning: unreadable: {problem}")
