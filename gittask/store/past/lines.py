"""Histories as numbers: commits that have higher ones than all that they descend from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush


def apart(heads: Sequence[int], above: Callable[[int], Iterable[int]]) -> Iterator[tuple[int, int]]:
    """The commits that some of the heads descend from, or are, but not all of them, the highest
    first: each with a bit set for every head that does."""
    every = (1 << len(heads)) - 1
    reached: dict[int, int] = {}
    for place, head in enumerate(heads):
        reached[head] = reached.get(head, 0) | 1 << place
    waiting = [-number for number in reached]
    heapify(waiting)
    some = sum(bits != every for bits in reached.values())
    while some:
        number = -heappop(waiting)
        bits = reached.pop(number)
        if bits != every:
            some -= 1
            yield number, bits
        for each in above(number):
            before = reached.get(each)
            if before is None:
                heappush(waiting, -each)
            else:
                some -= before != every
            reached[each] = bits | (before or 0)
            some += reached[each] != every


def simplified(
    above: Mapping[int, Sequence[int | None]], content: Mapping[int | None, str | None]
) -> dict[int, list[int]]:
    """What of a history remains as git's ``--simplify-merges`` has it, and what comes of what.

    ``above`` has of each commit the nearest that touched the file, on the line of each parent, or
    None where none did; ``content`` what stands there, None for nothing, as for None.
    """
    become: dict[int | None, int | None] = {None: None}
    kept: dict[int, list[int]] = {}
    for number in sorted(above):
        mine = content[number]
        parents = [*dict.fromkeys(become[each] for each in above[number])]
        if len(parents) > 1:
            parents = _needed(parents, mine, content, kept)
        same = all(content[each] == mine for each in parents or [None])
        if same and len(parents) < 2:
            become[number] = parents[0] if parents else None
        else:
            become[number] = number
            kept[number] = [each for each in parents if each is not None]
    return kept


def _needed(
    parents: Sequence[int | None],
    mine: str | None,
    content: Mapping[int | None, str | None],
    kept: Mapping[int, Sequence[int]],
) -> list[int | None]:
    """The parents of a merge without those that others descend from, and that have nothing.

    If none remains that is like the merge, the first one is spared that is.
    """
    heads = [each for each in parents if each is not None]
    reached = dict(apart(heads, lambda number: kept[number]))
    every = (1 << len(heads)) - 1
    needed: set[int | None]
    needed = {head for place, head in enumerate(heads) if reached.get(head, every) == 1 << place}
    alike = [each for each in parents if content[each] == mine]
    if needed.isdisjoint(alike):
        needed |= {*alike[:1]}
    return [each for each in parents if each in needed]
