"""Who set what of a record, for people: the rows of a table, and what there is to say below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gittask.core import ids
from gittask.core.ids import AUTHOR
from gittask.core.meaning import meant
from gittask.core.record import canonical
from gittask.core.text import one_line, shorten
from gittask.views.blame import Line
from gittask.views.words import When, item, when

SHOWN = 60
"""How many characters of a value a row shows."""


def rows(lines: Sequence[Line], when: When = when, *, everything: bool = False) -> list[list[str]]:
    """Lines as rows of a table: field, who, execution, when, commit, value.

    Without ``everything`` what is empty because nobody ever set it is left out, and what an item
    had from the beginning stands in the item's row.
    """
    known = {line.field: line for line in lines}
    return [
        _row(line, when)
        for line in lines
        if everything or not (_is_unset(line) or _is_told(line, known))
    ]


def _is_unset(line: Line) -> bool:
    return line.value in (None, "", []) and line.stamp.counter == 0 and not line.by_hand


def _is_told(line: Line, known: Mapping[str, Line]) -> bool:
    item = known.get(line.field.rpartition(".")[0])
    return item is not None and (item.commit, item.by) == (line.commit, line.by)


def _row(line: Line, when: When) -> list[str]:
    edge = "^" if line.boundary else ""
    return [
        meant(line.field, "heading"),
        line.by,
        meant(ids.ending(line.execution or ""), "id"),
        meant(when(line.at), "aside"),
        meant(f"{edge}{line.commit['id'][:12]}", "id"),
        shorten(one_line(_said(line)), SHOWN),
    ]


def _said(line: Line) -> str:
    """A value in a few words."""
    value = line.value
    if line.removed:
        return "(removed)"
    if isinstance(value, dict) and {"status", "epoch", "holder"} <= value.keys():
        holder = f", held by {ids.ending(value['holder'])}" if value["holder"] else ""
        return f"{value['status']}, epoch {value['epoch']}{holder}"
    if isinstance(value, dict) and "id" in value:
        return item(value)
    return value if isinstance(value, str) else canonical(value)


def remarks(lines: Sequence[Line], when: When = when) -> Iterator[str]:
    """What there is to say about lines beside the table; what holds for several is said once."""
    others: dict[tuple[str, str, str], list[str]] = {}
    for line in lines:
        yield from _of_hand(line, when)
        author = line.commit["author"]["actor"]
        if not line.by_hand and author not in (line.by, AUTHOR) and not _is_unset(line):
            others.setdefault((line.by, author, line.commit["id"][:12]), []).append(line.field)
    for (by, author, commit), fields in others.items():
        what = fields[0] if len(fields) == 1 else f"{fields[0]} and {len(fields) - 1} more"
        yield f"{what}: set by {by}, in commit {commit} of {author}"
    seen = {one["id"]: one for line in lines for one in line.conflicts}
    for one in seen.values():
        what = f"{one['field'] or 'the record'}: another value lost, set by {one['by'] or 'nobody'}"
        yield f"{what} ({one['status']}): gittask show {one['id']}"


def _of_hand(line: Line, when: When) -> Iterator[str]:
    """That a unit was set without the program, and what its stamp says."""
    if line.stamped_in:
        yield f"{line.field}: set by hand, and stamped in {line.stamped_in[:12]}"
    elif line.by_hand and line.stamp.counter:
        stamp = f"{line.stamp.by}, {when(line.stamp.at)}"
        yield f"{line.field}: set by hand, under a stamp that is not its own ({stamp})"
    elif line.by_hand:
        yield f"{line.field}: set by hand, without a stamp"
