"""One item of the inbox."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.record import Record
from gittask.core.text import one_line, shorten

LENGTH = 160
"""How many characters the text of an item has at most."""


@dataclass(frozen=True)
class Item:
    """One thing to settle.

    ``record`` is the id of the record that it is about (of an unreadable one its file), ``at``
    since when it is there, ``to`` the actors who can settle it. ``command`` does so; where it
    holds ``...`` the words are theirs to choose. ``title`` is that of the task.
    """

    kind: str
    task: str | None
    record: str
    at: str
    to: tuple[str, ...]
    text: str
    command: str
    title: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The item as ``--json`` shows it."""
        return {**self.__dict__, "to": list(self.to)}


def item(
    kind: str,
    record: Record,
    to: Sequence[str],
    text: str,
    command: str,
    at: str | None = None,
) -> Item:
    """An item about a record; it is there since the record was made, unless ``at`` is given."""
    since = record.data["created"]["at"] if at is None else at
    return Item(kind, record.task, record.id, since, tuple(to), short(text), command)


def short(text: str) -> str:
    """The text of an item, on one line."""
    return shorten(one_line(text), LENGTH)
