"""An execution in full: how the work went, by whom and with what, and what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core import ids
from gittask.core.meaning import meant
from gittask.core.record import Data, Reader, Record
from gittask.core.text import one_line, spaced
from gittask.kinds import newest, readable
from gittask.kinds.approval import covers, of_task, standing
from gittask.views import words
from gittask.views.late import REPORTS, Late
from gittask.views.liveness import UNHEARD, Heard, current
from gittask.views.show.record import fields, part, row, signed
from gittask.views.words import When, block, first_line, timed, when

_TOLD = (
    *("id", "task", "created", "actor", "role", "lane", "epoch", "objective", "state", "provider"),
    *("follows", "retry_of", "takeover", "overtakes", "workspace", "runtimes", "changed"),
)
"""The fields that are told in words of their own, or not at all: who set which and when."""


def computed(
    reader: Reader, execution: Record, task: Record, now: str, heard: Heard = UNHEARD
) -> Data:
    """What follows from the records about an execution, and so stands in none of them.

    ``liveness`` is ``{state, cause, since, gone}``. ``follows``, ``retry_of``, ``overtakes`` and
    ``retried_by`` are the records that those name, or None. ``notes``, ``handoffs``, ``decisions``
    and ``reviews`` (of its handoffs) are records as they are, by age; ``approvals`` too, those it
    asked for and those that hold for it, each with its ``standing``. ``late`` are the ids of what
    it wrote after it had lost the task.
    """
    executions = list(reader.all("execution", task=task.id))
    data = execution.data
    overtakes = (data.get("overtakes") or {}).get("execution")
    follows = readable(reader, "handoff", data.get("follows"), task=task.id)
    found: Data = {
        "task": {
            "id": task.id,
            "title": task.data["title"],
            "status": task.data["state"]["status"],
        },
        "liveness": current(reader, execution, task, heard, now).as_json(),
        "follows": follows.data if follows else None,
        "retry_of": _data(executions, data.get("retry_of")),
        "overtakes": _data(executions, overtakes),
        "retried_by": [one.data for one in executions if one.data.get("retry_of") == execution.id],
    }
    own = {
        kind: [one for one in newest(reader, kind, task=task.id) if _of(one, execution)][::-1]
        for kind in ("note", "handoff", "decision")
    }
    found |= {f"{kind}s": [one.data for one in records] for kind, records in own.items()}
    handoffs = {one.id for one in own["handoff"]}
    reviews = (one.data for one in reader.all("review", task=task.id))
    found["reviews"] = [one for one in reviews if one.get("handoff") in handoffs]
    found["approvals"] = _approvals(reader, execution, task, now)
    is_late = Late(reader, task, executions)
    found["late"] = sorted(one.id for kind in REPORTS for one in own[kind] if is_late(one))
    return found


def _of(record: Record, execution: Record) -> bool:
    return bool(record.data.get("execution") == execution.id)


def _data(executions: list[Record], id: str | None) -> Data | None:
    return next((one.data for one in executions if one.id == id), None)


def _approvals(reader: Reader, execution: Record, task: Record, now: str) -> list[Data]:
    """The approvals that an execution asked for, or that are granted and reach it."""
    found = []
    for one in of_task(reader, task):
        stands = standing(reader, one, now)
        reaches = stands == "granted" and covers(one.data, task.data, execution)
        if reaches or one.data.get("execution") == execution.id:
            found.append({**one.data, "standing": stands})
    return found


# -- for people -------------------------------------------------------------------------------


def text(execution: Record, found: Data, names: list[str], *, when: When = when) -> Iterator[str]:
    """An execution and what is computed of it; ``names`` are the fields of the kind, in order."""
    data = execution.data
    yield meant(one_line(f"execution {execution.id} of task {execution.task}"), "heading")
    yield one_line(_stands(data, found["liveness"], when))
    yield from part("objective", block(data["objective"], ""))
    yield ""
    yield from _fields(data, found, when)
    yield from fields(data, names, _TOLD, when)
    yield from part("reason", block(data["state"]["reason"] or "", ""))
    yield from part("took over because", block(data.get("takeover") or "", ""))
    yield from part("runtimes", _runtimes(data, when))
    for handoff in found["handoffs"]:
        yield from part(*_handoff(handoff, found, when))
    yield from part("notes", _notes(found, when))
    yield from part("decisions", [_decision(one) for one in found["decisions"]])
    yield from part("approvals", [_approval(one, when) for one in found["approvals"]])


def _stands(data: Data, liveness: Data, when: When) -> str:
    """Who works, and how that stands, in a line."""
    ended = liveness["state"] == "ended"
    state = data["state"]["status"] if ended else liveness["state"]
    cause = f" ({liveness['cause']})" if liveness["cause"] and not ended else ""
    since = f" {timed('since', when(liveness['since']))}" if liveness["since"] else ""
    return f"{data['actor']} as {data['role']}: {state}{since}{cause}"


def _fields(data: Data, found: Data, when: When) -> Iterator[str]:
    task, state = found["task"], data["state"]
    yield from row("task", f"{task['id']} {task['title']} ({task['status']})")
    if found["liveness"]["state"] not in (state["status"], "ended"):
        yield from row("status", f"{state['status']} {timed('since', when(state['at']))}")
    yield from row("lane", f"{data['lane']}, epoch {data['epoch']}")
    yield from row("provider", data.get("provider"))
    yield from row("created", signed(data["created"]["at"], data["created"]["by"], when))
    follows = found["follows"]
    summary = f" of {follows['actor']}: {first_line(follows['summary'])}" if follows else ""
    yield from row("follows", data.get("follows") and f"handoff {data['follows']}{summary}")
    yield from row("retries", _other(data.get("retry_of"), found["retry_of"]))
    for other in found["retried_by"]:
        yield from row("retried by", _other(other["id"], other))
    before = data.get("overtakes") or {}
    yield from row("after", _other(before.get("execution"), found["overtakes"]))
    yield from row("workspace", words.workspace(data.get("workspace") or {}))


def _other(id: str | None, found: Data | None) -> str | None:
    """Another execution: its id and, where it can be read, who it was and how it ended."""
    if id is None or found is None:
        return id
    state = found["state"]
    reason = f", {first_line(state['reason'])}" if state["reason"] else ""
    return f"{id} {found['actor']} ({state['status']}{reason})"


def _runtimes(data: Data, when: When) -> Iterator[str]:
    """The processes and sessions underneath, one after another."""
    for one in sorted(data.get("runtimes") or (), key=lambda one: (one["started"], one["id"])):
        what = " ".join(each for each in (one["provider"], one["model"]) if each) or "process"
        place = [
            f"{name} {one[name]}" for name in ("session", "host", "pid") if one[name] is not None
        ]
        yield one_line(", ".join([f"{one['id']} {what}", *place]))
        reason = f": {one['ended_reason']}" if one["ended_reason"] else ""
        ended = f", ended {when(one['ended'])}{reason}" if one["ended"] else ""
        yield one_line(f"    started {when(one['started'])}{ended}")
        if one["resume"]:
            yield one_line(f"    resume: {one['resume']}")


def _late(data: Data, found: Data) -> str:
    return " (late)" if data["id"] in found["late"] else ""


def _handoff(data: Data, found: Data, when: When) -> tuple[str, list[str]]:
    """A handoff: its heading, and what it says, with what was made of it."""
    kind = spaced(data["kind"])
    head = one_line(f"handoff {data['id']}, {when(data['at'])}, {kind}{_late(data, found)}")
    reviews = [one for one in found["reviews"] if one["handoff"] == data["id"]]
    lines = [f"{data['condition']}: {one_line(data['summary'])}", *words.handoff(data)]
    return head, [*lines, *(_review(one, when) for one in reviews)]


def _review(data: Data, when: When) -> str:
    verdict, *said = map(first_line, words.review(data))
    by = signed(data["created"]["at"], data["created"]["by"], when)
    return "; ".join([f"{verdict}, {by}", *said])


def _notes(found: Data, when: When) -> Iterator[str]:
    for data in found["notes"]:
        kind = f"{data['kind']} {ids.ending(data['id'])}{_late(data, found)}"
        yield one_line(f"{when(data['created']['at'])}  {kind}  {first_line(data['body'])}")
        yield from (f"    {line}" for line in words.note(data))


def _decision(data: Data) -> str:
    return one_line(f"{data['id']} {data['title']}: {first_line(data['outcome'])}")


def _approval(data: Data, when: When) -> str:
    state, used = data["state"], data.get("spent")
    by = f", {signed(state['at'], state['by'], when)}" if state["by"] else ""
    spent = f", used {signed(used['at'], used['by'], when)}" if used else ""
    head = f"{data['id']} {data['standing']} ({data['scope']}){by}{spent}"
    return one_line(f"{head}: {first_line(data['action'])}")
