"""Whether what changed may have closed a circle among tasks, told from what changed alone.

A circle leads through an edge that was added. Of a task that is new, all that it needs and all
that needs it changed as well; only of the others something may be known nowhere but in the store.
"""

from __future__ import annotations

from collections.abc import Collection

from gittask.core.circles import trimmed
from gittask.core.record import Reader
from gittask.kinds import readable

_OLD = ""
"""Stands for all tasks that were there before, any of which may need any other."""


def may_circle(before: Reader | None, after: Reader, changed: Collection[str]) -> bool:
    """Whether there may be a circle ``after`` that was not there ``before`` (None: nothing was).

    ``changed`` are the ids of all tasks that differ. Opens only those. Relies on it that nothing
    before named a task that did not exist, which is an error of its own.
    """
    was = set() if before is None else _edges(before, changed)
    gained = _edges(after, changed) - was
    new = {id for id in changed if not _there(before, id)}
    graph: dict[str, dict[str, None]] = {id: {} for id in (*new, _OLD)}
    for id, needed in gained:
        graph[id if id in new else _OLD][needed if needed in new else _OLD] = None
    return bool(trimmed(graph))


def _there(reader: Reader | None, id: str) -> bool:
    return reader is not None and readable(reader, "task", id, task=None) is not None


def _edges(reader: Reader, ids: Collection[str]) -> set[tuple[str, str]]:
    """Which task needs which, as far as the records of some tasks say it."""
    found = set()
    for id in ids:
        task = readable(reader, "task", id, task=None)
        if task is not None:
            found |= {(id, needed) for needed in task.data.get("depends_on") or ()}
            parent = task.data.get("parent")
            found |= {(str(parent), id)} if parent else set()
    return found
