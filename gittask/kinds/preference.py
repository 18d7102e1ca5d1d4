"""What work on a task follows: provider, instructions, and what needs approval by whom.

Each may be said on a task, on its project, on the store and on the actor who works. The nearest
level that says something decides; a level with nothing in the field says nothing. Wishes are
passed over where they cannot be read. Policy is not: what cannot be read might have been
narrower, so that nothing beyond it counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from gittask.core.record import Reader, Record, same
from gittask.errors import Invalid, Problem, Refused
from gittask.kinds.gates import RULES
from gittask.kinds.kind import Attempt, readable
from gittask.kinds.pattern import names_nothing

Level = Literal["task", "project", "store", "actor"]
"""Where something is said, nearest first; also the kind of the record that says it."""

POLICY = {"allowed": "what is allowed without approval", "approvers": "who approves"}
"""The fields by which people say what needs approval, and by whom; each in words."""
BY_PEOPLE = {**POLICY, "checks": "what a pull request has to pass"}
"""The fields that only people set, and that no merge chooses."""


class Said(NamedTuple):
    """What one level says: its record's id, and the value, which is never empty."""

    level: Level
    id: str
    value: Any


def said(reader: Reader, task: Record, name: str, actor: str | None = None) -> list[Said]:
    """What each level wishes in a field, the nearest first; ``actor`` is who works, if anybody."""
    levels = _levels(reader, task, task.data.get("project"), actor)
    found = ((level, id, record.data.get(name) if record else None) for level, id, record in levels)
    return [Said(level, id, value) for level, id, value in found if value not in (None, "", [])]


def prevailing(reader: Reader, task: Record, name: str, actor: str | None = None) -> Said | None:
    """What the nearest level wishes that wishes anything, or None."""
    return next(iter(said(reader, task, name, actor)), None)


def policy(
    reader: Reader, name: str, task: Record | None, project: str | None, actor: str | None = None
) -> Said | None:
    """What prevails of policy for a task or, without one, for all tasks of a project.

    Raises Invalid where a level cannot be read, or is gone, that might decide otherwise.
    """
    for level, id, record in _levels(reader, task, project, actor):
        listed = _listed(name, level, id, record)
        if listed:
            return Said(level, id, listed)
    return None


def _listed(name: str, level: Level, id: str, record: Record | None) -> list[Any]:
    """What a level lists in a field of policy; may be empty."""
    if record is None:
        where = f"{level} {id}".rstrip()
        raise Invalid([Problem("", name, f"is not known: {where} cannot be read")])
    return record.data.get(name) or []


def _levels(
    reader: Reader, task: Record | None, project: str | None, actor: str | None
) -> Iterator[tuple[Level, str, Record | None]]:
    """Each level that there is, with its id and its record: None if that cannot be read.

    So is a project or a store that is gone: it said something, once.
    """
    if task:
        yield "task", task.id, task
    if project is not None:
        yield _level(reader, "project", project)
    yield _level(reader, "store", "")
    if actor is not None and actor in reader.ids("actor"):
        yield _level(reader, "actor", actor)


def _level(reader: Reader, level: Level, id: str) -> tuple[Level, str, Record | None]:
    record = readable(reader, level, id, task=None)
    return level, record.id if record else id, record


# -- who may say it ---------------------------------------------------------------------------


def may_say(attempt: Attempt) -> Iterator[Problem]:
    """What is wrong with the policy that a record comes to say.

    Raises Refused if anybody but a person sets it.
    """
    before, after = attempt.before, attempt.after
    for name, what in BY_PEOPLE.items():
        old, new = ((one.data.get(name) if one else None) or [] for one in (before, after))
        if not attempt.person and not same(old, new):
            raise Refused(
                f"only a person may say {what}: {name} of {after.kind} {after.id}",
                hint=f"leave {name} as it is, or ask a person",
            )
        for entry in new:
            if entry not in old and name != "checks" and names_nothing(entry):
                message = f"holds {entry!r}, a pattern that names no action"
                yield Problem("", name, message, "name the command")
            if entry not in old and name == "checks" and entry["id"] not in RULES:
                message = f"names {entry['id']!r}, which is no check"
                yield Problem("", name, message, f"there are {', '.join(RULES)}")


def same_policy(reader: Reader, one: str | None, other: str | None) -> bool:
    """Whether two projects (None: no project) surely say the same of policy."""
    try:
        left, right = (
            [_listed(name, *_level(reader, "project", id)) if id else [] for name in BY_PEOPLE]
            for id in (one, other)
        )
    except Invalid:
        return False
    return same(left, right)
