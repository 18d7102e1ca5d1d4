"""Questions, answers, comments and instructions."""

from __future__ import annotations

from collections.abc import Iterator

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
    asked = open_questions(reader, task)
    return [one for one in asked if one.data.get("to") == actor != one.data["from"]]


def _may(attempt: Attempt) -> Iterator[Problem]:
    data = attempt.after.data
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
        _answers(data["from"], attempt.person, replied.data)


def _answers(who: str, person: bool, question: Data) -> None:
    """A question to somebody is answered by them, by any person, or by who asked it.

    Another agent that knows something says it beside: its word does not pass for the one that was
    asked for.
    """
    asked = question.get("to")
    if asked and not person and who not in (asked, question["from"]):
        raise Refused(
            f"question {question['id']} is put to {asked}, and not for {who} to answer",
            hint="say what you know of it beside: "
            f"gittask say {question['task']} ... --reply-to {question['id']}",
        )


KIND = Kind("message", summary=lambda data: str(data["body"]).splitlines()[0], may=_may)
