"""The file of words: its tables, and bringing it to a commit by what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gittask.core.document import document, folded, spoken
from gittask.core.happening import providers, taking_part, told
from gittask.core.record import Record
from gittask.core.schema import Schemas
from gittask.core.stamp import creation
from gittask.errors import GittaskError, Invalid
from gittask.store import odd
from gittask.store.index import database
from gittask.store.repo import Repo
from gittask.store.search import TOKENS, unstemmed
from gittask.store.snapshot import Snapshot

if TYPE_CHECKING:
    from sqlite3 import Connection

FORMAT = 3
"""The version of the tables and of what is written to them."""

TABLES = (
    "create table meta(name text primary key, value text) without rowid",
    # project: of which project it is by itself, or which one it is; the last two: those of a task.
    "create table row(key integer primary key, path text not null, kind text not null, "
    "id text not null, task text, at text not null, by text not null, project text, status text, "
    "responsible text)",
    "create unique index row_path on row(path)",
    "create index row_task on row(task, kind)",
    "create index row_at on row(at)",
    "create index row_status on row(status, task) where status is not null",
    "create index row_responsible on row(responsible, task) where responsible is not null",
    "create table label(key integer, value text, primary key(key, value)) without rowid",
    f"create virtual table documents using fts5(id, head, body, {TOKENS})",
    # What happened to tasks, who takes part in them, and the providers that records name; ``place``
    # orders these as all records are.
    "create table told(key integer, task text, at text, what text, by text)",
    "create index told_key on told(key)",
    "create index told_task on told(task, at, what, by)",
    "create index told_at on told(at, task)",
    "create index told_by on told(by, task, at, what)",
    "create table part(key integer, actor text, task text)",
    "create index part_key on part(key)",
    "create index part_actor on part(actor, task)",
    "create table provider(key integer, name text, actor text, place text)",
    "create index provider_key on provider(key)",
    "create index provider_name on provider(name, place)",
    "create index provider_actor on provider(actor, place, name)",
    # A task's title in the words that people say, each behind a space.
    "create table title(key integer primary key, words text not null)",
    # What names a task, by the key of its row.
    f"create virtual table names using fts5(title, label, project, {TOKENS})",
)


class Filling:
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
            paths = self._changed(commit)
            if paths is not None:
                self._take(paths)
            else:
                for table in _KEYS:
                    self._connection.execute(f"delete from {table}")
                for kind in self._schemas.kinds:
                    for record in self._reader.all(kind):
                        self._put(self._schemas.path_of(record), record)
            database.set_tip(self._connection, commit)

    def _changed(self, commit: str) -> list[str] | None:
        """The paths that differ from the commit that it holds; None if nobody can tell."""
        held = database.tip(self._connection)
        if held is None or not self._repo.exists(held):
            return None
        trees = self._repo.tree(held), self._repo.tree(commit)
        try:
            found = list(self._repo.diff(*trees, tolerant=True))
        except GittaskError:
            return None
        lost = any(
            before and before.is_tree and odd.hidden(self._schemas, path)
            for path, before, _ in found
        )
        return None if lost else [path for path, _, _ in found]

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
        values = [path, record.kind, record.id, record.task, made.at, made.by, project]
        if record.kind == "task":
            values += [data["state"]["status"], data["responsible"]]
        key = self._insert(f"row({', '.join(_ROW[: len(values)])})", values)
        found = document(self._schemas, record)
        texts = unstemmed(folded(found.id)), folded(found.head), folded(found.body)
        self._insert("documents(rowid, id, head, body)", [key, *texts])
        self._put_facts(key, record)
        if record.kind == "task":
            words = "".join(f" {word}" for word, _, _ in spoken(data["title"]))
            self._insert("title(key, words)", [key, words])
            labels = data.get("labels") or ()
            for label in labels:
                self._insert("label(key, value)", [key, label])
            named = data["title"], "\n".join(labels), self._project(project)
            self._insert("names(rowid, title, label, project)", [key, *map(folded, named)])

    def _put_facts(self, key: int | None, record: Record) -> None:
        """What a record says that need not be searched for."""
        data, task = record.data, record.task
        for happening in told(record) if task else ():
            self._insert("told(key, task, at, what, by)", [key, task, *happening])
        for actor in taking_part(record):
            self._insert("part(key, actor, task)", [key, actor, task])
        if record.kind not in _NAMING:
            return
        for number, name in enumerate(providers(record)):
            own = record.kind == "execution" and not number and data.get("provider")
            place = f"{_NAMING.index(record.kind)} {task or ''} {record.id} {number:03}"
            values = [key, name, data["actor"] if own else None, place]
            self._insert("provider(key, name, actor, place)", values)

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


_ROW = ("path", "kind", "id", "task", "at", "by", "project", "status", "responsible")
"""The columns of a row but its key; the last two are those of a task."""

_NAMING = ("project", "task", "execution")
"""The kinds of record that name providers, in the order in which they are asked."""

_KEYS = {
    **dict.fromkeys(("row", "label", "told", "part", "provider", "title"), "key"),
    **dict.fromkeys(("documents", "names"), "rowid"),
}
"""The tables, and what in each is the key of a row."""
