"""Those who act: people, agents and services."""

from gittask.kinds.kind import Kind

KIND = Kind("actor", summary=lambda data: f"{data['name']} ({data['kind']})")
