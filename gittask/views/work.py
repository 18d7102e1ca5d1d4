"""Who works on a task, and what was last said of it. Files that cannot be read are passed over."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Reader, Record
from gittask.kinds import readable


def holder(reader: Reader, task: Record) -> Record | None:
    """The execution that holds a task, if one does and its record can be read."""
    id = task.data["state"]["holder"]
    return readable(reader, "execution", id, task=task.id)


def holding_actor(reader: Reader, task: Record) -> str | None:
    """The actor whose execution holds a task; None if nobody does, or nobody knows who."""
    execution = holder(reader, task)
    return str(execution.data["actor"]) if execution else None


def last_handoff(reader: Reader, task: str) -> Record | None:
    """The last report that somebody meant: automatic ones never displace it."""
    found = _newest(reader, "handoff", task)
    return next((each for each in found if each.data["kind"] != "auto"), None)


def last_report(reader: Reader, execution: Record) -> str | None:
    """What an execution said last, in a progress note or a handoff; None if nothing yet."""
    task = execution.data["task"]
    said = [
        (record.id, record.data[field])
        for record, field in (
            (_last_of(reader, "note", task, execution.id), "body"),
            (_last_of(reader, "handoff", task, execution.id), "summary"),
        )
        if record
    ]
    return str(max(said)[1]) if said else None


def _last_of(reader: Reader, kind: str, task: str, execution: str) -> Record | None:
    for record in _newest(reader, kind, task):
        progress = kind != "note" or record.data["kind"] == "progress"
        if record.data["execution"] == execution and progress:
            return record
    return None


def review_of(reader: Reader, handoff: Record) -> Record | None:
    """The last review of a handoff."""
    found = _newest(reader, "review", handoff.data["task"])
    return next((each for each in found if each.data["handoff"] == handoff.id), None)


def open_questions(reader: Reader, task: str) -> list[Record]:
    """The questions of a task that nobody has answered, oldest first."""
    if not reader.ids("message", task=task):
        return []
    messages = list(reader.all("message", task=task))
    answered = {m.data.get("in_reply_to") for m in messages if m.data["kind"] == "answer"}
    return [m for m in messages if m.data["kind"] == "question" and m.id not in answered]


def open_conflicts(reader: Reader, task: str | None = None) -> list[Record]:
    """The conflicts that nobody has settled, of one task or of the whole store."""
    return [
        conflict
        for conflict in reader.all("conflict", task=task)
        if conflict.data["state"]["status"] == "open"
    ]


def _newest(reader: Reader, kind: str, task: str) -> Iterator[Record]:
    """The readable records of a kind, newest first, opened only as far as they are asked for."""
    for id in reversed(reader.ids(kind, task=task)):
        record = readable(reader, kind, id, task=task)
        if record:
            yield record
