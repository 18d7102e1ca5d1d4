"""What may be done to a task, and by whom: the rules of authority, one function each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gittask.core.queue import CLOSED as CLOSED
from gittask.core.record import Data, Reader, Record, same
from gittask.errors import Problem, Refused
from gittask.kinds.execution import FINAL, NO_LONGER_WORKING
from gittask.kinds.kind import Attempt, Kind, readable
from gittask.kinds.preference import may_say, same_policy


def _summary(data: Data) -> str:
    return f"{data['state']['status']}: {data['title']}"


def _may(attempt: Attempt) -> Iterator[Problem]:
    if attempt.before is not None:
        yield from _epoch(attempt)
        if _claims(attempt):
            yield from _takeover(attempt)
        else:
            _fence(attempt)
            _ended(attempt)
            _held_by_another(attempt)
        _keeps_policy(attempt)
    yield from may_say(attempt)
    yield from _reason_to_work(attempt)
    yield from _loops(attempt)


def _claims(attempt: Attempt) -> bool:
    """Whether this is a claim: the next epoch, with a new holder."""
    assert attempt.before is not None
    before, after = attempt.before.data["state"], attempt.after.data["state"]
    return after["epoch"] == before["epoch"] + 1 and after["holder"] not in (None, before["holder"])


def _takeover(attempt: Attempt) -> Iterator[Problem]:
    """Who claims a task from an execution that still works says why."""
    assert attempt.before is not None
    holder = attempt.before.data["state"]["holder"]
    held_by = readable(attempt.reader, "execution", holder, task=attempt.after.id)
    working = held_by is not None and held_by.data["state"]["status"] not in NO_LONGER_WORKING
    if working and not attempt.after.data["state"]["reason"]:
        hint = "say it: gittask takeover TASK --reason ..."
        yield Problem("", "state.reason", "is missing: the task is held by another", hint)


def _fence(attempt: Attempt) -> None:
    """An execution that no longer holds the task may not change it; it may still report.

    What a task says of itself may be put right by any person at any time.
    """
    assert attempt.before is not None
    held = attempt.before.data["state"]
    after = attempt.after.data["state"]
    if attempt.execution is None or (attempt.person and same(held, after)):
        return
    execution = readable(attempt.reader, "execution", attempt.execution, task=attempt.after.id)
    if execution is None or execution.data["lane"] == "review":
        changes = execution is not None or not same(held, after)
        if changes and not attempt.person and not _sent_back(attempt):
            raise Refused(
                f"execution {attempt.execution} does not hold task {attempt.after.id}, so it may "
                "not change the task",
                hint="reviewers add records: gittask review, note, say",
            )
        return
    if held["holder"] != attempt.execution:
        whose = f"{attempt.execution} (epoch {execution.data['epoch']})"
        raise lost_claim(attempt.reader, attempt.before, whose)


def _ended(attempt: Attempt) -> None:
    """An execution that has ended may close its task or let it go, and not go on with it."""
    assert attempt.before is not None
    held, after = attempt.before.data["state"], attempt.after.data["state"]
    if attempt.execution != held["holder"] or after["holder"] is None or same(held, after):
        return
    execution = readable(attempt.reader, "execution", attempt.execution, task=attempt.after.id)
    if execution and execution.data["state"]["status"] in FINAL:
        raise Refused(
            f"execution {execution.id} has ended ({execution.data['state']['status']}), so it may "
            f"not go on with task {attempt.after.id}",
            hint=f"begin a new one: gittask start {attempt.after.id}",
        )


def _held_by_another(attempt: Attempt) -> None:
    """Who holds a task decides its state; a person may settle it all the same."""
    assert attempt.before is not None
    held = attempt.before.data["state"]
    if attempt.person or same(held, attempt.after.data["state"]) or attempt.execution is not None:
        return
    if _sent_back(attempt):
        return
    if held["holder"] and held["status"] not in CLOSED:
        raise Refused(
            f"task {attempt.after.id} is {_holder(attempt.reader, attempt)}",
            hint="act under the execution that holds it (--execution), or ask a person",
            details={"epoch": held["epoch"], "holder": held["holder"]},
        )


def _sent_back(attempt: Attempt) -> bool:
    """Whether a review only puts the task back: to its holder or, if that has ended, to anybody.

    Whoever reviews may do that; it gives nobody any authority that they did not have.
    """
    assert attempt.before is not None
    before, after = attempt.before.data["state"], attempt.after.data["state"]
    if before["status"] != "review" or any(before[n] != after[n] for n in ("epoch", "since")):
        return False
    if after["holder"]:
        return bool(after["status"] == "active" and after["holder"] == before["holder"])
    holder = readable(attempt.reader, "execution", before["holder"], task=attempt.after.id)
    ended = holder is None or holder.data["state"]["status"] in FINAL
    return bool(after["status"] == "open" and ended)


def _keeps_policy(attempt: Attempt) -> None:
    """Policy follows from the project, so only people move a task to one that says otherwise."""
    assert attempt.before is not None
    left, joined = (record.data.get("project") for record in (attempt.before, attempt.after))
    if attempt.person or left == joined or same_policy(attempt.reader, left, joined):
        return
    raise Refused(
        f"what needs approval for task {attempt.after.id}, or by whom, follows from its project, "
        "so only a person may move it elsewhere",
        hint=f"ask one: gittask ask {attempt.after.id} ...",
    )


def _epoch(attempt: Attempt) -> Iterator[Problem]:
    """The epoch only grows, by one, and only with a claim."""
    assert attempt.before is not None
    before, after = attempt.before.data["state"], attempt.after.data["state"]
    if after["epoch"] != before["epoch"] and not _claims(attempt):
        message = f"goes from {before['epoch']} to {after['epoch']}; it grows by one, with a claim"
        yield Problem("", "state.epoch", message, "gittask start claims")
    if after["epoch"] == before["epoch"] and after["holder"] not in (None, before["holder"]):
        yield Problem("", "state.holder", "changes without a new epoch", "gittask start claims")


def _reason_to_work(attempt: Attempt) -> Iterator[Problem]:
    """No work starts on a task of which nobody said why."""
    data = attempt.after.data
    if data["state"]["status"] == "active" and data.get("why") is None:
        why = f'gittask set {attempt.after.id} why="..."'
        yield Problem("", "why", "is missing, and no work starts without it", f"say it: {why}")


def _loops(attempt: Attempt) -> Iterator[Problem]:
    """No task waits for itself, nor is a part of itself, over however many others."""
    data = attempt.after.data
    before = attempt.before.data if attempt.before else {}
    needs_other = not same(data.get("depends_on"), before.get("depends_on"))
    part_of_other = data.get("parent") != before.get("parent")
    if needs_other:
        yield from _loop(attempt, "depends_on", lambda other: needs(attempt.reader, other))
    if part_of_other:
        yield from _loop(attempt, "parent", parents)
    if needs_other or part_of_other:
        for id in sorted(set(dependencies(data)) & set(ancestors(attempt.reader, data))):
            field = "depends_on" if needs_other else "parent"
            message = f"{id} is what it is a part of, and cannot be done before its parts"
            yield Problem("", field, message, "leave out one of the two")


def _loop(attempt: Attempt, field: str, edges: Callable[[Data], list[str]]) -> Iterator[Problem]:
    path = find_loop(attempt.reader, attempt.after.data, edges)
    if path:
        shown = " -> ".join(path)
        yield Problem("", field, f"would close a circle: {shown}", "leave one of these out")


def dependencies(data: Data) -> list[str]:
    """The tasks that must be done before this one."""
    return list(data.get("depends_on") or [])


def _waited_for(reader: Reader, id: str) -> list[str]:
    """The tasks for which a task waits by records of its own that nobody has ended."""
    return [
        wait.data["subject"]
        for wait in reader.all("wait", task=id)
        if wait.data["on"] == "task" and wait.data["state"]["status"] == "open"
    ]


def needs(reader: Reader, data: Data) -> list[str]:
    """What must be done before a task, said by itself or by a wait."""
    return [*dependencies(data), *_waited_for(reader, data["id"])]


def parents(data: Data) -> list[str]:
    """The task of which this is a part, if there is one."""
    parent = data.get("parent")
    return [parent] if parent else []


def find_loop(reader: Reader, start: Data, edges: Callable[[Data], list[str]]) -> list[str] | None:
    """The ids of a circle through ``start``, first and last the same, or None.

    Visits each task once, so that it ends on any graph.
    """
    home = start["id"]
    came_from: dict[str, str] = {}
    todo = [(next_id, home) for next_id in edges(start)]
    while todo:
        id, previous = todo.pop()
        if id == home:
            path = [home]
            while previous != home:
                path.append(previous)
                previous = came_from[previous]
            return [home, *reversed(path[1:]), home]
        if id in came_from:
            continue
        came_from[id] = previous
        record = readable(reader, "task", id, task=None)
        if record:
            todo += [(next_id, id) for next_id in edges(record.data)]
    return None


def ancestors(reader: Reader, data: Data) -> Iterator[str]:
    """What a task is a part of, directly and over others, the nearest first."""
    seen = {data["id"]}
    parent = data.get("parent")
    while parent and parent not in seen:
        yield parent
        seen.add(parent)
        record = readable(reader, "task", parent, task=None)
        parent = record.data.get("parent") if record else None


def _holder(reader: Reader, attempt: Attempt) -> str:
    assert attempt.before is not None
    return describe_holder(reader, attempt.after.id, attempt.before.data["state"])


def claimable(reader: Reader, task: Record) -> bool:
    """Whether somebody could claim a task without taking it over."""
    state = task.data["state"]
    if state["status"] in CLOSED:
        return False
    holder = readable(reader, "execution", state["holder"], task=task.id)
    return not state["holder"] or (
        holder is not None and holder.data["state"]["status"] in NO_LONGER_WORKING
    )


def lost_claim(reader: Reader, task: Record, execution: str, therefore: str = "") -> Refused:
    """The refusal of an execution that holds its task no more: who does, and what is still open."""
    state = task.data["state"]
    closed, free = state["status"] in CLOSED, claimable(reader, task)
    verb = "reopen" if closed else "start" if free else "takeover"
    reason = "" if free else " --reason ..."
    return Refused(
        f"execution {execution} no longer holds task {task.id} (epoch {state['epoch']}, "
        f"{describe_holder(reader, task.id, state)}){therefore}",
        hint=f"what you did is not lost: gittask handoff {task.id} ... is kept as a late report; "
        f"to work on: gittask {verb} {task.id}{reason}",
        details={"epoch": state["epoch"], "holder": state["holder"]},
    )


def describe_holder(reader: Reader, task: str, state: Data) -> str:
    """Who holds a task and since when, in words: the sentence that a refusal needs."""
    holder = state["holder"]
    if not holder:
        return f"held by nobody, {state['status']}"
    execution = readable(reader, "execution", holder, task=task)
    actor = execution.data["actor"] if execution else "an unknown actor"
    return f"held by {actor} since {state['since']} under execution {holder}"


KIND = Kind("task", summary=_summary, may=_may)
