"""Questions, answers, comments and instructions."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Reader, Record
from gittask.errors import Problem
from gittask.kinds.kind import Attempt, Kind


def open_questions(reader: Reader, task: str) -> list[Record]:
    """The questions of a task that nobody has answered, oldest first."""
    if not reader.ids("message", task=task):
        return []
    messages = list(reader.all("message", task=task))
    answered = {m.data.get("in_reply_to") for m in messages if m.data["kind"] == "answer"}
    return [m for m in messages if m.data["kind"] == "question" and m.id not in answered]


def _may(attempt: Attempt) -> Iterator[Problem]:
    data = attempt.after.data
    replied = data.get("in_reply_to")
    if replied:
        question = attempt.reader.get("message", replied, task=data["task"])
        if question and question.data["thread"] != data["thread"]:
            yield Problem("", "thread", "is not the thread of the message that it answers")
    if data["kind"] == "answer" and not replied:
        yield Problem("", "in_reply_to", "is missing", "name the question that this answers")


KIND = Kind("message", summary=lambda data: str(data["body"]).splitlines()[0], may=_may)
