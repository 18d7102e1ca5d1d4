"""Records as rows of the index."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import count
from typing import TYPE_CHECKING, Any
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

# A dependency is in the way if it exists and is not readable and closed, or if nobody can tell.
_CLEAR = f"""
    update task set clear = not exists (
        select 1 from term join record as needed
            on needed.kind = 'task' and needed.id = term.value
            left join task as its on its.key = needed.key
        where term.key = task.key and term.kind = 'task' and term.field = 'depends_on'
            and coalesce(needed.data, needed.problems) is not null
            and (its.status is null or its.status not in {CLOSED}))
    and not exists (
        select 1 from term join odd on odd.kind = 'task'
            and odd.path = cast('tasks/' || substr(term.value, -2) as blob)
        where term.key = task.key and term.kind = 'task' and term.field = 'depends_on')
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
        self.whole = number > 0
        last = connection.execute("select max(key) from record").fetchone()[0] or 0
        self._keys = count(last + 1)
        self._new: dict[str, list[tuple[Any, ...]]] = {"record": [], "term": [], "task": []}
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

    def put(self, place: Place, blob: str, found: Data | list[Problem] | None) -> None:
        """Write the row of a file: the record in it, or what is wrong with it.

        That of a folder whose record is missing has no blob, and None or what hides the record.
        """
        if not self.first:
            self.remove(place)
        data = _text(found) if isinstance(found, dict) else None
        texts = data, _text([[*_parts(one)] for one in found]) if isinstance(found, list) else None
        row, where = next(self._keys), key(place)
        said = blob, *texts, self._number, proof(*where, *texts)
        self._new["record"].append((row, *where, ending(place.id), *said))
        if isinstance(found, dict):
            held_by = terms(self._schemas.indexed(place.kind), found)
            self._new["term"] += ((place.kind, *term, row) for term in held_by)
            if place.kind == "task":
                state = found["state"]
                closed, held = state["status"] in CLOSED, bool(state["holder"])
                values = row, place.id, state["status"], held, not closed, rank(found), None
                self._new["task"].append(values)

    def write(self) -> None:
        """Write what was put and is not written yet."""
        for table, rows in self._new.items():
            if rows:
                twice = "or ignore" if table == "term" else ""  # a label may stand twice
                marks = ", ".join("?" * len(rows[0]))
                self._connection.executemany(f"insert {twice} into {table} values ({marks})", rows)
                rows.clear()

    def remove(self, place: Place) -> None:
        """Take the row of a place away, if there is one."""
        self.write()
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
        self.write()
        if whole:
            old = "select key from record where pass <> ?"
            self._remove([row for (row,) in self._connection.execute(old, [self._number])])
            self._connection.execute(_CLEAR)
            circles.find_all(self._connection)
            doubts.find_all(self._connection)
            return
        if self._changed:
            self._connection.execute(_CLEAR + _AROUND, [json.dumps([*self._changed])])
            circles.find_through(self._connection, sorted(self._changed))
        if self._told:
            doubts.find_of(self._connection, self._told)

    def known(self, place: Place) -> bool:
        """Whether there is a row of a file at this place, and of this pass."""
        sql = f"select 1 from record where {_PLACE} and blob <> '' and pass = ?"
        if not self._number:
            sql = sql.replace("pass = ?", "? = 0")
        found = self._connection.execute(sql, [*key(place), self._number])
        return found.fetchone() is not None

    def mark(self, path: str, kinds: Iterable[str], fault: Problem | None) -> None:
        """Note what at a path hides records of some kinds, or that nothing does."""
        raw = in_bytes(path)
        for kind in kinds:
            self._connection.execute("delete from odd where kind = ? and path = ?", [kind, raw])
            if fault:
                text = json.dumps([_parts(fault)])  # in ASCII: a path may be no text
                row = [kind, raw, text, odd_proof(kind, raw, text)]
                self._connection.execute("insert into odd values (?, ?, ?, ?)", row)

    def _remove(self, rows: Iterable[int]) -> None:
        for row in rows:
            for table in ("record", "term", "task"):
                self._connection.execute(f"delete from {table} where key = ?", [row])


def in_bytes(path: str) -> bytes:
    """A path as git has it."""
    return path.encode("utf-8", "surrogateescape")


def odd_proof(kind: str, path: bytes, problems: str) -> int:
    """As ``proof``, of what hides records."""
    return proof(kind, path.hex(), problems)


def _text(value: Any) -> str:
    return _JSON.encode(value)


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _parts(problem: Problem) -> tuple[str | int, ...]:
    return problem.file, problem.field, problem.message, problem.hint, problem.line
