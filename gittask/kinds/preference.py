"""What work on a task follows: provider, instructions, and what needs approval by whom.

Each may be said on a task, on its project, on the store and on the actor who works. The nearest
level that says something decides; a level with nothing in the field says nothing. Wishes are
passed over where they cannot be read. Policy is not: what cannot be read might have been
narrower, so that nothing beyond it counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from gittask.core.record import Reader, Record, same
from gittask.errors import Invalid, Problem, Refused
from gittask.kinds.kind import Attempt

Level = Literal["task", "project", "store", "actor"]
"""Where something is said, nearest first; also the kind of the record that says it."""

POLICY = {"allowed": "what is allowed without approval", "approvers": "who approves"}
"""The fields by which people say what needs approval, and by whom; each in words."""


@dataclass(frozen=True)
class Said:
    """What one level says: its record's id, and the value, which is never empty."""

    level: Level
    id: str
    value: Any


def said(reader: Reader, task: Record, name: str, actor: str | None = None) -> list[Said]:
    """What each level says in a field, the nearest first; ``actor`` is who works, if anybody.

    Of policy no more than what surely counts: nothing from beyond a level that cannot be read.
    """
    found = []
    for level, id, record in _levels(reader, task, task.data.get("project"), actor):
        if record is None and name in POLICY:
            break
        value = record.data.get(name) if record else None
        if value not in (None, "", []):
            found.append(Said(level, id, value))
    return found


def prevailing(reader: Reader, task: Record, name: str, actor: str | None = None) -> Said | None:
    """What the nearest level says that says anything, or None."""
    return next(iter(said(reader, task, name, actor)), None)


def policy(
    reader: Reader, name: str, task: Record | None, project: str | None, actor: str | None = None
) -> Said | None:
    """What prevails of policy for a task or, without one, for all tasks of a project.

    Raises Invalid where a level cannot be read that might decide otherwise.
    """
    for level, id, record in _levels(reader, task, project, actor):
        if record is None:
            where = f"{level} {id}".rstrip()
            raise Invalid([Problem("", name, f"is not known: {where} cannot be read")])
        if record.data.get(name):
            return Said(level, id, record.data[name])
    return None


def _levels(
    reader: Reader, task: Record | None, project: str | None, actor: str | None
) -> Iterator[tuple[Level, str, Record | None]]:
    """Each level that there is, with its id and its record: None if that cannot be read.

    So is a project that a task names and that is gone: it said something, once.
    """
    if task:
        yield "task", task.id, task
    farther: list[tuple[Level, str | None]]
    farther = [("project", project), ("store", ""), ("actor", actor)]
    for level, id in farther:
        if id is None:
            continue
        try:
            record = reader.get(level, id)
        except Invalid:
            yield level, id, None
        else:
            if record or level == "project":
                yield level, record.id if record else id, record


# -- who may say it ---------------------------------------------------------------------------


def only_people(attempt: Attempt) -> None:
    """Raise Refused if anybody but a person sets a field of policy."""
    before, after = attempt.before, attempt.after
    for name, what in POLICY.items():
        old = (before.data.get(name) if before else None) or []
        if not attempt.person and not same(old, after.data.get(name) or []):
            raise Refused(
                f"only a person may say {what}: {name} of {after.kind} {after.id}",
                hint=f"leave {name} as it is, or ask a person",
            )


def same_policy(reader: Reader, one: str | None, other: str | None) -> bool:
    """Whether two projects (None: no project) surely say the same of policy."""
    try:
        found = [reader.get("project", id) if id else None for id in (one, other)]
    except Invalid:
        return False
    left, right = ([(r.data if r else {}).get(name) or [] for name in POLICY] for r in found)
    return same(left, right)
