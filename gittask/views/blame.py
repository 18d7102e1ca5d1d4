"""Where each unit of a record comes from: the commit in which its value, as it stands, came about.

The history of a record is a graph of its versions. The value that a unit has, under the stamp that
it has, is followed from the newest version through all parents that have both, so that a merge is
passed through to the commit that it took the value from. Where several commits brought the same
(a squash beside what it was made of, a rebased copy), the one that was made first is named.

What was set by hand is told by its stamp, which did not move on. Once such an edit is stamped, by
a later commit that changes nothing else of the unit, the edit still is where it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.record import Data
from gittask.core.stamp import Stamp, stamps
from gittask.core.units import ABSENT, Rules, parts, text
from gittask.views.versions import History, before


@dataclass(frozen=True)
class Version:
    """What a unit is at a commit: ``value`` (ABSENT if it is not there), and its stamp.

    An element of a set is its own value. ``stamp`` None stands for that of the creation.
    """

    value: Any
    stamp: Stamp | None

    @property
    def key(self) -> tuple[str, Stamp | None]:
        """What two versions that are the same have in common."""
        return text(self.value), self.stamp

    @property
    def is_gone(self) -> bool:
        """Whether it is the tombstone of what was removed."""
        return self.value is ABSENT


@dataclass(frozen=True)
class Origin:
    """Where a unit's version comes from.

    ``by_hand`` says that the commit set the value without a stamp; ``stamped`` is the later
    commit that gave it one, or None.
    """

    commit: str
    by_hand: bool = False
    stamped: str | None = None


@dataclass(frozen=True)
class Line:
    """Who set one unit of a record.

    ``value`` is JSON, null for what was ``removed``; an element of a set is its own value.
    ``stamp`` is what the record says of it; ``by`` and ``at`` say the same, save for what was set
    ``by_hand`` and not stamped since (``stamped_in``): that is its commit's author's. ``commit``
    is ``{id, subject, at, author: {name, email, actor}}``; ``boundary`` says that the history
    which is here begins with it. ``conflicts`` are values of the unit that lost in a merge:
    ``{id, field, status, lost, by, at}``.
    """

    field: str
    value: Any
    removed: bool
    by: str
    at: str
    stamp: Stamp
    execution: str | None
    commit: Data
    boundary: bool
    by_hand: bool
    stamped_in: str | None
    conflicts: tuple[Data, ...]

    def as_json(self) -> Data:
        """The line as ``--json`` shows it."""
        stamp = {"counter": self.stamp.counter, "at": self.stamp.at, "by": self.stamp.by}
        return {**self.__dict__, "stamp": stamp, "conflicts": list(self.conflicts)}


def units(rules: Rules, data: Data) -> dict[str, Version]:
    """Every unit of a record, in the record's order, those that were removed after what is there.

    A list that is empty and from which nothing was removed is one unit. What merely names the
    record (``id``, ``created``, ``changed``) is left out.
    """
    known = stamps(data)
    found: dict[str, Version] = {}
    for field, value in data.items():
        if field in ("id", "created", "changed"):
            continue
        pieces = parts(rules.rule(field), value)
        inside = {} if pieces is None else _pieces(field, pieces, known)
        found |= inside or {field: Version(value, known.get(field))}
    gone = {unit: Version(ABSENT, known[unit]) for unit in known if unit not in found}
    return found | gone


def _pieces(
    field: str, pieces: Mapping[str, Any], known: Mapping[str, Stamp]
) -> dict[str, Version]:
    """The units of a list; a field of an item that has no stamp of its own has its item's."""
    found = {}
    for key, piece in pieces.items():
        unit = f"{field}.{key}"
        came = known.get(unit)
        # Whether an item is there is one thing; what it says are others.
        found[unit] = Version(key, came)
        for inner in piece if isinstance(piece, dict) else ():
            if inner != "id":
                own = known.get(f"{unit}.{inner}", came)
                found[f"{unit}.{inner}"] = Version(piece[inner], own)
    gone = (unit for unit in known if unit.startswith(f"{field}.") and unit not in found)
    return found | {unit: Version(ABSENT, known[unit]) for unit in gone}


def shown(data: Data, unit: str, version: Version) -> Any:
    """The value of a unit as JSON: of an item the whole item, null for what was removed."""
    field, _, key = unit.partition(".")
    for item in data[field] if isinstance(data.get(field), list) and key else ():
        if isinstance(item, dict) and item.get("id") == key:
            return item
    return None if version.is_gone else version.value


class Origins:
    """Finds where units come from, in one history that ends with the commit ``tip``."""

    def __init__(self, rules: Rules, history: History, tip: str) -> None:
        self._rules = rules
        self._history = history
        self._tip = tip
        self._units = cache(self._read)
        self._before = cache(lambda commit: tuple(before(history, commit)))

    def of(self, unit: str) -> Origin:
        """Where the version that the tip has of a unit comes from."""
        commit = self._first(self._tip, unit)
        for parent in self._before(commit):
            if self._alike(parent, commit, unit):  # only the stamp is new here
                earlier = self._first(parent, unit)
                if self._by_hand(earlier, unit):
                    return Origin(earlier, by_hand=True, stamped=commit)
        return Origin(commit, self._by_hand(commit, unit))

    def _by_hand(self, commit: str, unit: str) -> bool:
        """Whether a commit gave a unit its value, but no stamp that says so."""
        now, before = self._at(commit, unit), self._before(commit)
        stayed = [not _moved(self._at(parent, unit).stamp, now.stamp) for parent in before]
        return any(stayed) and not any(self._alike(parent, commit, unit) for parent in before)

    def _alike(self, one: str, other: str, unit: str) -> bool:
        return text(self._at(one, unit).value) == text(self._at(other, unit).value)

    def _first(self, tip: str, unit: str) -> str:
        """The commit that brought the version which ``tip`` has; of several the oldest."""
        wanted = self._at(tip, unit).key
        todo, seen, found = [tip], {tip}, []
        while todo:
            commit = todo.pop()
            having = [p for p in self._before(commit) if self._at(p, unit).key == wanted]
            if not having:
                found.append(commit)
            todo += [parent for parent in having if parent not in seen]
            seen.update(having)
        return min(found, key=lambda commit: (self._history.maker(commit).at, commit))

    def _at(self, commit: str, unit: str) -> Version:
        return self._units(commit).get(unit, Version(ABSENT, None))

    def _read(self, commit: str) -> dict[str, Version]:
        return units(self._rules, self._history.data(commit) or {})


def _moved(was: Stamp | None, now: Stamp | None) -> bool:
    """Whether a stamp moved on, as it does with every change that the program makes."""
    return now is not None and (was is None or now > was)
