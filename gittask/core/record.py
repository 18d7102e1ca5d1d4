"""The boundary types that every layer shares: values, records, and how they are read."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gittask.errors import Problem

if TYPE_CHECKING:
    from gittask.core.queue import Doubt, Query

Data = dict[str, Any]
"""A record's fields: JSON values only, keyed by field name."""


def canonical(value: Any) -> str:
    """The one text by which two values are compared: in Python ``True == 1``, in JSON not."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are the same value."""
    return canonical(left) == canonical(right)


class Record(NamedTuple):
    """One record: its kind (``task``, ``note`` ...), its id, and all its fields.

    ``data`` is the whole content of the file, ``id`` included. It is never changed in place.
    """

    kind: str
    id: str
    data: Data

    @property
    def task(self) -> str | None:
        """The id of the task that the record belongs to; a task belongs to itself."""
        if self.kind == "task":
            return self.id
        task = self.data.get("task")
        return task if isinstance(task, str) else None


def age(record: Record) -> tuple[str, str]:
    """What orders records by their making, the oldest first."""
    return record.data["created"]["at"], record.id


class Reader(Protocol):
    """What a decision may see: the records of one commit, whatever holds them."""

    @property
    def problems(self) -> list[Problem]:
        """What could not be read so far; reading goes on past a bad file."""
        ...

    def get(
        self, kind: str, id: str, *, task: str | None = None, project: str | None = None
    ) -> Record | None:
        """The record, or None. Raises Invalid if its file cannot be read as this kind.

        ``task`` or ``project`` names the owner of a record that is kept under one.
        """
        ...

    def ids(self, kind: str, *, task: str | None = None, project: str | None = None) -> list[str]:
        """The ids of a kind in order, by file name only: nothing is opened."""
        ...

    def all(
        self, kind: str, *, task: str | None = None, project: str | None = None
    ) -> Iterator[Record]:
        """The readable records of a kind, in order of id; bad ones go to ``problems``.

        Without an owner, a kind that is kept under tasks is read across all tasks and projects.
        """
        ...

    def owner(self, kind: str, id: str) -> str | None:
        """The task under which a record of this kind and id is kept, or None."""
        ...

    # -- what reaches across a store: an index answers it without reading all -----------------

    def near(self, kind: str, start: str) -> list[str]:
        """The ids of a kind that begin with ``start``, or of which it is the random end, in order;
        nothing is opened."""
        ...

    def circling(self) -> list[str]:
        """Ids of tasks: of every circle of tasks at least one, and perhaps of some in none.

        Tasks need those that they depend on or wait for, and their parts.
        """
        ...

    def doubtful(self, what: Doubt) -> list[str]:
        """Ids of tasks: all of which this may be so, and perhaps others."""
        ...

    def within(
        self,
        kind: str,
        statuses: Collection[str],
        field: str | None = None,
        values: Collection[str] = (),
    ) -> Iterator[Record]:
        """The readable records of a kind whose task has one of these statuses, in the order of
        ``all``; with a ``field`` only those that ``having`` gives for it."""
        ...

    def having(self, kind: str, field: str, values: Collection[str]) -> Iterator[Record]:
        """The readable records of a kind of which a field has one of these values, in the order
        of ``all``.

        ``field`` is a dotted path that the kind's schema marks with ``x-index``; of a list any
        item counts.
        """
        ...

    def tasks(self, query: Query) -> Iterator[Record]:
        """The readable tasks that fit, by urgency, one by one as they are wanted."""
        ...

    def count(self, query: Query) -> int:
        """How many tasks fit in all, whatever ``query.after`` says."""
        ...
