"""The fence around a task: what an execution that lost it may no longer do."""

from __future__ import annotations

from gittask.core.record import Reader, Record
from gittask.kinds.kind import Attempt, readable
from gittask.kinds.task import lost_claim


def lost(reader: Reader, execution: str | None, *, task: str | None = None) -> Record | None:
    """The task that an execution of the edit lane holds no more, or None."""
    found = readable(reader, "execution", execution, task=task)
    if found is None or found.data["lane"] != "edit":
        return None
    owner = readable(reader, "task", found.data["task"], task=None)
    return owner if owner and owner.data["state"]["holder"] != found.id else None


def fence(attempt: Attempt, what: str) -> None:
    """Refuse an execution that lost its task. ``what`` says what it wanted; people may."""
    if not attempt.person:
        refuse_lost(attempt.reader, attempt.execution, what, task=attempt.after.data.get("task"))


def refuse_lost(
    reader: Reader, execution: str | None, what: str, *, task: str | None = None
) -> None:
    """Raise Refused if an execution lost its task, with who holds it now."""
    owner = lost(reader, execution, task=task)
    if owner:
        raise lost_claim(reader, owner, execution or "", f", so it may not {what}")
