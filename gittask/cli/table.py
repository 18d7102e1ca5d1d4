"""Rows in columns, plain, and no wider than the terminal if there is one."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from gittask.core.text import one_line

GAP = "  "
NARROWEST = 20
"""The last column is never cut to fewer cells than this."""


def terminal_width() -> int | None:
    """The columns of the terminal that standard output is; None if it is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def table(rows: Sequence[Sequence[str]], width: int | None = None) -> list[str]:
    """Rows as lines, in columns; a column in which all is empty is left out.

    With a width the last column is cut where it would go beyond. Text is made safe to show.
    """
    safe = [[one_line(cell) for cell in row] for row in rows]
    columns = [column for column in zip(*safe, strict=True) if any(column)]
    if not columns:
        return []
    *first, last = columns
    sizes = [max(map(cells, column)) for column in first]
    room = None if width is None else max(width - sum(sizes) - len(GAP) * len(sizes), NARROWEST)
    lines = []
    for *row, text in zip(*first, last, strict=True):
        padded = [cell + " " * (size - cells(cell)) for cell, size in zip(row, sizes, strict=True)]
        lines.append(GAP.join([*padded, text if room is None else cut(text, room)]).rstrip())
    return lines


def cells(text: str) -> int:
    """How many cells of a terminal a text takes: wide characters take two, accents none."""
    return sum(_cells(char) for char in text)


def cut(text: str, width: int) -> str:
    """The text, or its beginning and an ellipsis, in at most ``width`` cells."""
    if cells(text) <= width:
        return text
    kept, used = [], 1
    for char in text:
        used += _cells(char)
        if used > width:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


def _cells(char: str) -> int:
    if combining(char) or char == "\u200d":
        return 0
    return 2 if east_asian_width(char) in "WF" else 1
