"""Executions: claiming a task, saying how it goes, and letting go."""

from __future__ import annotations

from gittask.actions.acknowledge import taking_up
from gittask.actions.records import earlier, made
from gittask.actions.tasks import becomes, end_own, replace
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader, Record
from gittask.errors import NotFound, Refused, Usage
from gittask.kinds import readable
from gittask.kinds.execution import FINAL, reports
from gittask.kinds.handoff import NOTHING_MORE, last_handoff
from gittask.kinds.preference import prevailing
from gittask.kinds.task import CLOSED, claimable, describe_holder


def start(
    reader: Reader,
    act: Act,
    text: str,
    *,
    objective: str | None = None,
    role: str | None = None,
    lane: str = "edit",
    provider: str | None = None,
    why: str | None = None,
    workspace: Data | None = None,
    runtime: Data | None = None,
    takeover: str | None = None,
    ack: str | None = None,
    no_ack: str | None = None,
) -> Change:
    """A new execution. In the edit lane it claims the task: epoch one up, holder the execution.

    Refused if the task is closed, or held by an execution that still works, unless ``takeover``
    gives the reason why that one cannot go on. Of a last handoff by another ``ack`` says what was
    understood, or ``no_ack`` why that is not said; without either the claim is refused. Without
    ``provider`` the work goes to the one that is preferred.
    """
    task = names.task(reader, text)
    state = task.data["state"]
    if state["status"] in CLOSED:
        raise Refused(
            f"task {task.id} is {state['status']}",
            hint=f"to go on with it: gittask reopen {task.id} --reason ...",
        )
    if why is not None and (lane == "review" or task.data.get("why")):
        hint = f"leave it out; to change it: gittask set {task.id} why=..."
        raise Usage("--why is for claiming a task that does not say why yet", hint=hint)
    if lane == "edit" and takeover is None:
        _free_to_claim(reader, act, task)
    provider = provider or preferred(reader, task, act.actor)
    last = last_handoff(reader, task.id)
    epoch = state["epoch"] + 1 if lane == "edit" else state["epoch"]
    id = act.fresh_event("execution", task.id)
    execution = Record(
        "execution",
        id,
        {
            "id": id,
            "task": task.id,
            "actor": act.actor,
            "created": act.created,
            "role": role or ("editor" if lane == "edit" else "reviewer"),
            "lane": lane,
            "epoch": epoch,
            "objective": objective or _objective(task, last),
            "state": {"status": "claimed", "at": act.at, "reason": None},
            "follows": last.id if last else None,
            "takeover": takeover,
            "overtakes": _overtakes(reader, task) if lane == "edit" else None,
            "provider": provider,
            "workspace": workspace,
            "runtimes": [new_runtime(act, provider, runtime)] if runtime else [],
        },
    )
    records = [execution]
    if (lane == "edit" and takeover is None) or ack is not None or no_ack is not None:
        begun = act._replace(execution=id)
        records += taking_up(reader, begun, task, last, ack, no_ack)
    if lane == "edit":
        claimed = _claimed(act, task, execution.id, takeover)
        records.append(claimed if why is None else replace(claimed, why=why))
    what = f"{act.actor} as {execution.data['role']}: {execution.data['objective']}"
    verb = "start" if takeover is None else "takeover"
    if takeover is not None:
        what = f"by {act.actor}, because {takeover}"
    return Change(execution, tuple(records), verb, what, execution.id, epoch)


def preferred(reader: Reader, task: Record, actor: str) -> str | None:
    """The provider that the work of an actor on a task goes to, if any is preferred."""
    found = prevailing(reader, task, "provider", actor)
    return str(found.value) if found else None


def _overtakes(reader: Reader, task: Record) -> Data | None:
    """Whom a claim succeeds, and what it knew of them: no clock tells what they say afterwards."""
    holder = task.data["state"]["holder"]
    if readable(reader, "execution", holder, task=task.id) is None:
        return None
    return {"execution": holder, "reports": len(reports(reader, task.id, holder))}


