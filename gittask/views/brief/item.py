"""What a brief is made of: items, in sections, and what all of them are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol

from gittask.core import ids
from gittask.core.dataclass import dataclass
from gittask.core.record import Data, Reader, Record
from gittask.core.text import many_lines, shorten
from gittask.kinds import readable
from gittask.kinds.execution import FINAL
from gittask.kinds.fence import lost
from gittask.kinds.handoff import last_handoff
from gittask.kinds.task import CLOSED
from gittask.views import work
from gittask.views.brief.tokens import of_lines
from gittask.views.late import Late
from gittask.views.liveness import UNHEARD, Heard, current
from gittask.views.quote import quote

SHORT = 280
"""How many characters of a long text are shown before there is room for all of it."""

_KNOWN = 4096
"""How many texts are kept with their cost: each is weighed again at every step of a brief."""

ABSENT, CUT, WHOLE = range(3)
"""How much of an item is shown: nothing, the beginning of its text, or all of it."""


class Head(Protocol):
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


class Item(NamedTuple):
    """One thing that a brief says.

    ``label`` is in the program's own words. ``text`` is what was written by the actor ``by``; it
    stands in a quote, whatever it holds. ``see`` is the command that shows all of it, and ``did``
    what the actor did with it, where that does not go without saying (``asked for``).
    """

    label: str
    text: str = ""
    by: str = ""
    see: str = ""
    did: str = ""

    def lines(self, shown: int) -> list[str]:
        """The item in Markdown; an empty line ends it."""
        if shown == ABSENT:
            return []
        if not self.text:
            return [f"- {self.label}", ""]
        did = f"{self.did} by" if self.did else "by"
        by = f", {did} {actor_name(self.by)}" if self.by else ""
        cut = ", shortened" if shown == CUT and self.is_long else ""
        return [f"{self.label}{by}{cut}:", *quote(self.said(shown)), ""]

    def said(self, shown: int) -> str:
        """The text, or its beginning."""
        return shorten(many_lines(self.text), SHORT) if shown == CUT else self.text

    @property
    def is_long(self) -> bool:
        """Whether the text has a beginning that is shown without the rest."""
        return _is_long(self.text)

    def cost(self, shown: int) -> int:
        """How many tokens it adds."""
        return _cost(self, shown)

    def as_json(self, shown: int) -> dict[str, Any]:
        """As ``--json`` shows it; the text as it was written."""
        found: dict[str, Any] = {"label": self.label}
        if self.text:
            cut = shown == CUT and self.is_long
            found |= {"text": self.said(shown), "by": self.by or None, "shortened": cut}
        return found | ({"see": self.see} if self.see else {})


@lru_cache(_KNOWN)
def _is_long(text: str) -> bool:
    return len(many_lines(text)) > SHORT


@lru_cache(_KNOWN)
def _cost(item: Item, shown: int) -> int:
    return of_lines(item.lines(shown))


class Section(NamedTuple):
    """Items under a heading. ``see`` are the commands that show those that were left out."""

    name: str
    title: str
    items: Sequence[Item]
    see: Sequence[str] = ()

    @property
    def heading(self) -> str:
        """The line above its items."""
        return f"## {self.title}"

    def as_json(self, shown: Sequence[int], *, always: bool) -> dict[str, Any]:
        """As ``--json`` shows it; ``shown`` says how much of each item is."""
        pairs = zip(self.items, shown, strict=True)
        items = [item.as_json(level) for item, level in pairs if level != ABSENT]
        return {"name": self.name, "title": self.title, "always": always, "items": items}


def actor_name(actor: str) -> str:
    """An actor's id, or that it is none: a commit by hand can write any word there."""
    return actor if actor and ids.slug(actor) == actor else "somebody unknown"


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def counted(number: int, what: str) -> str:
    """How many there are of something: ``1 file``, ``2 files``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


@dataclass(frozen=True)
class About:
    """A task, for whom the brief is at what time, and what is known around them.

    ``execution`` is the reader's own, if they have one. ``provisional`` says that the remote does
    not know yet of the claim by which the task is held, ``remote`` that there is one.
    """

    reader: Reader
    task: Record
    actor: Record
    execution: Record | None
    role: str
    at: str
    code: Head
    heard: Heard = field(default_factory=lambda: UNHEARD)
    provisional: bool = False
    remote: bool = False

    @property
    def state(self) -> Data:
        """The task's state."""
        state: Data = self.task.data["state"]
        return state

    @property
    def closed(self) -> bool:
        """Whether nothing remains to be done."""
        return self.state["status"] in CLOSED

    @property
    def lost(self) -> bool:
        """Whether the reader's execution was overtaken, so that it may no longer act."""
        mine = self.execution
        return (
            mine is not None and mine.data["lane"] == "edit" and not ended(mine) and not self.holds
        )

    @property
    def in_review(self) -> bool:
        """Whether a report waits for somebody's verdict."""
        return bool(self.state["status"] == "review")

    @cached_property
    def person(self) -> bool:
        """Whether the reader is a person."""
        return bool(self.actor.data["kind"] == "person")

    @cached_property
    def known(self) -> bool:
        """Whether the store knows the reader."""
        return self.actor.id in self.reader.ids("actor")

    @cached_property
    def reviews(self) -> bool:
        """Whether the brief is for somebody who reviews."""
        return self.role == "reviewer"

    @cached_property
    def executions(self) -> list[Record]:
        """The executions of the task."""
        return list(self.reader.all("execution", task=self.task.id))

    @cached_property
    def notes(self) -> list[Record]:
        """The notes of the task."""
        return list(self.reader.all("note", task=self.task.id))

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
    def overtaken(self) -> bool:
        """Whether the reader's execution, ended or not, lost the task: most is refused then."""
        own = self.execution.id if self.execution else None
        return lost(self.reader, own, task=self.task.id) is not None

    @cached_property
    def holder(self) -> Record | None:
        """The execution that holds the task."""
        return work.holder(self.reader, self.task)

    @cached_property
    def holder_lost(self) -> bool:
        """Whether the execution that holds the task counts as lost here."""
        holder = self.holder
        return holder is not None and self.stands(holder) == "lost"

    def stands(self, execution: Record) -> str:
        """How an execution stands, by all that is known here."""
        return current(self.reader, execution, self.task, self.heard, self.at).state

    @cached_property
    def report(self) -> Record | None:
        """The last report that somebody meant; for a reviewer the one that is in review."""
        if self.reviews and self.in_review:
            return work.up_for_review(self.reader, self.task)
        return last_handoff(self.reader, self.task.id)

    def kind_of(self, actor: str) -> str:
        """Whether an actor is a person, an agent or a service."""
        found = readable(self.reader, "actor", actor, task=None)
        return str(found.data["kind"]) if found else "unknown"


def ended(execution: Record) -> bool:
    """Whether an execution has ended."""
    return execution.data["state"]["status"] in FINAL
