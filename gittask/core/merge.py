"""Two versions of one record become one: a total, symmetric function declared by the rules.

The record is cut into units (see ``gittask.core.units``), and each is decided alone. Of a unit's
two versions, values that are the same have the larger of their stamps; else, if one side is
unchanged against the base in value and stamp, the other side's is taken; else both changed, and
the rule of the field says which stands:

- ``later``: the larger stamp; for stamps that are the same, what is there stands before what is
  not, then the value whose canonical text is greater (this decides between two hand edits).
- ``greatest``: the larger value (null, then booleans, numbers, strings, others), then ``later``.
- ``ordered``: the first criterion of ``prefer`` that tells the two apart, then ``later``.
- ``text``: both sides' edits line by line, if no two touch and the result is neither blank nor
  longer than ``max_length``; it takes a stamp after both, so that no older text comes before it.
  Else ``later``.
- ``set``: each element for itself, ``later``.
- ``by-id``: an item stands or falls by the stamp of its coming or going alone: a removal wins
  over edits that did not see it, and an item that came back is not mixed with the one that went.
  Within an item each field for itself, ``later``.
- ``fixed``: ``later`` without stamps; that is, the value of the record that was created first.

A unit that nobody stamped has the stamp of its record's creation. Of two creations the *earlier*
is the larger, so that the values of a record that was made twice go with the one ``created`` that
is kept. For stamped edits the base therefore decides nothing but texts and conflicts: the value
is a join, the same after a squash, a rebase or a lost base, whatever the order of merging. (An
edit must not go against ``greatest`` or ``ordered``: no epoch is ever set back.)

The value that does not stand becomes a ``Conflict`` if its side had really changed it. Sets,
``greatest``, ``id`` and ``created`` have no conflicts: nobody's words are lost in them.

A set or list of items that would exceed ``max_items``, and one that is malformed, is merged whole
as ``later``. No base is the same as an empty one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.record import Data, canonical, same
from gittask.core.stamp import Stamp, creation, parse, stamps
from gittask.core.textmerge import merge_text
from gittask.core.units import ABSENT, LATER, Rule, Rules, assembled, latest, parts, text
from gittask.core.version import Side, Version, after, decide, later


@dataclass(frozen=True)
class Conflict:
    """A value that did not stand. ``field`` is the unit, empty for a whole write-once record.

    ``base``, ``kept`` and ``lost`` are JSON values; None also says that there was no such unit.
    """

    field: str
    base: Any
    kept: Any
    lost: Any
    kept_stamp: Stamp
    lost_stamp: Stamp


@dataclass(frozen=True)
class Merged:
    """The one version, and what did not stand, in order of field. Shares parts with its inputs."""

    value: Data
    conflicts: tuple[Conflict, ...]


def merge(rules: Rules, base: Data | None, ours: Data, theirs: Data) -> Merged:
    """The two versions of one record as one. Never raises, and swapping the sides changes nothing.

    A write-once record is as its base has it, or without a base as the one created first.
    """
    if same(ours, theirs):
        return Merged(ours, ())
    left, right = sorted((ours, theirs), key=canonical)
    if not rules.mutable:
        return _write_once(base, left, right)
    if base is not None and same(base, left):
        return Merged(right, ())
    if base is not None and same(base, right):
        return Merged(left, ())
    return _Join(rules, base or {}, left, right).record()


def _write_once(base: Data | None, left: Data, right: Data) -> Merged:
    first, second = sorted((left, right), key=_born)
    kept = first if base is None else base
    lost = [data for data in (first, second) if not same(data, kept)]
    found = (Conflict("", base, kept, data, creation(kept), creation(data)) for data in lost)
    return Merged(kept, tuple(found))


def _born(data: Data) -> tuple[str, str]:
    """What orders creations: the time, then the actor."""
    stamp = creation(data)
    return stamp.at, stamp.by


class _Join:
    """One merge of a mutable record: its three versions, and what was decided so far.

    Three values or stamps in a row are always those of the base, of the left and the right side.
    """

    def __init__(self, rules: Rules, base: Data, left: Data, right: Data) -> None:
        born = min(_born(left), _born(right))
        self._rules = rules
        self._sides = [
            Side(data, _moving(rules, data), _born(data) == born) for data in (base, left, right)
        ]
        self._stamps: dict[str, Stamp | None] = {}
        self._conflicts: list[Conflict] = []

    def record(self) -> Merged:
        """The joined record and its conflicts."""
        _, left, right = (side.data for side in self._sides)
        names = sorted((left.keys() | right.keys()) - {"changed"})
        value = {name: found for name in names if (found := self._field(name)) is not ABSENT}
        changed = latest(left, right)
        for unit, stamp in self._stamps.items():
            if stamp is not None:
                changed[unit] = str(stamp)
            elif parse(changed.get(unit)):
                del changed[unit]
        if changed or "changed" in left or "changed" in right:
            value["changed"] = changed
        return Merged(value, tuple(self._conflicts))

    def _field(self, name: str) -> Any:
        rule = self._rules.rule(name)
        values = [side.data.get(name, ABSENT) for side in self._sides]
        base, left, right = (parts(rule, value) for value in values)
        if left is not None and right is not None:
            return self._list(name, rule, values, [base or {}, left, right])
        if rule.name in ("set", "by-id"):
            return self._single(name, LATER, self._whole(name, values))
        return self._single(name, rule, self._versions(values, self._stamped(name)))

    def _stamped(self, unit: str) -> list[Stamp | None]:
        return [side.stamps.get(unit) for side in self._sides]

    def _versions(self, values: Sequence[Any], stamps: Sequence[Stamp | None]) -> list[Version]:
        rows = zip(self._sides, values, stamps, strict=True)
        return [side.version(value, stamp) for side, value, stamp in rows]

    def _whole(self, name: str, values: Sequence[Any]) -> list[Version]:
        """The versions of a list as one value, each as late as the newest thing in it."""
        newest = [max(side.within(name).values(), default=None) for side in self._sides]
        return self._versions(values, newest)

    def _single(
        self, unit: str, rule: Rule, versions: Sequence[Version], inherited: Stamp | None = None
    ) -> Any:
        """Decide a unit that contains no others; ``inherited`` needs no line in ``changed``."""
        base, left, right = versions
        kept, lost = decide(rule, base, left, right)
        value, stamp = kept.value, kept.stamp
        if lost is not None:
            lines = _lines(rule, base.value, left.value, right.value)
            if lines is None:
                self._lose(unit, rule, base, kept, lost)
            elif lines != value:
                value, stamp = lines, after(left, right)
        self._stamps[unit] = stamp if stamp.counter and stamp != inherited else None
        return value

    def _lose(self, unit: str, rule: Rule, base: Version, kept: Version, lost: Version) -> None:
        """Record a conflict, unless the side that loses only has what the base had."""
        silent = rule.name in ("set", "greatest") or unit in ("id", "created")
        if not silent and text(lost.value) != text(base.value):
            values = base.shown, kept.shown, lost.shown
            self._conflicts.append(Conflict(unit, *values, kept.stamp, lost.stamp))

    def _list(
        self, name: str, rule: Rule, values: Sequence[Any], cut: Sequence[dict[str, Any]]
    ) -> Any:
        """Decide a set or a list of items part by part, or whole if that is too many."""
        _, left, right = cut
        joined = {}
        for key in sorted(left.keys() | right.keys()):
            part = self._part(f"{name}.{key}", rule, [found.get(key, ABSENT) for found in cut])
            if part is not ABSENT:
                joined[key] = part
        grown = text(joined) not in (text(left), text(right))
        if grown and rule.max_items is not None and len(joined) > rule.max_items:
            joined = self._cut_back(name, rule, self._whole(name, values), joined)
        return assembled(rule, joined)

    def _part(self, unit: str, rule: Rule, values: Sequence[Any]) -> Any:
        """Decide an element, or an item with all its fields."""
        came = self._stamped(unit)
        _, left, right = values
        if isinstance(left, dict) and isinstance(right, dict) and came[1] == came[2]:
            self._stamps[unit] = came[1]
            return self._item(unit, values, came)
        base, *sides = self._versions(values, came)
        kept, lost = decide(LATER, base, *sides)
        self._forget(unit, rule)
        self._stamps[unit] = kept.stamp if kept.stamp.counter else None
        if rule.name == "by-id":
            self._stamps.update(kept.side.within(unit))
        if lost is not None:
            self._lose(unit, rule, base, kept, lost)
        return kept.value

    def _item(self, unit: str, values: Sequence[Any], came: Sequence[Stamp | None]) -> Data:
        """Join two versions of one item, which came at the same time on both sides."""
        base, left, right = (value if isinstance(value, dict) else {} for value in values)
        result = {}
        for key in dict.fromkeys([*left, *right]):
            found = [item.get(key, ABSENT) for item in (base, left, right)]
            stamps = [
                own or item for own, item in zip(self._stamped(f"{unit}.{key}"), came, strict=True)
            ]
            versions = self._versions(found, stamps)
            value = self._single(f"{unit}.{key}", LATER, versions, inherited=came[1])
            if value is not ABSENT:
                result[key] = value
        return result

    def _forget(self, unit: str, rule: Rule) -> None:
        """Leave no stamp of a part, nor, if it is an item, of its fields."""
        self._stamps[unit] = None
        if rule.name == "by-id":
            for side in self._sides:
                self._stamps.update(dict.fromkeys(side.within(unit)))

    def _cut_back(
        self, name: str, rule: Rule, versions: Sequence[Version], joined: dict[str, Any]
    ) -> dict[str, Any]:
        """The later of two lists instead; what differs from the joined one is stamped anew."""
        base, left, right = versions
        kept = later(left, right)
        self._lose(name, LATER, base, kept, right if kept is left else left)
        found = parts(rule, kept.value) or {}
        for key in joined.keys() | found.keys():
            if text(joined.get(key, ABSENT)) != text(found.get(key, ABSENT)):
                self._forget(f"{name}.{key}", rule)
                self._stamps[f"{name}.{key}"] = after(left, right)
        return found


def _moving(rules: Rules, data: Data) -> dict[str, Stamp]:
    """The stamps that count: a field that is fixed has none."""
    return {u: stamp for u, stamp in stamps(data).items() if rules.rule(u).name != "fixed"}


def _lines(rule: Rule, base: Any, left: Any, right: Any) -> str | None:
    """Both sides' edits of a text, or None where the rule, the values or the limit forbid that."""
    if rule.name != "text" or not all(isinstance(value, str) for value in (base, left, right)):
        return None
    lines = merge_text(base, left, right)
    if lines is None or not lines.strip():
        return None
    return None if rule.max_length is not None and len(lines) > rule.max_length else lines
