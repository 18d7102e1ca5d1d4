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


def unfinished(reader: Reader, people: Collection[str]) -> list[Record]:
    """The unfinished tasks that may want somebody, in order of id."""
    found = {task.id for task in reader.tasks(Query(("review",)))}
    found |= _spoken_of(reader, people)
    found |= _of(reader.having("approval", "state.status", ("requested",)))
    found |= _of(reader.having("execution", "state.status", BEGUN))
    found |= _of(
        review
        for review in reader.within("review", ("active",))
        if review.data["verdict"] == "changes_requested"
    )
    actors = {*reader.ids("actor")}
    found |= _of(
        handoff
        for handoff in reader.within("handoff", UNFINISHED)
        if handoff.data["next_action"]["by"].strip().lower() in actors
    )
    return _unfinished(reader, found)


def asked(reader: Reader) -> list[Record]:
    """The unfinished tasks with a question that nobody answered, or with a wait that is open."""
    return _unfinished(reader, _spoken_of(reader, None))


def at_work(reader: Reader) -> list[Record]:
    """The unfinished tasks of which an execution has not ended, in order of id."""
    return _unfinished(reader, _of(reader.having("execution", "state.status", NOT_ENDED)))


def _spoken_of(reader: Reader, told: Collection[str] | None) -> set[str]:
    """The unfinished tasks with a wait that is open, a question that nobody answered or, unless
    everybody is ``told`` (None), an answer to one who is not."""
    found = _of(reader.having("wait", "state.status", ("open",)))
    return found | {*_discussed(reader, told)}


def _discussed(reader: Reader, told: Collection[str] | None) -> Iterator[str]:
    messages = {(one.data["task"], one.id): one for one in reader.within("message", UNFINISHED)}
    answered = set()
    for (task, _), message in messages.items():
        place = task, message.data.get("in_reply_to")
        if message.data["kind"] == "answer":
            answered.add(place)
            if told is not None and place in messages and messages[place].data["from"] not in told:
                yield task
    for place, message in messages.items():
        if message.data["kind"] == "question" and place not in answered:
            yield place[0]


def _of(records: Iterable[Record]) -> set[str]:
    return {record.task for record in records if record.task}


def _unfinished(reader: Reader, ids: Iterable[str]) -> list[Record]:
    found = (readable(reader, "task", id, task=None) for id in sorted(ids))
    return [task for task in found if task and task.data["state"]["status"] not in CLOSED]
