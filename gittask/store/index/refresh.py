"""Bringing the index to a commit: only what differs from the one that it holds is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gittask.core import filemerge
from gittask.core.record import Data
from gittask.core.schema import Place, Schemas, shard
from gittask.errors import GittaskError, Invalid, Problem
from gittask.store.index import database
from gittask.store.index.rows import Rows
from gittask.store.objects import TooLarge
from gittask.store.repo import Entry, Repo
from gittask.store.snapshot import no_file

if TYPE_CHECKING:
    from sqlite3 import Connection

Progress = Callable[[int], None]
"""Told, now and then, how many files were read so far."""

BATCH = 2_000
"""After how many files a pass over the whole store keeps what it has: a kill loses no more. So
many are fetched at once in a partial clone."""

CACHE = 64 * 1024
"""KiB of memory for the tables while all of the store is read: rows go to every part of them."""

Change = tuple[str, Entry | None, Entry | None]


def refresh(connection: Connection, repo: Repo, schemas: Schemas, commit: str) -> bool:
    """Bring the index from the commit that it holds to another, by what differs.

    False if it holds none of which git knows, or if either cannot be read: nothing has changed
    then. Several processes may call this at once.
    """
    try:
        with database.writing(connection):
            held = database.tip(connection)
            if held is None or not repo.exists(held):
                return False
            changes = repo.diff(repo.tree(held), repo.tree(commit), tolerant=True)
            rows = Rows(connection, schemas)
            for part in _batches(changes):
                _Pass(repo, schemas, rows, commit).take(part)
            rows.finish()
            database.set_tip(connection, commit)
    except GittaskError:  # now; it may be there later
        return False
    return True


def refresh_whole(
    connection: Connection, repo: Repo, schemas: Schemas, commit: str, progress: Progress
) -> bool:
    """Bring the index to a commit by a look at every file; only those are opened of which it has
    no row. One process at a time may call this. False if a file cannot be read."""
    try:
        _whole(connection, repo, schemas, commit, progress)
    except GittaskError:  # now; it may be there later
        return False
    return True


def _whole(
    connection: Connection, repo: Repo, schemas: Schemas, commit: str, progress: Progress
) -> None:
    connection.execute(f"pragma cache_size = {-CACHE}")
    with database.writing(connection):
        row = connection.execute("select max(pass) from record").fetchone()
        number = 1 if row[0] is None else int(row[0]) + 2  # only where there are no rows is it 1
        database.forget(connection)
    done = 0
    progress(done)
    for part in _batches(repo.diff(None, repo.tree(commit), tolerant=True)):
        with database.writing(connection):
            rows = Rows(connection, schemas, number)
            _Pass(repo, schemas, rows, commit).take(part)
        done += len(part)
        progress(done)
    with database.writing(connection):
        rows = Rows(connection, schemas, number)
        rows.finish(whole=True)
        database.set_tip(connection, commit)


def _batches(changes: Iterator[Change]) -> Iterator[list[Change]]:
    part: list[Change] = []
    for change in changes:
        part.append(change)
        if len(part) == BATCH:
            yield part
            part = []
    yield part


class _Pass:
    """Takes over what differs, file by file."""

    def __init__(self, repo: Repo, schemas: Schemas, rows: Rows, commit: str) -> None:
        self._repo = repo
        self._schemas = schemas
        self._rows = rows
        self._commit = commit

    def take(self, changes: list[Change]) -> None:
        """Write the rows of what changed. Raises GittaskError for what cannot be read."""
        self._repo.fetch_missing(entry.id for *_, entry in changes if entry and entry.is_file)
        owners: dict[Place, str] = {}
        for path, before, after in changes:
            if before and before.is_tree:
                raise GittaskError(f"{path}: nobody can say any more what was below it")
            place = self._schemas.locate(path)
            if not _is_text(path):
                known = place or _owner(path) or (after and self._is_odd(path, place, after))
                self._rows.mark(path, odd=after is not None and bool(known))
                continue
            if place is not None and (after is None or after.is_tree):
                self._rows.remove(place)
            elif place is not None and after is not None and not self._rows.same(place, after.id):
                self._rows.put(place, after.id, self._read(path, after))
            odd = after is not None and self._is_odd(path, place, after)
            if odd or not self._rows.first:
                self._rows.mark(path, odd=odd)
            if owner := _owner(path):
                owners[owner[0]] = owner[1]
        for main, folder in owners.items():
            left = not self._rows.known(main) and self._repo.lookup(self._commit, folder)
            self._rows.mark(folder, odd=bool(left))

    def _is_odd(self, path: str, place: Place | None, entry: Entry) -> bool:
        """Whether what stands at a path may hide records, or make that of a name unclear."""
        if entry.is_tree:  # damaged, or too deep
            return True
        if place is None and (self._looks_like_one(path) or self._holds(path)):
            return True
        if ".yaml/" not in path.lower():
            return False
        folders = path.split("/")
        above = ("/".join(folders[:depth]) for depth in range(1, len(folders)))
        return any(self._schemas.locate(each) or self._looks_like_one(each) for each in above)

    def _holds(self, path: str) -> bool:
        """Whether records are kept below a path, so that it should be a folder."""
        return self._schemas.locate(f"{path}/-.yaml") is not None

    def _looks_like_one(self, path: str) -> bool:
        """Whether a name in a folder of records is nearly that of one."""
        return path.lower().endswith(".yaml") and self._holds(path.rpartition("/")[0])

    def _read(self, path: str, entry: Entry) -> Data | list[Problem]:
        try:
            if not entry.is_file:
                raise no_file(path, entry)
            return filemerge.read(self._schemas, path, self._repo.blob(entry.id))
        except TooLarge as error:
            return [Problem(path, "", error.message, error.hint)]
        except Invalid as error:
            return list(error.problems)


def _is_text(path: str) -> bool:
    """Whether a name is UTF-8 as a database wants it; git allows any bytes."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _owner(path: str) -> tuple[Place, str] | None:
    """The task or project in whose folder a path lies, and that folder."""
    parts = path.split("/")
    if parts[0] == "tasks" and len(parts) > 3 and shard(parts[2]) == parts[1]:
        return Place("task", parts[2]), "/".join(parts[:3])
    if parts[0] == "projects" and len(parts) > 2:
        return Place("project", parts[1]), "/".join(parts[:2])
    return None
