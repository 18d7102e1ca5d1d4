"""Units: the pieces into which the rules cut a record, each merged as one.

A unit is a top-level field (``title``), an element of a set (``labels.urgent``), an item of a list
whose items have ids (``acceptance.a1``: its coming and going), or one field of such an item
(``acceptance.a1.met``). A unit's version is its value together with its stamp in ``changed``:

- A unit without a line in ``changed`` has the creation stamp (counter 0); a field of an item
  without one has the stamp of its item. An item that comes or goes therefore needs one line.
- A unit that is not there but has a stamp was removed: the line is its tombstone. A unit that is
  not there and has no stamp never was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final, Literal, NamedTuple

from gittask.core.record import Data, canonical
from gittask.core.stamp import Stamp, following, parse, stamps


class Absent(Enum):
    """The value of a unit that is not there; JSON has none, null is a value."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


class Prefer(NamedTuple):
    """One criterion of an ``ordered`` rule: which of two objects ``field`` speaks for.

    ``greatest`` and ``least`` compare the field's values (null and absent are least of all);
    ``listed`` prefers what stands earlier in ``values``, and anything listed to the rest.
    """

    field: str
    how: Literal["greatest", "least", "listed"]
    values: tuple[Any, ...] = ()


class Rule(NamedTuple):
    """How two versions of one field become one; see ``gittask.core.merge`` for each name.

    ``max_length`` (characters of a ``text``) and ``max_items`` (of a ``set`` or ``by-id`` list)
    are the limits of the schema: a merged value never exceeds them.
    """

    name: Literal["later", "fixed", "greatest", "set", "by-id", "text", "ordered"]
    prefer: tuple[Prefer, ...] = ()
    max_length: int | None = None
    max_items: int | None = None


LATER: Final = Rule("later")
FIXED: Final = Rule("fixed")


class Rules(NamedTuple):
    """The rules of one kind. A field that ``fields`` does not name merges as ``later``."""

    mutable: bool
    fields: Mapping[str, Rule]

    def rule(self, field: str) -> Rule:
        """The rule of a top-level field; who made a record, and its id, are always fixed."""
        return FIXED if field in ("id", "created") else self.fields.get(field, LATER)


def text(value: Any) -> str:
    """The text by which values are compared and ordered; that of an absent one is least."""
    return "" if value is ABSENT else canonical(value)


def parts(rule: Rule, value: Any) -> dict[str, Any] | None:
    """The elements of a set (each True) or the items of a list, by element or id.

    None if the value is merged whole: its rule asks for that, or it is no such list (an element
    that is no string; an item without an id, with a dot in it, or with another's).
    """
    if rule.name not in ("set", "by-id"):
        return None
    if value is ABSENT or value is None:
        return {}
    if not isinstance(value, list):
        return None
    if rule.name == "set":
        return dict.fromkeys(value, True) if all(isinstance(e, str) for e in value) else None
    found: dict[str, Any] = {}
    for item in value:
        key = item.get("id") if isinstance(item, dict) else None
        if not isinstance(key, str) or "." in key or key in found:
            return None
        found[key] = item
    return found


def assembled(rule: Rule, found: Mapping[str, Any]) -> list[Any]:
    """The list that ``parts`` came from, in the one order that its content has.

    A set is in the order of code points; items are in the order of their ids, the shorter id
    first, so that ``a10`` comes after ``a9``.
    """
    if rule.name == "set":
        return sorted(found)
    return [found[key] for key in sorted(found, key=lambda key: (len(key), key))]


def latest(*versions: Data) -> dict[str, Any]:
    """For each unit the largest stamp (as text) that any of the versions has in ``changed``.

    A line that is no stamp survives where no version has a stamp for that unit.
    """
    found: dict[str, Any] = {}
    for data in versions:
        changed = data.get("changed")
        for unit, line in changed.items() if isinstance(changed, dict) else ():
            if unit not in found or _weight(line) > _weight(found[unit]):
                found[unit] = line
    return found


def _weight(line: Any) -> tuple[Stamp, str]:
    return parse(line) or Stamp(0, "", ""), canonical(line)


