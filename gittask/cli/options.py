"""Options that several commands share, and how rows of records are cut to a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from gittask.cli.complete import TASK
from gittask.errors import Usage

F = TypeVar("F", bound=Callable[..., Any])

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
    """``--limit`` and ``--all``."""
    command = click.option("--all", "everything", is_flag=True, help="Show all rows.")(command)
    return click.option(
        "--limit",
        type=click.IntRange(min=1),
        default=PAGE,
        show_default=True,
        help="Show at most so many rows.",
    )(command)


def after_option(command: F) -> F:
    """``--after``: the next page of tasks."""
    return click.option("--after", type=TASK, help="Go on behind this one.")(command)


def page(rows: Sequence[Any], limit: int, everything: bool) -> Sequence[Any]:
    """The rows of one page."""
    return rows if everything else rows[:limit]
