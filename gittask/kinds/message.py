"""Questions, answers, comments and instructions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gittask.core.record import Data, Reader, Record
from gittask.errors import Problem, Refused
from gittask.kinds.kind import Attempt, Kind, readable


def open_questions(reader: Reader, task: str) -> list[Record]:
    """The questions of a task that nobody has answered, oldest first."""
    if not reader.ids("message", task=task):
        return []
    messages = list(reader.all("message", task=task))
    answered = {m.data.get("in_reply_to") for m in messages if m.data["kind"] == "answer"}
    return [m for m in messages if m.data["kind"] == "question" and m.id not in answered]


def answers(reader: Reader, question: Record) -> list[Record]:
    """The answers to a question, oldest first."""
    messages = reader.all("message", task=question.data["task"])
    replies = (m for m in messages if m.data.get("in_reply_to") == question.id)
    return [m for m in replies if m.data["kind"] == "answer"]


def put_to(reader: Reader, task: str, actor: str) -> list[Record]:
    """The open questions of a task that another one put to an actor, oldest first."""
    return [one for one in open_questions(reader, task) if actor in asked(one)]


def asked(question: Record, otherwise: Sequence[str] = ()) -> tuple[str, ...]:
    """Who is to answer a question: whom it is put to, else ``otherwise``; never who asks it."""
    to = question.data.get("to")
    return tuple(one for one in ((to,) if to else otherwise) if one != question.data["from"])


def _may(attempt: Attempt) -> Iterator[Problem]:
    data = attempt.after.data
    _relays(attempt, data)
    replied = readable(attempt.reader, "message", data.get("in_reply_to"), task=data["task"])
    if replied and replied.data["thread"] != data["thread"]:
        yield Problem("", "thread", "is not the thread of the message that it answers")
    if data["kind"] != "answer":
        return
    if not data.get("in_reply_to"):
        yield Problem("", "in_reply_to", "is missing", "name the question that this answers")
    elif replied and replied.data["kind"] != "question":
        hint = f"reply to it: gittask say {data['task']} ... --reply-to {replied.id}"
        message = f"names no question but a message of kind {replied.data['kind']}"
        yield Problem("", "in_reply_to", message, hint)
    elif replied:
        _answers(attempt, data["from"], replied.data)


def _relays(attempt: Attempt, data: Data) -> None:
    """People, and services such as a bridge to a chat, may write down what another says.

    An agent speaks for itself alone, so that its word passes for nobody else's.
    """
    writer, speaker = data["created"]["by"], data["from"]
    if speaker == writer or attempt.person or _kind(attempt, writer) == "service":
        return
    raise Refused(
        f"{writer} may not speak for {speaker}: people and services relay what another says",
        hint=f"say it as who you are: from: {writer}",
    )


def _kind(attempt: Attempt, actor: str) -> str | None:
    found = readable(attempt.reader, "actor", actor, task=None)
    return found.data["kind"] if found else None


def _answers(attempt: Attempt, who: str, question: Data) -> None:
    """A question to somebody is answered by them, by any person, or by who asked it.

    Another agent that knows something says it beside: its word does not pass for the one that was
    asked for.
    """
    asked = question.get("to")
    person = attempt.person or _kind(attempt, who) == "person"
    if asked and not person and who not in (asked, question["from"]):
        raise Refused(
            f"question {question['id']} is put to {asked}, and not for {who} to answer",
            hint="say what you know of it beside: "
            f"gittask say {question['task']} ... --reply-to {question['id']}",
        )


KIND = Kind("message", summary=lambda data: str(data["body"]).splitlines()[0], may=_may)
