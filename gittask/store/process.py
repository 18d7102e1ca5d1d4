"""Running another program: nothing inherited that could prompt, hang or deadlock."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True)
class Completed:
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
    prompt on, and what it started dies with it. Raises OSError if it cannot be started and
    subprocess.TimeoutExpired after ``timeout`` seconds.
    """
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
            stdout, stderr = process.communicate(input, timeout)
        except BaseException:
            signal_all(process, "SIGKILL")
            raise
    return Completed(stdout, stderr.decode("utf-8", "replace"), process.returncode)


def signal_all(process: subprocess.Popen[bytes], name: str) -> None:
    """Send a signal to a program that has a session of its own, and to all that it started there.

    Where the system knows no such thing, the program alone is ended.
    """
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, getattr(signal, name))
    else:
        process.kill()
