"""Processes that know nothing of the user: no configuration, no home, no repository around."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

SCRIPTS = Path(sys.executable).parent
"""Where the console scripts of this environment are."""


@cache
def environment() -> dict[str, str]:
    """The environment of every measured process, with an empty home of its own."""
    home = Path(tempfile.gettempdir()) / "gittask-benchmarks" / "home"
    home.mkdir(parents=True, exist_ok=True)
    others = ("GIT_", "GITTASK_", "XDG_", "PYTHONDONTWRITE")  # installed programs are compiled
    kept = {k: v for k, v in os.environ.items() if not k.startswith(others)}
    return {
        **kept,
        "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
    }


def git(folder: Path, *args: str, input: str | None = None) -> str:
    """What git wrote in a folder. Raises CalledProcessError, with git's words."""
    argv = ["git", "-C", str(folder), *args]
    done = subprocess.run(
        argv, env=environment(), input=input, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()
