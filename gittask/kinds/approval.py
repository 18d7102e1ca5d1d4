"""Requests to be allowed an exact action."""

from gittask.kinds.kind import Kind

KIND = Kind("approval", summary=lambda data: f"{data['state']['status']}: {data['action']}")
