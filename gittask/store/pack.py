"""Many new objects in one file, as git keeps them: a pack.

A file for each of ten thousand objects takes longer to make than everything else that writing
them comes to, and git would soon pack them. The format is that of ``gitformat-pack``, with each
object whole; git itself makes the list of what is in it.
"""

from __future__ import annotations

import hashlib
import zlib

from gittask.store.trees import BLOB, COMMIT, TREE

_NAMES = {COMMIT: b"commit", TREE: b"tree", BLOB: b"blob"}
_FAST = 1  # as git's own new objects; it packs them anew some day


class Pack:
    """A pack in the making."""

    def __init__(self) -> None:
        self._objects: dict[str, bytes] = {}

    def put(self, kind: int, content: bytes) -> str:
        """Add an object, by git's number of its type; returns its id."""
        id = object_id(kind, content)
        if id not in self._objects:
            self._objects[id] = _head(kind, len(content)) + zlib.compress(content, _FAST)
        return id

    def content(self) -> bytes:
        """The whole pack."""
        head = b"PACK" + (2).to_bytes(4, "big") + len(self._objects).to_bytes(4, "big")
        text = b"".join([head, *self._objects.values()])
        return text + hashlib.sha1(text, usedforsecurity=False).digest()


def object_id(kind: int, content: bytes) -> str:
    """The id that git gives to an object."""
    head = b"%s %d\0" % (_NAMES[kind], len(content))
    return hashlib.sha1(head + content, usedforsecurity=False).hexdigest()


def listed(index: bytes) -> set[str]:
    """The ids of the objects in a pack, by git's list of them; none if that has another format."""
    if index[:8] != b"\xfftOc\0\0\0\2":
        return set()
    start = 8 + 256 * 4
    end = start + 20 * int.from_bytes(index[start - 4 : start], "big")
    return {index[at : at + 20].hex() for at in range(start, end, 20)}


def _head(kind: int, size: int) -> bytes:
    """The type and size before an object: four bits of the size, then seven in each byte."""
    found = bytearray([kind << 4 | size & 15])
    size >>= 4
    while size:
        found[-1] |= 128
        found.append(size & 127)
        size >>= 7
    return bytes(found)
