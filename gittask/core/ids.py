"""Ids: made from random bytes, never from a counter, a clock alone, or the network.

A task's id is a letter, nine characters of Crockford's base 32 and two hex digits, all lower
case: 54 random bits that cannot be read as a number, and that never differ from another id by
case only. Any other record's id is its time in UTC and a random part, so that a folder lists in
order of time.
"""

from __future__ import annotations

import re

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LETTERS = ALPHABET[10:]
SHORTEST = 4
"""The fewest characters of a task's id that a command takes."""

EVENT = r"[0-9]{8}t[0-9]{6}z-[0-9a-z]{6,16}"
"""The pattern of the id of any record that ``event_id`` names."""

NOBODY = ("none", "null")
"""What actors and projects are never called: in commands and records it says that there is none."""

AUTHOR = "gittask"
"""Who makes the records that the program itself adds; no actor may have this name."""

_RESERVED = "con|prn|aux|nul|com[0-9]|lpt[0-9]"
_UNNAMEABLE = r"[^a-z0-9]+"


def _letters(number: int, count: int) -> str:
    digits = []
    for _ in range(count):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(digits)


def task_id(entropy: bytes) -> str:
    """A task's id from at least 8 random bytes."""
    number = int.from_bytes(entropy[:12], "big")
    number, first = divmod(number, len(LETTERS))
    number, last = divmod(number, 256)
    return f"{LETTERS[first]}{_letters(number, 9)}{last:02x}"


def event_id(at: str, entropy: bytes, length: int = 6) -> str:
    """The id of a record made at ``at`` (2026-11-30T10:04:11.123Z): 20261130t100411z-k3m9q2."""
    time = at[:19].replace("-", "").replace(":", "").lower()
    return f"{time}z-{_letters(int.from_bytes(entropy, 'big'), length)}"


def second(id: str) -> str:
    """The second in which a record was made, as an ``event_id`` says it: 20261130t100411z."""
    return id.partition("-")[0]


def ending(id: str) -> str:
    """The random end of an ``event_id``, by which commands take the record too: k3m9q2."""
    return id.partition("-")[2]


def item_id(position: int, entropy: bytes) -> str:
    """The id of an item that is added to a list of ``position`` items.

    Items stand in the order of their ids, so an id begins with the item's place. The rest is
    random, for two clones may add an item at once.
    """
    row, column = divmod(position, len(ALPHABET))
    place = LETTERS[row % len(LETTERS)] + ALPHABET[column]
    return place + _letters(int.from_bytes(entropy, "big"), 3)


def derived(*parts: str) -> bytes:
    """Bytes that the same words always give: for ids that must come out the same twice."""
    import hashlib  # what git calls for each file of a diff needs none

    return hashlib.sha256("\0".join(parts).encode()).digest()


def slug(text: str) -> str:
    """A name for machines from a name for people; empty if nothing usable is left of it.

    No file can have some names on Windows, whatever its extension; others say that there is none.
    """
    name = re.sub(_UNNAMEABLE, "-", text.lower()).strip("-")[:39].strip("-")
    return "" if re.fullmatch(_RESERVED, name) or name in NOBODY else name
