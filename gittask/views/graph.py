"""What stands between a task and being worked on: dependencies, waits and circles.

All of it is computed from the records alone, so that every clone that has them answers the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gittask.core.circles import reached, shortest, trimmed
from gittask.core.dataclass import dataclass
from gittask.core.queue import is_free
from gittask.core.record import Data, Reader, Record
from gittask.core.stamp import creation, stamps
from gittask.errors import Invalid
from gittask.kinds import readable
from gittask.kinds.task import CLOSED

MISSING = "missing"
UNREADABLE = "unreadable"


class Dependency(NamedTuple):
    """A task that must be done before another; ``status`` is its own, missing or unreadable."""

    id: str
    status: str

    @property
    def blocks(self) -> bool:
        """Whether it is still to be done. What does not exist blocks nothing."""
        return self.status not in (*CLOSED, MISSING)


def dependencies(reader: Reader, task: Record) -> list[Dependency]:
    """What a task needs, in the order of its record."""
    return [Dependency(id, status(reader, id)) for id in task.data.get("depends_on") or []]


def status(reader: Reader, id: str) -> str:
    """The status of the task of this id, or ``missing``, or ``unreadable``."""
    try:
        found = reader.get("task", id)
    except Invalid:
        return UNREADABLE
    return str(found.data["state"]["status"]) if found else MISSING


def blocked_by(reader: Reader, task: Record) -> list[Dependency]:
    """The dependencies of a task that are still to be done."""
    return [each for each in dependencies(reader, task) if each.blocks]


# -- waits ------------------------------------------------------------------------------------


class Waiting(NamedTuple):
    """A wait that nobody has settled. ``end`` says what ended it: ``met``, ``expired``, or None."""

    wait: Record
    end: str | None


def waits(reader: Reader, task: str, now: str) -> list[Waiting]:
    """The waits of a task whose record says open, oldest first, each with its computed end.

    A wait for a person that names a question is met when the question is answered; one for an
    approval when that is granted or denied; one for a task when that is done or cancelled; one
    for a time when it has come. What is not met by ``expires`` has expired, and so has a wait
    for an approval that was not given in its time.
    """
    found = reader.all("wait", task=task) if reader.ids("wait", task=task) else ()
    return [
        Waiting(wait, _end(reader, wait.data, now))
        for wait in found
        if wait.data["state"]["status"] == "open"
    ]


def waiting_for(reader: Reader, task: str, now: str) -> list[Record]:
    """The waits of a task that last, oldest first."""
    return [each.wait for each in waits(reader, task, now) if each.end is None]


def task_waits(reader: Reader, tasks: Iterable[Record], now: str) -> list[Record]:
    """The waits of tasks for other tasks that last."""
    return [
        wait
        for task in tasks
        if task.data["state"]["status"] not in CLOSED
        for wait in waiting_for(reader, task.id, now)
        if wait.data["on"] == "task" and wait.data.get("subject")
    ]


def _end(reader: Reader, wait: Data, now: str) -> str | None:
    subject = wait.get("subject")
    met = {"person": _answered, "approval": _settled, "task": _closed}.get(wait["on"])
    if subject and met and met(reader, wait["task"], subject):
        return "met"
    if wait["on"] == "time" and wait.get("until") and wait["until"] <= now:
        return "met"
    expires = [wait.get("expires")]
    if wait["on"] == "approval" and subject:
        asked = approval(reader, wait["task"], subject)
        expires += [asked.data.get("expires")] if asked else []
    return "expired" if any(time and time <= now for time in expires) else None


def _answered(reader: Reader, task: str, question: str) -> bool:
    return any(
        message.data["kind"] == "answer" and message.data.get("in_reply_to") == question
        for message in reader.all("message", task=task)
    )


def _settled(reader: Reader, task: str, id: str) -> bool:
    found = approval(reader, task, id)
    return found is not None and found.data["state"]["status"] != "requested"


def approval(reader: Reader, task: str, id: str) -> Record | None:
    """The readable approval of this id that a task waits for: its own, or its project's."""
    try:
        owner = reader.get("task", task)
        project = owner.data.get("project") if owner else None
        found = reader.get("approval", id, task=task)
        if found is None and project:
            found = reader.get("approval", id, project=project)
    except Invalid:
        return None
    return found


