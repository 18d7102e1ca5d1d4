"""Actors, projects and the store: those who act, and what frames their work."""

from __future__ import annotations

from gittask.core.change import Act, Change
from gittask.core.ids import AUTHOR
from gittask.core.record import Data, Reader, Record, same
from gittask.errors import Refused, Usage


def add(reader: Reader, act: Act, kind: str, id: str, fields: Data) -> Change:
    """A new actor or project. Refused if the id is taken."""
    if reader.get(kind, id):
        raise Refused(f"{kind} {id} exists already", hint=f"change it: gittask {kind} set {id} ...")
    if kind == "actor" and id == AUTHOR:
        raise Usage(f"{AUTHOR!r} is the name of the program", hint="choose another id")
    given = {name: value for name, value in fields.items() if value not in (None, (), [])}
    record = Record(kind, id, {"id": id, "created": act.created, "name": id, **given})
    return Change(record, (record,), f"add {kind}", str(record.data["name"]))


def change(act: Act, record: Record, data: Data) -> Change:
    """An actor, a project or the store with other fields, which the change names."""
    after = Record(record.kind, record.id, data)
    records = () if same(data, record.data) else (after,)
    touched = ", ".join(name for name in data if not same(data[name], record.data.get(name)))
    return Change(after, records, f"set {record.kind}", touched, act.execution)
