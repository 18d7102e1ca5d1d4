"""A commit of the data branch as the rules of authority see it: what it changed, and who says so.

What a commit did to a record is judged against the version that it comes from. A merge comes from
several: it is judged against what merging them by the rules of the kind gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from gittask.core.dataclass import dataclass
from gittask.core.record import Data, Reader, Record, same
from gittask.core.stamp import Stamp, stamps
from gittask.core.units import Rules
from gittask.errors import Invalid
from gittask.kinds.actor import PROGRAM, addresses

PROTECTED = ("state", "spent")
"""The fields that follow from what was done: no hand and no merge sets them to anything else."""


@dataclass(frozen=True)
class Edit:
    """What a commit did to one record. All data has the defaults of its schema filled in.

    ``sources`` are the readable versions that it comes from, each once; ``merged`` is what they
    come to, and None where there is none. ``after`` is None if it was removed or cannot be read.
    ``came`` says that no parent has the file, ``taken`` that a parent has it with the same bytes.
    """

    kind: str
    id: str
    path: str
    rules: Rules
    sources: tuple[Data, ...]
    merged: Data | None
    after: Data | None
    came: bool = False
    removed: bool = False
    taken: bool = False

    @property
    def task(self) -> str | None:
        """The id of the task that the record belongs to, if it is one of a task's."""
        return self.records()[1].task

    @property
    def joins(self) -> bool:
        """Whether it brings different versions together."""
        return len(self.sources) > 1

    @cached_property
    def before(self) -> Data | None:
        """What the commit's own edit is told from.

        Of a merge that is the merged version, save that what the commit has as a parent has it
        is no edit of its own, nor are the protected fields: the rule for merges judges those.
        """
        if self.merged is None or self.after is None or not self.joins:
            return self.merged
        versions = (self.merged, self.after, *self.sources)
        if not all(isinstance(version.get("changed"), dict) for version in versions):
            return self.merged  # write-once, or no record of ours: it has no stamps
        lines = [source["changed"] for source in self.sources]
        changed = {**self.merged["changed"], **self._explained(self.after["changed"], lines)}
        return {**self.merged, **self._explained(self.after, self.sources), "changed": changed}

    def _explained(self, after: Data, sources: Iterable[Data]) -> Data:
        """What of the values by name is a parent's, or protected."""
        return {
            name: value
            for name, value in after.items()
            if name in PROTECTED or _in_any(name, value, sources)
        }

    @cached_property
    def touched(self) -> list[str]:
        """The fields that differ from ``before``, stamps aside."""
        old, new = self.before or {}, self.after or {}
        names = [name for name in {**old, **new} if name != "changed"]
        return [name for name in names if not same(old.get(name), new.get(name))]

    @property
    def new_stamps(self) -> Iterator[tuple[str, Stamp]]:
        """The units with a later stamp than before, each with that."""
        old = stamps(self.before or {})
        for unit, stamp in stamps(self.after or {}).items():
            if unit not in old or stamp > old[unit]:
                yield unit, stamp

    def records(self) -> tuple[Record | None, Record]:
        """The record before and after an edit of its own."""
        before = None if self.before is None else Record(self.kind, self.id, self.before)
        return before, Record(self.kind, self.id, self.after or {})


def _in_any(name: str, value: object, versions: Iterable[Mapping[str, object]]) -> bool:
    return any(name in version and same(version[name], value) for version in versions)


@dataclass(frozen=True)
class Commit:
    """One commit. ``before`` reads its first parent (nothing, if it has none), ``after`` itself.

    ``email`` is its author's; ``trailers`` are the last lines of its message. ``known`` gives the
    readable versions that a path had in the commits before, the newest first.
    """

    name: str
    email: str
    subject: str
    trailers: Mapping[str, str]
    before: Reader
    after: Reader
    edits: tuple[Edit, ...]
    known: Callable[[str], Iterator[Data]]
    merges: bool = False

    @property
    def by_program(self) -> bool:
        """Whether the program says that it made this commit by itself: a merge, stamps ..."""
        return self.email == PROGRAM

    @cached_property
    def own(self) -> list[Edit]:
        """The edits that no parent explains."""
        return [
            edit
            for edit in self.edits
            if edit.after is not None
            and (edit.came or edit.rules.mutable)
            and not same(edit.before, edit.after)
        ]

    @property
    def author(self) -> str:
        """Who is named as the author, for people."""
        return f"{self.name} <{self.email}>"

    @cached_property
    def actor(self) -> Record | None:
        """The actor of the trailer ``Actor``; without one the actor of the author's address."""
        named = self.trailers.get("Actor")
        if named is not None:
            return self._actors(named)[0] if self._actors(named) else None
        found = (actor for actor in self.after.all("actor") if self.email in addresses(actor.data))
        return next(found, None)

    @property
    def is_the_actors(self) -> bool:
        """Whether the author's address is the actor's, as the commit or its parent knows it."""
        records = self._actors(self.actor.id) if self.actor else []
        return any(self.email in addresses(record.data) for record in records)

    @cached_property
    def person(self) -> bool:
        """Whether the actor is a person."""
        return self.actor is not None and self.actor.data["kind"] == "person"

    def _actors(self, id: str) -> list[Record]:
        """The actor's readable records: the parent's first, for that is who wrote."""
        found = []
        for reader in (self.before, self.after):
            try:
                record = reader.get("actor", id)
            except Invalid:
                continue
            found += [record] if record else []
        return found
