"""What one call does, counted: what must not grow with the store, told without a clock.

Calls are counted by the code that runs, whatever name it was imported by. ``READS`` is the one
place that says what counts as reading an object: whoever adds another way to read, adds it there.
"""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from unittest import mock

from gittask.core.codec import decode
from gittask.store.index.reader import Indexed
from gittask.store.objects import Objects
from gittask.store.process import execute
from tests.program import Program

READS = (Objects._read,)
"""What reads an object of the repository, its header or its content, once a call."""


@dataclass(frozen=True)
class Counts:
    """What a call did."""

    read: int
    """Objects of git that were looked at."""
    parsed: int
    """Files of YAML that were read."""
    written: int
    """Files under git's folder that are new or changed: objects and references; not what this
    machine keeps for itself, which comes and goes."""
    programs: int
    """Programs that were started, git above all; to ask for the configuration is left out, for
    it is asked again after any file of it is new."""
    records: int
    """Records that were taken from the index."""
    statements: int
    """Statements of SQL that were carried out."""


def counted(program: Program, *args: str, code: int | None = 0) -> Counts:
    """What a call does that ends with this code, after the same call was made once before."""
    program(*args, code=code)
    return counts(program.folder, lambda: program(*args, code=code))


def counts(repository: Path, work: Callable[[], object]) -> Counts:
    """What a piece of work does that is about one repository."""
    folder = repository / ".git"
    before = _files(folder)
    statements: list[str] = []
    with _calls() as calls, _traced(statements):
        work()
    after = _files(folder)
    return Counts(
        read=sum(calls[each.__code__] for each in READS),
        parsed=calls[decode.__code__],
        written=sum(before.get(path) != state for path, state in after.items()),
        programs=calls[execute.__code__],
        records=calls[Indexed._of.__code__],
        statements=len(statements),
    )


@contextmanager
def _calls() -> Iterator[Counter[CodeType]]:
    """How often each function is called in here."""
    calls: Counter[CodeType] = Counter()

    def see(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and "config" not in frame.f_locals.get("argv", ()):
            calls[frame.f_code] += 1

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        yield calls
    finally:
        sys.setprofile(before)


@contextmanager
def _traced(statements: list[str]) -> Iterator[None]:
    """Put down what every connection to SQLite that is made in here carries out."""
    connect = sqlite3.connect

    def traced(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **kwargs)
        connection.set_trace_callback(statements.append)
        return connection

    with mock.patch("sqlite3.connect", traced):
        yield


def _files(folder: Path) -> dict[Path, tuple[int, int, int]]:
    """All files below a folder, each with what changes if it is written."""
    files = (path for path in folder.rglob("*") if folder / "gittask" not in path.parents)
    found = ((path, path.stat()) for path in files if path.is_file())
    return {path: (stat.st_ino, stat.st_mtime_ns, stat.st_size) for path, stat in found}
