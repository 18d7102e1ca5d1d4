"""Full-text search over the records of a commit, kept on disk beside the index of the records.

It is made by the first search, and brought along by what differs from the commit that it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gittask.core.document import spoken
from gittask.core.happening import Happening
from gittask.core.index import Hit, Marks, Place, Unusable, Wanted
from gittask.core.queue import UNFINISHED
from gittask.core.schema import Schemas
from gittask.errors import GittaskError
from gittask.store.index import database
from gittask.store.index.filling import FORMAT, TABLES, Filling
from gittask.store.index.reader import Indexed
from gittask.store.repo import Repo
from gittask.store.search import SCORE, Search, terms
from gittask.store.snapshot import Snapshot

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")


class Words:
    """The words of all readable records of one commit; see ``Search`` for what they are."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        database.close_with(self, connection)
        self._lines: Search[None] = Search(())

    def find(self, words: str, wanted: Wanted, *, any_word: bool = False) -> list[Hit[str]]:
        """The paths of the records that have all the words, or any, the best first.

        Those equally good have the newest first; so do all that are wanted, if there are no words.
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

    def _hits(self, sql: str, values: Sequence[str]) -> list[Hit[str]]:
        return [Hit(path, score) for path, score in self._ask(sql, *values)]

    # -- what is known of all tasks -----------------------------------------------------------

    def count(self) -> int:
        """How many readable tasks there are."""
        return int(self._one("select count(*) from title")[0])

    def places(self, words: str) -> Iterator[Place]:
        """Where in readable tasks and their records all of some words, or a phrase, stand."""
        said = " AND ".join(each.expression for each in terms(words))
        if not said:
            return
        for name in ("title", "label", "project"):
            sql = "select task from names join row on row.key = names.rowid where names match ?"
            for task in self._one(sql, f"{{{name}}} : ({said})"):
                yield Place(task, name)
        own = "one.kind = 'task'"
        sql = (
            f"select one.task, one.kind, iif({own}, '', one.id), iif({own}, '', one.at) "
            "from documents join row as one on one.key = documents.rowid "
            "join row as its on its.kind = 'task' and its.task = one.task where documents match ?"
        )
        yield from map(Place._make, self._ask(sql, f"{{head body}} : ({said})"))

    def titles(self, text: str) -> list[str]:
        """The titles of which all the words stand in a text, one behind another."""
        said = "".join(f" {word}" for word, _, _ in spoken(text)) + " "
        sql = "select words from title where instr(?, words || ' ')"
        return self._one(sql, said)

    def told(self, task: str) -> list[Happening]:
        """All that happened to a task, in order."""
        sql = "select at, what, by from told where task = ? order by at, what, by"
        return [Happening(*row) for row in self._ask(sql, task)]

    def touched(
        self, first: str, last: str, what: Collection[str] = (), by: str | None = None
    ) -> set[str]:
        """The tasks to which anything happened, of this and by this actor if that is said."""
        condition, values = "at >= ? and at < ?", [first, last]
        if what:
            condition, values = f"{condition} and what in ({_marks(what)})", [*values, *what]
        if by is not None:
            condition, values = f"{condition} and by = ?", [*values, by]
        return {*self._last("indexed by told_at", condition, *values)}

    def met(self, what: Collection[str]) -> set[str]:
        """The tasks to which one of these ever happened."""
        return {*self._last("", f"what in ({_marks(what)})", *what)}

    def moved(self, first: str) -> dict[str, str]:
        """For tasks to which anything happened from a time on, when it last did."""
        return self._last("indexed by told_at", "at >= ?", first)

    def did(self, actors: Collection[str], until: str, but: Collection[str]) -> dict[str, str]:
        """For tasks when one of these last did anything up to a time that is none of ``but``."""
        condition = f"by in ({_marks(actors)}) and at <= ? and what not in ({_marks(but)})"
        return self._last("indexed by told_by", condition, *actors, until, *but)

    def answered(self, actor: str, until: str) -> dict[str, str]:
        """For the tasks that an actor answers for, when anything last happened up to a time."""
        moved = "select max(at) from told where told.task = row.task and at <= ?"
        sql = f"select task, coalesce(({moved}), ?) from row where responsible = ?"
        return dict(self._ask(sql, until, until, actor))

    def unfinished(self) -> set[str]:
        """The tasks that are not closed."""
        return {*self._one(f"select task from row where status in {UNFINISHED}")}

    def involving(self, actors: Collection[str]) -> set[str]:
        """The tasks that one of these answers for, has described, or has worked on."""
        sql = f"select task from part where actor in ({_marks(actors)}) group by task {_READABLE}"
        return {*self._one(sql.format("part"), *actors)}

    def _last(self, by: str, condition: str, *values: str) -> dict[str, str]:
        """When, of what happened to tasks, that which fits last did; ``by`` is how it is found."""
        sql = f"select task, max(at) from told {by} where {condition} group by task {_READABLE}"
        return dict(self._ask(sql.format("told"), *values))

    def providers(self) -> list[str]:
        """The providers that records name, in the order in which they are named last."""
        places = "select max(place) from provider where name = value"
        return self._one(f"{_each('name')} order by ({places})")

    def works_by(self) -> dict[str, str]:
        """For actors the provider of their last execution that names one."""
        last = "select name from provider where actor = value order by place desc limit 1"
        actors = _each("actor")
        return dict(self._ask(f"select value, ({last}) from ({actors})"))

    def _one(self, sql: str, *values: str) -> list[Any]:
        return [row[0] for row in self._ask(sql, *values)]

    def _ask(self, sql: str, *values: str) -> list[Any]:
        """The rows of an answer. Raises Unusable."""
        import sqlite3

        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise Unusable(str(error)) from None


_READABLE = "having exists (select 1 from row where kind = 'task' and row.task = {}.task)"
"""Those of some tasks that can be read."""


def _each(column: str) -> str:
    """The values of a column of providers: from each a step to the next, not by a look at all."""
    return (
        f"with recursive found(value) as (select min({column}) from provider union all "
        f"select (select min({column}) from provider where {column} > value) from found "
        "where value is not null) select value from found where value is not null"
    )


def _marks(values: Collection[str]) -> str:
    return ", ".join("?" * len(values))


_ITS = "left join row as its on its.kind = 'task' and its.task = one.task"
"""The task that a record belongs to."""


def _where(wanted: Wanted) -> tuple[str, list[str]]:
    parts, values = ["1"], list[str]()

    def add(condition: str, *said: str) -> None:
        parts.append(condition)
        values.extend(said)

    if wanted.kinds is not None:
        add(f"one.kind in ({_marks(wanted.kinds)})", *wanted.kinds)
    for condition, said in (
        ("one.at >= ?", wanted.since),
        ("one.at < ?", wanted.until),
        ("one.by = ?", wanted.by),
    ):
        if said is not None:
            add(condition, said)
    if wanted.statuses:
        add(f"its.status in ({_marks(wanted.statuses)})", *wanted.statuses)
    for label in wanted.labels:
        add("exists (select 1 from label where key = its.key and value = ?)", label)
    if wanted.project is not None:
        add("? in (one.project, its.project)", wanted.project)
    return " and ".join(parts), values


# -- keeping it -------------------------------------------------------------------------------


def words_of(repo: Repo, schemas: Schemas, reader: Snapshot) -> Words | None:
    """The words of what a reader reads; None where they cannot be kept on disk."""
    if not isinstance(reader, Indexed) or reader.commit is None:
        return None
    path = _path(repo, schemas)
    connection = database.opened(path, TABLES, "names", make=True)
    if connection is None:
        return None
    found = Words(connection)
    try:
        if not _holds(connection, reader.commit):
            connection.execute("rollback")
            if repo.in_quarantine:  # what was pushed may yet be refused, and then is no more
                return None
            Filling(connection, repo, schemas, reader).bring_to(reader.commit)
            if not _holds(connection, reader.commit):
                return None
        reader.note_problems()
    except GittaskError:  # now; it may be there later
        return None
    except database.faults(OSError) as error:
        if database.is_damage(error):
            connection.close()
            database.discard(path)
        return None
    return found


def by_words(
    repo: Repo, schemas: Schemas, reader: Snapshot, answer: Callable[[Words | None], T]
) -> T:
    """What ``answer`` comes to with the words that are kept on disk, or without (None)."""
    (found,) = each_by_words(repo, schemas, reader, lambda kept: [answer(kept)])
    return found


def each_by_words(
    repo: Repo, schemas: Schemas, reader: Snapshot, answers: Callable[[Words | None], Iterable[T]]
) -> Iterator[T]:
    """As ``by_words``, of what comes one by one: if the file breaks, the rest comes without it."""
    given = 0
    try:
        for each in answers(words_of(repo, schemas, reader)):
            yield each
            given += 1
    except Unusable:
        database.discard(_path(repo, schemas))
        yield from islice(answers(None), given, None)


def _path(repo: Repo, schemas: Schemas) -> Path:
    """The file; whoever removes the index of the records, removes this with it."""
    name = f"index-words-{FORMAT}-{schemas.digest}.sqlite3"
    return repo.common_dir / "gittask" / name


def _holds(connection: Connection, commit: str) -> bool:
    """Whether it is at a commit; it stays there for this connection until that lets go."""
    connection.execute("begin")
    return database.tip(connection) == commit
