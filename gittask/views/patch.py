"""What changed between two versions of a text, in lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

LONGEST = 5000
"""How many lines a version may have: comparing costs by the product of both."""

TOO_LONG = "(too long to be compared here)"


def patch(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """The lines that went (``-``) and came (``+``).

    A line that is set in, in a list or a text, stands below the one that says what it is in.
    """
    if max(len(before), len(after)) > LONGEST:
        yield TOO_LONG
        return
    shown = None
    for tag, *span in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        place = _heading(before, span[0]) if before else None
        if place is not None and place != shown:
            yield f" {before[place]}"
        shown = place
        yield from (f"-{line}" for line in before[span[0] : span[1]])
        yield from (f"+{line}" for line in after[span[2] : span[3]])


def _heading(lines: Sequence[str], place: int) -> int | None:
    """Where the line is below which a line is set in; None for one that stands by itself."""
    if place >= len(lines) or not _set_in(lines[place]):
        return None
    return next((n for n in range(place - 1, -1, -1) if not _set_in(lines[n])), None)


def _set_in(line: str) -> bool:
    return not line or line.startswith(" ")
