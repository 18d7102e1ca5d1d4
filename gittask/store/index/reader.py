"""A snapshot that is answered from the index."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from gittask.core.queue import CLOSED, TELLING, UNFINISHED, Doubt, Query, rank
from gittask.core.record import Record
from gittask.core.schema import Place, Schemas
from gittask.errors import Invalid, Problem
from gittask.store.index import database
from gittask.store.index.rows import in_bytes, key, odd_proof, proof
from gittask.store.repo import Repo
from gittask.store.snapshot import Snapshot

if TYPE_CHECKING:
    from sqlite3 import Connection

_ROW = "kind, task, project, id, data, problems, proof"
_KEPT = 5_000
"""How many records are kept for being asked for again."""


Owner = tuple[str | None, str | None]
"""The task and the project under which a record is kept."""


class Damaged(Exception):
    """A row is not as it was written."""


class Indexed(Snapshot):
    """A Reader over the commit that an index holds; it looks into git for what the index lacks.

    If the file of the index turns out to be damaged, git answers all that is asked from then on.
    """

    def __init__(
        self, repo: Repo, schemas: Schemas, commit: str, connection: Connection, *, odd: bool
    ) -> None:
        """``odd`` says whether anything hides records."""
        super().__init__(repo, schemas, commit)
        self._connection: Connection | None = connection
        self._closing = database.close_with(self, connection)
        self._odd = odd
        self._known: dict[tuple[str, str, str, str], Record] = {}

    @classmethod
    def over(
        cls, repo: Repo, schemas: Schemas, commit: str, connection: Connection
    ) -> Indexed | None:
        """The reader of a commit, if that is what the index holds; it goes on holding it."""
        connection.execute("begin")
        if database.tip(connection) != commit:
            connection.execute("rollback")
            return None
        odd = connection.execute("select 1 from odd limit 1").fetchone()
        return cls(repo, schemas, commit, connection, odd=bool(odd))

    def let_go(self) -> None:
        """Leave the index open to somebody else; what is still asked is looked up in git."""
        self._closing.detach()
        self._connection = None

    # -- records ------------------------------------------------------------------------------

    def get(
        self, kind: str, id: str, *, task: str | None = None, project: str | None = None
    ) -> Record | None:
        owner = self._owner(kind, task, project)
        if owner is None:
            where, values = "kind = ? and id = ?", [kind, id]
        else:
            place = key(Place(kind, "" if kind == "store" else id, *owner))
            if place in self._known:
                return self._known[place]
            where, values = "kind = ? and task = ? and project = ? and id = ?", [*place]
        sql = f"select {_ROW} from record where {where} order by {self._order(kind)} limit 1"
        rows = self._ask(sql, values)
        try:
            if rows:
                return self._of(rows[0])
            if rows is not None:
                if self._odd and owner is not None:
                    self._refuse_hidden(kind, id, owner)
                return None
        except Damaged as error:
            self._give_up(error)
        return super().get(kind, id, task=task, project=project)

    def ids(self, kind: str, *, task: str | None = None, project: str | None = None) -> list[str]:
        owner = self._owner(kind, task, project) if task or project else None
        where, values = "kind = ?", [kind]
        if owner is not None and kind not in ("task", "project"):
            where, values = "kind = ? and task = ? and project = ?", [kind, *_texts(owner)]
        rows = self._ask(f"select id from record where {where} order by id", values)
        self._note_hidden(kind, owner)
        if rows is None:
            return super().ids(kind, task=task, project=project)
        if kind == "store":
            return [self.schemas.path(kind, "").removesuffix(".yaml") for _ in rows]
        return [id for (id,) in rows]

    def all(
        self, kind: str, *, task: str | None = None, project: str | None = None
    ) -> Iterator[Record]:
        where, values, owner = "kind = ?", [kind], None
        if task is not None or project is not None:
            owner = self._owner(kind, task, project)
            if owner is None:
                return super().all(kind, task=task, project=project)
            where, values = "kind = ? and task = ? and project = ?", [kind, *_texts(owner)]
        sql = f"select {_ROW} from record where {where} order by {self._order(kind)}"
        otherwise = super().all
        self._note_hidden(kind, owner)
        return self._records(sql, values, lambda: otherwise(kind, task=task, project=project))

    def owner(self, kind: str, id: str) -> str | None:
        order = self._order(kind)
        sql = f"select task from record where kind = ? and id = ? order by {order} limit 1"
        rows = self._ask(sql, [kind, id])
        if rows is None:
            return super().owner(kind, id)
        return rows[0][0] or None if rows else None

    # -- across the store ---------------------------------------------------------------------

    def near(self, kind: str, start: str) -> list[str]:
        if not start or kind == "store":
            return super().near(kind, start)
        begun = "select id from record where kind = ? and id >= ? and id < ? || char(0x10ffff)"
        ended = "select id from record where kind = ? and ending = ?"  # two: each by its own index
        rows = self._ask(begun, [kind, start, start])
        others = self._ask(ended, [kind, start])
        found = sorted({id for (id,) in (*(rows or ()), *(others or ()))})
        if kind != "task" or found != [start]:  # of a task that was named in full no other matters
            self._note_hidden(kind)
        if rows is None or others is None:
            return super().near(kind, start)
        return found

    def circling(self) -> list[str]:
        for kind in ("task", "wait"):
            self._note_problems(kind)
        rows = self._ask("select id from circling order by id", [])
        return super().circling() if rows is None else [id for (id,) in rows]

    def doubtful(self, what: Doubt) -> list[str]:
        rows = self._ask("select id from doubt where what = ? order by id", [what])
        for kind in TELLING[what]:
            self._note_problems(kind)
        return super().doubtful(what) if rows is None else [id for (id,) in rows]

    def within(
        self,
        kind: str,
        statuses: Collection[str],
        field: str | None = None,
        values: Collection[str] = (),
    ) -> Iterator[Record]:
        self._note_problems(kind)
        having, said = self._having(kind, field, values) if field else ("", [])
        marks = ", ".join("?" * len(statuses))
        condition = "" if set(statuses) & set(CLOSED) else "unfinished = 1 and"
        sql = (
            f"select {_ROW} from record where kind = ? and task in (select id from task "
            f"where {condition} status in ({marks})){having} order by {self._order(kind)}"
        )
        otherwise = super().within
        return self._records(
            sql, [kind, *statuses, *said], lambda: otherwise(kind, statuses, field, values)
        )

    def having(self, kind: str, field: str, values: Collection[str]) -> Iterator[Record]:
        self._note_problems(kind)
        having, said = self._having(kind, field, values)
        sql = f"select {_ROW} from record where true{having} order by {self._order(kind)}"
        otherwise = super().having
        return self._records(sql, said, lambda: otherwise(kind, field, values))

    def _having(self, kind: str, field: str, values: Collection[str]) -> tuple[str, list[str]]:
        """The condition that a field has one of these values, and what is asked by it."""
        if field not in self.schemas.indexed(kind):
            raise LookupError(f"{kind}.{field} is not in the index: see x-index in its schema")
        marks = ", ".join("?" * len(values))
        found = f"select key from term where kind = ? and field = ? and value in ({marks})"
        return f" and key in ({found})", [kind, field, *values]

    def tasks(self, query: Query) -> Iterator[Record]:
        self._note_problems("task")
        where, values = _where(query)
        last = self.get("task", query.after) if query.after else None
        if last is not None:
            where += " and its.rank > ?"
            values.append(rank(last.data))
        sql = (  # a left join, so that a record that is gone is seen to be
            "select record.kind, record.task, record.project, record.id, data, problems, proof "
            f"from {_rows(query)} left join record using (key) where {where} order by its.rank"
        )
        otherwise = super().tasks
        return self._records(sql, values, lambda: otherwise(query))

    def count(self, query: Query) -> int:
        self._note_problems("task")
        where, values = _where(query)
        rows = self._ask(f"select count(*) from {_rows(query)} where {where}", values)
        return super().count(query) if rows is None else int(rows[0][0])

    def _order(self, kind: str) -> str:
        """The order of a snapshot: what tasks keep first, and of each owner by id."""
        several = len(self.schemas.document(kind)["x-folder"]) > 1
        return "task = '', task, project, id" if several else "task, project, id"

    # -- asking -------------------------------------------------------------------------------

    def _owner(self, kind: str, task: str | None, project: str | None) -> Owner | None:
        """The task and project under which a record is kept, by what of them is said; None if
        that does not tell."""
        said = {"task": task, "project": project}
        for folder in self.schemas.document(kind)["x-folder"]:
            needed = [name for name in said if f"{{{name}" in folder]
            if all(said[name] for name in needed):
                return tuple(said[name] if name in needed else None for name in said)  # type: ignore[return-value]
        return None

    def _ask(self, sql: str, values: Iterable[Any]) -> list[Any] | None:
        """The rows of an answer; None if the index cannot be read."""
        if self._connection is None:
            return None
        try:
            return self._connection.execute(sql, [*values]).fetchall()
        except database.faults() as error:
            self._give_up(error)
            return None

    def _records(
        self, sql: str, values: Iterable[Any], otherwise: Callable[[], Iterator[Record]]
    ) -> Iterator[Record]:
        """The readable records of an answer, as they come; the rest by another way if it breaks."""
        given = 0
        try:
            if self._connection is not None:
                for row in self._connection.execute(sql, [*values]):
                    try:
                        record = self._of(row)
                    except Invalid:
                        continue
                    if record is not None:
                        yield record
                        given += 1
                return
        except database.faults(Damaged) as error:
            self._give_up(error)
        yield from islice(otherwise(), given, None)

    def _of(self, row: tuple[str, str, str, str, str | None, str | None, int]) -> Record | None:
        """The record of a row, or None if it has none. Raises Invalid if it cannot be read,
        Damaged if the row cannot."""
        kind, task, project, id, data, problems, noted = row
        place = (kind, task, project, id)
        if place in self._known:
            return self._known[place]
        if proof(*place, data, problems) != noted:
            raise Damaged("a row of the index is malformed")
        if problems is not None:
            raise Invalid(self._noted(problems), what="cannot read")
        if data is None:
            return None
        fields = json.loads(data)
        record = Record(kind, fields["id"], fields)
        if len(self._known) >= _KEPT:
            self._known.clear()
        self._known[place] = record
        return record

    def _noted(self, text: str) -> list[Problem]:
        found = [Problem(*parts) for parts in json.loads(text)]
        self._problems[found[0].file] = found
        return found

    def note_problems(self) -> None:
        """Say what cannot be read, as reading everything would."""
        for kind in self.schemas.kinds:
            self._note_problems(kind)

    def _note_problems(self, kind: str) -> None:
        """Say what of a kind cannot be read, as reading all of it would."""
        self._note_hidden(kind)
        sql = f"select {_ROW} from record where kind = ? and problems is not null"
        otherwise = super().all
        deque(self._records(sql, [kind], lambda: otherwise(kind)), maxlen=0)

    def _note_hidden(self, kind: str, owner: Owner | None = None) -> None:
        """Say what hides records of a kind, of all or of those of one owner."""
        if not self._odd:
            return
        if owner is None or not any(owner):
            self._hiding(kind, "true", [])
        else:
            folder = in_bytes(self._path(kind, "-", owner)).rpartition(b"/")[0]
            marks, above = _above(folder)
            where = f"path in ({marks}) or path > ? and path < ?"
            self._hiding(kind, where, [*above, folder + b"/", folder + b"0"])

    def _refuse_hidden(self, kind: str, id: str, owner: Owner) -> None:
        """Raise Invalid where something is in the way of a record."""
        marks, above = _above(in_bytes(self._path(kind, id, owner)))
        found = self._hiding(kind, f"path in ({marks})", above)
        if found:
            raise Invalid(found, what="cannot read")

    def _hiding(self, kind: str, where: str, values: Iterable[bytes]) -> list[Problem]:
        """What of this hides records of a kind."""
        sql = f"select path, problems, proof from odd where kind = ? and ({where})"
        found: list[Problem] = []
        for path, problems, noted in self._ask(sql, [kind, *values]) or ():
            if odd_proof(kind, path, problems) != noted:
                self._give_up(Damaged("a row of the index is malformed"))
                break
            found += self._noted(problems)
        return found

    def _path(self, kind: str, id: str, owner: Owner) -> str:
        return self.schemas.path(kind, id, task=owner[0], project=owner[1])

    def _give_up(self, error: Exception) -> None:
        """Go on without the index; one that is damaged is made anew by the next call."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if database.is_damage(error):
            database.discard_all(self.repo.common_dir / "gittask")


