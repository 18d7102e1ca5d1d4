"""One unit in two versions: which of them stands.

A version is a value and its stamp. All versions of a unit are in one order (``decide``), which is
the same on every machine, so that taking the larger is a join: the order of merging is no matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.record import Data, canonical, same
from gittask.core.stamp import Stamp, creation
from gittask.core.units import ABSENT, Prefer, Rule, text


@dataclass(frozen=True)
class Side:
    """One version of a whole record; ``first`` if the other's was not created before it."""

    data: Data
    stamps: Mapping[str, Stamp]
    first: bool

    def version(self, value: Any, stamp: Stamp | None) -> Version:
        """This side's version of a unit that has this value and, if any, this stamp."""
        if stamp is not None:
            return Version(self, value, stamp, (stamp.counter, stamp.by, stamp.at))
        return Version(self, value, creation(self.data), (0, self.first))

    def within(self, unit: str) -> dict[str, Stamp]:
        """The stamps of a unit and of all that it contains."""
        prefix = f"{unit}."
        return {u: s for u, s in self.stamps.items() if u == unit or u.startswith(prefix)}


@dataclass(frozen=True)
class Version:
    """A unit's value on one side. ``order`` is its stamp as a key: the stamp of a creation is
    less than any other, and that of the earlier creation is the larger."""

    side: Side
    value: Any
    stamp: Stamp
    order: tuple[Any, ...]

    @property
    def shown(self) -> Any:
        """The value as JSON: null for what is not there."""
        return None if self.value is ABSENT else self.value

    @property
    def weight(self) -> tuple[tuple[Any, ...], str]:
        """The larger is the later: by stamp, then by text (the least is that of nothing)."""
        return self.order, text(self.value)

    def unchanged(self, base: Version) -> bool:
        """Whether value and stamp are those of the base."""
        unmoved = self.stamp == base.stamp or self.stamp.counter == base.stamp.counter == 0
        return unmoved and text(self.value) == text(base.value)


def decide(
    rule: Rule, base: Version, left: Version, right: Version
) -> tuple[Version, Version | None]:
    """The version that stands and, if both sides changed to different values, the other one."""
    if text(left.value) == text(right.value):
        return later(left, right), None
    if left.unchanged(base):
        return right, None
    if right.unchanged(base):
        return left, None
    preferred = _preference(rule, left.value, right.value)
    kept = later(left, right) if preferred == 0 else left if preferred > 0 else right
    return kept, right if kept is left else left


def later(left: Version, right: Version) -> Version:
    """The version with the larger weight."""
    return max(left, right, key=lambda version: version.weight)


def after(left: Version, right: Version) -> Stamp:
    """The stamp of a value that the merge itself makes of two: later than both."""
    stamp = later(left, right).stamp
    return Stamp(1 + max(left.stamp.counter, right.stamp.counter), stamp.by, stamp.at)


def _preference(rule: Rule, left: Any, right: Any) -> int:
    """Positive if the rule prefers the left value to the right, whatever their stamps."""
    if rule.name == "greatest":
        return _compare(_size(left), _size(right))
    for prefer in rule.prefer:
        compared = _compare(_standing(prefer, left), _standing(prefer, right))
        if compared:
            return -compared if prefer.how == "least" else compared
    return 0


def _standing(prefer: Prefer, value: Any) -> tuple[Any, ...]:
    found = value.get(prefer.field) if isinstance(value, dict) else None
    if prefer.how != "listed":
        return _size(found)
    places = (-i for i, option in enumerate(prefer.values) if same(option, found))
    return (next(places, -len(prefer.values)),)


def _size(value: Any) -> tuple[Any, ...]:
    """A key that orders all JSON values: in Python a number cannot be compared with a string."""
    if value is None or value is ABSENT:
        return (0,)
    if isinstance(value, bool):
        return 1, value
    if isinstance(value, int | float):
        return 2, value
    return (3, value) if isinstance(value, str) else (4, canonical(value))


def _compare(left: tuple[Any, ...], right: tuple[Any, ...]) -> int:
    return (left > right) - (left < right)
