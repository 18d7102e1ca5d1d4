"""What was just written, under a second name, so that no ``git prune`` can take it away.

An object is written before a reference leads to it. A ``git prune`` (``git gc --prune=now``) that
looked for references before that, and gets to the object afterwards, deletes it: from a branch that
has it by then. Git says only that nobody should write meanwhile. So each object file that is
written gets a second name (a hard link, nothing is copied) in a folder that git does not know, for
an hour, and the first name is given back as soon as the object is missed. So do the files of a
pack.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gittask.store.pack import listed

SPAN = 600
"""Seconds of writing that go into one folder."""

FOLDERS = 7
"""How many of them stay: each object for an hour, and until something is written after that."""


class Kept:
    """The second names of one repository; ``before_forgetting`` is called before old ones go."""

    def __init__(self, common_dir: Path, before_forgetting: Callable[[], None]) -> None:
        self._objects = str(common_dir / "objects")
        self._place = common_dir / "gittask" / "kept"
        self._number = 0
        self._before_forgetting = before_forgetting
        self._folder = ""

    def keep(self, name: str) -> bool:
        """Keep an object that was just written, by its id, or a pack, by its name.

        False if there is no file of it.
        """
        for first, second in _files(name):
            try:
                self._link(f"{self._objects}/{first}", second)
            except FileNotFoundError:
                return False
            except OSError:  # it is kept already; or here is no place for second names
                pass
        return True

    def _link(self, file: str, second: str) -> None:
        try:
            os.link(file, f"{self._current()}/{second}")
        except FileNotFoundError:
            if os.path.isdir(self._folder):  # noqa: PTH112
                raise
            self._number = 0  # somebody took the folder away: what is there is made again
            os.link(file, f"{self._current()}/{second}")

    def restore(self, name: str) -> bool:
        """Give an object or a pack its first name back, if it is kept; also if it has it still.

        With an object that is kept in a pack the whole pack comes back.
        """
        if self._is_there(name):
            return True
        for folder in self._folders():
            with suppress(OSError):
                for first, second in _files(name):
                    file = Path(self._objects, first)
                    file.parent.mkdir(exist_ok=True)
                    with suppress(FileExistsError):
                        os.link(folder / second, file)
                return True
        packs = () if is_pack(name) else self._packs()
        pack = next((pack for pack, index in packs if name in listed(_content(index))), None)
        return self.restore(pack) if pack else self._is_there(name)

    def ids(self) -> set[str]:
        """All that is kept."""
        ids = {id for folder in self._folders() for id in _names(folder) if not is_pack(id)}
        return ids.union(*(listed(_content(index)) for _, index in self._packs()))

    def forget(self) -> None:
        """Let go of all that is kept, after a last look."""
        self._before_forgetting()
        shutil.rmtree(self._place, ignore_errors=True)
        self._number = 0

    def _is_there(self, name: str) -> bool:
        files = _files(name)
        return all(os.path.exists(f"{self._objects}/{first}") for first, _ in files)  # noqa: PTH110

    def _packs(self) -> list[tuple[str, Path]]:
        """The packs that are kept: their names, and git's list of what each holds."""
        found = ((folder, name) for folder in self._folders() for name in _names(folder))
        return [(name[:-4], folder / name) for folder, name in found if name.endswith(".idx")]

    def _folders(self) -> list[Path]:
        """The folders, the newest first."""
        names = [name for name in _names(self._place) if name.isdecimal()]
        return [self._place / name for name in sorted(names, key=int, reverse=True)]

    def _current(self) -> str:
        """The folder of this time, made if it is not there; old ones go then."""
        now = int(time.time()) // SPAN
        if now != self._number:
            self._number, folder = now, self._place / f"{now}"
            self._folder = str(folder)
            if not folder.exists():
                # also those of a clock that was far ahead, which would never be old
                old = [each for each in self._folders() if abs(now - int(each.name)) >= FOLDERS]
                if old:
                    self._before_forgetting()
                folder.mkdir(parents=True, exist_ok=True)
                for each in old:
                    shutil.rmtree(each, ignore_errors=True)
        return self._folder


def is_pack(name: str) -> bool:
    """Whether this is the name of a pack, not the id of an object."""
    return name.startswith("pack-")


def _files(name: str) -> list[tuple[str, str]]:
    """The files of an object or a pack: below git's folder of objects, and the second name."""
    if is_pack(name):
        return [(f"pack/{name}{ending}", f"{name}{ending}") for ending in (".pack", ".idx")]
    return [(f"{name[:2]}/{name[2:]}", name)]


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - only names are wanted
    except OSError:
        return []
