"""Records as rows of the index."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING
from zlib import crc32

from gittask.core.ids import ending
from gittask.core.queue import CLOSED, rank, terms
from gittask.core.record import Data
from gittask.core.schema import Place, Schemas
from gittask.errors import Problem
from gittask.store.index import circles, doubts

if TYPE_CHECKING:
    from sqlite3 import Connection

_PLACE = "kind = ? and task = ? and project = ? and id = ?"

# A dependency is in the way if it exists and is not readable and closed.
_FREE = f"""
    update task set free = status = 'open' and not held and not exists (
        select 1 from term join record as needed
            on needed.kind = 'task' and needed.id = term.value
            left join task as its on its.key = needed.key
        where term.key = task.key and term.kind = 'task' and term.field = 'depends_on'
            and (its.status is null or its.status not in {CLOSED}))
"""
_AROUND = """
    where id in (select value from json_each(?1)) or key in (
        select key from term where kind = 'task' and field = 'depends_on'
            and value in (select value from json_each(?1)))
"""


def key(place: Place) -> tuple[str, str, str, str]:
    """What tells a record from all others: kind, task, project, id; empty for none."""
    return place.kind, place.task or "", place.project or "", place.id


def proof(*parts: str | None) -> int:
    """What tells whether a row is as it was written: its place, data and problems."""
    return crc32("\0".join([part or "" for part in parts]).encode())


class Rows:
    """Writes the rows of an index, within a transaction."""

    def __init__(self, connection: Connection, schemas: Schemas, number: int = 0) -> None:
        """``number`` is that of a pass over the whole store, or 0: what an older one left is
        dropped."""
        self._connection = connection
        self._schemas = schemas
        self._number = number
        self.first = number == 1
        """Whether nothing was there before this pass that could be in the way."""
        self._changed: set[str] = set()
        self._told: set[str] = set()

    def same(self, place: Place, blob: str) -> bool:
        """Whether the row of a place is that of this very file already; it is kept then."""
        if self.first:
            return False
        done = self._connection.execute(
            f"update record set pass = ? where {_PLACE} and blob = ?",
            [self._number, *key(place), blob],
        )
        return done.rowcount > 0

    def put(self, place: Place, blob: str, found: Data | list[Problem]) -> None:
        """Write the row of a file: the record in it, or what is wrong with it."""
        if not self.first:
            self.remove(place)
        good = isinstance(found, dict)
        texts = (_text(found), None) if good else (None, _text(found))
        row = self._connection.execute(
            "insert into record(kind, task, project, id, ending, blob, data, problems, pass, "
            "proof) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [*key(place), ending(place.id), blob, *texts, self._number, proof(*key(place), *texts)],
        ).lastrowid
        if isinstance(found, dict):
            fields = self._schemas.indexed(place.kind)
            self._connection.executemany(
                "insert or ignore into term values (?, ?, ?, ?)",
                ((place.kind, *term, row) for term in terms(fields, found)),
            )
            if place.kind == "task":
                state = found["state"]
                closed, held = state["status"] in CLOSED, bool(state["holder"])
                self._connection.execute(
                    "insert into task values (?, ?, ?, ?, ?, ?, null)",
                    [row, place.id, state["status"], held, not closed, rank(found)],
                )

    def remove(self, place: Place) -> None:
        """Take the row of a place away, if there is one."""
        if not self._number:
            id = place.task or place.id
            if place.kind in ("task", "wait"):
                self._changed.add(id)
            if place.kind in doubts.KINDS:
                self._told.add(id)
        found = self._connection.execute(f"select key from record where {_PLACE}", key(place))
        self._remove([row for (row,) in found])

    def finish(self, *, whole: bool = False) -> None:
        """Bring up to date what follows from several rows; ``whole`` after a whole pass."""
        if whole:
            old = "select key from record where pass <> ?"
            self._remove([row for (row,) in self._connection.execute(old, [self._number])])
            self._connection.execute(_FREE)
            circles.find_all(self._connection)
            doubts.find_all(self._connection)
            return
        if self._changed:
            self._connection.execute(_FREE + _AROUND, [json.dumps([*self._changed])])
            circles.find_through(self._connection, sorted(self._changed))
        if self._told:
            doubts.find_of(self._connection, self._told)

    def known(self, place: Place) -> bool:
        """Whether there is a row of this place."""
        found = self._connection.execute(f"select 1 from record where {_PLACE}", key(place))
        return found.fetchone() is not None

    def mark(self, path: str, *, odd: bool) -> None:
        """Note that something stands at a path which makes the index no help, or that none does."""
        change = "insert or ignore into odd values (?)" if odd else "delete from odd where path = ?"
        self._connection.execute(change, [path.encode("utf-8", "surrogateescape")])

    def _remove(self, rows: Iterable[int]) -> None:
        for row in rows:
            for table in ("record", "term", "task"):
                self._connection.execute(f"delete from {table} where key = ?", [row])


def _text(found: Data | list[Problem]) -> str:
    value = found if isinstance(found, dict) else [list(_parts(each)) for each in found]
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _parts(problem: Problem) -> tuple[str | int, ...]:
    return problem.file, problem.field, problem.message, problem.hint, problem.line
