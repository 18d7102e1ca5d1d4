"""The tasks at which a look is worth while: those of which something open may want somebody.

Each is found from what makes it so, not by a look at every task. Some of them want nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from gittask.core.queue import UNFINISHED, Query
from gittask.core.record import Reader, Record
from gittask.kinds import readable
from gittask.kinds.task import CLOSED

BEGUN = ("claimed", "running")
NOT_ENDED = (*BEGUN, "reported")
"""The states of an execution that works, and of one that has not ended."""


def unfinished(reader: Reader, people: Collection[str], actor: str | None) -> list[Record]:
    """The unfinished tasks that may want an actor (None: anybody), in order of id."""
    found = {task.id for task in reader.tasks(Query(("review",)))}
    found |= {*reader.doubtful("asked")}
    found |= _of(wait for wait in _open_waits(reader) if _may_expire(wait))
    found |= _answered(reader, people, actor)
    found |= _of(reader.having("approval", "state.status", ("requested",)))
    found |= _of(reader.having("execution", "state.status", BEGUN))
    found |= _of(
        review
        for review in reader.within("review", ("active",))
        if review.data["verdict"] == "changes_requested"
    )
    actors = {*reader.ids("actor")} if actor is None else {actor}
    found |= _of(
        handoff
        for handoff in reader.within("handoff", UNFINISHED)
        if handoff.data["next_action"]["by"].strip().lower() in actors
    )
    return _unfinished(reader, found)


def asked(reader: Reader) -> list[Record]:
    """The unfinished tasks with a question that nobody answered, or with a wait that is open."""
    return _unfinished(reader, {*reader.doubtful("asked"), *_of(_open_waits(reader))})


def at_work(reader: Reader) -> list[Record]:
    """The unfinished tasks of which an execution has not ended, in order of id."""
    return _unfinished(reader, _of(reader.having("execution", "state.status", NOT_ENDED)))


def _open_waits(reader: Reader) -> Iterator[Record]:
    """The waits of which the record says that they are open."""
    return reader.having("wait", "state.status", ("open",))


def _may_expire(wait: Record) -> bool:
    """Whether a wait may have expired: by itself, or with the approval for which it is."""
    return bool(wait.data.get("expires")) or wait.data["on"] == "approval"


def _answered(reader: Reader, told: Collection[str], actor: str | None) -> set[str]:
    """The unfinished tasks on which an actor (None: anybody) asked, who is not one that is ``told``
    of answers anyway."""
    if actor in told:
        return set()
    said = ("kind", ("question",)) if actor is None else ("from", (actor,))
    messages = reader.within("message", UNFINISHED, *said)
    asked = (one for one in messages if one.data["kind"] == "question")
    return _of(one for one in asked if one.data["from"] not in told)


def _of(records: Iterable[Record]) -> set[str]:
    return {record.task for record in records if record.task}


def _unfinished(reader: Reader, ids: Iterable[str]) -> list[Record]:
    found = (readable(reader, "task", id, task=None) for id in sorted(ids))
    return [task for task in found if task and task.data["state"]["status"] not in CLOSED]
