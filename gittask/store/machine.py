"""This machine, and whether a process runs on it.

Where the system does not say which run of the machine this is, nobody is called dead: there a
process id alone proves nothing.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gittask.store.process import execute

_PROC = Path("/proc")
_SECONDS = 5.0


class Machine(NamedTuple):
    """A machine as one process sees it: its name, its run, its space of process ids, its clocks.

    ``boot`` and ``space`` are None where the system does not say. Both clocks count seconds:
    ``uptime`` from some moment of this run, while the machine is awake; ``wall`` from 1970.
    """

    host: str
    boot: str | None
    space: str | None
    uptime: Callable[[], float]
    wall: Callable[[], float]


def this_machine() -> Machine:
    """The machine that this process runs on."""
    boot, space = _run_of_linux() if _PROC.is_dir() else (_run_of_mac(), "")
    host = os.uname().nodename if hasattr(os, "uname") else socket.gethostname()
    return Machine(host, boot, space, time.monotonic, time.time)


def _run_of_linux() -> tuple[str | None, str | None]:
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return boot, str((_PROC / "self/ns/pid").readlink())
    except OSError:
        return None, None


def _run_of_mac() -> str | None:
    return _said("sysctl", "-n", "kern.bootsessionuuid") or None


def born(pid: int) -> str | None:
    """When a process began, in the words of the system; None if it does not say, or runs not."""
    found = _look(pid)
    return found[1] if found else None


def runs(pid: int, since: str | None) -> bool:
    """Whether the process that began then still runs on this machine.

    One that has ended and was not yet waited for runs no more; nor does one whose number another
    process has by now. True where nobody can tell.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # another user's
        pass
    found = _look(pid)
    if found is None:
        return True
    state, began = found
    return state[:1] not in ("Z", "X") and since in (None, began)


def _look(pid: int) -> tuple[str, str] | None:
    """The state of a process, and when it began; None if the system says neither."""
    return _look_in_proc(pid) if _PROC.is_dir() else look_with_ps(pid)


def _look_in_proc(pid: int) -> tuple[str, str] | None:
    try:
        text = (_PROC / str(pid) / "stat").read_text("ascii", "replace")
    except OSError:
        return None
    words = text.rpartition(")")[2].split()  # the name before it may hold anything
    return words[0], words[19]


def look_with_ps(pid: int) -> tuple[str, str] | None:
    """The same, from the program that every Unix has."""
    state, _, began = _said("ps", "-o", "stat=,lstart=", "-p", str(pid)).partition(" ")
    return (state, began.strip()) if began else None


def _said(*argv: str) -> str:
    try:
        env = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
        done = execute(argv, env=env, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.code == 0 else ""
