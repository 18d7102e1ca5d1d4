"""The store itself."""

from gittask.kinds.kind import Kind

KIND = Kind("store", summary=lambda data: str(data["name"]))
