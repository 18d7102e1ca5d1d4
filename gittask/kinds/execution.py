"""Attempts at tasks."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Data, Record, same
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
    own(attempt.before, attempt.actor, attempt.person)
    yield from ()


def own(execution: Record, actor: str, person: bool) -> None:
    """Refuse who would act under another's execution; people may, to settle things."""
    owner = execution.data["actor"]
    if owner != actor and not person:
        raise Refused(
            f"execution {execution.id} belongs to {owner}",
            hint=f"act as them (--as {owner}), or begin your own: "
            f"gittask start {execution.data['task']}",
        )


KIND = Kind("execution", summary=_summary, may=_may)
