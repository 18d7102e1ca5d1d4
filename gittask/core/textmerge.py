"""Text against text, line by line, as in diff3: both sides' edits of one base, if none touch."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from itertools import pairwise

_Edits = set[tuple[int, int, tuple[str, ...]]]
"""From which line up to which line of the old text, and the lines that replace them."""

_MOST_PAIRS = 200_000
"""Comparing takes time with each pair of equal lines; a text with more is left to a person."""


def merge_text(base: str, left: str, right: str) -> str | None:
    """The base with the edits of both sides, or None if they touch each other.

    A side that has all of the other's edits already (as after a squash, where the base is older
    than it should be) is taken as it is. Else the same edit on both sides counts once, and edits
    touch that overlap, stand side by side, or insert different lines at the same place. The
    result is the same if the sides are swapped.
    """
    old, ours, theirs = (text.split("\n") for text in (base, left, right))
    mine, other = _edits(old, ours), _edits(old, theirs)
    if mine is None or other is None:
        return None
    whole = [right] if _within(mine, other, _edits(ours, theirs)) else []
    whole += [left] if _within(other, mine, _edits(theirs, ours)) else []
    if whole:
        return max(whole)
    edits = sorted(mine | other)
    # The edits of one side never touch: a line that both texts share stands between them.
    if any(after[0] <= before[1] for before, after in pairwise(edits)):
        return None
    for low, high, new in reversed(edits):
        old[low:high] = new
    return "\n".join(old)


def _edits(old: list[str], new: list[str]) -> _Edits | None:
    """What makes the new text of the old one, or None if finding it out would take too long."""
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    counts = Counter(after)
    if sum(counts[line] for line in before) > _MOST_PAIRS:
        return None
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return {
        (start + low, start + high, tuple(after[first:last]))
        for tag, low, high, first, last in blocks
        if tag != "equal"
    }


def _shared(one: list[str], two: list[str]) -> int:
    """How many lines the two begin with in common."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(two)))


def _within(small: _Edits, large: _Edits, onward: _Edits | None) -> bool:
    """Whether the large edits took away all that the small ones did, and keep all they added.

    ``onward`` leads from the small edits' text to the large ones'.
    """
    if onward is None or not _removed(small) <= _removed(large):
        return False
    return _removed(onward).isdisjoint(_added(small))


def _removed(edits: _Edits) -> set[int]:
    """The numbers of the old lines that the edits take away."""
    return {number for low, high, _ in edits for number in range(low, high)}


def _added(edits: _Edits) -> set[int]:
    """The numbers that the lines which the edits add have in the new text."""
    numbers: set[int] = set()
    shift = 0
    for low, high, new in sorted(edits):
        numbers.update(range(low + shift, low + shift + len(new)))
        shift += len(new) - (high - low)
    return numbers
