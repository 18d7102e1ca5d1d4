"""What was just written, under a second name, so that no ``git prune`` can take it away.

An object is written before a reference leads to it. A ``git prune`` (``git gc --prune=now``) that
looked for references before that, and gets to the object afterwards, deletes it: from a branch that
has it by then. Git says only that nobody should write meanwhile. So each object file that is
written gets a second name (a hard link, nothing is copied) in a folder that git does not know, for
an hour, and the first name is given back as soon as the object is missed.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SPAN = 600
"""Seconds of writing that go into one folder."""

FOLDERS = 7
"""How many of them stay: each object for an hour, and until something is written after that."""


class Kept:
    """The second names of one repository; ``before_forgetting`` is called before old ones go."""

    def __init__(self, common_dir: Path, before_forgetting: Callable[[], None]) -> None:
        self._objects = str(common_dir / "objects")
        self._place = common_dir / "gittask" / "kept"
        self._before_forgetting = before_forgetting
        self._folder = ""

    def keep(self, id: str) -> bool:
        """Keep an object that was just written; False if there is no file of it."""
        try:
            folder = self._current()
            os.link(self._file(id), f"{folder}/{id}")
        except FileNotFoundError:
            return False
        except OSError:  # it is kept already; or here is no place for second names
            pass
        return True

    def restore(self, id: str) -> bool:
        """Give an object its first name back, if it is kept; also if it has it still."""
        file = self._file(id)
        if os.path.exists(file):  # noqa: PTH110 - asked for each object that is written
            return True
        for folder in self._folders():
            with suppress(OSError):
                Path(file).parent.mkdir(exist_ok=True)
                os.link(folder / id, file)
                return True
        return Path(file).exists()

    def ids(self) -> set[str]:
        """All that is kept."""
        return {id for folder in self._folders() for id in _names(folder)}

    def forget(self) -> None:
        """Let go of all that is kept, after a last look."""
        self._before_forgetting()
        shutil.rmtree(self._place, ignore_errors=True)
        self._folder = ""

    def _file(self, id: str) -> str:
        return f"{self._objects}/{id[:2]}/{id[2:]}"

    def _folders(self) -> list[Path]:
        """The folders, the newest first."""
        names = [name for name in _names(self._place) if name.isdecimal()]
        return [self._place / name for name in sorted(names, key=int, reverse=True)]

    def _current(self) -> str:
        """The folder of this time, made if it is not there; old ones go then."""
        now = int(time.time()) // SPAN
        folder = f"{self._place}/{now}"
        if folder != self._folder:
            self._folder = folder
            if not Path(folder).exists():
                # also those of a clock that was far ahead, which would never be old
                old = [each for each in self._folders() if abs(now - int(each.name)) >= FOLDERS]
                if old:
                    self._before_forgetting()
                Path(folder).mkdir(parents=True, exist_ok=True)
                for each in old:
                    shutil.rmtree(each, ignore_errors=True)
        return folder


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - only names are wanted
    except OSError:
        return []
