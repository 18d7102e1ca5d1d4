"""Bringing commits into the index of history, each with what it has unlike its parents."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from gittask.store.commits import CommitInfo
from gittask.store.index import database
from gittask.store.past.lines import apart
from gittask.store.past.tables import ALL, DEPTH, MET, SOME, Known, Tables
from gittask.store.repo import Repo

if TYPE_CHECKING:
    from sqlite3 import Connection

FEW = 300
"""So many commits are taken in while a caller waits: it takes a tenth of a second."""

_BATCH = 2000
"""So many are else taken in at once: a kill loses no more."""

_ID = 20
"""Bytes in an id."""

_NEAR = 8
"""Commits that are kept for those that descend from them."""


class Filling:
    """Takes in commits. One process at a time may do that; what is missing raises GittaskError."""

    def __init__(self, connection: Connection, repo: Repo) -> None:
        self._connection = connection
        self._repo = repo
        self._tables = Tables(connection)
        self._commit = lru_cache(_NEAR)(repo.commit_info)

    def take_few(self, tip: str) -> bool:
        """Take in a commit and all that it descends from, if that is not much; whether it is."""
        self._take(islice(self._unknown(tip, FEW), FEW))
        return self._tables.find(tip) is not None

    def take(self, tip: str) -> None:
        """Take in a commit and all that it descends from, however much that is."""
        unknown = self._unknown(tip, None)
        while self._take(islice(unknown, _BATCH)):
            pass

    def _take(self, commits: Iterator[CommitInfo]) -> bool:
        """Take in some commits as they come; whether there were any."""
        with database.writing(self._connection):
            taken = [*map(self._add, commits)]
        return bool(taken)

    def _unknown(self, tip: str, most: int | None) -> Iterator[CommitInfo]:
        """What is to be taken in for a commit, parents first, if each is as soon as it comes.

        Nothing if the way down to what is known is longer than ``most``.
        """
        way = bytearray.fromhex(tip)  # there may be a million
        while way and (most is None or len(way) <= most * _ID):
            id = way[-_ID:].hex()
            if self._tables.find(id) is not None:
                del way[-_ID:]
                continue
            commit = self._commit(id)
            above = [each for each in commit.parents if self._tables.find(each) is None]
            if len(above) > 1:  # the line of which most was shared last goes on as it is
                above.sort(key=lambda each: self._commit(each).committer.time)
            if not above:
                yield commit
            way += bytes.fromhex("".join(above))

    def _add(self, commit: CommitInfo) -> int:
        parents = [*map(self._parent, commit.parents)]
        trees: list[str | None] = [self._commit(each).tree for each in commit.parents]
        changed = [self._differing(tree, commit.tree) for tree in trees or [None]]
        onto, met = self._meeting(parents) if len(parents) > 1 else (next(iter(parents), None), ())
        number = self._tables.add(commit.id, parents, onto)
        everywhere, somewhere = set.intersection(*changed), set.union(*changed)
        for place in sorted(somewhere.union(met)):
            how = ALL if place in everywhere else SOME if place in somewhere else MET
            self._tables.touch(number, place, how)
        return number

    def _parent(self, id: str) -> Known:
        found = self._tables.find(id)
        assert found is not None  # parents come first
        return found

    def _differing(self, before: str | None, after: str) -> set[str]:
        """The places in which two folders differ."""
        return {path for path, *_ in self._repo.diff(before, after, depth=DEPTH - 1)}

    def _meeting(self, parents: Sequence[Known]) -> tuple[Known, Collection[str]]:
        """Which parent a merge follows, and what was touched on the way to the others only.

        It is the one that lacks least: all else in the merge stands in the line of that one.
        """
        heads = [each.number for each in parents]
        reached = [*apart(heads, lambda number: self._tables.at(number).above)]
        lacked = [
            [number for number, bits in reached if not bits >> place & 1]
            for place in range(len(heads))
        ]
        least = min(lacked, key=len)
        met = {place for number in least for place in self._tables.touched(number)}
        return parents[lacked.index(least)], met
