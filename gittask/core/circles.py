"""Circles in a graph: who needs whom, as ids, over edges of any kind."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Edge = TypeVar("Edge")


def trimmed(edges: Mapping[str, Mapping[str, Edge]]) -> dict[str, dict[str, Edge]]:
    """The edges without the ids that lead to no circle, or that no circle leads to.

    For each id those that it needs, each with what says so; every id stands in it.
    """
    left = {id: dict(others) for id, others in edges.items()}
    for _ in range(2):
        needed_by = _turned(left)
        todo = [id for id, others in left.items() if not others]
        while todo:
            id = todo.pop()
            del left[id]
            for other in needed_by.get(id, ()):
                del left[other][id]
                if not left[other]:
                    todo.append(other)
        left = _turned(left)
    return left


def _turned(edges: Mapping[str, Mapping[str, Edge]]) -> dict[str, dict[str, Edge]]:
    turned: dict[str, dict[str, Edge]] = {id: {} for id in edges}
    for id, others in edges.items():
        for other, edge in others.items():
            turned[other][id] = edge
    return turned


def shortest(needs: Callable[[str], Iterable[str]], home: str) -> list[str] | None:
    """The ids of a shortest circle through ``home``, from there on; looks at each id once."""
    came_from: dict[str, str] = {}
    todo = deque([home])
    while todo:
        id = todo.popleft()
        for other in sorted(needs(id)):
            if other == home:
                path = [id]
                while path[-1] != home:
                    path.append(came_from[path[-1]])
                return path[::-1]
            if other not in came_from:
                came_from[other] = id
                todo.append(other)
    return None


def reached(needs: Callable[[str], Iterable[str]], homes: Iterable[str]) -> set[str]:
    """All ids that some ids lead to, those included."""
    found = set(homes)
    todo = list(found)
    while todo:
        new = set(needs(todo.pop())) - found
        found |= new
        todo += new
    return found
