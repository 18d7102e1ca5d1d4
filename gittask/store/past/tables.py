"""The file of the index of history: commits, and what of the store each of them touched.

Commits have numbers, parents before children. They stand in lines: each but a first commit follows
one of its parents, and is in that one's line unless another commit is there already. Every row
can be told from one that was damaged, and every list of rows from one that lacks some.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from gittask.store.index import database

if TYPE_CHECKING:
    from sqlite3 import Connection

DEPTH = 3
"""A path stands for the folder that this many of its names are: that of a task, or else the file
itself."""

MET, SOME, ALL = 0, 1, 2
"""Whether a commit has a place unlike in all of its parents, in some, or in none: then it is a
merge of lines which went different ways to what stands there."""

_NAME = "history-1.sqlite3"
_TABLES = (
    # above: the numbers of its parents. onto: which of them it follows. followed: whether another
    # stands behind it in its line, which is called by the number of its first commit.
    "create table known(number integer primary key, id blob not null unique, "
    "line integer not null, above text not null, onto integer, followed integer not null, "
    "proof integer not null)",
    # proof: of all that touched it, in order.
    "create table place(number integer primary key, path blob not null unique, "
    "proof integer not null)",
    "create table touch(place integer, number integer, how integer not null, "
    "primary key(place, number)) without rowid",
    "create index touched on touch(number)",
)
_LAST = "touched"
_COLUMNS = "known.number, id, line, above, onto, followed, known.proof"


class Known(NamedTuple):
    """A commit. ``above`` are its parents, ``onto`` the one that it follows."""

    number: int
    id: str
    line: int
    above: tuple[int, ...]
    onto: int | None
    followed: bool


class Touching(NamedTuple):
    """A commit that touched a place, and how."""

    commit: Known
    how: int


def connect(folder: Path) -> Connection | None:
    """The index of history in a folder, made if it is missing; None where it cannot be used."""
    return database.opened(folder / _NAME, _TABLES, _LAST, make=True)


def discard(folder: Path) -> None:
    """Remove it; it is made anew when it is wanted."""
    database.discard(folder / _NAME)


class Tables:
    """The rows of one index. Raises ``database.faults()`` where it is damaged."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # -- reading ------------------------------------------------------------------------------

    def find(self, id: str) -> Known | None:
        """The commit of an id, if it is known; so are then all that it descends from."""
        return self._one("id = ?", bytes.fromhex(id))

    def at(self, number: int) -> Known:
        """The commit of a number."""
        found = self._one("number = ?", number)
        if found is None:
            raise _malformed()
        return found

    def _one(self, where: str, value: bytes | int) -> Known | None:
        sql = f"select {_COLUMNS} from known where {where}"
        row = self._connection.execute(sql, [value]).fetchone()
        return _read(row) if row else None

    def touching(self, path: str) -> list[Touching]:
        """All commits that touched the place at a path, in order."""
        sql = "select number, proof from place where path = ?"
        place = self._connection.execute(sql, [_raw(path)]).fetchone()
        if place is None:
            return []
        sql = (
            f"select how, {_COLUMNS} from touch join known on known.number = touch.number "
            "where place = ? order by touch.number"
        )
        rows = self._connection.execute(sql, [place[0]])
        found = [Touching(_read(row), how) for how, *row in rows]
        proof = 0
        for commit, how in found:
            proof = _further(proof, commit.number, how)
        if proof != place[1]:
            raise _malformed()
        return found

    def touched(self, number: int) -> list[str]:
        """The places that a commit touched."""
        sql = "select path from touch join place on place.number = place where touch.number = ?"
        rows = self._connection.execute(sql, [number])
        return [path.decode("utf-8", "surrogateescape") for (path,) in rows]

    # -- writing, within a transaction --------------------------------------------------------

    def add(self, id: str, above: Iterable[Known], onto: Known | None) -> int:
        """Make a commit known, all of whose parents are; gives back its number."""
        (last,) = self._connection.execute("select max(number) from known").fetchone()
        number = (last or 0) + 1
        line = number
        if onto is not None and not onto.followed:
            line = onto.line
            self._follow(onto)
        numbers = tuple(each.number for each in above)
        row = _row(Known(number, id, line, numbers, onto and onto.number, False))
        self._connection.execute("insert into known values (?, ?, ?, ?, ?, ?, ?)", row)
        return number

    def _follow(self, commit: Known) -> None:
        """Say that another commit stands behind this one in its line."""
        *_, followed, proof = _row(commit._replace(followed=True))
        sql = "update known set followed = ?, proof = ? where number = ?"
        self._connection.execute(sql, [followed, proof, commit.number])

    def touch(self, number: int, path: str, how: int) -> None:
        """Say that the last commit touched a place."""
        run = self._connection.execute
        raw = _raw(path)
        place = run("select number, proof from place where path = ?", [raw]).fetchone()
        if place is None:
            place = run("insert into place(path, proof) values (?, 0)", [raw]).lastrowid, 0
        proof = _further(place[1], number, how)
        run("update place set proof = ? where number = ?", [proof, place[0]])
        run("insert into touch values (?, ?, ?)", [place[0], number, how])


def _raw(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _row(commit: Known) -> tuple[Any, ...]:
    number, id, line, above, onto, followed = commit
    said = (number, bytes.fromhex(id), line, " ".join(map(str, above)), onto, int(followed))
    return *said, _proof(said)


def _read(row: Sequence[Any]) -> Known:
    *said, proof = row
    if _proof(said) != proof:
        raise _malformed()
    number, id, line, above, onto, followed = said
    return Known(number, id.hex(), line, tuple(map(int, above.split())), onto, bool(followed))


def _proof(said: Iterable[Any]) -> int:
    return crc32(repr([*said]).encode())


def _further(proof: int, number: int, how: int) -> int:
    return crc32(b"%d %d" % (number, how), proof)


def _malformed() -> Exception:
    from sqlite3 import DatabaseError

    return DatabaseError("a row of the index of history is malformed")
