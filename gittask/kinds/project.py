"""Sets of tasks with common instructions and policy."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.errors import Problem
from gittask.kinds.kind import Attempt, Kind, names_nobody
from gittask.kinds.preference import may_say


def _may(attempt: Attempt) -> Iterator[Problem]:
    yield from names_nobody(attempt)
    yield from may_say(attempt)


KIND = Kind("project", summary=lambda data: str(data["name"]), may=_may)
