"""What was set of a task, and by whom, from the versions that history has of it.

What a commit set are the units in which it is unlike every version that it comes of; so a merge
that took each value from one side set nothing. Each is told at the time and by the actor of its
stamp or, where somebody set it by hand without one, of the commit. What several commits set alike
(copies of a rebase, a squash beside what it was made of) is told once, of the oldest.

A version of which nothing before is known tells what its stamps say: who set each unit last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.record import Data, Record
from gittask.core.stamp import creation, stamps
from gittask.core.text import one_line, shorten
from gittask.core.units import ABSENT, Rules, differing, effective, text, unstamped, value_of
from gittask.views import words
from gittask.views.entries import Entry
from gittask.views.versions import History, before

AHEAD = 64
"""How many changes are read ahead, to be put in order of time: a squash brings older ones."""

SHOWN = 40
"""How many characters of a value are shown."""


@dataclass(frozen=True)
class Changed:
    """One unit that was set: ``old`` and ``new`` are JSON, null where it was not there.

    ``old`` is ABSENT where it is not known. ``commit`` is empty without history.
    """

    unit: str
    old: Any
    new: Any
    at: str
    by: str
    commit: str
    execution: str | None = None
    by_hand: bool = False

    @property
    def same(self) -> tuple[str, ...]:
        """What a copy of it in another commit has too."""
        return self.unit, text(self.new), self.at, self.by

    @property
    def together(self) -> tuple[str, ...]:
        """What those that were set together have in common; in order of time."""
        return self.at, self.by, self.commit, "state" if self.unit == "state" else ""


class Changes:
    """What was set of one task. Versions are opened as it is told, some ``AHEAD``."""

    def __init__(self, rules: Rules, task: Record, history: History | None = None) -> None:
        """Without ``history`` this version is all that is known."""
        self._rules = rules
        self._task = task
        self._history = history

    @property
    def are_many(self) -> bool:
        """Whether counting them would open more versions than telling the first."""
        return self._history is not None and len(self._history.commits) > AHEAD

    def created(self) -> Entry:
        """How the task came about, with its first title if that is known."""
        made = creation(self._task.data)
        commit, first, _ = next(self._versions(), ("", self._task.data, []))
        title = "the task" if "title" in stamps(first) else first["title"]
        details = {"created": self._task.data["created"], "commit": commit or None}
        return Entry(
            made.at, made.by, "created", "task", self._task.id, title, None, False, details
        )

    def entries(self, lost: Mapping[str, str], *, reverse: bool = False) -> Iterator[Entry]:
        """What was set together as one entry each, the oldest or the newest first.

        ``lost`` says of executions when they lost the task: what they set later is late.
        """
        for _, group in groupby(self._in_order(reverse), key=lambda each: each.together):
            found = sorted(group, key=lambda each: each.unit)
            yield self._entry(found, lost)

    def _entry(self, found: Sequence[Changed], lost: Mapping[str, str]) -> Entry:
        first = found[0]
        said = ", ".join(self._said(each) for each in found)
        late = first.at > lost.get(str(first.execution), first.at)
        changes = [_as_json(each) for each in found]
        return Entry(
            first.at,
            first.by,
            "state" if first.unit == "state" else "changed",
            "task",
            self._task.id,
            f"{said} (by hand)" if first.by_hand else said,
            first.execution,
            late,
            {"changes": changes, "commit": first.commit or None, "by_hand": first.by_hand},
        )

    # -- in order of time ---------------------------------------------------------------------

    def _in_order(self, reverse: bool) -> Iterator[Changed]:
        pending: dict[tuple[str, ...], Changed] = {}
        told = set()

        def place(same: tuple[str, ...]) -> tuple[str, ...]:
            return *pending[same].together, pending[same].unit

        for commit, data, sides in self._versions(reverse=reverse):
            for each in self._set_in(commit, data, sides):
                # Of those that are alike the oldest counts, which is read last or first.
                if each.same not in told and (reverse or each.same not in pending):
                    pending[each.same] = each
            while len(pending) > AHEAD:
                following = max(pending, key=place) if reverse else min(pending, key=place)
                told.add(following)
                yield pending.pop(following)
        for same in sorted(pending, key=place, reverse=reverse):
            yield pending[same]

    def _versions(self, *, reverse: bool = False) -> Iterator[tuple[str, Data, list[Data]]]:
        """Each version that can be read: its commit, its data, and what it comes of."""
        history = self._history
        if history is None:
            yield "", self._task.data, []
            return
        for commit in history.commits if reverse else reversed(history.commits):
            data = history.data(commit)
            if data is not None:
                sides = (history.data(each) for each in before(history, commit))
                yield commit, data, [side for side in sides if side is not None]

    def _set_in(self, commit: str, data: Data, sides: Sequence[Data]) -> Iterator[Changed]:
        known = stamps(data)
        if not sides:
            for unit, last in known.items():
                yield Changed(unit, ABSENT, value_of(data, unit), last.at, last.by, commit)
            return
        units = self._in_all(differing(self._rules, side, data) for side in sides)
        by_hand = self._in_all(unstamped(self._rules, side, data) for side in sides)
        if not units or self._history is None:
            return
        maker = self._history.maker(commit)
        for unit in units:
            stamp = None if unit in by_hand else effective(self._rules, known, unit)
            at, by = (stamp.at, stamp.by) if stamp else (maker.at, maker.actor)
            execution = maker.execution if by == maker.actor else None
            old, new = value_of(sides[0], unit), value_of(data, unit)
            yield Changed(unit, old, new, at, by, commit, execution, by_hand=stamp is None)

    def _in_all(self, found: Iterable[Sequence[str]]) -> set[str]:
        """The units that are in all of these, save those that never change."""
        units = set.intersection(*(set(each) for each in found))
        return {unit for unit in units if self._rule(unit) != "fixed"}

    # -- in words -----------------------------------------------------------------------------

    def _rule(self, unit: str) -> str:
        return self._rules.rule(unit.partition(".")[0]).name

    def _said(self, each: Changed) -> str:
        """``priority: 2 -> 0``, ``label added: urgent``, ``done: it works``."""
        if each.unit == "state":
            return _state(each.new)
        field, _, key = each.unit.partition(".")
        rule = self._rule(field)
        if key and (rule == "set" or (rule == "by-id" and "." not in key)):
            gone = each.new is None
            what = each.old if gone and each.old is not ABSENT else each.new
            said = words.item(what) if isinstance(what, dict) else key
            name, verb = _ELEMENTS.get(field, field), "removed" if gone else "added"
            return f"{name} {verb}: {shorten(one_line(said), SHOWN)}"
        new = words.value(each.new, SHOWN)
        if each.old is ABSENT:
            return f"{each.unit}: {new}"
        return f"{each.unit}: {words.value(each.old, SHOWN)} -> {new}"


_ELEMENTS = {"labels": "label", "depends_on": "dependency", "links": "link"}
"""What one element of a list is called."""


def _state(state: Data) -> str:
    said = state["outcome"] if state["status"] == "done" else state["reason"]
    return f"{state['status']}: {said}" if said else str(state["status"])


def _as_json(each: Changed) -> Data:
    old = {} if each.old is ABSENT else {"old": each.old}
    return {"field": each.unit, **old, "new": each.new}
