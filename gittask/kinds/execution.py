"""Attempts at tasks."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Data, same
from gittask.errors import Problem, Refused
from gittask.kinds.kind import Attempt, Kind

FINAL = ("done", "failed", "cancelled", "declined")
"""The states that an execution never leaves: a retry is a new execution."""

NO_LONGER_WORKING = ("reported", *FINAL)
"""The states in which an execution leaves its task to the next one."""


def _summary(data: Data) -> str:
    return f"{data['actor']} as {data['role']}: {data['objective'].splitlines()[0]}"


def _may(attempt: Attempt) -> Iterator[Problem]:
    if attempt.before is None:
        return
    before, after = attempt.before.data, attempt.after.data
    if before["state"]["status"] in FINAL and not same(before["state"], after["state"]):
        raise Refused(
            f"execution {attempt.after.id} has ended: {before['state']['status']}",
            hint=f"begin a new one: gittask start {after['task']}",
        )
    if attempt.actor != before["actor"] and not attempt.person:
        raise Refused(
            f"execution {attempt.after.id} belongs to {before['actor']}",
            hint=f"act as them (--as {before['actor']}), or begin your own: "
            f"gittask start {after['task']}",
        )
    yield from ()


KIND = Kind("execution", summary=_summary, may=_may)
