"""What is said while work goes on that takes long, as when a fresh clone is read whole."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from gittask.core.progress import Progress, untold

READING = "reading the whole store once, later calls are fast: {:,} files so far"
"""What is said while the store is read for the index."""

FIRST = 2.0
"""After how many seconds it is said first."""

BETWEEN = 10.0
"""How many seconds pass until it is said again."""


class Waiting:
    """Told what goes on and how far it is; says so if somebody has waited for long."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._next: float | None = None

    def __call__(self, what: str, number: int) -> None:
        """``{:,}`` in ``what`` stands for the number."""
        now = time.monotonic()
        self._next = now + FIRST if self._next is None else self._next
        if now >= self._next:
            self._next = now + BETWEEN
            self._say(what.format(number))


def at_terminal(say: Callable[[str], None]) -> Progress:
    """What says how far long work is to a person at a terminal, and to nobody else."""
    return Waiting(say) if sys.stderr.isatty() else untold
