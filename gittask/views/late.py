"""Late records: what an execution wrote after it had lost its task to another claim."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from gittask.core.record import Reader, Record
from gittask.kinds.execution import reports


def overtaken(task: Record, executions: Iterable[Record]) -> dict[str, str]:
    """For each execution of a task that lost it to another claim, when that claim was made.

    To the first of a higher epoch, or at the same epoch to the one that stands: two clones may
    both claim while neither sees the other.
    """
    state = task.data["state"]
    claims = [
        (one.data["epoch"], one.data["created"]["at"], one.id)
        for one in executions
        if one.data["lane"] == "edit"
    ]
    found = {}
    for mine, _, id in claims:
        others = [
            at
            for epoch, at, other in claims
            if mine < epoch <= state["epoch"]
            or (mine == epoch == state["epoch"] and id != other == state["holder"])
        ]
        if others:
            found[id] = min(others)
    return found


def late_ids(reader: Reader, task: Record, executions: Collection[Record]) -> set[str]:
    """The ids of the notes and handoffs of a task that came late.

    What the next claim had not seen: it says how many there were, and an execution's own records
    are in order of its own clock. Of two claims of one epoch the one that does not stand never
    held the task. Where a claim does not say what it had seen, the times of both decide.
    """
    lost = overtaken(task, executions)
    epochs = {one.id: one.data["epoch"] for one in executions}
    seen = {}
    for one in sorted(executions, key=lambda one: -one.data["epoch"]):
        said = one.data.get("overtakes")
        if said and one.data["epoch"] <= task.data["state"]["epoch"]:
            seen[said["execution"]] = said["reports"]
    late = set()
    for execution, since in lost.items():
        told = reports(reader, task.id, execution)
        if epochs[execution] == task.data["state"]["epoch"]:
            late |= {record.id for record in told}
        elif execution in seen:
            late |= {record.id for record in told[seen[execution] :]}
        else:
            late |= {record.id for record in told if record.data["created"]["at"] > since}
    return late


def late_reports(reader: Reader, task: Record) -> Iterator[Record]:
    """The handoffs and notes of a task that came late and that nobody has reviewed."""
    if len(reader.ids("execution", task=task.id)) < 2:
        return
    late = late_ids(reader, task, list(reader.all("execution", task=task.id)))
    reviews = [review.data for review in reader.all("review", task=task.id)] if late else []
    seen = {review.get("handoff") or review.get("note") for review in reviews}
    for kind in ("handoff", "note") if late else ():
        for record in reader.all(kind, task=task.id):
            if record.id in late and record.id not in seen:
                yield record
