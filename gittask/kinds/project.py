"""Sets of tasks with common instructions."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import same
from gittask.errors import Problem, Refused
from gittask.kinds.kind import Attempt, Kind


def _may(attempt: Attempt) -> Iterator[Problem]:
    before = attempt.before.data if attempt.before else {}
    named = attempt.after.data.get("approvers") or []
    if not attempt.person and not same(before.get("approvers") or [], named):
        raise Refused(
            f"only a person may say who approves in project {attempt.after.id}",
            hint="leave the approvers as they are, or ask a person",
        )
    yield from ()


KIND = Kind("project", summary=lambda data: str(data["name"]), may=_may)
