"""A long text for somebody at a terminal, shown a screen at a time by the pager they chose."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from shutil import which

from gittask.store.git import run

_SETTINGS = {"LESS": "FRX", "LV": "-c"}
"""What git sets for the usual pagers, unless the user did: quit if it fits, show colours."""


def chosen_pager(folder: Path) -> str | None:
    """The command of the user's pager; None for none, or one that is not there.

    ``GITTASK_PAGER``, else what git would take: ``GIT_PAGER``, git's ``core.pager``, ``PAGER``,
    ``less``. Empty or ``cat`` means none.
    """
    command = os.environ.get("GITTASK_PAGER")
    if command is None:
        command = run(folder, "var", "GIT_PAGER", check=False).stdout.decode(errors="replace")
    command = command.strip()
    if command in ("", "cat"):
        return None
    try:
        return command if which(shlex.split(command)[0]) else None
    except (ValueError, IndexError):
        return None


def through(pager: str, lines: Iterable[str]) -> None:
    """Show lines by a pager, each as soon as it is there; returns once the user left it.

    A pager that is left early ends the lines too. Raises KeyboardInterrupt if the user
    interrupted the making of the lines; an interrupt of the pager alone is its own business.
    """
    env = {**_SETTINGS, **os.environ}
    process = subprocess.Popen(pager, shell=True, stdin=subprocess.PIPE, env=env)
    assert process.stdin is not None
    try:
        with suppress(BrokenPipeError):
            for line in lines:
                process.stdin.write(f"{line}\n".encode(errors="backslashreplace"))
                process.stdin.flush()
    finally:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.wait()
        signal.signal(signal.SIGINT, before)
