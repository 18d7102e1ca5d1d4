"""Handing off: what a report makes of its execution, and of the task that this holds."""

from __future__ import annotations

from gittask.actions.records import earlier
from gittask.actions.tasks import becomes, replace
from gittask.actions.work import own_execution
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader, Record
from gittask.core.text import one_line, shorten
from gittask.errors import Refused, Usage
from gittask.kinds.execution import FINAL
from gittask.kinds.message import put_to

DONE = ("review_request", "deliverable", "final")
"""The kinds of handoff by which an execution says that its work is done."""

SHOWN = 300
"""How many characters of a question a refusal shows."""

AFTER = {
    "progress": ("running", None),
    "auto": (None, None),
    "review_request": ("reported", "review"),
    "deliverable": ("reported", "review"),
    "retry_context": ("failed", "open"),
    "final": ("done", "review"),
}
"""What a handoff of each kind makes of the execution and of the task it holds."""


def handoff(
    reader: Reader,
    act: Act,
    text: str,
    report: Data,
    *,
    close: str | None = None,
    anyway: str | None = None,
) -> Change:
    """The report of the actor's execution, with what follows from it for execution and task.

    ``report`` holds the fields of the handoff that the caller said or found out. A report of an
    execution that no longer holds the task is kept as it is, and changes nothing else. With
    ``close`` the task is done too, with that outcome. While a question to the actor is open, a
    report that the work is done is refused, unless ``anyway`` says why.
    """
    task = names.task(reader, text)
    first = earlier(reader, act, "handoff", task.id)
    if first:
        return Change(first, (), "handoff", first.data["summary"])
    execution = own_execution(reader, act, task)
    if close is not None and report.get("kind") not in ("final", "deliverable"):
        raise Usage("--close needs a handoff of kind final or deliverable", hint="--kind final")
    left_open = unanswered(reader, execution, report, anyway)
    record = drafted(act, execution, {**report, **left_open})
    holds = task.data["state"]["holder"] == execution.id
    records = [record]
    status, task_becomes = AFTER.get(str(report.get("kind")), (None, None))
    if close is not None:
        status = "done"
    before = execution.data["state"]["status"]
    if status and before not in FINAL and status != before:
        records.append(becomes(act, execution, status))
    if holds and (task_becomes or close is not None):
        records.append(_handed_off(task, task_becomes, close))
    commits = report.get("commits") or []
    return Change(
        record,
        tuple(records),
        "handoff",
        str(report.get("summary", "")),
        execution.id,
        execution.data["epoch"],
        code_commit=commits[-1].get("sha") if commits else None,
    )


def drafted(act: Act, execution: Record, report: Data) -> Record:
    """A handoff: what was said, and what is known of the execution that reports."""
    task = execution.data["task"]
    known = {
        "id": act.fresh_event("handoff", task),
        "task": task,
        "execution": execution.id,
        "epoch": execution.data["epoch"],
        "actor": execution.data["actor"],
        "at": act.at,
        "created": act.created,
    }
    return Record("handoff", known["id"], {**report, **known})


def _handed_off(task: Record, status: str | None, close: str | None) -> Record:
    state = {**task.data["state"], "status": "done" if close is not None else status}
    if close is not None:
        state |= {"holder": None, "outcome": close}
    elif status == "open":
        state |= {"holder": None}
    return replace(task, state=state)


def unanswered(reader: Reader, execution: Record, report: Data, anyway: str | None) -> Data:
    """The field by which a handoff says that questions to its actor are open; empty if none is.

    A report that the work is done is refused while another waits for its actor to say something,
    unless ``anyway`` says why. That is no rule of the kind: a handoff that comes from another
    clone did not see the question, and is kept.
    """
    actor = execution.data["actor"]
    done = report.get("kind") in DONE
    asked = put_to(reader, execution.data["task"], actor) if done else []
    if not asked:
        return {}
    if anyway is not None:
        return {"unanswered": {"questions": [one.id for one in asked], "reason": anyway}}
    many = f"{len(asked)} questions to {actor} are"
    found = f"a question to {actor} is" if len(asked) == 1 else many
    shown = [f"{one.id} {one.data['from']} asks: {one_line(one.data['body'])}" for one in asked]
    raise Refused(
        "\n  ".join([f"{found} open:", *(shorten(each, SHOWN) for each in shown)]),
        hint=f'answer: gittask answer {asked[0].id} "..."; or say why not: --anyway "..."',
        details={"questions": [one.data for one in asked]},
    )
