"""Late records: what an execution wrote after it had lost its task to another claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gittask.core.record import Reader, Record


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


def late_reports(reader: Reader, task: Record) -> Iterator[Record]:
    """The handoffs and notes of a task that came late and that nobody has reviewed."""
    if len(reader.ids("execution", task=task.id)) < 2:
        return
    lost = overtaken(task, reader.all("execution", task=task.id))
    if not lost:
        return
    reviews = [review.data for review in reader.all("review", task=task.id)]
    seen = {review.get("handoff") or review.get("note") for review in reviews}
    for kind in ("handoff", "note"):
        for record in reader.all(kind, task=task.id):
            since = lost.get(record.data.get("execution") or "")
            if since and record.data["created"]["at"] > since and record.id not in seen:
                yield record