def _closed(reader: Reader, _: str, id: str) -> bool:
    return status(reader, id) in CLOSED


# -- ready ------------------------------------------------------------------------------------


def is_ready(reader: Reader, task: Record, now: str) -> bool:
    """Whether somebody could start on a task: open, held by nobody, with nothing in its way."""
    return is_free(reader, task.data) and not waiting_for(reader, task.id, now)


# -- circles ----------------------------------------------------------------------------------


@dataclass(frozen=True, order=True)
class Circle:
    """Tasks each of which cannot be done before the next, nor the last before the first.

    ``ids`` begins with the smallest. ``remedy`` is the command that takes away the edge that was
    added last; it is a proposal, since only a person knows which edge is wrong.
    """

    ids: tuple[str, ...]
    remedy: str

    def __str__(self) -> str:
        return " -> ".join((*self.ids, self.ids[0]))


Edges = dict[str, dict[str, str]]
"""For each task those that must be done before it, with the field, or the id of the wait, that
says so."""


def circles(tasks: Iterable[Record], waits: Iterable[Record] = ()) -> list[Circle]:
    """The circles among tasks, over dependencies, parents and waits alike, each once, in order.

    A task needs what it depends on and what it waits for (``waits``, as ``task_waits`` gives
    them), and a parent needs its parts. Every task that stands in a circle is in one that is
    named, the shortest through it; of circles that share all their tasks with shorter ones, those
    shorter ones are named.
    """
    by_id = {task.id: task for task in tasks}
    waiting = {wait.id: wait for wait in waits}
    edges = trimmed(_edges(by_id, waiting))
    found: dict[tuple[str, ...], Circle] = {}
    covered: set[str] = set()
    for home in sorted(edges):
        path = None if home in covered else shortest(edges.__getitem__, home)
        if path:
            start = path.index(min(path))
            ids = tuple(path[start:] + path[:start])
            remedy = max(_breaks({**by_id, **waiting}, edges, ids))[-1]
            found[ids] = Circle(ids, remedy)
            covered.update(ids)
    return sorted(found.values())


def all_circles(reader: Reader, now: str) -> list[Circle]:
    """The circles of a whole store, over its waits as well."""
    suspects = reader.circling()
    if not suspects:
        return []

    def needs(id: str) -> list[str]:
        task = readable(reader, "task", id, task=None)
        if task is None:
            return []
        parts = [one.id for one in reader.having("task", "parent", (id,))]
        waiting = [str(wait.data["subject"]) for wait in task_waits(reader, [task], now)]
        return [*(task.data.get("depends_on") or ()), *parts, *waiting]

    near = (readable(reader, "task", id, task=None) for id in sorted(reached(needs, suspects)))
    tasks = [task for task in near if task]
    return circles(tasks, task_waits(reader, tasks, now))


def _edges(by_id: dict[str, Record], waiting: dict[str, Record]) -> Edges:
    edges: Edges = {id: {} for id in by_id}
    for wait in waiting.values():
        id, needed = wait.data["task"], wait.data["subject"]
        if id in edges and needed in edges:
            edges[id][needed] = wait.id
    for id, task in by_id.items():
        parent = task.data.get("parent")
        if parent in edges:
            edges[parent][id] = "parent"
    for id, task in by_id.items():
        edges[id] |= {
            other: "depends_on" for other in task.data.get("depends_on") or [] if other in edges
        }
    return edges


def _breaks(
    by_id: dict[str, Record], edges: Edges, ids: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """For each edge of a circle when it was made, and the command that takes it away."""
    for id, needed in zip(ids, (*ids[1:], ids[0]), strict=True):
        said = edges[id][needed]
        if said == "parent":
            data, unit = by_id[needed].data, "parent"
            command = f"gittask set {needed} parent=none"
        elif said == "depends_on":
            data, unit = by_id[id].data, f"depends_on.{needed}"
            command = f"gittask dep remove {id} {needed}"
        else:
            data, unit = by_id[said].data, ""
            command = f"gittask wait {id} --cancel {said} --reason ..."
        yield stamps(data).get(unit, creation(data)).at, command
