"""Who the reader of a brief is: execution, lane, epoch, and what they may touch."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Data, Record
from gittask.kinds.approval import covers, of_task, standing
from gittask.views.brief.item import About, Item, actor_name, ended
from gittask.views.brief.rules import allowed
from gittask.views.words import when


def who(about: About) -> Iterator[Item]:
    """Who the reader is, what they may do, who else is at work, and what is allowed."""
    actor = about.actor
    new = "" if about.known else ", not known to this store yet"
    kind = f"{actor.data['kind']}{new}"
    yield Item(f"You are {actor_name(actor.id)} ({kind}). {_authority(about)}")
    execution = about.execution
    if execution and not ended(execution):
        data = execution.data
        place = [
            f"{name} {data['workspace'][name]}"
            for name in ("repo", "branch", "path")
            if (data.get("workspace") or {}).get(name)
        ]
        if place:
            yield Item("Your workspace", ", ".join(place), data["actor"])
        if data["objective"] not in (about.task.data["title"], None):
            yield Item("Your objective", data["objective"], data["actor"])
    for other in about.executions:
        if not ended(other) and (execution is None or other.id != execution.id):
            yield Item(_other(about, other))
    if about.lost:
        yield Item("Nothing is allowed to you here: your execution has lost the task")
    else:
        yield from _granted(about)
        yield from allowed(about)


def _authority(about: About) -> str:
    """What the reader may do to the task now."""
    execution, state = about.execution, about.state
    claim = _claim(about)
    if execution is None:
        return f"You have no execution here: you may read, and add notes and messages. {claim}"
    data = execution.data
    yours = f"Your execution is {execution.id}: role {data['role']}, lane {data['lane']}, epoch "
    yours += f"{data['epoch']}"
    if ended(execution):
        return f"{yours}. It has ended ({data['state']['status']}). {claim}"
    if data["lane"] == "review":
        return f"{yours}. You may add notes, messages and reviews; not change the task or its code."
    if not about.holds:
        held = f"epoch {state['epoch']} stands" if state["holder"] else f"it is {state['status']}"
        return (
            f"{yours}. It has lost the task ({held}): what you write to it is refused, and what "
            f"you report is kept as late. {claim}"
        )
    return yours + _holding(about)


def _claim(about: About) -> str:
    """How the reader gets more authority, if there is a way that fits their role."""
    claim = "To change the task, claim it first: see Commands."
    if about.closed:
        claim = f"The task is {about.state['status']}; to go on with it, reopen it: see Commands."
    elif about.role != "editor":
        claim = "To look at it beside whoever holds it, begin first (see Commands); that gives no "
        claim += "right to change the task or its code."
    if about.person:
        claim += " As a person you may put its texts right, settle what is open, and take it over."
    return claim


def _holding(about: About) -> str:
    said = ". You hold the task: you may change it, and the code in your workspace, until another "
    said += f"claims it (epoch {about.state['epoch'] + 1}); from then on you may only report."
    if about.state["status"] == "review":
        said += " You have handed it off: it is in review, and comes back if changes are asked for."
    if about.provisional:
        said += " The claim is provisional: the remote does not know of it yet (gittask sync)."
    if about.holder_lost:
        said += " You count as lost here, for nothing was heard of you: report, or gittask beat."
    return said


def _other(about: About, other: Record) -> str:
    data = other.data
    holds = "holds the task" if other.id == about.state["holder"] else "is here too"
    if about.provisional and other.id == about.state["holder"]:
        holds += ", provisionally: the remote does not know of it yet"
    return (
        f"{data['actor']} {holds}: execution {other.id}, role {data['role']}, lane {data['lane']}, "
        f"epoch {data['epoch']}, {about.stands(other)}"
    )


def _granted(about: About) -> Iterator[Item]:
    """The approvals that stand and reach the reader."""
    found = [
        one
        for one in of_task(about.reader, about.task)
        if standing(about.reader, one, about.at) == "granted"
        and covers(one.data, about.task.data, about.execution)
    ]
    for one in found:
        data = one.data
        lapses = f", until {when(data['expires'])}" if data.get("expires") else ""
        label = f"Approval {one.id}, {reach(data)}{lapses}, granted by {data['state']['by']}"
        yield Item(label, data["action"], data["requested_by"], did="asked for")
    if not found:
        yield Item("No approval stands")


def reach(approval: Data) -> str:
    """How far an approval reaches."""
    scopes = {"once": "for one use", "execution": "for one execution", "task": "for the task"}
    return scopes.get(approval["scope"]) or f"for the project {approval.get('project')}"
