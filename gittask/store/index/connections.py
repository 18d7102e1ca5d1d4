"""The open file of an index: whoever is done with it leaves it to the next, in one process."""

from __future__ import annotations

import os
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, NamedTuple

from gittask.store.index import database

if TYPE_CHECKING:
    from sqlite3 import Connection

File = tuple[int, int, int, int]
"""What tells a file from any other that stands at its path later, for one thread of one process: a
child that shares an open file of SQLite with its parent would damage it."""


class Opened(NamedTuple):
    """A connection, and the file that it was opened on; None where that was being made."""

    connection: Connection
    file: File | None


class Connections:
    """The connections to one index. One that nobody uses waits for the next, with all that it
    knows of the tables."""

    def __init__(self, folder: Path, version: str) -> None:
        self._folder = folder
        self._version = version
        self._path = str(database.file(folder, version))
        self._waiting: Opened | None = None

    def take(self, *, make: bool) -> Opened | None:
        """A connection for one user (see ``database.connect``)."""
        file = _file(self._path)
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            if waiting.file == file:
                return waiting
            database.close(waiting.connection)
        if file is None and not make:
            return None
        connection = database.connect(self._folder, self._version, make=make)
        return Opened(connection, file) if connection is not None else None

    def give(self, opened: Opened) -> None:
        """Take a connection back; what it was reading or writing comes to its end."""
        connection, file = opened
        try:
            if connection.in_transaction:
                connection.execute("rollback")
        except database.faults():  # it was closed, for one
            file = None
        if file is None or self._waiting is not None:
            database.close(connection)
        else:
            self._waiting = opened

    def close(self) -> None:
        """Let go of the one that waits: whoever closes the file last tidies up beside it."""
        if self._waiting is not None:
            database.close(self._waiting.connection)
            self._waiting = None


def _file(path: str) -> File | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - asked by each reader
    except OSError:
        return None
    return os.getpid(), get_ident(), found.st_dev, found.st_ino
