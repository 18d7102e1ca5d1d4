"""What history says of one path: by the index where that knows all of it, or else by git."""

from __future__ import annotations

import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gittask.errors import GittaskError
from gittask.store import commitgraph, history, lock, packing
from gittask.store.git import denied
from gittask.store.index import database
from gittask.store.past import tables
from gittask.store.past.filling import Filling
from gittask.store.past.lines import simplified
from gittask.store.past.tables import ALL, DEPTH, MET, Known, Tables, Touching
from gittask.store.repo import Repo

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

Contents = dict[str, str | None]
"""By commit, the id of what stands at a path; None for nothing."""

LOCK = "history-filling"
"""Held by the one process that takes in commits."""

_AGAIN = 600
"""Seconds in which filling behind a command is not started again, whatever came of it."""


def versions(repo: Repo, tip: str, path: str) -> tuple[dict[str, list[str]], Contents]:
    """The versions of one file, as ``history.versions`` has them, and what each of them holds."""
    found = _ask(repo, tip, lambda past: past.versions(path))
    if found is None:
        parents = history.versions(repo.git, tip, path)
        found = parents, _contents(repo, [*parents], path)
    return found


def merges(repo: Repo, tip: str, path: str) -> list[str]:
    """The merges in which a path is unlike in every parent; others may be among them."""
    found = _ask(repo, tip, lambda past: past.merges(path))
    return history.merges(repo.git, tip, path) if found is None else found


def touching(repo: Repo, tip: str, path: str) -> list[str]:
    """The commits in which a path differs from a parent, on every side of every merge; children
    first and else the latest."""
    found = _ask(repo, tip, lambda past: past.touching(path))
    return history.revisions(repo.git, tip, path=path, by_date=True) if found is None else found


def _contents(repo: Repo, commits: Sequence[str], path: str) -> Contents:
    return dict(zip(commits, history.contents(repo.git, commits, path), strict=True))


class _Past:
    """The history of one commit, of which all is known."""

    def __init__(self, repo: Repo, tables: Tables, tip: Known) -> None:
        self._repo = repo
        self._tip = tip
        self._tables = tables

    def versions(self, path: str) -> tuple[dict[str, list[str]], Contents]:
        touched, above = self._nearest(path)
        ids = {number: touched[number].commit.id for number in above}
        contents = _contents(self._repo, [*ids.values()], path)
        known: dict[int | None, str | None] = {None: None}
        known |= {number: contents[id] for number, id in ids.items()}
        kept = {
            ids[number]: [ids[each] for each in parents]
            for number, parents in simplified(above, known).items()
        }
        times = {id: self._repo.commit_info(id).author.time for id in kept}
        return {id: kept[id] for id in history.latest_first(kept, times)}, contents

    def merges(self, path: str) -> list[str]:
        touched, above = self._nearest(path)
        found = (touched[number] for number in above)
        return [one.commit.id for one in found if one.how == ALL and len(one.commit.above) > 1]

    def touching(self, path: str) -> list[str]:
        touched, above = self._nearest(path)
        ids = {number: touched[number].commit.id for number in above}
        parents = {
            ids[number]: [ids[each] for each in nearest if each is not None]
            for number, nearest in above.items()
        }
        times = {id: self._repo.commit_info(id).committer.time for id in parents}
        met = {ids[number] for number in above if touched[number].how == MET}
        return [id for id in history.latest_first(parents, times) if id not in met]

    def _nearest(self, path: str) -> tuple[dict[int, Touching], dict[int, list[int | None]]]:
        """All that touched the place of a path; and of what the tip descends from, what is
        nearest above it on the line of each of its parents."""
        at = cache(self._tables.at)
        place = "/".join(path.split("/")[:DEPTH])
        touched = {one.commit.number: one for one in self._tables.touching(place)}
        lines: dict[int, list[int]] = {}
        for number, one in touched.items():
            lines.setdefault(one.commit.line, []).append(number)
        before: dict[int, int | None] = {}

        def nearest(commit: Known | None) -> int | None:
            """The last that touched it up to a commit; ``before`` has that of whole lines."""
            passed: list[int] = []
            found: int | None = None
            while commit is not None:
                if upto := bisect_right(lines.get(commit.line, ()), commit.number):
                    found = lines[commit.line][upto - 1]
                    break
                if commit.line in before:
                    found = before[commit.line]
                    break
                passed.append(commit.line)
                onto = at(commit.line).onto
                commit = None if onto is None else at(onto)
            before.update(dict.fromkeys(passed, found))
            return found

        above: dict[int, list[int | None]] = {}
        todo = [nearest(self._tip)]
        while todo:
            here = todo.pop()
            if here is not None and here not in above:
                above[here] = [nearest(at(each)) for each in touched[here].commit.above]
                todo += above[here]
        return touched, above


# -- the index ------------------------------------------------------------------------------------


def fill(repo: Repo) -> None:
    """Take in all of the data branch; nothing where another process does, or where that cannot
    be done."""
    tip, folder = repo.tip(), _folder(repo)
    connection = _connection(repo)
    if tip is None or connection is None:
        return
    try:
        with closing(connection), lock.hold(folder / LOCK, patience=0) as alone:
            if alone:
                Filling(connection, repo).take(tip)
    except GittaskError:  # now; it may be there later
        return
    except database.faults() as error:
        _discard_damaged(folder, error)


def _ask(repo: Repo, tip: str, question: Callable[[_Past], T]) -> T | None:
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
            return question(_Past(repo, known, found)) if found else None
    except GittaskError:  # git may not need what is lost, or says it in its own words
        return None
    except database.faults() as error:
        _discard_damaged(_folder(repo), error)
        return None


def _take_few(connection: Connection, repo: Repo, tip: str) -> bool:
    """Whether a commit could be taken in here; if that is too much it is done behind us."""
    with lock.hold(_folder(repo) / LOCK, patience=0) as alone:
        if not alone or Filling(connection, repo).take_few(tip):
            return alone
    _start(repo)
    return False


def _start(repo: Repo) -> None:
    """Let another process take in all of the data branch; nobody waits for it."""
    if denied(repo.config, ("maintenance.auto",)):
        return
    marker = _folder(repo) / "history-asked"
    try:
        if marker.exists() and time.time() - marker.stat().st_mtime < _AGAIN:
            return
        marker.touch()
    except OSError:
        return
    argv = [sys.executable, "-P", "-m", "gittask.store.past", str(repo.common_dir)]
    packing.alone(argv)


def _connection(repo: Repo) -> Connection | None:
    """The index; None where it cannot be used, or where commits do not have all that they say."""
    if repo.in_quarantine or repo.edge() or (repo.common_dir / "info" / "grafts").exists():
        return None
    return tables.connect(_folder(repo)) if commitgraph.has_folders(repo.config) else None


def _discard_damaged(folder: Path, error: Exception) -> None:
    if database.is_damage(error) or "constraint failed" in str(error):
        tables.discard(folder)


def _folder(repo: Repo) -> Path:
    return repo.common_dir / "gittask"
