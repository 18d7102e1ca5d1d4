"""Going on after an execution was lost: in the same one, or in a new one."""

from __future__ import annotations

from gittask.actions.tasks import replace
from gittask.actions.work import new_runtime, preferred, start
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader, Record
from gittask.core.text import one_line, shorten
from gittask.errors import Refused
from gittask.kinds.execution import FINAL, NO_LONGER_WORKING, last_runtime
from gittask.kinds.task import CLOSED, describe_holder

LINE = 300
"""How many characters one line of a record may have."""


def go_on(reader: Reader, act: Act, seen: Record, cause: str, runtime: Data) -> Change:
    """The same execution with a new runtime, under the same epoch; the old one ended by ``cause``.

    ``runtime`` is what is known of the new one; what it does not say of the provider is as it
    was. Refused if the execution has ended or does not hold its task any more.
    """
    execution, task = _fresh(reader, seen)
    _still_at_work(reader, execution, task)
    last = last_runtime(execution.data)
    reason = shorten(one_line(cause), LINE)
    before = [
        {**one, "ended": act.at, "ended_reason": reason} if one["ended"] is None else one
        for one in execution.data.get("runtimes") or []
    ]
    provider = runtime.get("provider") or (last or execution.data).get("provider")
    model = {"model": last["model"]} if last and provider == last["provider"] else {}
    new = new_runtime(act, provider, {**model, **runtime})
    after = replace(execution, runtimes=[*before, new])
    what = f"{execution.data['actor']} goes on, because {cause}"
    return Change(after, (after,), "recover", what, after.id, after.data["epoch"])


def renew(reader: Reader, act: Act, seen: Record, reason: str, runtime: Data) -> Change:
    """A new execution in place of one that still holds its task, with the reason why."""
    execution, task = _fresh(reader, seen)
    _still_at_work(reader, execution, task)
    takeover = reason if execution.data["lane"] == "edit" else None
    return _again(reader, act, execution, runtime, takeover=takeover)


def retry(
    reader: Reader,
    act: Act,
    seen: Record,
    runtime: Data,
    *,
    ack: str | None = None,
    no_ack: str | None = None,
) -> Change:
    """A new execution that tries the same again: same task, workspace and objective.

    Refused while an execution that still works holds the task, be it the same one.
    """
    execution, task = _fresh(reader, seen)
    status = execution.data["state"]["status"]
    if task.data["state"]["holder"] == execution.id and status not in NO_LONGER_WORKING:
        raise Refused(
            f"execution {execution.id} has not ended: {status}",
            hint=f"to go on in its place: gittask recover {execution.id}",
        )
    return _again(reader, act, execution, runtime, ack=ack, no_ack=no_ack)


def _again(
    reader: Reader,
    act: Act,
    execution: Record,
    runtime: Data,
    *,
    takeover: str | None = None,
    ack: str | None = None,
    no_ack: str | None = None,
) -> Change:
    old = execution.data
    task = names.task(reader, old["task"])
    change = start(
        reader,
        act,
        task.id,
        objective=old["objective"],
        role=old["role"],
        lane=old["lane"],
        provider=runtime.get("provider")
        or preferred(reader, task, act.actor)
        or old.get("provider"),
        workspace=old.get("workspace"),
        runtime=runtime,
        takeover=takeover,
        ack=ack,
        no_ack=no_ack,
    )
    new = replace(change.main, retry_of=execution.id)
    records = tuple(new if one is change.main else one for one in change.records)
    return change._replace(main=new, records=records)


def _fresh(reader: Reader, seen: Record) -> tuple[Record, Record]:
    """An execution as it is now, and its task."""
    task = names.task(reader, seen.data["task"])
    found = reader.get("execution", seen.id, task=task.id)
    assert found is not None  # records are never taken away
    return found, task


def _still_at_work(reader: Reader, execution: Record, task: Record) -> None:
    """Refuse to recover what has ended, or what another has taken up."""
    status, held = execution.data["state"]["status"], task.data["state"]
    if status in FINAL:
        raise Refused(
            f"execution {execution.id} has ended: {status}",
            hint=f"try the same again: gittask retry {execution.id}",
        )
    if execution.data["lane"] == "edit" and held["holder"] != execution.id:
        raise Refused(
            f"execution {execution.id} no longer holds task {task.id} "
            f"(epoch {held['epoch']}, {describe_holder(reader, task.id, held)})",
            hint=f"claim it again: gittask retry {execution.id}",
            details={"epoch": held["epoch"], "holder": held["holder"]},
        )
    if held["status"] in CLOSED:
        raise Refused(
            f"task {task.id} is {held['status']}",
            hint=f"to go on with it: gittask reopen {task.id} --reason ...",
        )
