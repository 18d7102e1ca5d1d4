"""A small store for the commands that read."""

from __future__ import annotations

from typing import Any

from gittask.core.record import Record
from tests.memory import event, project, task

CLAIM = event("execution", "abcd", 1, state={"status": "running"})
NOTE = event("note", "abcd", 2, body="seen\nmore", execution=CLAIM.id)
ASKED = event("message", "abcd", 3, kind="question", to="alice", body="May I?")
WAIT = event("wait", "abcd", 4, subject=ASKED.id)
TASKS = (
    task("abcd", "active", holder=CLAIM.id, epoch=1, priority=1, labels=["urgent"]),
    task("abce", due="2026-03-29", project="shop", depends_on=["x"]),
    task("bbbb", depends_on=["abce"]),
    task("cccc", "done", outcome="it works"),
)
RECORDS: tuple[Record, ...] = (*TASKS, project("shop"), CLAIM, NOTE, ASKED, WAIT)


def names(document: Any) -> list[str]:
    """The tasks of a list, by what the tests call them."""
    return [row["id"].rstrip("0") for row in document["tasks"]]
