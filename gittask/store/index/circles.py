"""Which tasks may stand in a circle: looked for where something changed, not by every question."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from gittask.core.circles import reached, trimmed

if TYPE_CHECKING:
    from sqlite3 import Connection

# What a task needs: what it depends on, its parts, and what it waits for, whether or not still.
# A cross join is done in the order in which it stands: from the task, not through all terms.
_NEEDS = """
    select value from task cross join term using (key)
        where task.id = ?1 and term.kind = 'task' and field = 'depends_on'
    union select task.id from term cross join task using (key)
        where term.kind = 'task' and field = 'parent' and value = ?1
    union select value from record cross join term using (key)
        where record.task = ?1 and record.kind = 'wait' and term.kind = 'wait' and field = 'subject'
"""
_ALL = """
    select task.id, value from term join task using (key)
        where term.kind = 'task' and field = 'depends_on'
    union select value, task.id from term join task using (key)
        where term.kind = 'task' and field = 'parent'
    union select record.task, value from term join record using (key)
        where term.kind = 'wait' and field = 'subject'
"""


def find_through(connection: Connection, tasks: Collection[str]) -> None:
    """Note what may stand in a circle of all that some tasks lead to; the rest is left as it was.

    A circle that is new leads through a task that changed.
    """
    edges: dict[str, dict[str, None]] = {}

    def needs(id: str) -> dict[str, None]:
        if id not in edges:
            edges[id] = dict.fromkeys(other for (other,) in connection.execute(_NEEDS, [id]))
        return edges[id]

    reached(needs, tasks)
    connection.executemany("delete from circling where id = ?", ((id,) for id in tasks))
    found = ((id,) for id in trimmed(edges))
    connection.executemany("insert or ignore into circling values (?)", found)


def find_all(connection: Connection) -> None:
    """Note all tasks that may stand in a circle."""
    edges: dict[str, dict[str, None]] = {}
    for id, other in connection.execute(_ALL):
        edges.setdefault(id, {})[other] = None
        edges.setdefault(other, {})
    connection.execute("delete from circling")
    found = ((id,) for id in trimmed(edges))
    connection.executemany("insert into circling values (?)", found)
