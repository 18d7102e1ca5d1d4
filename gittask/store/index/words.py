"""Full-text search over the records of a commit, kept on disk beside the index of the records.

It is made by the first search, and brought along by what differs from the commit that it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gittask.core.document import document, folded
from gittask.core.index import Hit, Marks, Wanted
from gittask.core.record import Record
from gittask.core.schema import Schemas
from gittask.core.stamp import creation
from gittask.errors import GittaskError, Invalid
from gittask.store.index import database
from gittask.store.index.reader import Indexed
from gittask.store.repo import Repo
from gittask.store.search import SCORE, TOKENS, Search, terms, unstemmed
from gittask.store.snapshot import Snapshot

if TYPE_CHECKING:
    from sqlite3 import Connection

FORMAT = 1
"""The version of the tables and of what is written to them."""

_TABLES = (
    "create table meta(name text primary key, value text) without rowid",
    # project: of which project it is by itself, or which one it is; status: that of a task.
    "create table row(key integer primary key, path text not null, kind text not null, "
    "id text not null, task text, at text not null, by text not null, project text, status text)",
    "create unique index row_path on row(path)",
    "create index row_task on row(task, kind)",
    "create index row_at on row(at)",
    "create table label(key integer, value text, primary key(key, value)) without rowid",
    f"create virtual table documents using fts5(id, head, body, {TOKENS})",
    # What names a task, by the key of its row.
    f"create virtual table names using fts5(title, label, project, {TOKENS})",
)


class Words:
    """The words of all readable records of one commit; see ``Search`` for what they are."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lines: Search[None] = Search(())

    def find(self, words: str, wanted: Wanted, *, any_word: bool = False) -> list[Hit[str]] | None:
        """The paths of the records that have all the words, or any, the best first.

        Those equally good have the newest first; so do all that are wanted, if there are no words.
        None if the file cannot be read.
        """
        where, values = _where(wanted)
        order = "one.at desc, one.id, one.kind"
        if not words:
            sql = f"select one.path, 0.0 from row as one {_ITS} where {where} order by {order}"
            return self._hits(sql, values)
        said = (" OR " if any_word else " AND ").join(each.or_id for each in terms(words))
        sql = (
            f"select one.path, {SCORE} as score from documents "
            f"join row as one on one.key = documents.rowid {_ITS} "
            f"where documents match ? and {where} order by score desc, {order}"
        )
        return self._hits(sql, [said, *values]) if said else []

    def mark(self, words: str, lines: Sequence[str]) -> list[Marks]:
        """As ``Search.mark``."""
        return self._lines.mark(words, lines)

    def _hits(self, sql: str, values: Sequence[str]) -> list[Hit[str]] | None:
        import sqlite3

        try:
            return [Hit(path, score) for path, score in self._connection.execute(sql, values)]
        except sqlite3.Error:
            return None


_ITS = "left join row as its on its.kind = 'task' and its.task = one.task"
"""The task that a record belongs to."""


def _where(wanted: Wanted) -> tuple[str, list[str]]:
    parts, values = ["1"], list[str]()

    def add(condition: str, *said: str) -> None:
        parts.append(condition)
        values.extend(said)

    def marks(of: Iterable[str]) -> str:
        return ", ".join("?" for _ in of)

    if wanted.kinds is not None:
        add(f"one.kind in ({marks(wanted.kinds)})", *wanted.kinds)
    for condition, said in (
        ("one.at >= ?", wanted.since),
        ("one.at < ?", wanted.until),
        ("one.by = ?", wanted.by),
    ):
        if said is not None:
            add(condition, said)
    if wanted.statuses:
        add(f"its.status in ({marks(wanted.statuses)})", *wanted.statuses)
    for label in wanted.labels:
        add("exists (select 1 from label where key = its.key and value = ?)", label)
    if wanted.project is not None:
        add("? in (one.project, its.project)", wanted.project)
    return " and ".join(parts), values


# -- keeping it -------------------------------------------------------------------------------


def words_of(repo: Repo, schemas: Schemas, reader: Snapshot) -> Words | None:
    """The words of what a reader reads; None where they cannot be kept on disk."""
    import sqlite3

    if not isinstance(reader, Indexed) or reader.commit is None:
        return None
    folder = repo.common_dir / "gittask"
    # Whoever removes the index of the records, removes this with it.
    path = folder / f"index-words-{FORMAT}-{schemas.digest}.sqlite3"
    connection = None
    try:
        connection = _connect(path)
        if not _holds(connection, reader.commit):
            connection.execute("rollback")
            if repo.in_quarantine:  # what was pushed may yet be refused, and then is no more
                return None
            _Filling(connection, repo, schemas, reader).bring_to(reader.commit)
            if not _holds(connection, reader.commit):
                return None
        reader.note_problems()
        return Words(connection)
    except (sqlite3.Error, OSError, GittaskError) as error:
        if connection:
            connection.close()
        if isinstance(error, sqlite3.DatabaseError) and database.is_damage(error):
            database.discard(path)
        return None


