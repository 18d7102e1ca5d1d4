"""Who works on a task, and what was last said of it. Files that cannot be read are passed over."""

from __future__ import annotations

from gittask.core.record import Reader, Record
from gittask.kinds import newest, readable
from gittask.kinds.handoff import last_handoff


def holder(reader: Reader, task: Record) -> Record | None:
    """The execution that holds a task, if one does and its record can be read."""
    id = task.data["state"]["holder"]
    return readable(reader, "execution", id, task=task.id)


def holding_actor(reader: Reader, task: Record) -> str | None:
    """The actor whose execution holds a task; None if nobody does, or nobody knows who."""
    execution = holder(reader, task)
    return str(execution.data["actor"]) if execution else None


def up_for_review(reader: Reader, task: Record) -> Record | None:
    """The report for which a task is in review: the holder's last or, without one, anybody's."""
    mine = last_handoff(reader, task.id, task.data["state"]["holder"])
    return mine or last_handoff(reader, task.id)


def last_report(reader: Reader, execution: Record) -> str | None:
    """What an execution said last, in a progress note or a handoff; None if nothing yet."""
    task = execution.data["task"]
    said = [
        (record.data["created"]["at"], record.id, record.data[field])
        for record, field in (
            (_last_of(reader, "note", task, execution.id), "body"),
            (_last_of(reader, "handoff", task, execution.id), "summary"),
        )
        if record
    ]
    return str(max(said)[-1]) if said else None


def _last_of(reader: Reader, kind: str, task: str, execution: str) -> Record | None:
    for record in newest(reader, kind, task=task):
        said = record.data["kind"]
        meant = said == "progress" if kind == "note" else said != "auto"
        if record.data.get("execution") == execution and meant:
            return record
    return None


def review_of(reader: Reader, handoff: Record) -> Record | None:
    """The last review of a handoff."""
    found = newest(reader, "review", task=handoff.data["task"])
    return next((each for each in found if each.data.get("handoff") == handoff.id), None)


def open_conflicts(reader: Reader, task: str | None = None) -> list[Record]:
    """The conflicts that nobody has settled, of one task or of the whole store."""
    return [
        conflict
        for conflict in reader.all("conflict", task=task)
        if conflict.data["state"]["status"] == "open"
    ]
