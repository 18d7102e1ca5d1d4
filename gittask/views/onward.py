"""How somebody goes on with a task: the commands for that, wherever they are offered."""

from __future__ import annotations

from typing import NamedTuple

from gittask.core.record import Reader, Record
from gittask.kinds.handoff import unacknowledged
from gittask.kinds.task import CLOSED, claimable

LATER = '"..."'
"""Stands in a command for words that are the caller's to choose."""


class Step(NamedTuple):
    """A command as it can be pasted, and what it is for."""

    what: str
    line: str

    def __str__(self) -> str:
        return f"{self.what}: `{self.line}`"


def onward(
    reader: Reader, task: Record, actor: str | None, *, lost: bool, id: str = "", by: str = ""
) -> Step:
    """How an actor (None: somebody unknown) comes to work on a task that they are not at work on.

    ``lost`` says that its holder counts as lost here. ``id`` is how the task is named, if not in
    full, and ``by`` the options that say who does it.
    """
    id = id or task.id
    if task.data["state"]["status"] in CLOSED:
        return Step("Go on with it after all", f"gittask reopen {id} --reason {LATER}")
    if claimable(reader, task):
        why = "" if task.data.get("why") else f" --why {LATER}"
        ack = acknowledging(reader, task, actor)
        return Step("Claim it", f"gittask start {id}{by}{why}{ack}")
    if lost:
        new = f" --new{by}" if by else ""
        return Step("Its holder counts as lost: how to go on", f"gittask recover {id}{new}")
    return Step("Take it over, if that is needed", f"gittask takeover {id} --reason {LATER}{by}")


def acknowledging(reader: Reader, task: Record, actor: str | None) -> str:
    """The option by which a claim says what was understood of another's handoff, if it must."""
    return f" --ack {LATER}" if unacknowledged(reader, task.id, actor) else ""


def beside(id: str, role: str | None, by: str = "") -> str:
    """The command that begins to look at a task beside whoever holds it."""
    return f"gittask start {id} --lane review --role {role}{by}"
