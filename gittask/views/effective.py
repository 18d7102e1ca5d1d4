"""What holds for the work on a task, and where each part of it was said."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.beat import LEASE
from gittask.core.record import Data, Reader, Record
from gittask.core.stamp import latest
from gittask.core.text import one_line
from gittask.errors import Invalid
from gittask.kinds import readable
from gittask.kinds.approval import NOTHING
from gittask.kinds.preference import POLICY, Said, policy, said
from gittask.views.show.record import row
from gittask.views.words import When, block, when


def effective(reader: Reader, task: Record, actor: str | None) -> Data:
    """What holds for an actor (None: for nobody in particular) at work on a task.

    ``provider``, ``allowed``, ``approvers`` and ``lease`` are ``{value, level, id, by, at}``: what
    prevails, which record says it, and who set it there when; null where nobody says anything.
    ``instructions`` lists those of all levels, the nearest first. ``unknown`` says for each field
    of policy that cannot be told why not: then nothing is allowed, and nobody may approve.
    """
    provider = said(reader, task, "provider", actor)
    found: Data = {
        "actor": actor,
        "provider": _origin(reader, "provider", provider[0]) if provider else None,
        "instructions": [
            _origin(reader, "instructions", one)
            for one in said(reader, task, "instructions", actor)
        ],
    }
    unknown = {}
    for name in POLICY:
        found[name] = None
        try:
            # Who may approve does not depend on who works.
            who = actor if name == "allowed" else None
            prevails = policy(reader, name, task, task.data.get("project"), who)
            found[name] = _origin(reader, name, prevails) if prevails else None
        except Invalid as error:
            unknown[name] = error.message
    return {**found, "lease": _lease(reader), "unknown": unknown}


def _lease(reader: Reader) -> Data:
    store = readable(reader, "store", "", task=None)
    if store and store.data.get("lease"):
        return _origin(reader, "lease", Said("store", store.id, store.data["lease"]))
    value = f"{int(LEASE // 60)}m"
    return {"value": value, "level": None, "id": None, "by": None, "at": None}


def _origin(reader: Reader, name: str, found: Said) -> Data:
    """What a level says, with who set it and when."""
    record = reader.get(found.level, found.id)
    stamp = latest(record.data if record else {}, name)
    return {
        "value": found.value,
        "level": found.level,
        "id": found.id,
        "by": stamp.by,
        "at": stamp.at,
    }


# -- for people -------------------------------------------------------------------------------


def text(task: Record, found: Data, *, when: When = when) -> Iterator[str]:
    """The same in lines."""
    yield f"{task.id}  {one_line(task.data['title'])}"
    yield f"for {found['actor'] or 'nobody in particular'}"
    yield ""
    yield from _one("provider", found["provider"], "no preference", when)
    yield from _one("lease", found["lease"], "", when)
    yield from _policy("allowed", found, "nothing without approval", when)
    yield from _policy("approvers", found, "any person", when)
    if found["instructions"]:
        yield from ("", "instructions; where they differ, the nearer stands")
    for one in found["instructions"]:
        yield f"  {_where(one, when)}"
        yield from block(one["value"], "    ")


def _one(name: str, origin: Data | None, otherwise: str, when: When) -> Iterator[str]:
    yield from row(name, f"{origin['value']} ({_where(origin, when)})" if origin else otherwise)


def _policy(name: str, found: Data, otherwise: str, when: When) -> Iterator[str]:
    origin = found[name]
    if name in found["unknown"]:
        yield from row(name, f"nobody and nothing: {found['unknown'][name]}")
    elif origin is None or (name == "allowed" and NOTHING in origin["value"]):
        where = f" ({_where(origin, when)})" if origin else ""
        yield from row(name, f"{otherwise}{where}")
    else:
        yield from row(name, f"({_where(origin, when)})")
        yield from (f"  {one_line(entry)}" for entry in origin["value"])


def _where(origin: Data, when: When) -> str:
    if origin["level"] is None:
        return "unless the store says otherwise"
    return f"{origin['level']} {origin['id']}, by {origin['by']}, {when(origin['at'])}"
