"""What was seen, thought or done."""

from gittask.kinds.kind import Kind

KIND = Kind("note", summary=lambda data: f"{data['kind']}: {data['body'].splitlines()[0]}")
