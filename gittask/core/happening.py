"""What happened to a task, as each of its records tells it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gittask.core.record import Data, Record
from gittask.core.stamp import creation, stamps

FINAL = ("done", "failed", "cancelled", "declined")
"""The states that an execution never leaves: a retry is a new execution."""

NO_LONGER_WORKING = ("reported", *FINAL)
"""The states in which an execution leaves its task to the next one."""

TELLING = (
    *("task", "execution", "note", "handoff", "message", "decision", "review", "wait", "approval"),
)
"""The kinds of record that tell what happened."""


class Happening(NamedTuple):
    """One thing that happened to a task: when, what, by whom."""

    at: str
    what: str
    by: str


def told(record: Record) -> Iterator[Happening]:
    """What a record of a task tells, in no order."""
    data = record.data
    if record.kind == "task":
        yield _made(data, "created")
        for stamp in stamps(data).values():
            yield Happening(stamp.at, "changed", stamp.by)
    elif record.kind == "execution":
        yield _made(data, "started")
        if data["state"]["status"] in NO_LONGER_WORKING:
            ended = stamps(data).get("state")
            by = ended.by if ended else data["actor"]
            yield Happening(data["state"]["at"], data["state"]["status"], by)
    elif record.kind in TELLING:
        yield _made(data, record.kind)


def _made(data: Data, what: str) -> Happening:
    made = creation(data)
    return Happening(made.at, what, made.by)


def providers(record: Record) -> list[str]:
    """The providers that a record names: its own, and those of its runtimes."""
    parts = (record.data, *(record.data.get("runtimes") or ()))
    return [part["provider"] for part in parts if part.get("provider")]


def taking_part(record: Record) -> set[str]:
    """Who answers for a task or described it, if this is one; who works, if it is an execution."""
    if record.kind == "task":
        return {record.data["responsible"], record.data["created"]["by"]}
    return {record.data["actor"]} if record.kind == "execution" else set()
