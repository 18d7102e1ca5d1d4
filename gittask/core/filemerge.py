"""One file in two versions: records merge by their rules, and what is lost is kept as a record.

All of it depends on the contents alone, so that two machines that merge the same two versions
write the same bytes, whichever side each calls its own.
"""

from __future__ import annotations

import re
from typing import Any

from gittask.core import formats, ids
from gittask.core.codec import decode, encode
from gittask.core.merge import Conflict, merge
from gittask.core.record import Data, Record, canonical
from gittask.core.schema import Schemas
from gittask.core.stamp import Stamp, latest
from gittask.core.text import one_line
from gittask.errors import Invalid, Problem

UNDATED = "2026-01-01T00:00:00.000Z"
"""The time of a conflict between two versions that say no readable time themselves."""

NOBODY = Stamp(0, "", "")
"""The stamp of a version that says not who made it."""

_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"


def read(schemas: Schemas, path: str, content: bytes) -> Data:
    """The record that a file at this path of the data branch holds.

    Raises Invalid with everything that is wrong with it. KeyError if no record is kept there.
    """
    place = schemas.locate(path)
    if place is None:
        raise KeyError(path)
    data: Data = decode(content, name=path)
    problems = schemas.check(place.kind, data, path)
    if not problems and place.kind != "store":
        said = {"id": place.id, "task": place.task, "project": place.project}
        problems = [
            Problem(path, field, f"is {data[field]!r}, not as its path says", f"set it to {owner}")
            for field, owner in said.items()
            if owner and data.get(field, owner) != owner
        ]
    if problems:
        raise Invalid(problems)
    return data


def merge_record(
    schemas: Schemas, path: str, base: Data | None, ours: Data, theirs: Data
) -> tuple[bytes, list[Record]]:
    """The file that two valid versions of a record become, and a record of each value lost."""
    place = schemas.locate(path)
    if place is None:
        raise KeyError(path)
    kind = place.kind
    merged = merge(schemas.rules(kind), base, ours, theirs)
    lost = [found for found in merged.conflicts if _counts(kind, found)]
    content = _encoded(schemas, kind, merged.value)
    if content is None:
        early, late = sorted((ours, theirs), key=_age)
        lost = [Conflict("", base, late, early, latest(late), latest(early))]
        content = encode(late, schemas.order(kind))
    return content, [conflict(schemas, path, found) for found in lost]


def conflict(schemas: Schemas, path: str, found: Conflict) -> Record:
    """The record of a value that did not stand, for the file at ``path``.

    Its id comes from what was lost and where: whoever merges the same values makes the same
    record. Values too large for one record are left out, the lost one last.
    """
    where = one_line(path)[:1000]
    field = found.field[:400]
    entropy = ids.derived(where, field, canonical(found.kept), canonical(found.lost))
    at = _time(found.kept_stamp, found.lost_stamp)
    place = schemas.locate(path)
    task = (place.id if place.kind == "task" else place.task) if place else None
    data: Data = {
        "id": ids.event_id(at, entropy, length=12),
        "task": task,
        "created": {"at": at, "by": ids.AUTHOR},
        "record": where,
        "field": field,
        "base": found.base,
        "kept": found.kept,
        "lost": found.lost,
        "kept_by": _signature(found.kept_stamp),
        "lost_by": _signature(found.lost_stamp),
        "state": {"status": "open", "at": at, "by": None, "reason": None},
        "changed": {},
    }
    if not schemas.valid("conflict", data):
        del data["task"]
    for bulky in ("base", "kept", "lost"):
        if _encoded(schemas, "conflict", data) is not None:
            break
        data[bulky] = "(too large to be kept here: see the commits)"
    return Record("conflict", data["id"], data)


def _encoded(schemas: Schemas, kind: str, data: Data) -> bytes | None:
    """The record's canonical file, or None if that would be no valid one."""
    if not schemas.valid(kind, data):
        return None
    try:
        return encode(data, schemas.order(kind))
    except Invalid:
        return None


def _counts(kind: str, found: Conflict) -> bool:
    """Of a conflict record only the answer counts: two merges may name different bases."""
    return kind != "conflict" or found.field == "state"


def _age(data: Data) -> tuple[Stamp, str]:
    return latest(data), canonical(data)


def _time(*signed: Stamp) -> str:
    """The time of the latest stamp that says one."""
    times = [stamp.at for stamp in sorted(signed, reverse=True)]
    good = (at for at in times if re.fullmatch(_TIME, at) and formats.CHECKS["date-time"](at))
    return next(good, UNDATED)


def _signature(stamp: Stamp) -> dict[str, Any]:
    return {"counter": stamp.counter, "at": stamp.at[:40], "by": stamp.by[:60]}
