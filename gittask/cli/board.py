"""A board in lines: its columns beside each other where there is room, else below each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gittask.cli.table import GAP, beside, cut, table
from gittask.cli.terminal import wrapped
from gittask.core.meaning import joined, meant
from gittask.core.record import Record
from gittask.views.board import Card, Column

SLIMMEST = 17
"""Columns that would have fewer cells than this stand below each other."""
TALLEST = 3
"""How many lines of a title are shown at most."""

Describe = Callable[[Record], Card]


def board_lines(
    columns: Sequence[Column], card: Describe, limit: int | None, width: int | None
) -> Iterator[str]:
    """The columns in lines, with at most ``limit`` of the tasks in each."""
    size = ((width or 0) - len(GAP) * (len(columns) - 1)) // len(columns)
    if size >= SLIMMEST:
        yield from beside([list(_beside(each, card, limit, size)) for each in columns], size)
        return
    for place, column in enumerate(columns):
        if place:
            yield ""
        yield from _below(column, card, limit, width)


def _beside(column: Column, card: Describe, limit: int | None, size: int) -> Iterator[str]:
    """One column, ``size`` cells wide."""
    yield _head(column)
    yield meant("─" * size, "aside")
    for task in column.tasks[:limit]:
        shown = card(task)
        yield joined(*shown.about, between=" ")
        yield from _wrapped(shown.title, size)
        if shown.due:
            yield shown.due
        yield from (meant(line, "warning") for line in _wrapped(shown.obstacle, size))
        yield ""
    yield from _rest(column, limit)


def _below(column: Column, card: Describe, limit: int | None, width: int | None) -> Iterator[str]:
    """One column over the whole width."""
    yield _head(column)
    cards = [card(task) for task in column.tasks[:limit]]
    rows = [[*each.about, each.due, each.title] for each in cards]
    room = None if width is None else width - len(GAP)
    for line, each in zip(table(rows, room, spare=(2, 3, 1)), cards, strict=True):
        yield joined(GAP, line)
        if each.obstacle:
            said = f"{GAP * 2}{each.obstacle}"
            yield meant(said if width is None else cut(said, width), "warning")
    yield from _rest(column, limit)


def _head(column: Column) -> str:
    return meant(f"{column.name} ({len(column.tasks)})", column.meaning)


def _rest(column: Column, limit: int | None) -> Iterator[str]:
    more = 0 if limit is None else len(column.tasks) - limit
    if more > 0:
        yield meant(f"and {more} more: --all", "aside")


def _wrapped(text: str, size: int) -> Iterator[str]:
    """A text in at most ``TALLEST`` lines of ``size`` cells, the last of them cut."""
    lines = list(wrapped(text, size, hang=0))
    yield from lines[: TALLEST - 1]
    rest = " ".join(lines[TALLEST - 1 :])
    if rest:
        yield cut(rest, size)