def _free_to_claim(reader: Reader, act: Act, task: Record) -> None:
    if claimable(reader, task):
        return
    state = task.data["state"]
    holder = state["holder"]
    execution = readable(reader, "execution", holder, task=task.id)
    hint = f"choose another (gittask ready), or look beside it: gittask start {task.id} "
    hint += "--lane review"
    if execution and execution.data["actor"] == act.actor:
        hint = f"it is yours: go on (gittask report {task.id} ...), or let go: gittask release "
        hint += task.id
    raise Refused(
        f"task {task.id} is {describe_holder(reader, task.id, state)}",
        hint=hint,
        details={
            "holder": holder,
            "actor": execution.data["actor"] if execution else None,
            "since": state["since"],
            "epoch": state["epoch"],
        },
    )


def _claimed(act: Act, task: Record, execution: str, reason: str | None) -> Record:
    state = {
        **task.data["state"],
        "status": "active",
        "epoch": task.data["state"]["epoch"] + 1,
        "holder": execution,
        "since": act.at,
        "reason": reason,
    }
    return replace(task, state=state)


def _objective(task: Record, last: Record | None) -> str:
    following = last.data["next_action"]["do"] if last else NOTHING_MORE
    return str(task.data["title"] if following == NOTHING_MORE else following)


def new_runtime(act: Act, provider: str | None, runtime: Data) -> Data:
    """A process or session that begins now; ``runtime`` is what is known of it."""
    empty: Data = dict.fromkeys(("model", "session", "host", "pid", "resume"))
    return {
        "id": act.fresh_item(),
        "provider": provider,
        **empty,
        **runtime,
        "started": act.at,
        "ended": None,
        "ended_reason": None,
    }


def own_execution(reader: Reader, act: Act, task: Record) -> Record:
    """The execution under which the actor works on the task.

    The one that was named; else the holder if it is the actor's; else the actor's last one.
    """
    if act.execution:
        found = reader.get("execution", act.execution, task=task.id)
        if found is None:
            raise NotFound(
                f"execution {act.execution} is not one of task {task.id}",
                hint=f"begin one: gittask start {task.id}",
            )
        return found
    mine = [
        execution
        for execution in reader.all("execution", task=task.id)
        if execution.data["actor"] == act.actor
    ]
    holding = [one for one in mine if one.id == task.data["state"]["holder"]]
    working = [one for one in mine if one.data["state"]["status"] not in FINAL]
    for candidates in (holding, working, mine):
        if candidates:
            return candidates[-1]
    raise NotFound(
        f"{act.actor} has no execution of task {task.id}",
        hint=f"begin one: gittask start {task.id}",
    )


def report(reader: Reader, act: Act, text: str, body: str) -> Change:
    """Progress, said in passing: a note of the execution, which thereby runs."""
    task = names.task(reader, text)
    first = earlier(reader, act, "note", task.id)
    if first:
        return Change(first, (), "report", body)
    execution = own_execution(reader, act, task)
    said = {"execution": execution.id, "kind": "progress", "body": body}
    note = made(act, "note", task, said)
    records = [note]
    if execution.data["state"]["status"] == "claimed":
        records.append(becomes(act, execution, "running"))
    return Change(note, tuple(records), "report", body, execution.id, execution.data["epoch"])


def release(reader: Reader, act: Act, text: str, reason: str | None) -> Change:
    """The claim given up: the task is open for the next one, the execution ended.

    Who acts under an execution that does not hold the task ends that, and changes nothing else.
    """
    task = names.task(reader, text)
    state = task.data["state"]
    own = readable(reader, "execution", act.execution, task=task.id)
    if own and own.id != state["holder"]:
        what = f"execution {own.id}: {reason or own.data['objective']}"
        gone = becomes(act, own, "cancelled", reason)
        return Change(task, (gone,), "release", what, own.id, own.data["epoch"])
    if not state["holder"]:
        raise Refused(f"task {task.id} is held by nobody", hint=f"gittask show {task.id}")
    holder = readable(reader, "execution", state["holder"], task=task.id)
    worked = holder is not None and holder.data["state"]["status"] != "claimed"
    ended = end_own(reader, act, task, "cancelled" if worked else "declined", reason)
    released = {**state, "status": "open", "holder": None, "reason": reason}
    after = replace(task, state=released)
    what = reason or task.data["title"]
    return Change(after, (after, *ended), "release", what, act.execution, state["epoch"])
