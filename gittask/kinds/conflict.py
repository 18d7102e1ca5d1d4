"""Values that lost in a merge."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Data, canonical, same
from gittask.errors import Problem, Refused
from gittask.kinds.kind import Attempt, Kind, readable

AUTHORITY = ("state", "spent")
"""The fields that follow from what was done, and are not put right by hand."""


def _may(attempt: Attempt) -> Iterator[Problem]:
    before = attempt.before.data if attempt.before else None
    if before and not same(before["state"], attempt.after.data["state"]):
        _settle(attempt, before)
    yield from ()


def _settle(attempt: Attempt, before: Data) -> None:
    """A conflict is settled once, by a person or by who answers for the task."""
    state = before["state"]
    if state["status"] != "open":
        raise Refused(
            f"conflict {before['id']} is settled already, by {state['by']}",
            hint=f"see: gittask show {before['id']}",
        )
    task = readable(attempt.reader, "task", before.get("task"), task=None)
    responsible = task.data["responsible"] if task else None
    if not attempt.person and attempt.actor != responsible:
        raise Refused(
            f"conflict {before['id']} is for {responsible or 'a person'} to settle",
            hint=f"set the value if you may (gittask set), and ask {responsible or 'a person'}",
        )


KIND = Kind(
    "conflict",
    summary=lambda data: (
        f"{data['field'] or data['record']}: kept {canonical(data['kept'])}, "
        f"lost {canonical(data['lost'])}"
    ),
    may=_may,
)
