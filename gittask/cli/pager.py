"""A long text for somebody at a terminal, shown a screen at a time by the pager they chose."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

from gittask.store.git import run

_SETTINGS = {"LESS": "FRX", "LV": "-c"}
"""What git sets for the usual pagers, unless the user did: quit if it fits, show colours."""


def chosen_pager(folder: Path) -> str | None:
    """The command of the user's pager, as the shell takes it; None for none.

    ``GITTASK_PAGER``, else what git would take: ``GIT_PAGER``, git's ``core.pager``, ``PAGER``,
    ``less``. Empty or ``cat`` means none.
    """
    command = os.environ.get("GITTASK_PAGER")
    if command is None:
        command = run(folder, "var", "GIT_PAGER", check=False).stdout.decode(errors="replace")
    command = command.strip()
    return None if command in ("", "cat") else command


def through(pager: str, lines: Iterator[str]) -> Iterable[str]:
    """Show lines by a pager, each as soon as it is there; returns once the user left it.

    A pager that is left early ends the lines too; one that could not be run took none, and all of
    them are returned. Raises KeyboardInterrupt if the user interrupted the making of the lines;
    an interrupt of the pager alone is its own business.
    """
    env = {**_SETTINGS, **os.environ}
    process = subprocess.Popen(pager, shell=True, stdin=subprocess.PIPE, env=env)
    assert process.stdin is not None
    given = []
    try:
        with suppress(BrokenPipeError):
            for line in lines:
                given.append(line)
                process.stdin.write(f"{line}\n".encode(errors="backslashreplace"))
                process.stdin.flush()
    finally:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.wait()
        signal.signal(signal.SIGINT, before)
    return chain(given, lines) if process.returncode in _NOT_RUN else ()


_NOT_RUN = (126, 127)
"""The exit codes of a shell that could not run, or could not find, the program."""
