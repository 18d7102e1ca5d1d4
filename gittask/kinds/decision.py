"""Choices, and why they were made."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.errors import Problem, Refused
from gittask.kinds.kind import Attempt, Kind, readable


def _may(attempt: Attempt) -> Iterator[Problem]:
    """Only people decide to live with what is uncertain, and only with what a handoff says is."""
    data = attempt.after.data
    waives = data.get("waives")
    if not waives:
        return
    if not attempt.person:
        raise Refused(
            "only a person may waive what is uncertain",
            hint=f"ask one: gittask ask {data.get('task', 'TASK')} ...",
        )
    task = data.get("task")
    if task is None:
        yield Problem("", "waives", "stands in no decision of a task", "leave it out")
        return
    handoff = readable(attempt.reader, "handoff", waives["handoff"], task=task)
    if handoff and waives["uncertain"] > len(handoff.data["uncertain"]):
        count = len(handoff.data["uncertain"])
        message = f"is {waives['uncertain']}, but the handoff calls {count} things uncertain"
        yield Problem("", "waives.uncertain", message, "count from 1")


KIND = Kind("decision", summary=lambda data: str(data["title"]), may=_may)
