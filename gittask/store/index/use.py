"""Reading through the index where that can be, and keeping it up with what is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, finalize

from gittask.core.emit import arranged
from gittask.core.record import Record
from gittask.core.schema import Schemas
from gittask.store import lock
from gittask.store.index import database
from gittask.store.index.connections import Connections, Opened
from gittask.store.index.reader import Indexed
from gittask.store.index.rows import Rows
from gittask.store.pack import object_id
from gittask.store.repo import Repo
from gittask.store.snapshot import Snapshot
from gittask.store.trees import BLOB

if TYPE_CHECKING:
    from sqlite3 import Connection


class Index:
    """The index of one repository, for one set of schemas."""

    def __init__(self, repo: Repo, schemas: Schemas) -> None:
        self._repo = repo
        self._schemas = schemas
        self._connections = Connections(repo.common_dir / "gittask", schemas.digest)
        self._lent: WeakKeyDictionary[Snapshot, Opened] = WeakKeyDictionary()
        finalize(self, self._connections.close)
        self.progress: Callable[[int], None] = lambda _: None
        """Told, while the whole store is read, how many files were."""

    @property
    def _folder(self) -> Path:
        return self._repo.common_dir / "gittask"

    def reader(self, commit: str, *, whole: bool = True) -> Snapshot:
        """The records of a commit, through the index if it can be brought there.

        ``whole`` allows for reading the whole store, if the index is missing or knows nothing of
        the commit's past.
        """
        # What was pushed to a quarantine may yet be refused, and then is no more.
        opened = self._connections.take(make=whole and not self._repo.in_quarantine)
        if opened is None:
            return Snapshot(self._repo, self._schemas, commit)
        found = None
        try:
            found = self._over(opened.connection, commit, whole)
        except database.faults() as error:
            if database.is_damage(error):
                database.discard_all(self._folder)
        if found is None:
            self._connections.give(opened)
            return Snapshot(self._repo, self._schemas, commit)
        self._lent[found] = opened
        return found

    def release(self, reader: Snapshot) -> None:
        """Take from a reader that was asked everything what it has open, for whoever is next."""
        opened = self._lent.pop(reader, None)
        if opened is not None and isinstance(reader, Indexed):
            reader.let_go()
            self._connections.give(opened)

    def _over(self, connection: Connection, commit: str, whole: bool) -> Indexed | None:
        """The reader of a commit, once the index was brought there, if it can be."""
        place = self._repo, self._schemas, commit
        found = Indexed.over(*place, connection)
        if found or self._repo.in_quarantine:
            return found
        from gittask.store.index.refresh import refresh, refresh_whole

        if not refresh(connection, *place):
            if not whole:
                return None
            with lock.hold(self._folder / database.LOCK, patience=0) as alone:
                # One process reads it all; others go on without meanwhile.
                if not alone or not refresh_whole(connection, *place, self.progress):
                    return None
        return Indexed.over(*place, connection)

    def follow(self, old: str | None, new: str, written: Iterable[tuple[Record, bytes]]) -> None:
        """Take over what was written on top of a commit, if the index holds that one.

        Whatever goes wrong is left to the next reading.
        """
        opened = self._connections.take(make=False)
        if opened is None:
            return
        with suppress(*database.faults()):
            self._take_over(opened.connection, old, new, written)
        self._connections.give(opened)

    def _take_over(
        self,
        connection: Connection,
        old: str | None,
        new: str,
        written: Iterable[tuple[Record, bytes]],
    ) -> None:
        with database.writing(connection):
            if old is None or database.tip(connection) != old:
                return
            rows = Rows(connection, self._schemas)
            for record, content in written:
                place = self._schemas.locate(self._schemas.path_of(record))
                if place is not None:
                    order = self._schemas.order(record.kind)
                    rows.put(place, object_id(BLOB, content), arranged(record.data, order))
            rows.finish()
            database.set_tip(connection, new)
