"""What was said on a task: its messages by thread, each below the one that it replies to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from gittask.core import ids
from gittask.core.record import Data, Reader, Record, age
from gittask.core.text import one_line
from gittask.kinds.message import open_questions
from gittask.views.words import When, block, when

DEEPEST = 6
"""The depth from which on replies are set in no further."""


def threads(reader: Reader, task: str) -> list[Data]:
    """The threads of a task, the one that began first first.

    A thread is ``{thread, open, messages}``: the id of its first message, whether a question in
    it waits for an answer, and its messages, each before its replies, as ``{depth, open,
    message}``: how many messages it stands below, whether it is an open question, and its data.
    """
    found: dict[str, list[Record]] = defaultdict(list)
    for message in sorted(reader.all("message", task=task), key=age):
        found[message.data["thread"]].append(message)
    asked = {question.id for question in open_questions(reader, task)} if found else set()
    return [_thread(id, messages, asked) for id, messages in found.items()]


def thread_of(reader: Reader, message: Record) -> Data:
    """The thread in which a message stands."""
    found = threads(reader, message.data["task"])
    return next(each for each in found if each["thread"] == message.data["thread"])


def lines(thread: Data, *, when: When = when) -> Iterator[str]:
    """A thread for people: who said it, to whom, when and by which channel; set in by reply."""
    for each in thread["messages"]:
        data = each["message"]
        indent = "    " * min(each["depth"], DEEPEST)
        to = f" to {data['to']}" if data.get("to") else ""
        kind = f"{data['kind']} {ids.ending(data['id'])}{' (open)' if each['open'] else ''}"
        who = f"{data['from']}{to} by {data['channel']}"
        yield indent + one_line(f"{when(data['created']['at'])}  {who}  {kind}")
        yield from block(data["body"], f"{indent}    ")


def _thread(id: str, messages: Iterable[Record], asked: Collection[str]) -> Data:
    said = [
        {"depth": depth, "open": message.id in asked, "message": message.data}
        for depth, message in _below(messages)
    ]
    return {"thread": id, "open": any(each["open"] for each in said), "messages": said}


def _below(messages: Iterable[Record]) -> Iterator[tuple[int, Record]]:
    """Messages in order of age, replies set in below what they reply to.

    A reply may seem older than its message, as clocks differ, and by hand a circle can be made:
    nothing is left out.
    """
    left = {message.id: message for message in messages}
    replies: dict[str | None, list[Record]] = defaultdict(list)
    for message in left.values():
        above = message.data.get("in_reply_to")
        replies[above if above in left else None].append(message)
    waiting = [(0, message) for message in replies[None]][::-1]
    while left:
        depth, message = waiting.pop() if waiting else (0, next(iter(left.values())))
        if left.pop(message.id, None):
            yield depth, message
            waiting += [(depth + 1, reply) for reply in replies[message.id]][::-1]
