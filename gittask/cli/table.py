"""Rows in columns, and no wider than the terminal if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from gittask.core.meaning import joined, meant, over, parts
from gittask.core.text import one_line

GAP = "  "
NARROWEST = 20
"""The last column is never cut to fewer cells than this."""


def table(
    rows: Sequence[Sequence[str]], width: int | None = None, spare: Sequence[int] = ()
) -> list[str]:
    """Rows as lines, in columns; a column in which all is empty is left out.

    With a width the last column is cut where it would go beyond; where that leaves too little of
    it, the ``spare`` columns (their numbers) are left out first, in the order given. Text is made
    safe to show, and keeps its meanings.
    """
    safe = [[over(one_line, cell) for cell in row] for row in rows]
    columns = {n: column for n, column in enumerate(zip(*safe, strict=True)) if any(column)}
    if not columns:
        return []
    # What stands last is long, and is measured only to be cut.
    measured = columns if width is not None else list(columns)[:-1]
    sizes = {number: max(map(cells, columns[number])) for number in measured}
    shown = list(columns) if width is None else _fitting(sizes, width, spare)
    room = None if width is None else max(_room(sizes, shown, width), NARROWEST)
    lines = []
    for row in safe:
        *first, last = (row[number] for number in shown)
        text = last if room is None else cut(last, room)
        lines.append(_line([*first, text], [sizes[number] for number in shown[:-1]]))
    return lines


def _fitting(sizes: dict[int, int], width: int, spare: Sequence[int]) -> list[int]:
    """The columns that are shown: spare ones only as far as the last has room enough."""
    shown = list(sizes)
    for number in spare:
        if _room(sizes, shown, width) >= min(sizes[shown[-1]], NARROWEST):
            break
        if number in shown[:-1]:
            shown.remove(number)
    return shown


def _room(sizes: dict[int, int], shown: Sequence[int], width: int) -> int:
    """What the columns that are shown leave of the width to the last of them."""
    return width - sum(sizes[number] + len(GAP) for number in shown[:-1])


def beside(columns: Sequence[Sequence[str]], size: int) -> list[str]:
    """Columns of lines beside each other, each ``size`` cells wide."""
    rows = zip_longest(*columns, fillvalue="")
    return [_line([cut(cell, size) for cell in row], [size] * len(row)) for row in rows]


def _line(row: Sequence[str], sizes: Sequence[int]) -> str:
    """Cells beside each other, as far as there is text."""
    said = [number for number, cell in enumerate(row) if cell]
    last = said[-1] if said else 0
    before = [pad(cell, size) for cell, size in zip(row[:last], sizes, strict=False)]
    return joined(*before, row[last], between=GAP)


def cells(text: str) -> int:
    """How many cells of a terminal a text takes: wide characters take two, accents none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def pad(text: str, size: int) -> str:
    """The text, with blanks up to so many cells."""
    return joined(text, " " * (size - cells(text)))


def cut(text: str, width: int) -> str:
    """The text, or its beginning and an ellipsis, in at most ``width`` cells."""
    if cells(text) <= width:
        return text
    from rich.cells import set_cell_size

    kept, room = [], width - 1
    for part, meaning in parts(text):
        if cells(part) > room:
            kept.append(meant(set_cell_size(part, room).rstrip(), meaning))
            break
        kept.append(meant(part, meaning))
        room -= cells(part)
    return joined(*kept, "…")
