"""The store itself."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import same
from gittask.errors import Problem, Refused
from gittask.kinds.kind import Attempt, Kind
from gittask.kinds.preference import may_say


def _may(attempt: Attempt) -> Iterator[Problem]:
    yield from may_say(attempt)
    before = attempt.before.data if attempt.before else {}
    signed = same(before.get("signatures"), attempt.after.data.get("signatures"))
    if not (signed or attempt.person):
        raise Refused(
            "only a person may say whether commits must be signed",
            hint="leave signatures as it is, or ask a person",
        )


KIND = Kind("store", summary=lambda data: str(data["name"]), may=_may)
