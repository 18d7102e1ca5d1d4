"""Commits as data: who, when, what. Read with tolerance, since anybody may have pushed them."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import UTC, datetime
from typing import NamedTuple

from gittask.core.moment import written

_PERSON = rb"(?s)(.*?) ?<([^>]*)>(?: (-?[0-9]+))?(?: ([+-])([0-9]{2})([0-9]{2}))?"
_CRUD = r"[ \x00-\x1f\x7f<>]+"
_YEAR_9999 = 253_402_300_799


def storable(text: str) -> str:
    """A text without what git cannot keep: NUL, and code points that are no characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


class Person(NamedTuple):
    """Author or committer: ``time`` in seconds since 1970, ``offset`` from UTC in minutes."""

    name: str
    email: str
    time: int
    offset: int = 0

    @property
    def at(self) -> str:
        """The time in UTC, as records write it."""
        return written(datetime.fromtimestamp(self.time, UTC))

    def clean(self) -> Person:
        """The same person without characters that would break a commit's header."""
        name, email = (
            storable(re.sub(_CRUD, " ", text)).strip() for text in (self.name, self.email)
        )
        return Person(name, email, self.time, self.offset)


class CommitInfo(NamedTuple):
    """One commit. ``parents`` are those that are here: none at the edge of a shallow clone."""

    id: str
    tree: str
    parents: tuple[str, ...]
    author: Person
    committer: Person
    message: str

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.partition("\n")[0]


def tree_of(data: bytes) -> str:
    """The folder that the text of a commit object names; empty if none is."""
    line = next((x for x in data.partition(b"\n\n")[0].split(b"\n") if x.startswith(b"tree ")), b"")
    return line[5:].decode("ascii", "replace")


def parse(id: str, data: bytes, shallow: Collection[str] = ()) -> CommitInfo:
    """Read the text of a commit object; what is missing or broken in it becomes empty or 0."""
    head, _, body = data.partition(b"\n\n")
    fields: dict[bytes, list[bytes]] = {}
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        fields.setdefault(key, []).append(value)  # a continued line has the empty key
    encoding = fields.get(b"encoding", [b"utf-8"])[0].decode("ascii", "replace")
    parents = [] if id in shallow else fields.get(b"parent", [])
    return CommitInfo(
        id=id,
        tree=tree_of(data),
        parents=tuple(parent.decode("ascii", "replace") for parent in parents),
        author=_person(fields.get(b"author", [b""])[0], encoding),
        committer=_person(fields.get(b"committer", [b""])[0], encoding),
        message=_text(body, encoding),
    )


def _person(line: bytes, encoding: str) -> Person:
    match = re.match(_PERSON, line)
    if match is None:
        return Person(_text(line, encoding), "", 0)
    name, email, seconds, sign, hours, minutes = match.groups()
    time = int(seconds) if seconds and len(seconds) < 15 else 0
    offset = (int(hours) * 60 + int(minutes)) * (-1 if sign == b"-" else 1) if sign else 0
    return Person(
        _text(name, encoding),
        _text(email, encoding),
        time if 0 <= time <= _YEAR_9999 else 0,
        offset if abs(offset) < 24 * 60 else 0,
    )


def _text(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding).encode("utf-8", "replace").decode()
    except (LookupError, UnicodeError):
        return data.decode("utf-8", "replace")
