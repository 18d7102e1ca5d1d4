"""Which tasks a list shows, and in which order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from gittask.core.meaning import Meaning, meant
from gittask.core.queue import CLOSED, UNFINISHED, Query, fits, ordered, urgency
from gittask.core.record import Reader, Record
from gittask.kinds import readable
from gittask.views.graph import waiting_for
from gittask.views.work import holding_actor

STATUSES = (*UNFINISHED, *CLOSED)


def status(task: Record) -> str:
    """The status of a task, with its meaning; that it is open says nothing yet."""
    said = str(task.data["state"]["status"])
    return meant(said, MEANINGS.get(said))


MEANINGS: Mapping[str, Meaning] = {
    "ready": "ready",
    "blocked": "warning",
    "waiting": "warning",
    "active": "active",
    "review": "review",
    "done": "done",
    "cancelled": "cancelled",
}
"""How a task can stand, and what that means: its status or, of an open one, what becomes of it."""


def priority(task: Record) -> str:
    """The priority of a task, ``P0`` to ``P4``."""
    said = task.data.get("priority", 2)
    return meant(f"P{said}", "urgent" if said <= URGENT else None)


URGENT = 1
"""The priorities up to this one are urgent."""


def due(task: Record, now: str) -> str:
    """The day by which a task is due: urgent once it is over; empty if there is none."""
    day = task.data.get("due")
    if not day:
        return ""
    return meant(f"due {day}", "urgent" if day < now[:10] else None)


class Filter(NamedTuple):
    """What a task must be to be listed; what is None, empty or False asks for nothing.

    ``labels`` must all be there. ``holder`` is the actor whose execution holds the task. Of
    ``ready``, ``blocked`` and ``waiting`` each that is set must be so.
    """

    statuses: Collection[str] = UNFINISHED
    labels: Collection[str] = ()
    project: str | None = None
    responsible: str | None = None
    holder: str | None = None
    parent: str | None = None
    type: str | None = None
    priority: int | None = None
    ready: bool = False
    blocked: bool = False
    waiting: bool = False

    @property
    def query(self) -> Query:
        """What of it an index can answer."""
        wanted = {
            "project": self.project,
            "responsible": self.responsible,
            "parent": self.parent,
            "type": self.type,
            "priority": self.priority,
        }
        said = [(name, str(value)) for name, value in wanted.items() if value is not None]
        labels = [("labels", label) for label in self.labels]
        return Query(
            tuple(self.statuses),
            (*said, *labels),
            free=self.ready,
            held=self.holder is not None,
            blocked=self.blocked,
        )

    def fits_around(self, reader: Reader, task: Record, now: str) -> bool:
        """Whether a task fits, as far as other records say; this opens some of them."""
        return (
            (self.holder is None or holding_actor(reader, task) == self.holder)
            and (not self.ready or not waiting_for(reader, task.id, now))
            and (not self.waiting or bool(waiting_for(reader, task.id, now)))
        )


def listed(
    reader: Reader, wanted: Filter, now: str, *, after: str | None = None
) -> Iterator[Record]:
    """The tasks that fit, by urgency, as they are wanted; those that cannot be read are in
    ``reader.problems``. ``after`` is the id of a task: only what follows it."""
    query = wanted.query._replace(after=after)
    for task in _waiting(reader, query) if wanted.waiting else reader.tasks(query):
        if wanted.fits_around(reader, task, now):
            yield task


def count(reader: Reader, wanted: Filter, now: str) -> int:
    """How many tasks fit."""
    if wanted.holder is not None or wanted.waiting:
        return sum(1 for _ in listed(reader, wanted, now))
    found = reader.count(wanted.query)
    if not wanted.ready:
        return found
    waiting = _waiting(reader, wanted.query)
    return found - sum(bool(waiting_for(reader, task.id, now)) for task in waiting)


def _waiting(reader: Reader, query: Query) -> list[Record]:
    """The tasks that fit and have a wait that is open, by urgency: few do, and only they are looked
    at."""
    waits = reader.having("wait", "state.status", ("open",))
    ids = sorted({str(wait.data["task"]) for wait in waits})
    tasks = (readable(reader, "task", id, task=None) for id in ids)
    last = reader.get("task", query.after) if query.after else None
    return ordered(
        task
        for task in tasks
        if task
        and fits(reader, query, task)
        and (last is None or urgency(task.data) > urgency(last.data))
    )
