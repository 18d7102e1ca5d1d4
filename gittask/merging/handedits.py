"""Edits of records by hand, given the stamps that a program would have given them.

Whoever edits the YAML of a record and commits it with git says nothing under ``changed``. Such an
edit is stamped afterwards, as its commit says: the commit's author and time, and a counter one
more than the largest in the record. It comes out the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from gittask.core.codec import encode
from gittask.core.filemerge import read
from gittask.core.record import Data
from gittask.core.schema import Schemas
from gittask.core.stamp import Stamp, following, stamps
from gittask.core.units import Rules, moved, unstamped
from gittask.errors import Invalid
from gittask.history.authors import Authors
from gittask.store.repo import Entry, Person, Repo
from gittask.store.snapshot import Snapshot, content


def stamped_edits(repo: Repo, schemas: Schemas, base: str, tip: str) -> dict[str, bytes]:
    """The records of the commit ``tip`` that were edited by hand since ``base``, stamped.

    By path, as files to be written; empty where there is nothing to stamp.
    """
    return dict(_Edits(repo, schemas, base, tip).files())


class _Edits:
    """What was done between two commits."""

    def __init__(self, repo: Repo, schemas: Schemas, base: str, tip: str) -> None:
        self._repo = repo
        self._schemas = schemas
        self._base = base
        self._tip = tip
        self._actors = Authors(Snapshot(repo, schemas, tip))

    def files(self) -> Iterator[tuple[str, bytes]]:
        trees = (self._repo.tree(commit) for commit in (self._base, self._tip))
        for path, before, after in self._repo.diff(*trees):
            place = self._schemas.locate(path)
            if not before or not after or not place or not self._schemas.mutable(place.kind):
                continue
            old, new = self._data(path, before), self._data(path, after)
            if old is None or new is None:
                continue
            rules = self._schemas.rules(place.kind)
            data = self._stamped(path, rules, old, new)
            if data != new and self._schemas.valid(place.kind, data):
                yield path, encode(data, self._schemas.order(place.kind))

    def _stamped(self, path: str, rules: Rules, old: Data, new: Data) -> Data:
        """The record with a stamp for each unit that a commit edited by hand."""
        units = _by_hand(rules, old, new)
        if not units:
            return new
        changed = dict(new.get("changed") or {})
        counter = following([*stamps(old).values(), *stamps(new).values()])
        for unit, author in self._authors(path, rules, units):
            if rules.rule(unit.partition(".")[0]).name == "by-id":
                for inner in [other for other in changed if other.startswith(f"{unit}.")]:
                    del changed[inner]
            changed[unit] = str(Stamp(counter, self._actors.actor(author), author.at))
        return {**new, "changed": changed} if changed else new

    def _authors(self, path: str, rules: Rules, units: set[str]) -> Iterator[tuple[str, Person]]:
        """Each unit with the author of the last commit that edited it by hand.

        A merge edits nothing by itself; a unit that only merges explain is left as it is.
        """
        wanted = set(units)
        for commit in self._repo.log(self._tip, path):
            if commit.id not in self._new or len(commit.parents) != 1:
                continue
            entries = [self._repo.lookup(each, path) for each in (commit.parents[0], commit.id)]
            old, new = (self._data(path, entry) for entry in entries)
            if old is None or new is None:
                continue
            edited = wanted & _by_hand(rules, old, new)
            for unit in sorted(edited - self._picked(path, rules, commit.parents[0], old, new)):
                yield unit, commit.author
            wanted -= edited
            if not wanted:
                return

    def _picked(self, path: str, rules: Rules, parent: str, old: Data, new: Data) -> set[str]:
        """The units that came from another line of history, as by a rebase that took its side.

        Such a commit has stamps that nothing before it had, and others that it sets back. Whoever
        edits by hand or reverts makes no new ones.
        """
        back = set(moved(rules, old, new)) & _by_hand(rules, old, new)
        lines = set(stamps(new).items()) - set(stamps(old).items())
        for commit in self._repo.log(parent, path) if back and lines else ():
            was = self._data(path, self._repo.lookup(commit.id, path))
            lines -= set(stamps(was or {}).items())
        return back if lines else set()

    def _data(self, path: str, entry: Entry | None) -> Data | None:
        if entry is None or not entry.is_file:
            return None
        try:
            return read(self._schemas, path, content(self._repo, path, entry.id))
        except Invalid:
            return None

    @cached_property
    def _new(self) -> set[str]:
        return {commit.id for commit in self._repo.walk(self._base, self._tip)}


def _by_hand(rules: Rules, before: Data, after: Data) -> set[str]:
    """The units that differ without a new stamp, save those that never have one."""
    found = unstamped(rules, before, after)
    return {unit for unit in found if rules.rule(unit.partition(".")[0]).name != "fixed"}
