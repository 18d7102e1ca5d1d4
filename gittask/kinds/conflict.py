"""Values that lost in a merge."""

from gittask.core.record import canonical
from gittask.kinds.kind import Kind

KIND = Kind(
    "conflict",
    summary=lambda data: (
        f"{data['field'] or data['record']}: kept {canonical(data['kept'])}, "
        f"lost {canonical(data['lost'])}"
    ),
)
