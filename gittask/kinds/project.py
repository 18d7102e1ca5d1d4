"""Sets of tasks with common instructions and policy."""

from __future__ import annotations

from gittask.kinds.kind import Kind
from gittask.kinds.preference import may_say

KIND = Kind("project", summary=lambda data: str(data["name"]), may=may_say)
