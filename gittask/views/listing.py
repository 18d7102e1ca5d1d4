"""Which tasks a list shows, and in which order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from gittask.core.dataclass import dataclass
from gittask.core.meaning import Meaning, meant
from gittask.core.record import Data, Reader, Record, age
from gittask.views.graph import blocked_by, is_ready, waiting_for
from gittask.views.work import holding_actor

STATUSES = ("open", "active", "review", "done", "cancelled")
UNFINISHED = STATUSES[:3]
"""The statuses that a list shows unless it is asked for others."""


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


@dataclass(frozen=True)
class Filter:
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

    def fits(self, data: Data) -> bool:
        """Whether a task fits, as far as its own record says."""
        wanted = {
            "project": self.project,
            "responsible": self.responsible,
            "parent": self.parent,
            "type": self.type,
            "priority": self.priority,
        }
        return (
            data["state"]["status"] in self.statuses
            and set(self.labels) <= set(data.get("labels") or ())
            and all(data.get(name) == value for name, value in wanted.items() if value is not None)
        )

    def fits_around(self, reader: Reader, task: Record, now: str) -> bool:
        """Whether a task fits, as far as other records say; this opens some of them."""
        return (
            (self.holder is None or holding_actor(reader, task) == self.holder)
            and (not self.ready or is_ready(reader, task, now))
            and (not self.blocked or bool(blocked_by(reader, task)))
            and (not self.waiting or bool(waiting_for(reader, task.id, now)))
        )


def listed(reader: Reader, wanted: Filter, now: str) -> list[Record]:
    """The tasks that fit, in order; those that cannot be read are in ``reader.problems``."""
    return ordered(
        task
        for task in reader.all("task")
        if wanted.fits(task.data) and wanted.fits_around(reader, task, now)
    )


def ordered(tasks: Iterable[Record]) -> list[Record]:
    """Tasks by urgency: priority, then the day they are due (none is last), then age, then id."""

    def urgency(task: Record) -> tuple[int, str, str, str]:
        data = task.data
        due = data.get("due") or "9999-99-99"
        return data.get("priority", 2), due, *age(task)

    return sorted(tasks, key=urgency)
