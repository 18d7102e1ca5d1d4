"""Packing what piles up: git is asked to, as git's own commands ask it after a commit or a fetch.

The library writes one file for each object and never packs them. Whether anything is packed, and
how, is git's decision and the user's configuration (``gc.auto``, ``maintenance.*``); here is only
when to ask. Nobody waits for it.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path

from gittask.store.git import Config, denied, environment, setting

_USUAL, _USUAL_PACKS = 6700, 50
"""Git's own ``gc.auto`` and ``gc.autoPackLimit``: how many loose objects, or packs, are too many
if there are more."""

_ASKED = ("maintenance.auto", "gc.autodetach", "maintenance.autodetach")


def due(common_dir: Path, config: Config) -> bool:
    """Whether so many objects are loose, or so many packs are there, that git would pack them after
    a command of its own.

    Estimated as git does, by one of the 256 folders of objects. Not while it is packing, and not
    where it is told to leave that be, or to do it while its caller waits: here none does.
    """
    if denied(config, _ASKED):
        return False
    limit = _number(setting(config, "gc.auto"), _USUAL)
    most = _number(setting(config, "gc.autopacklimit"), _USUAL_PACKS)
    if limit <= 0 or _running(common_dir):
        return False
    objects = common_dir / "objects"
    return len(_names(objects / "17")) > (limit + 255) // 256 or _packs(objects) > most > 0


def start(folder: Path) -> None:
    """Let git do what is due in a repository; nobody waits for it."""
    behind(folder, "maintenance", "run", "--auto", "--quiet")


def behind(folder: Path, *args: str) -> None:
    """Run git in a process of its own that holds nothing of ours: no stream, no session. That it
    cannot be started is no fault of what was done before."""
    alone(["git", "-C", str(folder), *args])


def alone(argv: list[str]) -> None:
    """Run any program so, in the environment of git."""
    quiet = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            argv, env=environment(), stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
    except OSError:
        return
    # or it would stay a zombie as long as this process lives
    threading.Thread(target=process.wait, daemon=True).start()


def _running(common_dir: Path) -> bool:
    """Whether git is packing; it takes its note of that for left over after twelve hours."""
    try:
        return time.time() - (common_dir / "gc.pid").stat().st_mtime < 12 * 3600
    except OSError:
        return False


def _packs(objects: Path) -> int:
    """How many packs there are that nobody said to keep."""
    endings = [name.rpartition(".")[2] for name in _names(objects / "pack")]
    return endings.count("pack") - endings.count("keep")


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - for its speed
    except OSError:
        return []


def _number(value: str | None, usual: int) -> int:
    try:
        return int(value or usual)
    except ValueError:  # with a unit
        return usual
