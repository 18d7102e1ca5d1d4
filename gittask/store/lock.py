"""A lock between the writers of one repository, dropped by the kernel when its holder dies.

It only keeps writers in line, so that none has to decide again all the time: what is right rests
on the compare-and-swap of the reference. Whoever waits too long, or stands on a file system
without locks, goes on without it.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 10.0
"""Seconds to wait for the lock before going on without it."""

if sys.platform == "win32":
    import msvcrt

    def _take(fd: int) -> None:
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


_HELD_BY_ANOTHER = (BlockingIOError, PermissionError)  # flock, msvcrt.locking


@contextmanager
def hold(path: Path, patience: float = PATIENCE) -> Iterator[bool]:
    """Hold the lock file at ``path`` (made if missing); yields whether it is really held.

    Not reentrant: do not take it again inside.
    """
    fd = _open(path)
    try:
        yield fd is not None and _wait(fd, patience)
    finally:
        if fd is not None:
            os.close(fd)


def _open(path: Path) -> int | None:
    flags = os.O_RDWR | os.O_CREAT
    try:
        with suppress(FileNotFoundError):
            return os.open(path, flags, 0o666)
        path.parent.mkdir(exist_ok=True)
        return os.open(path, flags, 0o666)
    except OSError:  # a repository that may only be read
        return None


def _wait(fd: int, patience: float) -> bool:
    until = time.monotonic() + patience
    while True:
        try:
            _take(fd)
        except _HELD_BY_ANOTHER:
            if time.monotonic() >= until:
                return False
        except OSError:
            return False
        else:
            return True
        time.sleep(random.uniform(0.001, 0.01))