def stamped(rules: Rules, before: Data | None, after: Data, at: str, by: str) -> Data:
    """``after`` with a new stamp for each unit that differs from ``before``; no input is changed.

    ``at`` is a time as stamps have it, ``by`` an actor's id. All units that differ get one stamp,
    whose counter is one more than the largest in either version. A removed unit leaves its stamp
    as a tombstone. Without ``before`` the record is new and nothing needs a stamp. Sets and lists
    by id come out in their one order. A write-once record has no stamps and comes back as it is.
    """
    if not rules.mutable:
        return after
    result = {
        field: _ordered(rules.rule(field), value) if isinstance(value, list) else value
        for field, value in after.items()
    }
    changed = latest(after) if before is None else latest(before, after)
    known = (found for line in changed.values() if (found := parse(line)))
    stamp = str(Stamp(following(known), by, at))
    for unit, is_item in () if before is None else _edited(rules, before, after):
        if is_item:
            for inner in [other for other in changed if other.startswith(f"{unit}.")]:
                del changed[inner]
        changed[unit] = stamp
    result.pop("changed", None)
    result["changed"] = changed
    return result


def value_of(data: Data, unit: str) -> Any:
    """The value of a unit, None also where there is none; an element of a set is its own value."""
    field, _, key = unit.partition(".")
    value = data.get(field)
    if not key or not isinstance(value, list):
        return None if key else value
    if key in value:
        return key
    id, _, inner = key.partition(".")
    items = (item for item in value if isinstance(item, dict) and item.get("id") == id)
    item = next(items, None)
    return item.get(inner) if item and inner else item


def differing(rules: Rules, before: Data, after: Data) -> tuple[str, ...]:
    """The units whose value differs."""
    return tuple(unit for unit, _ in _edited(rules, before, after))


def unstamped(rules: Rules, before: Data, after: Data) -> tuple[str, ...]:
    """The units that differ although their stamp did not move on: what was edited by hand.

    Also where the stamp moved back, as by reverting a commit.
    """
    if not rules.mutable:
        return ()
    old, new = stamps(before), stamps(after)

    def moved(unit: str) -> bool:
        now, was = effective(rules, new, unit), effective(rules, old, unit)
        return now is not None and (was is None or now > was)

    return tuple(unit for unit, _ in _edited(rules, before, after) if not moved(unit))


def moved(rules: Rules, before: Data, after: Data) -> tuple[str, ...]:
    """The units that differ and whose stamp is another one, whether it moved on or back."""
    old, new = stamps(before), stamps(after)
    return tuple(
        unit
        for unit, _ in _edited(rules, before, after)
        if effective(rules, old, unit) != effective(rules, new, unit)
    )


def _ordered(rule: Rule, value: list[Any]) -> list[Any]:
    found = parts(rule, value)
    return value if found is None else assembled(rule, found)


def effective(rules: Rules, found: Mapping[str, Stamp], unit: str) -> Stamp | None:
    """The unit's own stamp or, for a field of an item, that of its item."""
    field, _, rest = unit.partition(".")
    if unit not in found and rules.rule(field).name == "by-id":
        return found.get(f"{field}.{rest.partition('.')[0]}")
    return found.get(unit)


def _edited(rules: Rules, before: Data, after: Data) -> Iterator[tuple[str, bool]]:
    """Each unit whose value differs, and whether it is an item that came or went."""
    for field in sorted((before.keys() | after.keys()) - {"changed"}):
        rule = rules.rule(field)
        old, new = (parts(rule, data.get(field, ABSENT)) for data in (before, after))
        if old is None or new is None:
            if text(before.get(field, ABSENT)) != text(after.get(field, ABSENT)):
                yield field, False
            continue
        for key in sorted(old.keys() | new.keys()):
            unit = f"{field}.{key}"
            if key not in old or key not in new:
                yield unit, rule.name == "by-id"
            elif rule.name == "by-id":
                yield from ((f"{unit}.{inner}", False) for inner in _differing(old[key], new[key]))


def _differing(old: Data, new: Data) -> list[str]:
    keys = sorted(old.keys() | new.keys())
    return [key for key in keys if text(old.get(key, ABSENT)) != text(new.get(key, ABSENT))]
