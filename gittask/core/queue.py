"""Which tasks are asked for, and in which order: what an index on disk answers without reading all.

A ``Query`` says it; ``Scanning`` answers it, and the other questions that reach across a store,
from the records alone. Whatever answers faster must answer the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gittask.core.circles import trimmed
from gittask.core.ids import ending
from gittask.core.record import Data, Record
from gittask.errors import Invalid

if TYPE_CHECKING:
    from gittask.core.record import Reader

CLOSED = ("done", "cancelled")
"""The states of a task in which nothing remains to be done."""
UNFINISHED = ("open", "active", "review")
"""All others."""

Doubt = Literal["late", "forged", "asked"]
"""What may be the matter with a task: a report came late, its state or stamps were made up, or it
is unfinished and nobody has answered a question."""

TELLING: Mapping[Doubt, tuple[str, ...]] = {
    "late": ("execution", "note", "handoff", "review"),
    "forged": ("task",),
    "asked": ("task", "message"),
}
"""The kinds of record that tell it."""


class Query(NamedTuple):
    """Tasks of these statuses that have each of these values; what is empty asks for nothing.

    ``having`` are indexed fields and values, as ``terms`` gives them. ``free`` asks for open tasks
    that nobody holds and whose dependencies are all closed, or do not exist, ``held`` for tasks
    with a holder, ``blocked`` for those with a dependency that is still to be done. ``after`` is
    the id of a task: only what follows it is wanted.
    """

    statuses: tuple[str, ...]
    having: tuple[tuple[str, str], ...] = ()
    free: bool = False
    held: bool = False
    blocked: bool = False
    after: str | None = None


def urgency(data: Data) -> tuple[int, str, str, str]:
    """What orders tasks: priority, then the day they are due (none is last), then age, then id."""
    created = data["created"]["at"]
    return data.get("priority", 2), data.get("due") or "9999-99-99", created, data["id"]


def rank(data: Data) -> str:
    """``urgency`` as one text, in the same order."""
    priority, due, created, id = urgency(data)
    return f"{priority} {due} {created} {id}"


def ordered(tasks: Iterable[Record]) -> list[Record]:
    """Tasks by urgency."""
    return sorted(tasks, key=lambda task: urgency(task.data))


def terms(fields: Iterable[str], data: Data) -> Iterator[tuple[str, str]]:
    """The values of some fields (dotted paths), each of a list alone, and of each of its items;
    None and what is no text or whole number is left out."""
    for field in fields:
        value: Any = data
        for part in field.split("."):
            value = _within(value, part)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str | int) and not isinstance(each, bool):
                yield field, str(each)


def _needs(reader: Reader) -> Iterator[tuple[str, str]]:
    """Which task needs which, by all that tasks and waits say, whether or not it still counts."""
    for task in reader.all("task"):
        yield from ((task.id, needed) for _, needed in terms(("depends_on",), task.data))
        yield from ((whole, task.id) for _, whole in terms(("parent",), task.data))
    for wait in reader.all("wait"):
        if wait.task:
            yield from ((wait.task, needed) for _, needed in terms(("subject",), wait.data))


def _within(value: Any, name: str) -> Any:
    """What an object, or each of a list of them, has under a name."""
    if isinstance(value, list):
        return [_within(each, name) for each in value]
    return value.get(name) if isinstance(value, dict) else None


class Scanning:
    """The questions of a Reader that reach across a store, answered by reading all there is."""

    def having(self: Reader, kind: str, field: str, values: Collection[str]) -> Iterator[Record]:
        """See ``Reader.having``."""
        for record in self.all(kind):
            if any(value in values for _, value in terms((field,), record.data)):
                yield record

    def tasks(self: Reader, query: Query) -> Iterator[Record]:
        """See ``Reader.tasks``."""
        last = self.get("task", query.after) if query.after else None
        for task in ordered(task for task in self.all("task") if fits(self, query, task)):
            if last is None or urgency(task.data) > urgency(last.data):
                yield task

    def count(self: Reader, query: Query) -> int:
        """See ``Reader.count``."""
        return sum(1 for _ in self.tasks(query._replace(after=None)))

    def near(self: Reader, kind: str, start: str) -> list[str]:
        """See ``Reader.near``."""
        return [id for id in self.ids(kind) if id.startswith(start) or ending(id) == start]

    def circling(self: Reader) -> list[str]:
        """See ``Reader.circling``."""
        edges: dict[str, dict[str, None]] = {}
        for id, needed in _needs(self):
            edges.setdefault(id, {})[needed] = None
            edges.setdefault(needed, {})
        return sorted(trimmed(edges))

    def doubtful(self: Reader, what: Doubt) -> list[str]:
        """See ``Reader.doubtful``."""
        for kind in TELLING[what]:
            for _ in self.all(kind):
                pass
        return self.ids("task")

    def within(
        self: Reader,
        kind: str,
        statuses: Collection[str],
        field: str | None = None,
        values: Collection[str] = (),
    ) -> Iterator[Record]:
        """See ``Reader.within``."""
        found = self.having(kind, field, values) if field else self.all(kind)
        for record in found:
            if record.data.get("task") and is_of(self, record, statuses):
                yield record


def fits(reader: Reader, query: Query, task: Record) -> bool:
    """Whether a task is one that a query asks for, whatever its ``after``."""
    state = task.data["state"]
    return (
        state["status"] in query.statuses
        and {*query.having} <= {*terms((field for field, _ in query.having), task.data)}
        and (not query.free or is_free(reader, task.data))
        and (not query.held or bool(state["holder"]))
        and (not query.blocked or is_blocked(reader, task.data))
    )


def is_of(reader: Reader, record: Record, statuses: Collection[str]) -> bool:
    """Whether a record belongs to a readable task of one of these statuses."""
    try:
        task = reader.get("task", record.data["task"])
    except Invalid:
        return False
    return task is not None and task.data["state"]["status"] in statuses


def is_free(reader: Reader, task: Data) -> bool:
    """Whether a task is open and held by nobody, and no task that it depends on is in its way."""
    state = task["state"]
    return state["status"] == "open" and not state["holder"] and not is_blocked(reader, task)


def is_blocked(reader: Reader, task: Data) -> bool:
    """Whether a task that it depends on is in its way."""
    return any(_in_the_way(reader, id) for id in task.get("depends_on") or ())


def _in_the_way(reader: Reader, id: str) -> bool:
    """Whether a task is still to be done. One that does not exist blocks nothing."""
    try:
        found = reader.get("task", id)
    except Invalid:
        return True
    return found is not None and found.data["state"]["status"] not in CLOSED
