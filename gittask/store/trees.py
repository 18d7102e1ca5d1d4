"""Folders of a commit: their entries, and building them with a few files changed."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Callable, Mapping
from typing import NamedTuple, Union

from gittask.errors import GittaskError, Invalid, Problem

FOLDER = 0o040000
FILE = 0o100644
SUBMODULE = 0o160000

COMMIT, TREE, BLOB = 1, 2, 3  # git's numbers of the types of objects

EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The id of the folder that holds nothing, the same in every repository."""

Nested = dict[str, Union[bytes, "Nested", None]]
"""Changes by name: a file's content, None to take it away, or the changes of a folder."""


class Entry(NamedTuple):
    """One name in a folder. ``mode`` is git's: 0o100644 a file, 0o120000 a link ..."""

    name: str
    mode: int
    id: str

    @property
    def is_tree(self) -> bool:
        """Whether it is a folder."""
        return self.mode == FOLDER

    @property
    def is_file(self) -> bool:
        """Whether it is a plain file: no folder, link or submodule."""
        return self.mode & 0o170000 == 0o100000


_LINE = rb"(?s)[0-7]+ [^\0]+\0.{20}"
_MODES = {0o040000: FOLDER, SUBMODULE: SUBMODULE, 0o120000: 0o120000}


def lines(content: bytes) -> list[bytes]:
    """The entries of a folder's bytes, each as git writes it. Raises ValueError for no folder.

    Most entries of two folders that are compared are the same, and need not be understood.
    """
    found: list[bytes] = re.findall(_LINE, content)
    if sum(map(len, found)) != len(content):
        raise ValueError("no folder, whatever its type says")
    return found


def entry(line: bytes) -> Entry:
    """What one of these lines says; of a mode that git no longer writes, what it counts as."""
    head, _, id = line.partition(b"\0")
    mode, _, name = head.partition(b" ")
    bits = int(mode, 8)
    file = FILE | 0o111 if bits & 0o111 else FILE
    known = _MODES.get(bits & 0o170000, file)
    return Entry(name.decode("utf-8", "surrogateescape"), known, id.hex())


def line(entry: Entry) -> bytes:
    """The line of an entry."""
    name = entry.name.encode("utf-8", "surrogateescape")
    return b"%o %s\0%s" % (entry.mode, name, bytes.fromhex(entry.id))


def place(line: bytes) -> bytes:
    """What orders the lines of a folder: the name, that of a folder as if it ended with ``/``."""
    mode, _, name = line[:-21].partition(b" ")
    is_folder = mode == b"40000" or int(mode, 8) & 0o170000 == FOLDER
    return name + b"/" if is_folder else name


def _by_name(lines: list[bytes]) -> dict[bytes, bytes]:
    """The lines of a folder by name, in their order; where a name comes twice, the first."""
    found = _named(lines)
    if len(found) < len(lines):
        found = _named(sorted(_named(lines[::-1]).values(), key=place))
    return found


def _named(lines: list[bytes]) -> dict[bytes, bytes]:
    return {each[:-21].partition(b" ")[2]: each for each in lines}


def nest(files: Mapping[str, bytes | None]) -> Nested:
    """Changes by path as changes by folder. A path that is both file and folder is an error."""
    top: Nested = {}
    for path, content in files.items():
        *folders, name = path.split("/")
        inner = top
        for folder in folders:
            below = inner.setdefault(folder, {})
            if not isinstance(below, dict):
                raise GittaskError(f"{path!r}: {folder!r} is already a file")
            inner = below
        if name in inner:
            raise GittaskError(f"{path!r} is already a folder")
        inner[name] = content
    return top


class Builder:
    """Writes folders; ``lines`` opens one (see above), ``put`` stores an object of some type and
    gives its id, and ``check`` raises ValueError for a name that git does not allow."""

    def __init__(
        self,
        lines: Callable[[str], list[bytes]],
        put: Callable[[int, bytes], str],
        check: Callable[[str], None],
    ) -> None:
        self._lines = lines
        self._put = put
        self._check = check

    def build(self, base: str | None, changes: Nested, prefix: str = "") -> str:
        """The id of a folder like ``base`` with these changes; ``prefix`` is its own path.

        Folders that become empty disappear, save the top one. A name that is not UTF-8 is only
        taken away, never written.
        """
        standing = _by_name(self._lines(base) if base else [])
        came: list[bytes] = []
        for name, change in changes.items():
            raw = name.encode("utf-8", "surrogateescape")
            old = entry(standing[raw]) if raw in standing else None
            new = self._changed(old, change, prefix + name)
            if new:
                self._check(name)
                said = line(Entry(name, new.mode, new.id))
                if old:
                    standing[raw] = said
                else:
                    came.append(said)
            elif old:
                del standing[raw]
        result = [*standing.values()]
        for each in came:
            insort(result, each, key=place)
        return self._put(TREE, b"".join(result))

    def _changed(self, old: Entry | None, change: bytes | Nested | None, path: str) -> Entry | None:
        """What stands at a path after its change; None for nothing."""
        if change is None:
            return None
        if isinstance(change, bytes):
            if old and old.is_tree:
                raise _in_the_way(path, "is a folder, where a file is to be written")
            return Entry(path, FILE, self._put(BLOB, change))
        if old and not old.is_tree:
            raise _in_the_way(path, "is no folder, and files are to be written below it")
        below = self.build(old.id if old else None, change, path + "/")
        return None if below == EMPTY else Entry(path, FOLDER, below)


def _in_the_way(path: str, what: str) -> Invalid:
    hint = "see what stands there: gittask doctor; what it can, gittask doctor --fix takes away"
    return Invalid([Problem(path, "", what, hint)], what="nothing was written")
