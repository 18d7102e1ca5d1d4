"""Running a command as if it had been called alone: its streams, its signals, its exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from gittask.core.text import one_line
from gittask.errors import Usage

NOT_FOUND = 127
NOT_EXECUTABLE = 126

_PASSED_ON = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
)
_BY_TERMINAL = ("SIGINT", "SIGQUIT")


class NotStarted(Usage):
    """A command that cannot be started, with the exit code that a shell gives."""

    def __init__(self, message: str, exit: int) -> None:
        super().__init__(message, hint="give the command as you would type it, after --")
        self.exit = exit


def run(
    argv: Sequence[str],
    env: Mapping[str, str],
    *,
    began: Callable[[int], None] = lambda _: None,
    stopped: Callable[[bool], None] = lambda _: None,
    stdout: int | None = None,
) -> int:
    """Run a command to its end; the result is as Python tells it (negative: by which signal).

    Signals that reach this process reach the command. ``began`` is told its process id;
    ``stopped`` that it was stopped (True) or goes on (False), where the system tells.
    ``stdout`` is a file descriptor that stands for its standard output.
    Raises NotStarted.
    """
    running: list[subprocess.Popen[bytes]] = []
    early: list[int] = []

    def pass_on(signum: int, _: FrameType | None) -> None:
        if not running:
            early.append(signum)
        elif running[0].returncode is None and not _from_terminal(signum):
            _send(running[0], signum)

    ignored = [each for each in _PASSED_ON if signal.getsignal(each) == signal.SIG_IGN]
    with handled([each for each in _PASSED_ON if each not in ignored], pass_on):
        process = _start(argv, env, stdout)
        running.append(process)
        began(process.pid)
        for signum in early:
            _send(process, signum)
        # What this process was told to ignore the command ignores too, unless it minds.
        with handled(ignored, pass_on):
            return _wait(process, stopped)


def shell_code(ended: int) -> int:
    """The exit code by which a shell tells how a command ended: 128 and more for a signal."""
    return ended if ended >= 0 else 128 - ended


def _start(
    argv: Sequence[str], env: Mapping[str, str], stdout: int | None
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(list(argv), env=dict(env), stdout=stdout)
    except (OSError, ValueError) as error:
        code = NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE
        said = getattr(error, "strerror", None) or error
        raise NotStarted(f"{one_line(argv[0])} cannot be started: {said}", code) from None


if sys.platform == "win32":

    def _send(_: subprocess.Popen[bytes], __: int) -> None:
        """The console tells the command of Ctrl-C by itself."""

    def _wait(process: subprocess.Popen[bytes], _: Callable[[bool], None]) -> int:
        return process.wait()
else:

    def _send(process: subprocess.Popen[bytes], signum: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signum)  # Popen would first ask whether it ended, and reap it

    def _wait(process: subprocess.Popen[bytes], stopped: Callable[[bool], None]) -> int:
        while True:
            _, status = os.waitpid(process.pid, os.WUNTRACED | os.WCONTINUED)
            if os.WIFSTOPPED(status) or os.WIFCONTINUED(status):
                stopped(os.WIFSTOPPED(status))
                continue
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode


@contextmanager
def handled(
    signals: Iterable[signal.Signals], handle: Callable[[int, FrameType | None], None]
) -> Iterator[None]:
    """Handle signals by a function in the block. Only for the main thread."""
    before = {each: signal.signal(each, handle) for each in signals}
    try:
        yield
    finally:
        for each, former in before.items():
            signal.signal(each, former)


def _from_terminal(signum: int) -> bool:
    """Whether the terminal has sent this signal to the command as well, as for Ctrl-C."""
    if signal.Signals(signum).name not in _BY_TERMINAL or not hasattr(os, "tcgetpgrp"):
        return False
    try:
        with Path("/dev/tty").open("rb", buffering=0) as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False


def keep_signals_away() -> None:
    """Leave the signals that are passed on to the main thread; called by any other one."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, _PASSED_ON)
