"""What a task waits for."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Data, same
from gittask.errors import Problem, Refused
from gittask.kinds.fence import fence
from gittask.kinds.kind import Attempt, Kind, readable
from gittask.kinds.task import ancestors, find_loop, needs


def _may(attempt: Attempt) -> Iterator[Problem]:
    if attempt.before is None:
        fence(attempt, "make it wait")
        yield from _reachable(attempt)
        yield from _in_order(attempt.after.data)
        yield from _loops(attempt)
    elif not same(attempt.before.data["state"], attempt.after.data["state"]):
        _ends(attempt, attempt.before.data)


def _reachable(attempt: Attempt) -> Iterator[Problem]:
    """Who is to end a wait can do so while the waiter waits: an agent does not answer itself."""
    data = attempt.after.data
    waiter, responder = data["created"]["by"], data.get("responder")
    actor = readable(attempt.reader, "actor", responder, task=None)
    if responder == waiter and actor and actor.data["kind"] == "agent":
        message = f"is {waiter}, the agent that waits: it cannot answer itself"
        yield Problem("", "responder", message, "name a person, a service or another agent")


def _in_order(data: Data) -> Iterator[Problem]:
    """What is still to come is not past already."""
    for name in ("until", "expires"):
        time = data.get(name)
        if time and time <= data["created"]["at"]:
            yield Problem("", name, f"is past already: {time}", "name a time to come")


def _loops(attempt: Attempt) -> Iterator[Problem]:
    """No task waits for itself over others, nor for what it is a part of."""
    data = attempt.after.data
    task = readable(attempt.reader, "task", data["task"], task=None)
    if data["on"] != "task" or task is None:
        return

    def edges(other: Data) -> list[str]:
        new = [data["subject"]] if other["id"] == data["task"] else []
        return [*needs(attempt.reader, other), *new]

    path = find_loop(attempt.reader, task.data, edges)
    if path:
        message = f"would close a circle: {' -> '.join(path)}"
        yield Problem("", "subject", message, "wait for something else")
    if data["subject"] in ancestors(attempt.reader, task.data):
        message = f"{data['subject']} is what the task is a part of, and ends after its parts"
        yield Problem("", "subject", message, "wait for something else")


def _ends(attempt: Attempt, before: Data) -> None:
    """A wait ends once, by a person, by who was to end it, who waits, or who holds the task."""
    status = before["state"]["status"]
    if status != "open":
        raise Refused(
            f"wait {before['id']} has ended already: {status}",
            hint=f"see: gittask show {before['task']}",
        )
    if attempt.actor == before.get("responder"):
        return
    fence(attempt, "end its waits")
    task = readable(attempt.reader, "task", before["task"], task=None)
    holder = task and readable(
        attempt.reader, "execution", task.data["state"]["holder"], task=task.id
    )
    concerned = {before["created"]["by"], holder.data["actor"] if holder else None}
    if not attempt.person and attempt.actor not in concerned:
        raise Refused(
            f"wait {before['id']} is not for {attempt.actor} to end",
            hint=f"{before.get('responder') or before['created']['by']} or any person may",
        )


KIND = Kind("wait", summary=lambda data: f"waits for {data['on']}: {data['condition']}", may=_may)
