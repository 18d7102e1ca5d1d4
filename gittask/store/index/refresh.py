"""Bringing the index to a commit: only what differs from the one that it holds is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gittask.core import filemerge
from gittask.core.record import Data
from gittask.core.schema import Place, Schemas
from gittask.errors import GittaskError, Invalid, Problem
from gittask.store import odd
from gittask.store.index import database
from gittask.store.index.rows import Rows
from gittask.store.objects import TooLarge
from gittask.store.repo import Entry, Repo
from gittask.store.snapshot import Snapshot, no_file

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
        if number > 1:
            database.arrange(connection)
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
        database.arrange(connection)
        Rows(connection, schemas, number).finish(whole=True)
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
        self._plain = Snapshot(repo, schemas, commit)

    def take(self, changes: list[Change]) -> None:
        """Write the rows of what changed. Raises GittaskError for what cannot be read."""
        self._repo.fetch_missing(entry.id for *_, entry in changes if entry and entry.is_file)
        owners: dict[str, object] = {}
        odd_ones: dict[str, None] = {}
        for path, before, after in changes:
            if self._may_hide_all(path, before, after):
                raise GittaskError(f"{path}: nobody can say what was or is below it")
            place = self._schemas.locate(path)
            if place is None or (after and after.is_tree):
                odd_ones |= dict.fromkeys(_suspected(path))
            if place is not None and (after is None or after.is_tree):
                self._rows.remove(place)
            elif place is not None and after is not None and not self._rows.same(place, after.id):
                self._rows.put(place, after.id, self._read(path, after))
            if folder := _owners_folder(path):
                is_main = place is not None and place.kind in ("task", "project")
                owners[folder] = owners.get(folder) or (is_main and after and not after.is_tree)
        for path in odd_ones:
            self._mark(path)
        for folder in (folder for folder, has_one in owners.items() if not has_one):
            if main := odd.owner(self._schemas, folder):
                self._list(folder, main)
        self._rows.write()

    def _may_hide_all(self, path: str, before: Entry | None, after: Entry | None) -> bool:
        """Whether records below a path come or go without a word of each."""
        if before and before.is_tree:
            return bool(odd.hidden(self._schemas, path))
        # Tasks elsewhere that depend on those are to be looked at again.
        damaged = after and after.is_tree and not self._rows.whole
        return bool(damaged and odd.holds_owners(path))

    def _mark(self, path: str) -> None:
        """Note what is at fault at a path, or that nothing is."""
        kinds = odd.hidden(self._schemas, path)
        entry = self._plain.entry(path) if kinds else None
        fault = odd.fault(self._repo, self._schemas, path, entry) if entry else None
        self._rows.mark(path, kinds, fault)

    def _list(self, folder: str, main: Place) -> None:
        """Note that there is a task or project of that name, though it has no record."""
        if self._rows.known(main):
            return
        file = self._plain.entry(self._schemas.path(main.kind, main.id))
        if file and not file.is_tree:  # the row comes with the file
            return
        self._rows.remove(main)
        entry = self._plain.entry(folder)
        if entry and entry.is_tree:
            hides: list[Problem] | None = None
            try:
                self._plain.get(main.kind, main.id)
            except Invalid as error:
                hides = list(error.problems)
            self._rows.put(main, "", hides)

    def _read(self, path: str, entry: Entry) -> Data | list[Problem]:
        try:
            if not entry.is_file:
                raise no_file(path, entry)
            return filemerge.read(self._schemas, path, self._repo.blob(entry.id))
        except TooLarge as error:
            return [Problem(path, "", error.message, error.hint)]
        except Invalid as error:
            return list(error.problems)


def _suspected(path: str) -> list[str]:
    """The paths at which something may hide records, or no more, if this one changed."""
    if ".yaml/" not in path.lower():
        return [path]
    names = path.split("/")
    above = ("/".join(names[:depth]) for depth in range(1, len(names)))
    return [path, *(each for each in above if each.lower().endswith(".yaml"))]


def _owners_folder(path: str) -> str | None:
    """The folder of a task or project in which a path lies, or that it is."""
    names = path.split("/", 3)
    depth = {"tasks": 3, "projects": 2}.get(names[0], len(names) + 1)
    return "/".join(names[:depth]) if depth <= len(names) else None
