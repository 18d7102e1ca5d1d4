"""Attempts at tasks."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.happening import FINAL as FINAL
from gittask.core.happening import NO_LONGER_WORKING as NO_LONGER_WORKING
from gittask.core.record import Data, Reader, Record, age, same
from gittask.errors import Problem, Refused
from gittask.kinds.kind import Attempt, Kind


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
    if not _sent_back(before, after):
        own(attempt.before, attempt.actor, attempt.person)
    yield from ()


def _sent_back(before: Data, after: Data) -> bool:
    """Whether work that was reported goes on, and nothing else: as a reviewer may ask."""
    statuses = (before["state"]["status"], after["state"]["status"])
    rest = [
        {name: value for name, value in data.items() if name not in ("state", "changed")}
        for data in (before, after)
    ]
    return statuses == ("reported", "running") and same(*rest)


def own(execution: Record, actor: str, person: bool) -> None:
    """Refuse who would act under another's execution; people may, to settle things."""
    owner = execution.data["actor"]
    if owner != actor and not person:
        raise Refused(
            f"execution {execution.id} belongs to {owner}",
            hint=f"act as them (--as {owner}), or begin your own: "
            f"gittask start {execution.data['task']}",
        )


def reports(reader: Reader, task: str, execution: str) -> list[Record]:
    """The notes and handoffs of one execution, in the order in which it made them."""
    told = [record for kind in ("note", "handoff") for record in reader.all(kind, task=task)]
    mine = [record for record in told if record.data.get("execution") == execution]
    return sorted(mine, key=age)


def last_runtime(execution: Data) -> Data | None:
    """The runtime that works, or worked last: one that has not ended before any that has.

    A merge orders them by id, so that their order says nothing.
    """
    runtimes = execution.get("runtimes") or []
    return max(runtimes, key=lambda one: (one["ended"] is None, one["started"]), default=None)


KIND = Kind("execution", summary=_summary, may=_may)
