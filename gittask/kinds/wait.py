"""What a task waits for."""

from gittask.kinds.kind import Kind

KIND = Kind("wait", summary=lambda data: f"waits for {data['on']}: {data['condition']}")
