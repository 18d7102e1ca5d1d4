"""Making, describing and ending tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.merge import Conflict, merge
from gittask.core.record import Data, Reader, Record, same
from gittask.core.stamp import stamps
from gittask.core.text import shorten
from gittask.core.units import Rules
from gittask.errors import NotFound, Refused
from gittask.kinds import readable
from gittask.kinds.execution import FINAL
from gittask.kinds.task import CLOSED

UNCLAIMED: Data = {
    "status": "open",
    "epoch": 0,
    "holder": None,
    "since": None,
    "outcome": None,
    "reason": None,
}


def new(
    reader: Reader,
    act: Act,
    title: str,
    *,
    acceptance: Sequence[str] = (),
    discovered_from: str | None = None,
    **fields: Any,
) -> Change:
    """A new task. ``fields`` are fields of the task; names of tasks in them may be prefixes.

    Raises NotFound or Ambiguous if a name in them is not one record's. With an idempotency key
    that was used before, the first call's task and no records.
    """
    id = act.fresh_task()
    existing = reader.get("task", id) if act.key is not None else None
    if existing:
        return Change(existing, (), "new", title)
    given = {name: value for name, value in fields.items() if value not in (None, (), [])}
    for name in ("project",):
        if name in given:
            given[name] = names.named(reader, name, given[name]).id
    if "parent" in given:
        given["parent"] = names.task_id(reader, given["parent"])
    if "depends_on" in given:
        given["depends_on"] = sorted({names.task_id(reader, text) for text in given["depends_on"]})
    if "labels" in given:
        given["labels"] = sorted(set(given["labels"]))
    links = []
    if discovered_from:
        source = names.task_id(reader, discovered_from)
        links.append(
            {"id": act.fresh_item(), "rel": "discovered-from", "target": source, "title": None}
        )
    data: Data = {
        "id": id,
        "title": title,
        "created": act.created,
        "state": dict(UNCLAIMED),
        **given,
        "responsible": _responsible(reader, act, given, discovered_from),
        "acceptance": [criterion(act, text, i) for i, text in enumerate(acceptance)],
        "links": links,
    }
    task = Record("task", id, data)
    return Change(task, (task,), "new", title)


def criterion(act: Act, text: str, position: int) -> Data:
    """A new item of acceptance, not met yet; ``position`` items stand before it."""
    return {"id": act.fresh_item(position), "text": text, "met": False, "evidence": None}


def _responsible(
    reader: Reader, act: Act, given: Mapping[str, Any], discovered_from: str | None
) -> str:
    """Who answers for a new task: who was named, else the project's, else a person nearby."""
    if given.get("responsible"):
        return names.named(reader, "actor", given["responsible"]).id
    if given.get("project"):
        project = names.named(reader, "project", given["project"])
        if project.data.get("responsible"):
            return str(project.data["responsible"])
    if act.person:
        return act.actor
    for other in (given.get("parent"), discovered_from):
        if other:
            return str(names.task(reader, other).data["responsible"])
    actor = readable(reader, "actor", act.actor, task=None)
    return str((actor.data.get("delegated_by") if actor else None) or act.actor)


def replace(record: Record, **fields: Any) -> Record:
    """The record with these fields set."""
    return Record(record.kind, record.id, {**record.data, **fields})


def describe(act: Act, task: Record, data: Data) -> Change:
    """The task with descriptive fields changed, as ``set`` and ``edit`` do."""
    touched = [name for name in {**data, **task.data} if _differs(name, data, task.data)]
    if not touched:
        return Change(task, (), "set", task.data["title"])
    after = Record("task", task.id, data)
    what = ", ".join(touched)
    if touched == ["title"]:
        what = f"title: {data['title']}"
    return Change(after, (after,), "set", what, execution=act.execution)


def _differs(name: str, data: Data, before: Data) -> bool:
    return name != "changed" and not (
        name in data and name in before and same(data[name], before[name])
    )


def edit(reader: Reader, act: Act, rules: Rules, seen: Record, data: Data) -> Change:
    """The task with the differences between ``seen`` and ``data``, whatever else has changed.

    Refused if somebody set one of the same things to another value in between.
    """
    fresh = names.task(reader, seen.id)
    merged = merge(rules, seen.data, data, fresh.data)
    if merged.conflicts:
        raise Refused(
            f"task {seen.id} was changed while you edited it: "
            + ", ".join(_other(conflict, fresh.data) for conflict in merged.conflicts),
            hint=f"look at it (gittask show {seen.id}) and edit again",
        )
    return describe(act, fresh, merged.value)


