"""Running a check, and keeping what it came to as evidence."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from types import FrameType

import click

from gittask.cli.beside import handled, shell_code
from gittask.core.record import Data
from gittask.core.text import many_lines
from gittask.store.code import Code
from gittask.store.process import end

TAIL_LINES = 40
TAIL_CHARACTERS = 4000
_TAIL_BYTES = 1 << 18
"""Of how much of the output the tail is made: colours and what was overwritten are left out."""
_CHUNK = 1 << 16
_SOON = 0.2
_GRACE = 5
"""The seconds that an interrupted command has to clean up after itself."""
_HIGHEST_CODE = 255
_INTERRUPTS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")

SHELL = ("sh", "-c") if os.name == "posix" else ("cmd", "/c")
"""What runs a command that is one text."""


def run_check(command: str, folder: Path, code: Code, at: str, *, show: bool) -> Data:
    """Run a command by the shell and describe the outcome as an item of ``verified``.

    Its output goes to standard error as it comes, if ``show``; its end is kept. It is over when
    the command itself has ended: what that leaves running in the background is not waited for.
    If this process is interrupted, the command and all that it started are ended as well.
    ``code`` is the state of the code that it is evidence of.
    """
    tail = bytearray()
    shown = _Shown()
    with _running(command, folder) as (process, output):
        for chunk in output:
            if show:
                shown.write(chunk)
            tail += chunk
            if len(tail) > 2 * _TAIL_BYTES:
                del tail[:-_TAIL_BYTES]
    return {
        "claim": f"{command} passes" if process.returncode == 0 else f"{command} fails",
        "command": command,
        "exit_code": min(shell_code(process.returncode), _HIGHEST_CODE),
        "commit": code.head,
        "dirty": code.dirty,
        "at": at,
        "tail": "".join(map(_plain, io.BytesIO(tail).readlines()[-TAIL_LINES:]))[-TAIL_CHARACTERS:],
    }


@contextmanager
def _running(
    command: str, folder: Path
) -> Iterator[tuple[subprocess.Popen[bytes], Iterator[bytes]]]:
    """A command and its output; at the end of the block it has ended.

    Others may hold its pipe for longer. So its end is told through the pipe itself, behind all
    that it wrote, by a mark that it cannot know.
    """
    mark = _mark()
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb", 0), _interruptible() as begun:
        process = subprocess.Popen(
            command,
            shell=True,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        ending = threading.Thread(target=_tell, args=(process, writing, mark), daemon=True)
        ending.start()
        try:
            begun()
            yield process, _before(mark, reading)
            ending.join()
        except BaseException:
            end(process, "SIGINT", _GRACE)  # as Ctrl-C would
            raise


def _tell(process: subprocess.Popen[bytes], pipe: int, mark: bytes) -> None:
    process.wait()
    with suppress(OSError), os.fdopen(pipe, "wb", 0) as end:  # it may be read no more
        end.write(mark)


def _mark() -> bytes:
    """What nobody can know, after a byte that is in no text: so no text waits for what follows."""
    return b"\0" + os.urandom(16)


def _before(mark: bytes, pipe: int) -> Iterator[bytes]:
    """What comes through a pipe before a mark; only what may begin the mark is held back."""
    held = b""
    while True:
        held += _read(pipe)
        before, found, _ = held.partition(mark)
        if found:
            yield before
            return
        begun = next(n for n in range(len(mark) - 1, -1, -1) if held.endswith(mark[:n]))
        yield held[: len(held) - begun]
        held = held[len(held) - begun :]


def _read(pipe: int) -> bytes:
    """The next output. A signal that comes just before one waits for it is minded soon, too."""
    while sys.platform != "win32" and not select([pipe], [], [], _SOON)[0]:
        pass
    return os.read(pipe, _CHUNK)


@contextmanager
def _interruptible() -> Iterator[Callable[[], None]]:
    """Signals that would end this process raise KeyboardInterrupt, or SystemExit, in the block.

    They wait until it calls what it is given: when what they have to end is known.
    """
    early: list[int] = []
    waits = True

    def leave(signum: int, _: FrameType | None) -> None:
        if waits:
            early.append(signum)
        else:
            raise KeyboardInterrupt if signum == signal.SIGINT else SystemExit(128 + signum)

    def begun() -> None:
        nonlocal waits
        waits = False
        for signum in early:
            leave(signum, None)

    known = [getattr(signal, name) for name in _INTERRUPTS if hasattr(signal, name)]
    with handled([each for each in known if signal.getsignal(each) != signal.SIG_IGN], leave):
        yield begun


class _Shown:
    """Output on standard error, in which nothing controls the terminal."""

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._held = ""

    def write(self, chunk: bytes) -> None:
        text = self._held + self._decoder.decode(chunk)
        self._held = "\r" if text.endswith("\r") else ""  # of a line break, maybe
        sys.stderr.write(many_lines(text.removesuffix("\r")))
        sys.stderr.flush()


def _plain(raw: bytes) -> str:
    """A line of output as a record may keep it: no colours, no cursor movements."""
    text = click.unstyle(raw.decode("utf-8", "replace")).rstrip("\r\n").rpartition("\r")[2]
    return many_lines(text[-TAIL_CHARACTERS:]) + "\n"
