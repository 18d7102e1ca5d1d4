"""The versions of one record, as history has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from gittask.core.dataclass import dataclass
from gittask.core.record import Data


@dataclass(frozen=True)
class Maker:
    """Who made a commit: the actor, when, and under which execution, if the commit says so."""

    actor: str
    at: str
    execution: str | None = None


class History(Protocol):
    """The versions of one record: commits, and how they follow from each other."""

    @property
    def commits(self) -> Sequence[str]:
        """All of them, children first and else the latest; the first one is the version of now."""
        ...

    def data(self, commit: str) -> Data | None:
        """The record as a commit has it, or None where that cannot be read."""
        ...

    def parents(self, commit: str) -> Sequence[str]:
        """The commits of which this one comes; none if it brought the record."""
        ...

    def maker(self, commit: str) -> Maker:
        """Who made the commit."""
        ...


def before(history: History, commit: str) -> Iterator[str]:
    """The nearest versions before a commit that can be read, on each line of history."""
    todo = list(history.parents(commit))
    seen = set(todo)
    while todo:
        parent = todo.pop(0)
        if history.data(parent) is not None:
            yield parent
            continue
        further = [each for each in history.parents(parent) if each not in seen]
        todo += further
        seen.update(further)