def _other(conflict: Conflict, fresh: Data) -> str:
    field = conflict.field.partition(".")[0]
    by = stamps(fresh)[conflict.field].by if conflict.field in stamps(fresh) else ""
    return f"{field} by {by}" if by else field


def depend(
    reader: Reader, act: Act, text: str, others: Sequence[str], *, remove: bool = False
) -> Change:
    """The task with dependencies added or removed. Removing one that is not there is refused."""
    task = names.task(reader, text)
    before = list(task.data.get("depends_on") or [])
    if remove:
        wanted = [_known_dependency(before, reader, other) for other in others]
        after = sorted(set(before) - set(wanted))
        what = "no longer needs " + ", ".join(wanted)
    else:
        wanted = [names.task_id(reader, other) for other in others]
        after = sorted({*before, *wanted})
        what = "needs " + ", ".join(wanted)
    changed = replace(task, depends_on=after)
    records = () if after == before else (changed,)
    return Change(changed, records, "dep", what, execution=act.execution)


def _known_dependency(present: Sequence[str], reader: Reader, text: str) -> str:
    wanted = text.strip().lower()
    found = [id for id in present if id == wanted or (len(wanted) >= 4 and id.startswith(wanted))]
    if len(found) == 1:
        return found[0]
    id = names.task_id(reader, text)
    if id not in present:
        raise NotFound(f"it does not depend on {id}", hint="see: gittask dep list TASK")
    return id


def end_own(
    reader: Reader, act: Act, task: Record, status: str, reason: str | None
) -> list[Record]:
    """The execution that holds the task, ended by its own actor; empty if it is another's."""
    holder = task.data["state"]["holder"]
    execution = readable(reader, "execution", holder, task=task.id)
    if execution is None or execution.data["actor"] != act.actor:
        return []
    if execution.data["state"]["status"] in FINAL:
        return []
    return [becomes(act, execution, status, reason)]


def becomes(act: Act, execution: Record, status: str, reason: str | None = None) -> Record:
    """The execution in another state."""
    state = {**execution.data["state"], "status": status, "at": act.at, "reason": reason}
    return replace(execution, state=state)


def close(reader: Reader, act: Act, text: str, outcome: str | None) -> Change:
    """The task done, and the actor's own execution of it ended."""
    task = names.task(reader, text)
    _still_open(task, "close")
    ended = end_own(reader, act, task, "done", None)
    after = replace(
        task,
        state={
            **task.data["state"],
            "status": "done",
            "holder": None,
            "outcome": outcome,
            "reason": None,
        },
    )
    return Change(after, (after, *ended), "close", outcome or task.data["title"], act.execution)


def cancel(reader: Reader, act: Act, text: str, reason: str) -> Change:
    """The task given up, with the reason."""
    task = names.task(reader, text)
    _still_open(task, "cancel")
    ended = end_own(reader, act, task, "cancelled", reason)
    state = {**task.data["state"], "status": "cancelled", "holder": None, "reason": reason}
    after = replace(task, state=state)
    return Change(after, (after, *ended), "cancel", reason, act.execution)


def reopen(reader: Reader, act: Act, text: str, reason: str) -> Change:
    """A closed task open again, for anybody to start."""
    task = names.task(reader, text)
    status = task.data["state"]["status"]
    if status not in CLOSED:
        raise Refused(f"task {task.id} is {status}, not closed", hint=f"gittask show {task.id}")
    state = {**task.data["state"], "status": "open", "holder": None, "outcome": None}
    after = replace(task, state={**state, "reason": reason})
    return Change(after, (after,), "reopen", reason, act.execution)


def _still_open(task: Record, verb: str) -> None:
    status = task.data["state"]["status"]
    if status in CLOSED:
        title = shorten(task.data["title"], 60)
        raise Refused(
            f"task {task.id} ({title}) is {status} already",
            hint=f"to go on with it: gittask reopen {task.id} --reason ...",
            details={"verb": verb, "status": status},
        )
