"""Requests to be allowed an exact action: what they cover, and who may answer them."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Data, Reader, Record, same
from gittask.errors import Invalid, Problem, Refused
from gittask.kinds.execution import FINAL, own
from gittask.kinds.fence import fence
from gittask.kinds.kind import Attempt, Kind, readable
from gittask.kinds.pattern import matches, names_nothing
from gittask.kinds.preference import Said, policy

NOTHING = "none"
"""What a list of allowed actions holds to say that there is none, whatever else it holds."""

_NO = ("denied", "revoked")

_ANSWERS = {"requested": ("granted", "denied"), "granted": ("revoked",)}
"""Which answers may follow a status; after any other one asks anew."""


# -- what a grant covers ----------------------------------------------------------------------


def covers(approval: Data, task: Data, execution: Record | None) -> bool:
    """Whether the scope of an approval reaches an execution (None: work without one) of a task."""
    if approval["scope"] == "project":
        return bool(approval.get("project") == task.get("project"))
    if approval.get("task") != task["id"]:
        return False
    if approval["scope"] != "execution":
        return True
    return (
        execution is not None
        and execution.id == approval.get("execution")
        and execution.data["state"]["status"] not in FINAL
    )


def of_task(reader: Reader, task: Record) -> Iterator[Record]:
    """The readable approvals that could speak for a task: its own, and those of its project."""
    yield from reader.all("approval", task=task.id)
    project = task.data.get("project")
    if project:
        yield from reader.all("approval", project=project)


def standing(reader: Reader, approval: Record, now: str) -> str:
    """How an approval stands: its status or, where that counts no more, why.

    ``spent`` (used once), ``expired``, or ``void``: granted by somebody who may not grant it, as
    a commit by hand can say. Only ``granted`` allows anything.
    """
    data = approval.data
    status = str(data["state"]["status"])
    if status not in _ANSWERS:
        return status
    if data.get("spent"):
        return "spent"
    if status == "granted" and refusal(reader, data, data["state"]["by"]):
        return "void"
    return "expired" if _lapsed(data, now) else status


def _lapsed(data: Data, now: str) -> bool:
    return bool(data.get("expires") and data["expires"] <= now)


# -- what needs no approval -------------------------------------------------------------------


def allowing(reader: Reader, task: Record, action: str, actor: str | None) -> Said | None:
    """What allows an exact action without approval: the level, and the entry that covers it.

    None if the action, or a pattern that covers it, was denied or revoked on the task: who was
    asked knew more. Raises Invalid where a level or an approval that might forbid it cannot be
    read.
    """
    found = policy(reader, "allowed", task, task.data.get("project"), actor)
    if found is None or NOTHING in found.value or _said_no(reader, task, action):
        return None
    entries = [entry for entry in found.value if matches(entry, action)]
    return Said(found.level, found.id, entries[0]) if entries else None


def _said_no(reader: Reader, task: Record, action: str) -> bool:
    project = task.data.get("project")
    for owner in ({"task": task.id}, *([{"project": project}] if project else [])):
        for id in reader.ids("approval", **owner):
            one = reader.get("approval", id, **owner)
            no = one is not None and one.data["state"]["status"] in _NO
            if one and no and matches(one.data["action"], action):
                return True
        hidden = f"/{'/'.join(owner.values())}/approvals"
        unread = [problem for problem in reader.problems if hidden in f"/{problem.file}"]
        if unread:  # what stands there, or where a folder should, may be a no
            raise Invalid(unread, what="cannot read")
    return False


# -- who may answer ---------------------------------------------------------------------------


def refusal(reader: Reader, approval: Data, actor: str | None) -> str | None:
    """Why an actor may not answer a request, in words; None if they may.

    Those may who are named; where nobody is, any person. Nobody answers their own request.
    """
    if actor == approval["requested_by"]:
        return f"{actor} asks for it, and nobody answers their own request"
    try:
        named = approvers(reader, approval)
    except Invalid:
        return "who may answer it cannot be read"
    if named:
        return None if actor in named else f"only {', '.join(named)} may answer it"
    found = readable(reader, "actor", actor, task=None)
    if found and found.data["kind"] == "person":
        return None
    return f"{actor} is no person, and nobody else is named to answer it"


def approvers(reader: Reader, approval: Data) -> list[str]:
    """Those who are named to answer, by the nearest of task, project and store; empty: any person.

    Raises Invalid if one of these cannot be read, or is gone: it might name somebody.
    """
    project, task = approval.get("project"), None
    if project is None:
        task = reader.get("task", approval["task"])
        if task is None:
            raise Invalid([Problem("", "task", f"{approval['task']} is gone")])
        project = task.data.get("project")
    found = policy(reader, "approvers", task, project)
    return list(found.value) if found else []


# -- the rules --------------------------------------------------------------------------------


def _may(attempt: Attempt) -> Iterator[Problem]:
    after = attempt.after.data
    if attempt.before is None:
        yield from _request(attempt, after)
        return
    before = attempt.before.data
    if not same(before.get("spent"), after.get("spent")):
        _use(attempt, before, after)
    elif not same([before["state"], before.get("expires")], [after["state"], after.get("expires")]):
        _answer(attempt, before, after)


def _request(attempt: Attempt, data: Data) -> Iterator[Problem]:
    fence(attempt, "ask for approval")
    if data["requested_by"] != data["created"]["by"]:
        yield Problem("", "requested_by", "is not who made the request", "ask for yourself")
    if data["scope"] == "execution" and not data.get("execution"):
        hint = f"begin one (gittask start {data['task']}), or ask for scope once or task"
        yield Problem("", "execution", "is missing, but the scope is an execution", hint)
    if names_nothing(data["action"]):
        yield Problem("", "action", "is a pattern that names no action", "name the command")
    if _lapsed(data, data["created"]["at"]):
        hint = "name a time to come"
        yield Problem("", "expires", f"is past already: {data['expires']}", hint)
    execution = readable(attempt.reader, "execution", data.get("execution"), task=data.get("task"))
    if execution:
        own(execution, attempt.actor, attempt.person)
    if data["state"]["status"] != "requested":
        said = refusal(attempt.reader, data, data["state"]["by"])
        if said:
            hint = "leave the answer to somebody who may"
            yield Problem("", "state.by", f"may not answer it: {said}", hint)


def _answer(attempt: Attempt, before: Data, after: Data) -> None:
    """Who may, answers once; what was granted can be taken back until it is used up."""
    id, status, answer = before["id"], before["state"]["status"], after["state"]["status"]
    said = refusal(attempt.reader, before, attempt.actor)
    again = f"ask anew: gittask approve request {before.get('task') or 'TASK'} ACTION"
    if said:
        hint = "ask somebody who may; see: gittask approve list"
        raise Refused(f"approval {id} is not for {attempt.actor} to answer: {said}", hint=hint)
    if before.get("spent"):
        raise Refused(f"approval {id} was used up by {before['spent']['by']} already", hint=again)
    if answer not in _ANSWERS.get(status, ()):
        by = f" by {before['state']['by']}" if before["state"]["by"] else ""
        hint = f"take it back: gittask approve revoke {id}" if status == "granted" else again
        raise Refused(f"approval {id} is {status}{by}, it cannot become {answer}", hint=hint)
    if answer == "granted" and _lapsed(before, after["state"]["at"]):
        raise Refused(f"approval {id} expired at {before['expires']}", hint=again)


def _use(attempt: Attempt, before: Data, after: Data) -> None:
    """A grant for one use is spent once, and never given back."""
    fence(attempt, "use an approval")
    granted = before["state"]["status"] == "granted" and same(before["state"], after["state"])
    if before.get("spent") or not granted or before["scope"] != "once":
        raise Refused(
            f"approval {before['id']} cannot be used up: it is {before['state']['status']} for "
            f"{before['scope']}" + (", and was used already" if before.get("spent") else ""),
            hint=f"see: gittask approve list {before.get('task', '')}".rstrip(),
        )


KIND = Kind(
    "approval", summary=lambda data: f"{data['state']['status']}: {data['action']}", may=_may
)