def _connect(path: Path) -> Connection:
    import sqlite3

    connection = sqlite3.connect(path, timeout=database.BUSY, isolation_level=None)
    if not _has_tables(connection):
        if connection.execute("pragma journal_mode = wal").fetchone()[0] != "wal":
            raise OSError("no shared memory here")
        with database.writing(connection):
            for table in () if _has_tables(connection) else _TABLES:
                connection.execute(table)
    return connection


def _has_tables(connection: Connection) -> bool:
    return bool(connection.execute("select 1 from sqlite_master where name = 'names'").fetchone())


def _holds(connection: Connection, commit: str) -> bool:
    """Whether it is at a commit; it stays there for this connection until that lets go."""
    connection.execute("begin")
    return database.tip(connection) == commit


class _Filling:
    def __init__(
        self, connection: Connection, repo: Repo, schemas: Schemas, reader: Snapshot
    ) -> None:
        self._connection = connection
        self._repo = repo
        self._schemas = schemas
        self._reader = reader
        self._projects: dict[str, str] = {}

    def bring_to(self, commit: str) -> None:
        """Take over what differs; everything, if it holds no commit of which git knows."""
        with database.writing(self._connection):
            held = database.tip(self._connection)
            if held is not None and self._repo.exists(held):
                trees = self._repo.tree(held), self._repo.tree(commit)
                self._take(path for path, _, _ in self._repo.diff(*trees, tolerant=True))
            else:
                for table in ("row", "label", "documents", "names"):
                    self._connection.execute(f"delete from {table}")
                for kind in self._schemas.kinds:
                    for record in self._reader.all(kind):
                        self._put(self._schemas.path_of(record), record)
            database.set_tip(self._connection, commit)

    def _take(self, paths: Iterable[str]) -> None:
        known = {path for path in paths if self._schemas.locate(path)}
        for record in self._named_after(known):
            known.add(self._schemas.path_of(record))
        for path in known:
            self._remove(path)
            found = self._at(path)
            if found:
                self._put(path, found)

    def _named_after(self, paths: Iterable[str]) -> Iterator[Record]:
        """The tasks of projects that changed: a project's name is one of theirs."""
        places = map(self._schemas.locate, paths)
        projects = [place.id for place in places if place and place.kind == "project"]
        return self._reader.having("task", "project", projects) if projects else iter(())

    def _at(self, path: str) -> Record | None:
        place = self._schemas.locate(path)
        if place is None:
            return None
        try:
            owner = {"task": place.task, "project": place.project}
            return self._reader.get(place.kind, place.id, **owner)
        except Invalid:
            return None

    def _remove(self, path: str) -> None:
        rows = self._connection.execute("select key from row where path = ?", [path]).fetchall()
        for (key,) in rows:
            for table, column in _KEYS.items():
                self._connection.execute(f"delete from {table} where {column} = ?", [key])

    def _put(self, path: str, record: Record) -> None:
        data, made = record.data, creation(record.data)
        project = record.id if record.kind == "project" else data.get("project")
        status = data["state"]["status"] if record.kind == "task" else None
        values = [path, record.kind, record.id, record.task, made.at, made.by, project, status]
        key = self._insert("row(path, kind, id, task, at, by, project, status)", values)
        found = document(self._schemas, record)
        texts = unstemmed(folded(found.id)), folded(found.head), folded(found.body)
        self._insert("documents(rowid, id, head, body)", [key, *texts])
        if record.kind == "task":
            labels = data.get("labels") or ()
            for label in labels:
                self._insert("label(key, value)", [key, label])
            named = data["title"], "\n".join(labels), self._project(project)
            self._insert("names(rowid, title, label, project)", [key, *map(folded, named)])

    def _insert(self, columns: str, values: Sequence[Any]) -> int | None:
        marks = ", ".join("?" * len(values))
        sql = f"insert into {columns} values ({marks})"
        return self._connection.execute(sql, values).lastrowid

    def _project(self, id: str | None) -> str:
        """The words by which people call a project."""
        if not id:
            return ""
        if id not in self._projects:
            try:
                found = self._reader.get("project", id)
            except Invalid:
                found = None
            self._projects[id] = f"{id}\n{found.data['name'] if found else ''}"
        return self._projects[id]


_KEYS = {"row": "key", "label": "key", "documents": "rowid", "names": "rowid"}
"""The tables, and what in each is the key of a row."""
