"""The program as somebody at a terminal sees it: a real pseudo-terminal, and what it gets."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program import controls

fcntl = pytest.importorskip("fcntl", reason="there are no terminals here")
termios = pytest.importorskip("termios")

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


class Seen:
    """What a terminal got; ``text`` is that without styles, and holds nothing that controls it."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.text = _STYLE.sub("", raw)
        assert not controls(self.text), raw

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def styled(self, text: str) -> bool:
        """Whether a text is all that stands between the beginning and the end of a style."""
        return re.search(rf"\x1b\[[0-9;]+m{re.escape(text)}\x1b\[0m", self.raw) is not None


class AtTerminal:
    """Calls from a terminal; without a pager, unless one is set. A variable that is None is unset.

    Standard error is none of it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *args: str, columns: int = 80, **env: str | None) -> Seen:
        """What the terminal gets from a call that succeeds."""
        with self.started(*args, columns=columns, **env) as (process, terminal):
            raw = "".join(read(terminal))
            assert process.wait() == 0, raw
        return Seen(raw)

    @contextlib.contextmanager
    def started(
        self, *args: str, columns: int = 80, **env: str | None
    ) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
        """A call that runs, and its terminal: a file's number, to read and to type."""
        ours, theirs = os.openpty()
        around = {"TERM": "xterm", "COLUMNS": str(columns), "GITTASK_PAGER": "", **env}
        around = {**os.environ, **around}
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "gittask", *args],
                cwd=self.folder,
                env={name: value for name, value in around.items() if value is not None},
                stdin=theirs,
                stdout=theirs,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=lambda: fcntl.ioctl(theirs, termios.TIOCSCTTY, 0),
            )
            os.close(theirs)
            with process:
                yield process, ours
        finally:
            os.close(ours)


def read(terminal: int) -> Iterator[str]:
    """What a terminal gets, as it comes, until the last who writes to it has gone."""
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # so Linux says that there is no more
            return
        if not data:
            return
        yield data.decode().replace("\r\n", "\n")
