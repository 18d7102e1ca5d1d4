"""What an action decides, and who acts: the boundary between deciding and writing."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gittask.core import ids
from gittask.core.record import Data, Record
from gittask.core.text import one_line, shorten

SUBJECT = 100
"""How many characters a commit's subject may have."""


class Act(NamedTuple):
    """Who acts, when, and where fresh ids come from."""

    actor: str
    person: bool
    at: str
    entropy: Callable[[], bytes]
    execution: str | None = None
    key: str | None = None
    """The caller's idempotency key: the same key gives the same id, and so the same record."""

    @property
    def created(self) -> Data:
        """The ``created`` of a record made by this act."""
        return {"at": self.at, "by": self.actor}

    def fresh_task(self) -> str:
        """The id of a new task."""
        if self.key is None:
            return ids.task_id(self.entropy())
        return ids.task_id(ids.derived("task", self.actor, self.key))

    def fresh_event(self, kind: str, owner: str) -> str:
        """The id of a new record of any other kind, kept under ``owner``."""
        if self.key is None:
            return ids.event_id(self.at, self.entropy())
        return ids.event_id(self.at, self.keyed(kind, owner), length=12)

    def keyed(self, kind: str, owner: str) -> bytes:
        """What the idempotency key makes of a kind and an owner."""
        return ids.derived(kind, owner, self.actor, self.key or "")

    def fresh_item(self, position: int = 0) -> str:
        """The id of a new item of a list."""
        return ids.item_id(position, self.entropy())


class Change(NamedTuple):
    """One action's outcome: the records as they should be, and the words for the commit.

    ``main`` is what the action was about and what a command reports. Without records nothing is
    written: the action found that it was done already.
    """

    main: Record
    records: tuple[Record, ...]
    verb: str
    what: str
    execution: str | None = None
    epoch: int | None = None
    code_commit: str | None = None

    def message(self, actor: str) -> str:
        """The commit's message: a readable subject, and trailers for machines."""
        about = self.main.task or self.main.id
        subject = shorten(one_line(f"{self.verb} {about}: {self.what}"), SUBJECT)
        trailers = {
            "Task": self.main.task,
            "Execution": self.execution,
            "Epoch": self.epoch,
            "Actor": actor,
            "Code-Commit": self.code_commit,
        }
        lines = [f"{name}: {value}" for name, value in trailers.items() if value is not None]
        return subject + "\n\n" + "\n".join(lines) + "\n"
