"""Settling a conflict: which of the values stands from now on."""

from __future__ import annotations

from typing import Any

from gittask.actions.assign import assign
from gittask.actions.tasks import replace
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader, Record, canonical, same
from gittask.core.schema import Schemas
from gittask.core.units import value_of
from gittask.errors import NotFound, Refused
from gittask.kinds.conflict import AUTHORITY

STANDS = "kept"
"""The choice that is always allowed: what stands now goes on to stand."""


def named(reader: Reader, text: str) -> Record:
    """The conflict of this id, or the only open one of a task."""
    task = names.task_or_event(reader, text, "conflict")
    if task.kind == "conflict":
        return task
    found = [
        one for one in reader.all("conflict", task=task.id) if one.data["state"]["status"] == "open"
    ]
    return names.sole(
        found,
        none=f"no open conflict of task {task.id}",
        see=f"gittask show {task.id}",
        many=f"task {task.id} has {len(found)} open conflicts",
        hint="name the one by its id: gittask inbox",
    )


def resolve(
    reader: Reader,
    act: Act,
    schemas: Schemas,
    conflict: Record,
    keep: str,
    reason: str | None = None,
) -> Change:
    """A conflict settled, and the value that was chosen written to its record.

    ``keep`` is ``kept`` or ``lost``, or ``early`` or ``late`` by the times of the two values;
    any other text is a value, as one would ``set`` it. Older conflicts of the same field are
    settled with it where this one has overtaken them (``overtaken``).
    """
    chosen = _chosen(conflict.data, keep)
    state = {"status": "resolved", "at": act.at, "by": act.actor}
    said = reason or f"kept the {'value that stands' if chosen == STANDS else keep}"
    settled = replace(conflict, state={**state, "reason": said})
    with_it = {**state, "reason": f"settled with {conflict.id}"}
    records = [settled, *(replace(one, state=with_it) for one in overtaken(reader, conflict))]
    if chosen != STANDS:
        record = _target(reader, schemas, conflict.data)
        unit = str(conflict.data["field"])
        if chosen is None:
            data = assign(schemas, reader, act, record.kind, record.data, [f"{unit}={keep}"])
        else:
            _unchanged(record, unit, conflict.data)
            data = put(record.data, unit, conflict.data["lost"])
        records.append(Record(record.kind, record.id, data))
    what = f"{conflict.data['field'] or conflict.data['record']}: {said}"
    return Change(settled, tuple(records), "resolve", what, act.execution)


def overtaken(reader: Reader, conflict: Record) -> list[Record]:
    """The older open conflicts of the same field that this one has made pointless.

    Both of its values were set after both of theirs, or theirs are the same two values.
    """
    about = (conflict.data["record"], conflict.data["field"])
    return [
        one
        for one in reader.all("conflict", task=conflict.task)
        if one.id != conflict.id
        and one.data["state"]["status"] == "open"
        and (one.data["record"], one.data["field"]) == about
        and _overtakes(conflict.data, one.data)
    ]


def _overtakes(new: Data, old: Data) -> bool:
    was, now = ([each[side]["counter"] for side in ("kept_by", "lost_by")] for each in (old, new))
    values = [new["kept"], new["lost"]]
    known = all(any(same(old[side], value) for value in values) for side in ("kept", "lost"))
    return max(was) < min(now) or (known and max(was) <= max(now))


def _chosen(data: Data, keep: str) -> str | None:
    """``kept`` or ``lost``; None if a value was given instead."""
    if keep in (STANDS, "lost"):
        return keep
    if keep not in ("early", "late"):
        return None
    kept, lost = (
        (said["at"], said["counter"], said["by"]) for said in (data["kept_by"], data["lost_by"])
    )
    return STANDS if (kept >= lost) == (keep == "late") else "lost"


def _target(reader: Reader, schemas: Schemas, data: Data) -> Record:
    """The record whose unit is to be set. Refused where only what stands can go on."""
    field = str(data["field"]).partition(".")[0]
    place = schemas.locate(data["record"])
    if place is None or not field or not schemas.mutable(place.kind):
        raise _only_stands(data, "it is about a whole file")
    if field in AUTHORITY:
        raise _only_stands(data, f"{field} says what was done and by whom")
    if schemas.rules(place.kind).rule(field).name == "fixed":
        raise _only_stands(data, f"{field} never changes")
    found = reader.get(place.kind, place.id, task=place.task, project=place.project)
    if found is None:
        raise NotFound(f"{data['record']} is not there", hint="gittask verify")
    return found


def _only_stands(data: Data, why: str) -> Refused:
    return Refused(
        f"conflict {data['id']} can only be settled by what stands: {why}",
        hint=f"gittask resolve {data['id']} --keep {STANDS}; then act on the task as it is",
    )


def _unchanged(record: Record, unit: str, data: Data) -> None:
    """Refuse to set a value back over one that came after the conflict."""
    now = value_of(record.data, unit)
    if not same(now, data["kept"]) and not same(now, data["lost"]):
        raise Refused(
            f"{unit} of {record.kind} {record.id} was set anew since: {canonical(now)[:200]}",
            hint=f"leave it (--keep {STANDS}), or give the value itself: --keep VALUE",
            details={"value": now},
        )


# -- units ------------------------------------------------------------------------------------


def put(data: Data, unit: str, value: Any) -> Data:
    """The record's data with a unit set; an item whose value is None is taken away.

    The order of items is not kept: they are put in order when they are written.
    """
    field, _, rest = unit.partition(".")
    if not rest:
        return {**data, field: value}
    id, _, inner = rest.partition(".")
    items = list(data.get(field) or [])
    old = next((item for item in items if item["id"] == id), None)
    others = [item for item in items if item["id"] != id]
    if not inner:
        return {**data, field: [*others, *([value] if value is not None else [])]}
    if old is None:
        raise Refused(
            f"{field} has no item {id!r} any more", hint="settle it by what stands: --keep kept"
        )
    return {**data, field: [*others, {**old, inner: value}]}
