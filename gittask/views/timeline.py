"""Everything that happened to one task, from its own records only, in order of time.

Ten thousand entries begin to show at once, from either end. What may change (executions, waits,
approvals, conflicts) is little, and read first. The versions of the task are opened as they are
told, some ahead. The rest is written once and stands in the order of the seconds that are in the
ids, which are file names: it is opened as it is shown. A record whose time is not that of its id
stands where the id says.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby

from gittask.core import ids
from gittask.core.dataclass import dataclass
from gittask.core.record import Reader, Record
from gittask.core.schema import Schemas
from gittask.kinds import readable
from gittask.kinds.task import CLOSED
from gittask.views.changes import Changes
from gittask.views.entries import Entry, Merge, kept, names_of, of_record
from gittask.views.late import Late
from gittask.views.versions import History

_NEVER = "~"
"""After any time."""

_RANKS = {"created": 0, "conflict": 2}
"""The order of entries of one time, where it is not that of their ids."""


def choices(schemas: Schemas) -> list[str]:
    """All that entries can be chosen by: their own kind, or the kind of their record."""
    found = (names_of(schemas, name) for name in ("task", *kept(schemas)))
    return sorted(frozenset({"merge"}).union(*found))


@dataclass(frozen=True)
class Choice:
    """Which entries are wanted; what is empty or None leaves the choice open.

    ``kinds`` are some of ``choices``; ``since`` and ``until`` are times as records have them, and
    what happened at ``until`` itself is not meant.
    """

    kinds: frozenset[str] = frozenset()
    by: str | None = None
    execution: str | None = None
    since: str = ""
    until: str = _NEVER

    def takes(self, entry: Entry) -> bool:
        """Whether an entry is one of those that are wanted."""
        return (
            self.since <= entry.at < self.until
            and self.by in (None, entry.by)
            and self.execution in (None, entry.execution)
            and (not self.kinds or bool(self.kinds & entry.names))
        )

    def wants(self, names: Iterable[str]) -> bool:
        """Whether entries that go by one of these names may be wanted."""
        return not self.kinds or not self.kinds.isdisjoint(names)

    def may_take(self, id: str) -> bool:
        """Whether the second that is in the id of a record allows it."""
        return self.since <= f"{_clock(id)}.999Z" and f"{_clock(id)}.000Z" < self.until

    def takes_all(self, kind: str) -> bool:
        """Whether it wants all records of a kind that it ``may_take``, whatever they say."""
        seconds = all(at in ("", _NEVER) or at.endswith(".000Z") for at in (self.since, self.until))
        named = not self.kinds or kind in self.kinds
        return seconds and named and self.by is None and self.execution is None


EVERYTHING = Choice()


class Timeline:
    """The entries of a task that are wanted. Opens no other task's files."""

    def __init__(
        self,
        reader: Reader,
        schemas: Schemas,
        task: Record,
        choice: Choice = EVERYTHING,
        merges: Iterable[Merge] = (),
        history: History | None = None,
    ) -> None:
        """``merges`` are those of this task, in any order, ``history`` that of its file.

        Without ``history`` what was changed is known by the task's stamps only.
        """
        self._reader = reader
        self._schemas = schemas
        self._task = task
        self._choice = choice
        self._merges = merges
        self._changes = Changes(schemas.rules("task"), task, history)

    def entries(self, *, reverse: bool = False) -> Iterator[Entry]:
        """The entries, the oldest or the newest first: by time, then id."""
        few = self._few[::-1] if reverse else self._few
        streams = [iter(few), self._changed(reverse)]
        streams += [self._written_once(name, reverse) for name in self._once]
        return heapq.merge(*streams, key=self._place, reverse=reverse)

    def total(self) -> int | None:
        """How many entries there are, by the names of files; None if that takes opening many.

        Records that cannot be read count as well: nobody has looked yet.
        """
        named = all(self._choice.takes_all(name) for name in self._once)
        if not named or (self._tells_changes and self._changes.are_many):
            return None
        changed = sum(1 for _ in self._changed(reverse=False))
        return len(self._few) + changed + sum(len(self._ids(name)) for name in self._once)

    def _place(self, entry: Entry) -> tuple[str, str, int, str]:
        """Where an entry stands. Of one time, a conflict stands after what it came of."""
        at = _clock(entry.id) if entry.record in self._once else entry.at[:19]
        return at, entry.at, _RANKS.get(entry.kind, 1), entry.id

    # -- what is read first -------------------------------------------------------------------

    @cached_property
    def _few(self) -> list[Entry]:
        """The making of the task, the entries of what may change, and the merges, in order."""
        found = [merge.entry() for merge in self._merges]
        found += [self._changes.created()] if self._choice.wants(("task", "created")) else []
        for name in self._wanted:
            if name not in self._once:
                for record in self._all(name):
                    found += of_record(record, self._late)
        return sorted(filter(self._choice.takes, found), key=self._place)

    @cached_property
    def _wanted(self) -> list[str]:
        """The kinds of record that can have entries which are wanted."""
        known = kept(self._schemas)
        return [name for name in known if self._choice.wants(names_of(self._schemas, name))]

    @cached_property
    def _once(self) -> list[str]:
        """Those of them that are written once, and so have one entry each."""
        return [name for name in self._wanted if not self._schemas.mutable(name)]

    @cached_property
    def _late(self) -> Late:
        return Late(self._reader, self._task, self._all("execution"))

    def _all(self, name: str) -> list[Record]:
        return list(self._reader.all(name, task=self._task.id))

    # -- what is read as it is shown ----------------------------------------------------------

    @property
    def _tells_changes(self) -> bool:
        return self._choice.wants(("task", "changed", "state"))

    def _changed(self, reverse: bool) -> Iterator[Entry]:
        """What was set of the task, save what another record tells: a claim, a handoff."""
        found = self._changes.entries(self._late.lost, reverse=reverse)
        for entry in found if self._tells_changes else ():
            if self._choice.takes(entry) and not self._tells_otherwise(entry):
                yield entry

    def _tells_otherwise(self, entry: Entry) -> bool:
        """Whether a change of state came of something that has an entry of its own."""
        if entry.kind != "state" or entry.details["by_hand"]:
            return False
        status = entry.details["changes"][0]["new"]["status"]
        if status in CLOSED:
            return False
        return status != "open" or entry.at in self._ended or entry.at[:19] in self._reported

    @cached_property
    def _ended(self) -> set[str]:
        """When executions came to stand as they do."""
        return {execution.data["state"]["at"] for execution in self._all("execution")}

    @cached_property
    def _reported(self) -> set[str]:
        """The seconds of handoffs and reviews, either of which may open a task again."""
        known = ("handoff", "review")
        return {_clock(id) for name in known for id in self._reader.ids(name, task=self._task.id)}

    def _written_once(self, name: str, reverse: bool) -> Iterator[Entry]:
        known = self._ids(name)
        for _, group in groupby(reversed(known) if reverse else known, key=ids.second):
            found = [entry for id in group for entry in self._of(name, id)]
            yield from sorted(found, key=self._place, reverse=reverse)

    def _of(self, name: str, id: str) -> Iterator[Entry]:
        record = readable(self._reader, name, id, task=self._task.id)
        if record is not None:
            yield from filter(self._choice.takes, of_record(record, self._late))

    def _ids(self, name: str) -> list[str]:
        return list(filter(self._choice.may_take, self._reader.ids(name, task=self._task.id)))


def _clock(id: str) -> str:
    """The second in the id of a record, as times have it: 2026-11-30T10:04:11."""
    at = ids.second(id)
    return f"{at[:4]}-{at[4:6]}-{at[6:8]}T{at[9:11]}:{at[11:13]}:{at[13:15]}"
