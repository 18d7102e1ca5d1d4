"""Tasks in columns, by what can be done with them now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gittask.core.dataclass import dataclass
from gittask.core.meaning import Meaning, meant
from gittask.core.record import Data, Reader, Record
from gittask.core.text import one_line
from gittask.kinds.task import CLOSED
from gittask.views import graph
from gittask.views.listing import MEANINGS, due, priority
from gittask.views.words import When, short, timed
from gittask.views.words import when as exact
from gittask.views.work import holding_actor

COLUMNS = {
    "ready": ("ready",),
    "not ready": ("blocked", "waiting"),
    "active": ("active",),
    "review": ("review",),
    "closed": ("done", "cancelled"),
}
"""The columns of a board, and the tasks that are in each."""


def column(reader: Reader, task: Record, now: str) -> str:
    """How a task stands: its status or, of one that is open, ready, blocked or waiting."""
    status = str(task.data["state"]["status"])
    if status != "open":
        return status
    if graph.blocked_by(reader, task):
        return "blocked"
    return "ready" if graph.is_ready(reader, task, now) else "waiting"


@dataclass(frozen=True)
class Column:
    """One column: its name, its tasks in order of urgency, and what the first of them means."""

    name: str
    meaning: Meaning
    tasks: list[Record]

    def as_json(self, limit: int | None) -> Data:
        """The column as ``--json`` shows it, with at most ``limit`` of its tasks."""
        shown = [task.data for task in self.tasks[:limit]]
        return {"name": self.name, "tasks": shown, "total": len(self.tasks)}


def board(reader: Reader, tasks: Iterable[Record], now: str, *, closed: bool) -> list[Column]:
    """The columns in which tasks stand, also those in which there is none; closed ones if asked."""
    found: dict[str, list[Record]] = {name: [] for name in MEANINGS}
    for task in tasks:
        found[column(reader, task, now)].append(task)
    return [
        Column(name, MEANINGS[kinds[0]], [task for kind in kinds for task in found[kind]])
        for name, kinds in COLUMNS.items()
        if closed or name != "closed"
    ]


@dataclass(frozen=True)
class Card:
    """What a board shows of a task; ``about`` is its short id, its priority and who has it.

    ``obstacle`` is what it waits for or needs, in few words. What there is not is empty.
    """

    about: tuple[str, str, str]
    due: str
    title: str
    obstacle: str


def card(reader: Reader, task: Record, now: str, *, when: When = exact) -> Card:
    """A task on a board, for people."""
    actor = holding_actor(reader, task) or f"({task.data['responsible']})"
    return Card(
        (meant(short(reader, task.id), "id"), priority(task), one_line(actor)),
        due(task, now),
        one_line(task.data["title"]),
        one_line(", ".join(_obstacles(reader, task, now, when))),
    )


def _obstacles(reader: Reader, task: Record, now: str, when: When) -> Iterator[str]:
    if task.data["state"]["status"] in CLOSED:
        return
    needed = [short(reader, each.id) for each in graph.blocked_by(reader, task)]
    if needed:
        yield f"needs {' '.join(needed)}"
    for each in graph.waiting_for(reader, task.id, now):
        wait = each.data
        if wait["on"] == "time":
            yield f"waits {timed('until', when(wait['until']))}"
        elif wait["on"] == "task" and wait["subject"]:
            yield f"waits for {short(reader, wait['subject'])}"
        else:
            yield f"waits for {wait.get('responder') or wait['on']}"
