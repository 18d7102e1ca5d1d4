"""Running another program: nothing inherited that could prompt, hang or deadlock."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NamedTuple

GRACE = 2.0
"""Seconds that a program has to end by itself."""

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
"""The signals that would end this process, as far as the system has them."""


class Completed(NamedTuple):
    """A program that has ended: its whole output, and its exit code (negative: a signal)."""

    stdout: bytes
    stderr: str
    code: int


def execute(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    input: bytes | None = None,
    timeout: float | None = None,
) -> Completed:
    """Run a program to its end; both outputs are read at once, whatever their size.

    It gets no standard input but ``input``, and a session of its own: there is no terminal to
    prompt on, and it ends with this process, with all that it started, if a signal ends that.
    Raises OSError if it cannot be started and subprocess.TimeoutExpired after ``timeout`` seconds.
    """
    with _signals() as started:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL if input is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            start_new_session=True,
        )
        with process:
            try:
                started()
                stdout, stderr = process.communicate(input, timeout)
            except BaseException:
                end(process, "SIGTERM", GRACE)
                raise
    return Completed(stdout, stderr.decode("utf-8", "replace"), process.returncode)


class _Ended(BaseException):
    """A signal that would have ended this process on the spot."""

    def __init__(self, signum: int) -> None:
        self.signum = signum


@contextmanager
def _signals() -> Iterator[Callable[[], None]]:
    """Let signals that end this process wait until the program that it runs has been ended too.

    To be told once that program has started; what came before is raised then.
    """
    early: list[int] = []
    running = False

    def arrive(signum: int, _: FrameType | None = None) -> None:
        if not running:
            early.append(signum)
        elif signum == signal.SIGINT:
            raise KeyboardInterrupt
        else:
            raise _Ended(signum)

    def started() -> None:
        nonlocal running
        running = True
        for signum in early:
            arrive(signum)

    before = {}
    if threading.current_thread() is threading.main_thread():  # no other may set handlers
        known = (getattr(signal, name) for name in _ENDING if hasattr(signal, name))
        before = {each: signal.getsignal(each) for each in known}
    usual = (signal.SIG_DFL, signal.default_int_handler)
    taken = {each: handler for each, handler in before.items() if handler in usual}
    for each in taken:
        signal.signal(each, arrive)
    try:
        yield started
    except _Ended as ended:
        signal.signal(ended.signum, signal.SIG_DFL)
        os.kill(os.getpid(), ended.signum)
        raise
    finally:
        for each, handler in taken.items():
            signal.signal(each, handler)


def end(process: subprocess.Popen[bytes], kindly: str, grace: float) -> None:
    """End a program and what it started: by a signal that lets it clean up (git removes its locks),
    and after ``grace`` seconds for sure."""
    try:
        _signal_all(process, kindly)
        with suppress(subprocess.TimeoutExpired):
            process.wait(grace)
    finally:
        _signal_all(process, "SIGKILL")


def _signal_all(process: subprocess.Popen[bytes], name: str) -> None:
    """Send a signal to a program that has a session of its own, and to all that it started there.

    Where the system knows no such thing, the program alone is ended.
    """
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, getattr(signal, name))
    elif process.poll() is None:
        process.kill()
