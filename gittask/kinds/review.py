"""What a receiver says of a handoff."""

from gittask.kinds.kind import Kind

KIND = Kind("review", summary=lambda data: str(data["verdict"]).replace("_", " "))
