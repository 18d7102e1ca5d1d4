"""Who works on a task, and what was last said of it. Files that cannot be read are passed over."""

from __future__ import annotations

from collections.abc import Sequence

from gittask.core.record import Reader, Record, age
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
        (*age(record), record.data[field])
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


def changes_wanted(reader: Reader, task: Record) -> tuple[Record, Record] | None:
    """The report of which changes are wanted, and the review that asks for them.

    None once whoever reported took that up, by saying anything on the task since.
    """
    status, handoff = task.data["state"]["status"], None
    if status == "review":
        handoff = up_for_review(reader, task)
    elif status == "active" and (execution := holder(reader, task)):
        handoff = last_handoff(reader, task.id, execution.id)
    review = review_of(reader, handoff) if handoff else None
    if handoff is None or review is None or review.data["verdict"] != "changes_requested":
        return None
    return None if said_after(reader, review, handoff.data["actor"]) else (handoff, review)


def said_after(reader: Reader, record: Record, actor: str) -> bool:
    """Whether an actor said or began anything on the task after a record of it."""
    at = record.data["created"]["at"]
    return any(
        other.data["created"]["by"] == actor and other.data["created"]["at"] > at
        for kind in SAID
        for other in reader.all(kind, task=record.task)
    )


SAID = (
    *("execution", "handoff", "note", "message", "review"),
    *("decision", "wait", "approval"),
)
"""The kinds of record by which somebody takes a thing up."""


def people(reader: Reader) -> tuple[str, ...]:
    """The actors that are people."""
    return tuple(one.id for one in reader.having("actor", "kind", ("person",)))


def settlers(task: Record, people: Sequence[str]) -> tuple[str, ...]:
    """Who answers for a task; where that is none of ``people``, also all of those."""
    responsible = str(task.data["responsible"])
    return (responsible,) if responsible in people else (responsible, *people)


def open_conflicts(reader: Reader, task: str | None = None) -> list[Record]:
    """The conflicts that nobody has settled, of one task or of the whole store."""
    if task is None:
        return list(reader.having("conflict", "state.status", ("open",)))
    found = reader.all("conflict", task=task)
    return [conflict for conflict in found if conflict.data["state"]["status"] == "open"]
