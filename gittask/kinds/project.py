"""Sets of tasks with common instructions."""

from gittask.kinds.kind import Kind

KIND = Kind("project", summary=lambda data: str(data["name"]))
