"""Waiting: what a task waits for, who can end that, and what happens if nobody does."""

from __future__ import annotations

from gittask.actions.records import LONGEST, answer_to, waiting
from gittask.actions.tasks import replace
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.moment import moment
from gittask.core.record import Reader, Record
from gittask.errors import NotFound, Refused, Usage
from gittask.kinds.approval import of_task
from gittask.kinds.task import CLOSED


def wait(
    reader: Reader,
    act: Act,
    text: str,
    on: str,
    subject: str | None = None,
    *,
    condition: str | None = None,
    responder: str | None = None,
    until: str | None = None,
    expires: str | None = None,
    otherwise: str | None = None,
) -> Change:
    """A task made to wait.

    ``subject`` names the task, the approval or the question that is waited for; ``until`` and
    ``expires`` are times as people type them. Raises Usage for parts that are missing or do not
    belong together, Refused if the task is closed.
    """
    task = names.task(reader, text)
    if task.data["state"]["status"] in CLOSED:
        raise Refused(
            f"task {task.id} is {task.data['state']['status']}, and waits for nothing",
            hint=f"to go on with it: gittask reopen {task.id} --reason ...",
        )
    _fitting(on, subject, condition, responder, until)
    if otherwise and not expires:
        raise Usage("--otherwise says what happens at the end of --expires", hint="give both")
    time = moment(until, act.at) if until else ""
    about, said = _subject(reader, task, on, subject)
    fields = {
        "on": on,
        "subject": about,
        "responder": names.named(reader, "actor", responder).id if responder else None,
        "condition": condition or said or f"it is {time[:16]}Z",
        "until": time or None,
        "expires": moment(expires, act.at) if expires else None,
        "otherwise": otherwise,
    }
    record = waiting(act, task, fields)
    what = f"until {time[:16]}Z" if on == "time" else f"for {on}: {fields['condition']}"
    return Change(record, (record,), "wait", what, act.execution)


def _fitting(
    on: str,
    subject: str | None,
    condition: str | None,
    responder: str | None,
    until: str | None,
) -> None:
    """Refuse a call that does not say what this sort of wait needs."""
    if on in ("person", "approval", "event") and responder is None:
        raise Usage(
            f"a wait for {'an' if on != 'person' else 'a'} {on} needs somebody who can end it",
            hint="name them: --responder ACTOR; see: gittask actor list",
        )
    if (on == "time") != (until is not None):
        raise Usage("--until and --on time go together", hint="--on time --until 2026-11-30T10:00")
    if on in ("time", "event") and subject is not None:
        raise Usage(f"a wait for {on} has no SUBJECT", hint="say what must come about: --for TEXT")
    if on == "task" and subject is None:
        raise Usage("which task is waited for is missing", hint="gittask wait TASK --on task OTHER")
    if on in ("person", "approval", "event") and subject is None and condition is None:
        raise Usage("what is waited for is missing", hint="say what must come about: --for TEXT")


def _subject(
    reader: Reader, task: Record, on: str, subject: str | None
) -> tuple[str | None, str | None]:
    """The id of what is waited for, and the condition that it makes."""
    if subject is None:
        return None, None
    if on == "task":
        other = names.task(reader, subject)
        return other.id, f"{other.data['title']} is done"
    if on == "approval":
        approval = names.event(reader, "approval", subject)
        if approval.id not in {one.id for one in of_task(reader, task)}:
            raise NotFound(
                f"approval {approval.id} is not one of task {task.id}, nor of its project",
                hint=f"see: gittask approve list {task.id}",
            )
        return approval.id, f"approve {approval.data['action']}"[:LONGEST]
    question = names.event(reader, "message", subject, task=task.id)
    if question.data["kind"] != "question":
        raise Usage(
            f"{question.id} is no question but a {question.data['kind']}",
            hint=f"ask one: gittask ask {task.id} ... --to ACTOR makes the task wait by itself",
        )
    return question.id, answer_to(question.data["body"])


def end(reader: Reader, act: Act, text: str, wait_text: str, status: str, reason: str) -> Change:
    """A wait ended by hand: ``met``, or ``cancelled`` because it no longer matters."""
    task = names.task(reader, text)
    found = names.event(reader, "wait", wait_text, task=task.id)
    state = {"status": status, "at": act.at, "by": act.actor, "reason": reason}
    after = replace(found, state=state)
    return Change(after, (after,), "wait", f"{status}: {reason}", act.execution)
