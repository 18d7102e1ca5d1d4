"""What a brief is made of: items, in sections, and what all of them are made from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from gittask.core.record import Data, Reader, Record
from gittask.core.stamp import creation, stamps
from gittask.core.text import many_lines, shorten
from gittask.core.tokens import of_lines
from gittask.kinds import readable
from gittask.kinds.execution import FINAL
from gittask.kinds.handoff import last_handoff
from gittask.views import work
from gittask.views.late import Late
from gittask.views.liveness import UNHEARD, Heard
from gittask.views.quote import quote

SHORT = 280
"""How many characters of a long text are shown before there is room for all of it."""

ABSENT, CUT, WHOLE = range(3)
"""How much of an item is shown: nothing, the beginning of its text, or all of it."""

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,38}")


class Code(Protocol):
    """The code beside the store, at its present commit."""

    @property
    def commit(self) -> str | None:
        """The present commit; None before the first one."""
        ...

    def age(self, commit: str) -> str:
        """``present`` if a commit has the same files as the present one, else ``stale``.

        ``unknown`` if the commit is not in this clone.
        """
        ...

    def read(self, path: str) -> tuple[str, str | None]:
        """What is at a path of the present commit, in words, and its text if it is a text."""
        ...


@dataclass(frozen=True)
class Item:
    """One thing that a brief says.

    ``label`` is in the program's own words. ``text`` is what was written by the actor ``by``; it
    stands in a quote, whatever it holds. ``see`` is the command that shows all of it.
    """

    label: str
    text: str = ""
    by: str = ""
    see: str = ""

    def lines(self, shown: int) -> list[str]:
        """The item in Markdown; an empty line ends it."""
        if shown == ABSENT:
            return []
        if not self.text:
            return [f"- {self.label}", ""]
        by = f", by {known(self.by)}" if self.by else ""
        cut = ", shortened" if shown == CUT and self.is_long else ""
        return [f"{self.label}{by}{cut}:", *quote(self.said(shown)), ""]

    def said(self, shown: int) -> str:
        """The text, or its beginning."""
        return shorten(many_lines(self.text), SHORT) if shown == CUT else self.text

    @property
    def is_long(self) -> bool:
        """Whether the text has a beginning that is shown without the rest."""
        return len(many_lines(self.text)) > SHORT

    def cost(self, shown: int) -> int:
        """How many tokens it adds."""
        return of_lines(self.lines(shown))

    def as_json(self, shown: int) -> dict[str, Any]:
        """As ``--json`` shows it; the text as it was written."""
        found: dict[str, Any] = {"label": self.label}
        if self.text:
            cut = shown == CUT and self.is_long
            found |= {"text": self.said(shown), "by": self.by or None, "shortened": cut}
        return found | ({"see": self.see} if self.see else {})


@dataclass(frozen=True)
class Section:
    """Items under a heading. ``see`` are the commands that show those that were left out."""

    name: str
    title: str
    items: Sequence[Item]
    see: Sequence[str] = ()


def known(actor: str) -> str:
    """An actor's id, or that it is none: a commit by hand can write any word there."""
    return actor if _SLUG.fullmatch(actor) else "somebody unknown"


def author(data: Data, *units: str) -> str:
    """Who last set a unit of a record; of several units that say the same thing, the last."""
    known_stamps = stamps(data)
    found = [known_stamps[unit] for unit in units if unit in known_stamps]
    return max(found, default=creation(data)).by


@dataclass(frozen=True)
class About:
    """A task, for whom the brief is at what time, and what is known around them.

    ``execution`` is the reader's own, if they have one. ``provisional`` says that the remote does
    not know yet of the claim by which the task is held.
    """

    reader: Reader
    task: Record
    actor: Record
    execution: Record | None
    role: str
    at: str
    code: Code
    heard: Heard = field(default_factory=lambda: UNHEARD)
    provisional: bool = False

    @property
    def state(self) -> Data:
        """The task's state."""
        state: Data = self.task.data["state"]
        return state

    @cached_property
    def person(self) -> bool:
        """Whether the reader is a person."""
        return bool(self.actor.data["kind"] == "person")

    @cached_property
    def reviews(self) -> bool:
        """Whether the brief is for somebody who reviews."""
        return self.role == "reviewer"

    @cached_property
    def executions(self) -> list[Record]:
        """The executions of the task."""
        return list(self.reader.all("execution", task=self.task.id))

    @cached_property
    def late(self) -> Late:
        """Which reports came late."""
        return Late(self.reader, self.task, self.executions)

    @cached_property
    def working(self) -> bool:
        """Whether the reader's execution has not ended."""
        return self.execution is not None and not ended(self.execution)

    @cached_property
    def holds(self) -> bool:
        """Whether the reader's execution holds the task, and has not ended."""
        return self.working and self.state["holder"] == (self.execution and self.execution.id)

    @cached_property
    def holder(self) -> Record | None:
        """The execution that holds the task."""
        return work.holder(self.reader, self.task)

    @cached_property
    def report(self) -> Record | None:
        """The last report that somebody meant; for a reviewer the one that is in review."""
        if self.reviews and self.state["status"] == "review":
            return work.up_for_review(self.reader, self.task)
        return last_handoff(self.reader, self.task.id)

    def kind_of(self, actor: str) -> str:
        """Whether an actor is a person, an agent or a service."""
        found = readable(self.reader, "actor", actor, task=None)
        return str(found.data["kind"]) if found else "unknown"


def ended(execution: Record) -> bool:
    """Whether an execution has ended."""
    return execution.data["state"]["status"] in FINAL
