"""Records that are only ever added: notes, decisions and messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gittask.core import ids, names
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader, Record
from gittask.errors import Refused
from gittask.kinds.message import open_questions

LONGEST = 2000
"""How many characters of another record's text a wait's condition repeats."""


def made(act: Act, kind: str, task: Record, fields: Data, id: str | None = None) -> Record:
    """A new record of a task, with the fields that every record has; empty ones are left out."""
    id = id or act.fresh_event(kind, task.id)
    data = {"id": id, "task": task.id, "execution": act.execution, "created": act.created}
    given = {name: value for name, value in fields.items() if value not in (None, (), [])}
    return Record(kind, id, {**data, **given})


def earlier(reader: Reader, act: Act, kind: str, task: str) -> Record | None:
    """The record that an earlier call with the same idempotency key made, or None."""
    if act.key is None:
        return None
    ending = ids.ending(act.fresh_event(kind, task))
    for id in reader.ids(kind, task=task):
        if ids.ending(id) == ending:
            return reader.get(kind, id, task=task)
    return None


def note(reader: Reader, act: Act, text: str, body: str, kind: str, **parts: Any) -> Change:
    """A note on a task. ``parts`` are its structured parts: ``command``, ``files``."""
    task = names.task(reader, text)
    first = earlier(reader, act, "note", task.id)
    if first:
        return Change(first, (), "note", body)
    record = made(act, "note", task, {"kind": kind, "body": body, **parts})
    return Change(record, (record,), "note", body, act.execution)


def decide(
    reader: Reader,
    act: Act,
    text: str | None,
    title: str,
    outcome: str,
    *,
    project: str | None = None,
    deciders: Sequence[str] = (),
    options: Sequence[str] = (),
    supersedes: str | None = None,
    **parts: Any,
) -> Change:
    """A decision for a task, or for a whole project."""
    who = [names.named(reader, "actor", name).id for name in deciders] or [act.actor]
    said = {"title": title, "outcome": outcome, "options": list(options), **parts}
    fields = {name: value for name, value in said.items() if value not in (None, [])}
    fields["deciders"] = sorted(set(who))
    if text is None:
        owner = names.named(reader, "project", project or "")
        if supersedes:
            fields["supersedes"] = names.event(reader, "decision", supersedes).id
        id = act.fresh_event("decision", owner.id)
        data = {"id": id, "project": owner.id, "created": act.created, "scope": "project", **fields}
        record = Record("decision", id, data)
        return Change(record, (record,), "decide", title, act.execution)
    task = names.task(reader, text)
    if supersedes:
        fields["supersedes"] = names.event(reader, "decision", supersedes, task=task.id).id
    record = made(act, "decision", task, {"scope": "task", **fields})
    return Change(record, (record,), "decide", title, act.execution)


def say(
    reader: Reader,
    act: Act,
    text: str,
    body: str,
    *,
    kind: str = "comment",
    to: str | None = None,
    channel: str = "cli",
    reply_to: str | None = None,
) -> Change:
    """A message on a task, in the thread of the message that it replies to or in one of its own.

    A question to somebody also makes the task wait for them. An agent that does not hold a task
    which another holds may ask, and holds nobody up.
    """
    task = names.task(reader, text)
    first = earlier(reader, act, "message", task.id)
    if first and first.data["kind"] != kind:
        raise Refused(
            f"the idempotency key was used already, for the {first.data['kind']} {first.id}",
            hint="give each call a key of its own",
        )
    if first:
        return Change(first, (), VERBS[kind], body)
    to = names.named(reader, "actor", to).id if to else None
    replied = names.event(reader, "message", reply_to, task=task.id) if reply_to else None
    id = act.fresh_event("message", task.id)
    fields = {
        "thread": replied.data["thread"] if replied else id,
        "kind": kind,
        "from": act.actor,
        "to": to,
        "channel": channel,
        "body": body,
        "in_reply_to": replied.id if replied else None,
    }
    stops = kind == "question" and to and _may_stop(act, task)
    waits = []
    if stops:
        awaited = {"on": "person", "subject": id, "responder": to, "condition": answer_to(body)}
        waits.append(waiting(act, task, awaited))
    record = made(act, "message", task, fields, id)
    return Change(record, (record, *waits), VERBS[kind], body, act.execution)


def _may_stop(act: Act, task: Record) -> bool:
    """Whether who asks may make the task wait: people, its holder; others while nobody holds it."""
    holder = task.data["state"]["holder"]
    return act.person or holder is None or act.execution == holder


VERBS = {"question": "ask", "answer": "answer", "comment": "say", "instruction": "say"}
"""The verb under which a message of each kind is committed."""


def waiting(act: Act, task: Record, fields: Data) -> Record:
    """A new wait of a task, which nobody has ended."""
    state = {"status": "open", "at": act.at, "by": None, "reason": None}
    return made(act, "wait", task, {**fields, "state": state})


def answer_to(question: str) -> str:
    """The condition of a wait for the answer to a question."""
    return f"an answer to: {question}"[:LONGEST]


def answer(reader: Reader, act: Act, asked: Record, body: str, *, channel: str = "cli") -> Change:
    """The answer to a question, which ends the wait for it."""
    task, to = asked.data["task"], asked.data["from"]
    said = {"kind": "answer", "to": to, "channel": channel, "reply_to": asked.id}
    return say(reader, act, task, body, **said)


def question(reader: Reader, act: Act, text: str) -> Record:
    """The question of this id, or the only open one of a task.

    Of a repeated call it is the one that the first call answered.
    """
    task = names.task_or_event(reader, text, "message")
    if task.kind == "message":
        return task
    first = earlier(reader, act, "message", task.id)
    if first and first.data["kind"] == "answer":
        return names.event(reader, "message", first.data["in_reply_to"], task=task.id)
    found = open_questions(reader, task.id)
    return names.sole(
        found,
        none=f"no open question on task {task.id}",
        see=f"gittask discussion {task.id}",
        many=f"task {task.id} has {len(found)} open questions",
        hint=f"name the one: gittask answer QUESTION ...; see: gittask discussion {task.id} --open",
    )
