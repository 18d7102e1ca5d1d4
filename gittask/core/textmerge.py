"""Text against text, line by line, as in diff3: both sides' edits of one base, if none touch."""

from __future__ import annotations

import difflib
from collections import Counter
from itertools import pairwise

_Edits = set[tuple[int, int, tuple[str, ...]]]
"""From which line up to which line of the base, and the lines that replace them."""

_MOST_PAIRS = 200_000
"""Comparing takes time with each pair of equal lines; a text with more is left to a person."""


def merge_text(base: str, left: str, right: str) -> str | None:
    """The base with the edits of both sides, or None if they touch each other.

    The same edit on both sides counts once. Edits that overlap, stand side by side, or insert
    different lines at the same place touch. The result is the same if the sides are swapped.
    """
    lines = base.split("\n")
    ours, theirs = (_edits(lines, side.split("\n")) for side in (left, right))
    if ours is None or theirs is None:
        return None
    edits = sorted(ours | theirs)
    # The edits of one side never touch: a line that both texts share stands between them.
    if any(after[0] <= before[1] for before, after in pairwise(edits)):
        return None
    for low, high, new in reversed(edits):
        lines[low:high] = new
    return "\n".join(lines)


def _edits(old: list[str], new: list[str]) -> _Edits | None:
    """What a side did to the base, or None if finding it out would take too long."""
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    counts = Counter(after)
    if sum(counts[line] for line in before) > _MOST_PAIRS:
        return None
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return {
        (start + low, start + high, tuple(after[first:last]))
        for tag, low, high, first, last in blocks
        if tag != "equal"
    }


def _shared(one: list[str], two: list[str]) -> int:
    """How many lines the two begin with in common."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(two)))
