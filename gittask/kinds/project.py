"""Sets of tasks with common instructions and policy."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.errors import Problem
from gittask.kinds.kind import Attempt, Kind
from gittask.kinds.preference import only_people


def _may(attempt: Attempt) -> Iterator[Problem]:
    only_people(attempt)
    yield from ()


KIND = Kind("project", summary=lambda data: str(data["name"]), may=_may)