def _texts(owner: Owner) -> tuple[str, str]:
    return owner[0] or "", owner[1] or ""


def _above(path: bytes) -> tuple[str, list[bytes]]:
    """A path and those of the folders in which it lies, with a mark for each."""
    names = path.split(b"/")
    found = [b"/".join(names[:depth]) for depth in range(len(names), 0, -1)]
    return ", ".join("?" * len(found)), found


def _rows(query: Query) -> str:
    """The rows that are looked through: for the free ones SQLite would take all that are open."""
    free = query.free and "open" in query.statuses
    return "task as its indexed by task_free" if free else "task as its"


def _where(query: Query) -> tuple[str, list[str]]:
    """The condition that a query comes to, and its values."""
    parts: list[str] = []
    values: list[str] = []
    wanted = set(query.statuses)
    if query.free:  # and hence open
        free = "its.status = 'open' and not its.held and its.clear"
        parts.append(free if "open" in wanted else "false")
    elif wanted == set(UNFINISHED):
        parts.append("its.unfinished = 1")
    elif wanted != {*UNFINISHED, *CLOSED}:
        parts.append(f"its.status in ({', '.join('?' * len(query.statuses))})")
        values += query.statuses
    if query.held:
        parts.append("its.held")
    if query.blocked:
        parts.append("not its.clear")
    for field, value in query.having:
        parts.append(
            "exists (select 1 from term where term.kind = 'task' and field = ? and value = ? "
            "and term.key = its.key)"
        )
        values += [field, value]
    return " and ".join(parts) or "true", values
