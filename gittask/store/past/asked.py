"""What history says of one path: by the index where that knows all of it, or else by git."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gittask.errors import GittaskError
from gittask.store import commitgraph, history, lock, packing
from gittask.store.git import denied
from gittask.store.index import database
from gittask.store.past import tables
from gittask.store.past.descent import Contents, Descent, contents
from gittask.store.past.filling import Filling
from gittask.store.past.tables import Tables
from gittask.store.repo import Repo

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

_LOCK = "history-filling"
"""Held by the one process that takes in commits."""

_MARKER = "history-asked"
"""As old as the last filling that was started behind a command."""

_DETACH = ("gc.autodetach", "maintenance.autodetach")
"""By one of these git is told to leave nothing running when a command has ended."""

_AGAIN = 600
"""Seconds in which filling behind a command is not started again, whatever came of it."""


def versions(repo: Repo, tip: str, path: str) -> tuple[dict[str, list[str]], Contents]:
    """The versions of one file, as ``history.versions`` has them, and what each of them holds."""
    found = _ask(repo, tip, lambda its: its.versions(path))
    if found is None:
        parents = history.versions(repo.git, tip, path)
        found = parents, contents(repo, [*parents], path)
    return found


def merges(repo: Repo, tip: str, path: str) -> list[str]:
    """The merges in which a path is unlike in every parent; others may be among them."""
    found = _ask(repo, tip, lambda its: its.merges(path))
    return history.merges(repo.git, tip, path) if found is None else found


def touching(repo: Repo, tip: str, path: str) -> list[str]:
    """The commits in which the folder of a task, or a file of three names at most, differs from a
    parent, on every side of every merge; children first and else the latest."""
    found = _ask(repo, tip, lambda its: its.touching(path))
    return history.revisions(repo.git, tip, path=path, by_date=True) if found is None else found


def fill(repo: Repo) -> None:
    """Take in all of the data branch; nothing where another process does, or where that cannot
    be done."""
    tip, folder = repo.tip(), _folder(repo)
    connection = _connection(repo) if tip else None
    if tip is None or connection is None:
        return
    try:
        with closing(connection), lock.hold(folder / _LOCK, patience=0) as alone:
            if alone:
                Filling(connection, repo).take(tip)
    except GittaskError:  # now; it may be there later
        return
    except database.faults() as error:
        _discard_damaged(folder, error)


def _ask(repo: Repo, tip: str, question: Callable[[Descent], T]) -> T | None:
    """What the index says of the history of a commit; None where it cannot tell."""
    connection = _connection(repo)
    if connection is None:
        return None
    try:
        with closing(connection):
            known = Tables(connection)
            if known.find(tip) is None and not _take_few(connection, repo, tip):
                return None
            connection.execute("begin")  # all of it as it is now
            found = known.find(tip)
            return question(Descent(repo, known, found)) if found else None
    except GittaskError:  # git may not need what is lost, or says it in its own words
        return None
    except database.faults() as error:
        _discard_damaged(_folder(repo), error)
        return None


def _take_few(connection: Connection, repo: Repo, tip: str) -> bool:
    """Whether a commit could be taken in here; if that is too much it is done behind us."""
    with lock.hold(_folder(repo) / _LOCK, patience=0) as alone:
        if not alone or Filling(connection, repo).take_few(tip):
            return alone
    _start(repo)
    return False


def _start(repo: Repo) -> None:
    """Let another process take in all of the data branch; nobody waits for it."""
    marker = _folder(repo) / _MARKER
    try:
        if denied(repo.config, _DETACH) or _is_new(marker):
            return
        marker.touch()
    except OSError:
        return
    argv = [sys.executable, "-P", "-m", "gittask.store.past", str(repo.common_dir)]
    packing.alone(argv)


def _is_new(marker: Path) -> bool:
    # one of a clock that was far ahead would never be old
    return marker.exists() and abs(time.time() - marker.stat().st_mtime) < _AGAIN


def _connection(repo: Repo) -> Connection | None:
    """The index; None where it cannot be used, or where commits do not have all that they say."""
    if repo.in_quarantine or repo.edge() or (repo.common_dir / "info" / "grafts").exists():
        return None
    return tables.connect(_folder(repo)) if commitgraph.has_folders(repo.config) else None


def remove(folder: Path) -> None:
    """Remove all that belongs to the index of history."""
    tables.discard(folder)
    for name in (_LOCK, _MARKER):
        with suppress(OSError):
            (folder / name).unlink()


def _discard_damaged(folder: Path, error: Exception) -> None:
    if database.is_damage(error) or "constraint failed" in str(error):
        tables.discard(folder)


def _folder(repo: Repo) -> Path:
    return repo.common_dir / "gittask"
