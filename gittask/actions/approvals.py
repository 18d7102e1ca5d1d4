"""Approvals: asking for an exact action, answering, and finding out whether it is allowed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from gittask.actions.records import LONGEST, made, waiting
from gittask.actions.tasks import replace
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.dataclass import dataclass
from gittask.core.moment import moment
from gittask.core.record import Data, Reader, Record, age
from gittask.errors import Invalid, Refused, Usage
from gittask.kinds import readable
from gittask.kinds.approval import (
    NOTHING,
    allowing,
    approvers,
    covers,
    of_task,
    refusal,
    standing,
)
from gittask.kinds.fence import refuse_lost
from gittask.kinds.pattern import PATTERN, matches
from gittask.kinds.preference import policy


@dataclass(frozen=True)
class Asking:
    """What is asked for beside the action: how far it is to reach, until when, and of whom."""

    scope: str = "once"
    expires: str | None = None
    to: str | None = None


def request(reader: Reader, act: Act, text: str, action: str, asking: Asking) -> Change:
    """A request for an action, and the wait of the task for its answer, as one change."""
    task = names.task(reader, text)
    fields: Data = {
        "action": action,
        "scope": asking.scope,
        "requested_by": act.actor,
        "expires": moment(asking.expires, act.at) if asking.expires else None,
        "state": {"status": "requested", "by": None, "at": act.at, "reason": None},
    }
    approval = made(act, "approval", task, fields)
    if asking.scope == "project":
        approval = _of_project(approval, task)
    wait = waiting(
        act,
        task,
        {
            "on": "approval",
            "subject": approval.id,
            "responder": _responder(reader, task, approval.data, asking.to),
            "condition": f"approve {action}"[:LONGEST],
            "expires": fields["expires"],
        },
    )
    return Change(approval, (approval, wait), "approve", f"request {action}", act.execution)


def _of_project(approval: Record, task: Record) -> Record:
    """The request kept under the project, for it is about all tasks of that."""
    project = task.data.get("project")
    if not project:
        raise Usage(
            f"task {task.id} is in no project, so nothing can be asked for all of it",
            hint=f"ask for scope task, or: gittask set {task.id} project=...",
        )
    kept = {name: value for name, value in approval.data.items() if name != "task"}
    return Record("approval", approval.id, {**kept, "project": project})


def _responder(reader: Reader, task: Record, approval: Data, to: str | None) -> str:
    """Who is waited for: whom the call names, else somebody near who may answer."""
    if to is not None:
        named = names.named(reader, "actor", to).id
        said = refusal(reader, approval, named)
        if said:
            raise Refused(f"{named} cannot grant it: {said}", hint="name another: --to ACTOR")
        return named
    asks = readable(reader, "actor", approval["requested_by"], task=None)
    near = [task.data["responsible"], asks.data.get("delegated_by") if asks else None]
    for candidate in (*near, *approvers(reader, approval)):
        if candidate and refusal(reader, approval, candidate) is None:
            return str(candidate)
    raise Usage("nobody is named who may grant it", hint="name a person: --to ACTOR")


# -- answering --------------------------------------------------------------------------------


def answer(
    reader: Reader,
    act: Act,
    text: str,
    status: str,
    *,
    reason: str | None = None,
    expires: str | None = None,
) -> Change:
    """A request granted or denied, or a grant revoked.

    The approval is named by its id, or by a task with only one that could be answered so.
    """
    found = _named(reader, text, "granted" if status == "revoked" else "requested", act.at)
    state = {"status": status, "by": act.actor, "at": act.at, "reason": reason}
    after = replace(found, state=state)
    if expires is not None:
        after = replace(after, expires=moment(expires, act.at))
        if after.data["expires"] <= act.at:
            raise Usage(f"{expires!r} is past already", hint="name a time to come: --expires 2h")
    verb = {"granted": "grant", "denied": "deny", "revoked": "revoke"}[status]
    return Change(after, (after,), "approve", f"{verb} {found.data['action']}", act.execution)


def _named(reader: Reader, text: str, status: str, now: str) -> Record:
    task = names.task_or_event(reader, text, "approval")
    if task.kind == "approval":
        return task
    found = [one for one in of_task(reader, task) if standing(reader, one, now) == status]
    return names.sole(
        found,
        none=f"no approval of task {task.id} is {status}",
        see=f"see: gittask approve list {task.id}",
        many=f"{len(found)} approvals of task {task.id} are {status}",
        hint=f"name the one by its id: gittask approve list {task.id}",
    )


# -- finding out ------------------------------------------------------------------------------


def check(
    reader: Reader,
    act: Act,
    text: str,
    action: str,
    *,
    use: bool = False,
    asking: Asking | None = None,
) -> Change:
    """What allows an action: an approval, or else the record whose ``allowed`` covers it.

    With ``use`` an approval of scope once is spent by that. Raises Refused if nothing allows it.
    With ``asking`` it is asked for instead, unless that was done already or was denied; then the
    change holds the request.
    """
    if action.startswith(PATTERN):
        raise Usage("an action that is checked is exact", hint="leave out the pattern")
    task = names.task(reader, text)
    refuse_lost(reader, act.execution, "use an approval", task=task.id)
    known = [
        (one, standing(reader, one, act.at)) for one in _speaking_for(reader, act, task, action)
    ]
    granted = [one for one, status in known if status == "granted"]
    if granted:
        # What is not used up comes first, so that a single use is kept for when it is needed.
        chosen = min(granted, key=lambda one: (one.data["scope"] == "once", one.id))
        spends = use and chosen.data["scope"] == "once"
        return _spent(act, chosen) if spends else Change(chosen, (), "approve", action)
    by_policy, why_not = _by_policy(reader, act, task, action)
    if by_policy:
        return Change(by_policy, (), "approve", action)
    open_or_last = max(known, key=_open_or_late, default=None)
    if asking and (open_or_last is None or open_or_last[1] not in ("requested", "denied")):
        return request(reader, act, task.id, action, asking)
    raise _not_allowed(task, action, open_or_last, why_not)


def _by_policy(reader: Reader, act: Act, task: Record, action: str) -> tuple[Record | None, str]:
    """The record that lists an action as allowed on a task; or why none can, in words or empty."""
    try:
        found = allowing(reader, task, action, act.actor)
        if found:
            return reader.get(found.level, found.id), ""
        said = policy(reader, "allowed", task, task.data.get("project"), act.actor)
        if said and NOTHING in said.value:
            return None, f"; {said.level} {said.id} allows nothing without it"
        return None, ""
    except Invalid as unreadable:
        return None, f"; what needs no approval is not known: {unreadable.message}"


def _open_or_late(known: tuple[Record, str]) -> tuple[bool, str, str]:
    approval, status = known
    return status == "requested", *age(approval)


def _speaking_for(reader: Reader, act: Act, task: Record, action: str) -> Iterator[Record]:
    """The approvals that cover the action, the task and the execution, whatever their answer."""
    execution = readable(reader, "execution", act.execution, task=task.id)
    for approval in of_task(reader, task):
        data = approval.data
        if matches(data["action"], action) and covers(data, task.data, execution):
            yield approval


def _spent(act: Act, approval: Record) -> Change:
    mark = {"at": act.at, "by": act.actor, "execution": act.execution}
    after = replace(approval, spent=mark)
    what = f"use {approval.data['action']}"
    return Change(after, (after,), "approve", what, act.execution)


def _not_allowed(
    task: Record, action: str, known: tuple[Record, str] | None, why_not: str
) -> Refused:
    """Why an action is not allowed: how the open approval for it stands, or else the last one."""
    details: Data = {"action": action, "approval": None, "status": None}
    hint = f"ask for it: gittask approve request {task.id} {shlex.quote(action)}"
    if known is None:
        message = f"nobody was asked to allow {action!r} on task {task.id}{why_not}"
        return Refused(message, hint=hint, details=details)
    found, status = known
    state = found.data["state"]
    by = f" by {state['by']}" if status in ("denied", "revoked") else ""
    why = f": {state['reason']}" if state["reason"] else ""
    message = f"{action!r} is not allowed: approval {found.id} is {status}{by}{why}{why_not}"
    if status == "requested":
        hint = f"somebody who may: gittask approve grant {found.id}"
    return Refused(message, hint=hint, details={**details, "approval": found.id, "status": status})
