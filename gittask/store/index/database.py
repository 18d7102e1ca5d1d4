"""The file of the index: its tables, and opening it so that nothing that is wrong with it hurts."""

from __future__ import annotations

import os
import re
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite3 import Connection

FORMAT = 4
"""The version of the tables; together with the schemas it names the file."""

BUSY = 2.0
"""Seconds to wait for another process that writes the index, before going on without it."""

UNUSED = 30 * 24 * 3600
"""Seconds after which the index of another version is taken for one that nobody uses."""

LOCK = "reading"
"""Held by the one process that reads the whole store."""

_TABLES = (
    "create table meta(name text primary key, value text) without rowid",
    # data: the record as JSON; where it cannot be read, null, and problems says why. Neither: there
    # is a folder of that name, and no record in it. proof: of both and of the place, since the file
    # has none of its own.
    "create table record(key integer primary key, kind text not null, task text not null, "
    "project text not null, id text not null, ending text not null, blob text not null, "
    "data text, problems text, pass integer not null, proof integer not null)",
    "create unique index place on record(kind, task, project, id)",
    "create table term(kind text, field text, value text, key integer, "
    "primary key(kind, field, value, key)) without rowid",
    # Of each circle of tasks at least one.
    "create table circling(id text primary key) without rowid",
    # Tasks of which a person should perhaps know something; see doubts.py.
    "create table doubt(what text, id text, primary key(what, id)) without rowid",
    # What hides records of a kind, by the bytes of its path; see store/odd.py.
    "create table odd(kind text, path blob, problems text not null, proof integer not null, "
    "primary key(kind, path)) without rowid",
    "create table task(key integer primary key, id text not null, status text not null, "
    "held integer not null, unfinished integer not null, rank text not null, clear integer)",
)
_LAST = "task"

_ORDERS = (
    "named on record(kind, id)",
    "ending on record(kind, ending)",
    "bad on record(kind) where problems is not null",
    "term_of on term(key)",
    "task_rank on task(unfinished, rank)",
    "task_status on task(status, rank)",
    "task_all on task(rank)",
    "task_held on task(rank) where held and unfinished = 1",
    "task_free on task(rank) where status = 'open' and not held and clear",
    "task_id on task(id)",
)
"""What SQLite looks rows up by, beside their place; made once the first rows are there, since
that is cheaper than to keep up with each."""


def file(folder: Path, version: str) -> Path:
    """The file of the index of these schemas."""
    return folder / f"index-{FORMAT}-{version}.sqlite3"


def connect(folder: Path, version: str, *, make: bool) -> Connection | None:
    """The index in a folder, of these schemas; None where there is none or it cannot be used.

    With ``make`` it is made if it is missing.
    """
    return opened(file(folder, version), _TABLES, _LAST, make=make)


def opened(path: Path, tables: Iterable[str], last: str, *, make: bool) -> Connection | None:
    """The file of an index with these tables, ``last`` being made last; None where it cannot be
    used or, without ``make``, is not there. One that is damaged is removed.

    When one is made, those of other versions that nobody has kept up for long go.
    """
    import sqlite3

    there = os.path.exists(path)  # noqa: PTH110 - a folder may be closed to us
    if not make and not there:
        return None
    connection = None
    try:
        if make:
            path.parent.mkdir(exist_ok=True)
        mode = "rwc" if make else "rw"
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY, isolation_level=None)
        if make:
            ready(connection, tables, last)
            if not there:
                _discard_old(path)
        elif not _has(connection, last):
            connection.close()
            return None
        return connection
    except faults(OSError) as error:
        if connection:
            connection.close()
        if is_damage(error):
            discard(path)
        return None


def close_with(holder: object, connection: Connection) -> weakref.finalize[[Connection], object]:
    """Close a connection once its holder is gone, at the end of the process at the latest; the
    answer can be told not to.

    Whoever closes it last tidies up what SQLite keeps beside the file. One of a thread that is
    still running is left to it.
    """
    return weakref.finalize(holder, close, connection)


def close(connection: Connection) -> None:
    """Close a connection, unless it is another thread's: that is closed with what holds it."""
    with suppress(*faults()):
        connection.close()


def faults(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """What is raised where the file cannot be used, or is damaged, or cannot be asked: its words
    may be no text, and so may those that somebody gives."""
    from sqlite3 import Error

    return Error, UnicodeError, *others


_DAMAGE = ("malformed", "not a database", "no such", "decode")


def is_damage(error: Exception) -> bool:
    """Whether an error says that the file is no whole index any more."""
    return not isinstance(error, OSError) and any(words in str(error) for words in _DAMAGE)


def ready(connection: Connection, tables: Iterable[str], last: str) -> None:
    """Make the tables of a file that does not have the ``last`` of them.

    Raises OSError where several processes cannot use it at once.
    """
    if _has(connection, last):
        return
    if connection.execute("pragma journal_mode = wal").fetchone()[0] != "wal":
        raise OSError("no shared memory here")
    with writing(connection):
        for table in () if _has(connection, last) else tables:  # another process may just have
            connection.execute(table)


def arrange(connection: Connection) -> None:
    """See that rows can be looked up by all that is asked for; within a transaction."""
    for order in _ORDERS:
        connection.execute(f"create index if not exists {order}")


def _has(connection: Connection, name: str) -> bool:
    sql = "select 1 from sqlite_master where name = ?"
    return bool(connection.execute(sql, [name]).fetchone())


@contextmanager
def writing(connection: Connection) -> Iterator[None]:
    """One transaction, alone among all processes; nothing of it stays if it fails."""
    connection.execute("pragma synchronous = normal")
    connection.execute("begin immediate")
    try:
        yield
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")


def discard_all(folder: Path) -> None:
    """Remove every index in a folder, whatever its version; they are made again when wanted."""
    for each in folder.glob("index-*.sqlite3"):
        discard(each)


def _discard_old(new: Path) -> None:
    """Remove what was last written long before a new file: two versions may be used in turn.

    Their names differ from the first digit on; those of another index begin otherwise.
    """
    begins = re.split("[0-9]", new.name, maxsplit=1)[0]
    for each in new.parent.glob(f"{begins}[0-9]*.sqlite3"):
        with suppress(OSError):
            if each.stat().st_mtime < new.stat().st_mtime - UNUSED:
                discard(each)


def remove(folder: Path) -> None:
    """Remove all that belongs to an index."""
    discard_all(folder)
    with suppress(OSError):
        (folder / LOCK).unlink()


def discard(path: Path) -> None:
    """Remove the file of an index, and what SQLite keeps beside it."""
    for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(OSError):
            each.unlink()


def tip(connection: Connection) -> str | None:
    """The commit whose records the index holds; None while it is being made."""
    row = connection.execute("select value from meta where name = 'tip'").fetchone()
    return str(row[0]) if row else None


def set_tip(connection: Connection, commit: str) -> None:
    """Say which commit the index holds; within a transaction."""
    connection.execute("insert or replace into meta values ('tip', ?)", [commit])


def forget(connection: Connection) -> None:
    """Say that the index holds no commit, and what stood in its way; within a transaction."""
    connection.execute("delete from meta where name = 'tip'")
    connection.execute("delete from odd")
