"""Reviews: what a receiver says of a handoff, and what follows from that."""

from __future__ import annotations

from collections.abc import Sequence

from gittask.actions.records import made
from gittask.actions.tasks import becomes, replace
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.record import Reader, Record
from gittask.core.text import spaced
from gittask.errors import NotFound, Refused
from gittask.kinds import readable
from gittask.kinds.execution import FINAL
from gittask.kinds.handoff import last_handoff
from gittask.kinds.task import CLOSED


def review(
    reader: Reader,
    act: Act,
    subject: Record,
    verdict: str,
    synthesis: str | None,
    findings: Sequence[str] = (),
    questions: Sequence[str] = (),
) -> Change:
    """A review of a handoff, or of a note that came late.

    If it asks for changes of what the task is in review for, the task goes back: to its holder
    under the same epoch or, if that execution has ended, to whoever starts next.
    """
    task = names.task(reader, subject.data["task"])
    said = {"synthesis": synthesis, "findings": list(findings), "questions": list(questions)}
    record = made(act, "review", task, {subject.kind: subject.id, "verdict": verdict, **said})
    records = [record]
    if verdict == "changes_requested":
        records += _sent_back(reader, act, task, subject, next(iter([*findings, *questions]), ""))
    what = f"{spaced(verdict)}: {synthesis or subject.id}"
    return Change(record, tuple(records), "review", what, act.execution)


def subject(reader: Reader, text: str) -> Record:
    """What a review is about: a handoff or a note by its id, or a task's last handoff."""
    task = names.task_or_event(reader, text, "handoff", "note")
    if task.kind != "task":
        return task
    last = last_handoff(reader, task.id)
    if last is None:
        raise NotFound(f"task {task.id} has no handoff", hint=f"gittask timeline {task.id}")
    return last


def _sent_back(
    reader: Reader, act: Act, task: Record, handoff: Record, wanted: str
) -> list[Record]:
    """The task and the holder's execution as they go on; nothing if another report stands."""
    state = task.data["state"]
    if state["status"] in CLOSED:
        raise Refused(
            f"task {task.id} is {state['status']}, and cannot be sent back",
            hint=f"open it first: gittask reopen {task.id} --reason ...",
        )
    standing = last_handoff(reader, task.id, state["holder"])
    if state["status"] != "review" or standing is None or standing.id != handoff.id:
        return []
    holder = readable(reader, "execution", state["holder"], task=task.id)
    if holder is None or holder.data["state"]["status"] in FINAL:
        reason = f"changes requested by {act.actor}: {wanted}"
        return [replace(task, state={**state, "status": "open", "holder": None, "reason": reason})]
    records = [replace(task, state={**state, "status": "active"})]
    if holder.data["state"]["status"] == "reported":
        records.append(becomes(act, holder, "running"))
    return records
