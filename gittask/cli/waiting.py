"""What is said while the whole store is read, as after a fresh clone, if that takes long."""

from __future__ import annotations

import time
from collections.abc import Callable

FIRST = 2.0
"""After how many seconds it is said first."""

BETWEEN = 10.0
"""How many seconds pass until it is said again."""


class Waiting:
    """Told, now and then, how many files were read; says so if somebody has waited for long."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._next: float | None = None

    def __call__(self, files: int) -> None:
        now = time.monotonic()
        self._next = now + FIRST if self._next is None else self._next
        if now >= self._next:
            self._next = now + BETWEEN
            self._say(f"reading the whole store once, later calls are fast: {files:,} files so far")
