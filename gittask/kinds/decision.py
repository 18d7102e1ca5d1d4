"""Choices, and why they were made."""

from gittask.kinds.kind import Kind

KIND = Kind("decision", summary=lambda data: str(data["title"]))
