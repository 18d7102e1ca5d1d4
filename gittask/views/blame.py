"""Where each unit of a record comes from: the commit in which its value, as it stands, came about.

The history of a record is a graph of its versions. The value that a unit has, under the stamp that
it has, is followed from the newest version through all parents that have both, so that a merge is
passed through to the commit that it took the value from. Where several commits brought the same
(a squash beside what it was made of, a rebased copy), the one that was made first is named.

What was set by hand is told by its stamp, which did not move on. Once such an edit is stamped, by
a later commit that changes nothing else of the unit, the edit still is where it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from gittask.core.filemerge import AUTHOR
from gittask.core.meaning import meant
from gittask.core.record import Data, canonical
from gittask.core.stamp import Stamp, stamps
from gittask.core.text import one_line, shorten
from gittask.core.units import ABSENT, Rules, parts, text
from gittask.views.words import When, when


class History(Protocol):
    """The versions of one record: commits, and how they follow from each other."""

    def data(self, commit: str) -> Data | None:
        """The record as a commit has it, or None where that cannot be read."""
        ...

    def parents(self, commit: str) -> Sequence[str]:
        """The commits of which this one comes; none if it brought the record."""
        ...

    def made(self, commit: str) -> int:
        """When the commit was made by its author, in seconds since 1970."""
        ...


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
        self._before = cache(lambda commit: tuple(self._readable(commit)))

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
        return min(found, key=lambda commit: (self._history.made(commit), commit))

    def _at(self, commit: str, unit: str) -> Version:
        return self._units(commit).get(unit, Version(ABSENT, None))

    def _read(self, commit: str) -> dict[str, Version]:
        return units(self._rules, self._history.data(commit) or {})

    def _readable(self, commit: str) -> Iterator[str]:
        """The nearest versions before a commit that can be read, on each line of history."""
        todo = list(self._history.parents(commit))
        seen = set(todo)
        while todo:
            parent = todo.pop(0)
            if self._history.data(parent) is not None:
                yield parent
                continue
            further = [each for each in self._history.parents(parent) if each not in seen]
            todo += further
            seen.update(further)


def _moved(was: Stamp | None, now: Stamp | None) -> bool:
    """Whether a stamp moved on, as it does with every change that the program makes."""
    return now is not None and (was is None or now > was)


# -- for people -------------------------------------------------------------------------------

SHOWN = 60
"""How many characters of a value a row shows."""


def rows(lines: Sequence[Line], when: When = when, *, everything: bool = False) -> list[list[str]]:
    """Lines as rows of a table: field, who, execution, when, commit, value.

    Without ``everything`` what is empty because nobody ever set it is left out, and what an item
    had from the beginning stands in the item's row.
    """
    known = {line.field: line for line in lines}
    return [
        _row(line, when)
        for line in lines
        if everything or not (_is_unset(line) or _is_told(line, known))
    ]


def _is_unset(line: Line) -> bool:
    return line.value in (None, "", []) and line.stamp.counter == 0 and not line.by_hand


def _is_told(line: Line, known: Mapping[str, Line]) -> bool:
    item = known.get(line.field.rpartition(".")[0])
    return item is not None and (item.commit, item.by) == (line.commit, line.by)


def _row(line: Line, when: When) -> list[str]:
    edge = "^" if line.boundary else ""
    return [
        meant(line.field, "heading"),
        line.by,
        meant(_end(line.execution or ""), "id"),
        meant(when(line.at), "aside"),
        meant(f"{edge}{line.commit['id'][:12]}", "id"),
        shorten(one_line(_said(line)), SHOWN),
    ]


def _end(id: str) -> str:
    """The random end of an id, by which commands take it too."""
    return id.partition("-")[2]


def _said(line: Line) -> str:
    """A value in a few words."""
    value = line.value
    if line.removed:
        return "(removed)"
    if isinstance(value, dict) and {"status", "epoch", "holder"} <= value.keys():
        holder = f", held by {_end(value['holder'])}" if value["holder"] else ""
        return f"{value['status']}, epoch {value['epoch']}{holder}"
    if isinstance(value, dict) and "id" in value:
        words = [said for name, said in value.items() if name != "id" and isinstance(said, str)]
        return " ".join(words) or str(value["id"])
    return value if isinstance(value, str) else canonical(value)


def remarks(lines: Sequence[Line], when: When = when) -> Iterator[str]:
    """What there is to say about lines beside the table; what holds for several is said once."""
    others: dict[tuple[str, str, str], list[str]] = {}
    for line in lines:
        yield from _of_hand(line, when)
        author = line.commit["author"]["actor"]
        if not line.by_hand and author not in (line.by, AUTHOR) and not _is_unset(line):
            others.setdefault((line.by, author, line.commit["id"][:12]), []).append(line.field)
    for (by, author, commit), fields in others.items():
        what = fields[0] if len(fields) == 1 else f"{fields[0]} and {len(fields) - 1} more"
        yield f"{what}: set by {by}, in commit {commit} of {author}"
    seen = {one["id"]: one for line in lines for one in line.conflicts}
    for one in seen.values():
        what = f"{one['field'] or 'the record'}: another value lost, set by {one['by'] or 'nobody'}"
        yield f"{what} ({one['status']}): gittask show {one['id']}"


def _of_hand(line: Line, when: When) -> Iterator[str]:
    """That a unit was set without the program, and what its stamp says."""
    if line.stamped_in:
        yield f"{line.field}: set by hand, and stamped in {line.stamped_in[:12]}"
    elif line.by_hand and line.stamp.counter:
        stamp = f"{line.stamp.by}, {when(line.stamp.at)}"
        yield f"{line.field}: set by hand, under a stamp that is not its own ({stamp})"
    elif line.by_hand:
        yield f"{line.field}: set by hand, without a stamp"
