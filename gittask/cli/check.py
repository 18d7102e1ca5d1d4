"""Running a check, and keeping what it came to as evidence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from pathlib import Path

import click

from gittask.core.record import Data
from gittask.core.text import many_lines
from gittask.store.code import Code

TAIL_LINES = 40
TAIL_CHARACTERS = 4000

SHELL = ("sh", "-c") if os.name == "posix" else ("cmd", "/c")
"""What runs a command that is one text."""


def run_check(command: str, folder: Path, code: Code, at: str, *, show: bool) -> Data:
    """Run a command by the shell and describe the outcome as an item of ``verified``.

    Its output goes to standard error as it comes, if ``show``; its end is kept. ``code`` is the
    state of the code that it is evidence of.
    """
    lines: deque[str] = deque(maxlen=TAIL_LINES)
    process = subprocess.Popen(
        command,
        shell=True,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    with process:
        for raw in process.stdout:
            if show:
                sys.stderr.write(many_lines(raw.decode("utf-8", "replace")))
            lines.append(_plain(raw))
    return {
        "claim": f"{command} passes" if process.returncode == 0 else f"{command} fails",
        "command": command,
        "exit_code": process.returncode,
        "commit": code.head,
        "dirty": code.dirty,
        "at": at,
        "tail": "".join(lines)[-TAIL_CHARACTERS:],
    }


def _plain(raw: bytes) -> str:
    """A line of output as a record may keep it: no colours, no cursor movements."""
    text = click.unstyle(raw.decode("utf-8", "replace")).rstrip("\r\n").rpartition("\r")[2]
    return many_lines(text) + "\n"
