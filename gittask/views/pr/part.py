"""The part of a text that is ours, between two markers: found again, and replaced to the byte."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BEGIN = "<!-- gittask:begin"
END = "<!-- gittask:end -->"
_PART = re.compile(
    rf"{re.escape(_BEGIN)}(?P<said>[^\n<>]*)-->(?:(?!{re.escape(_BEGIN)}).)*?{re.escape(END)}",
    re.DOTALL,
)
_MARK = re.compile(r"gittask:(?=begin|end)")


def begin(tasks: Sequence[str]) -> str:
    """The marker before a part about these tasks."""
    return f"{_BEGIN} {' '.join(tasks)} -->" if tasks else f"{_BEGIN} -->"


def harmless(text: str) -> str:
    """The text, in which nothing is one of the markers."""
    return _MARK.sub("gittask :", text)


def tasks_of(text: str) -> list[str]:
    """The ids that the marker of an earlier part names."""
    return [id for match in _PART.finditer(text) for id in match["said"].split()]


def without_part(text: str) -> str:
    """The text without our part of it."""
    return _PART.sub("", text)


def room(body: str) -> str:
    """What stands around our part of a body, or will: all but the part."""
    return put(body, "")


def put(body: str, part: str) -> str:
    """The body with the part in place of an earlier one, or else at its end.

    Nothing else changes. If there are several earlier ones, the others go. A body whose lines end
    with CRLF, as hosts send it, keeps them.
    """
    first = True

    def replaced(_: re.Match[str]) -> str:
        nonlocal first
        kept, first = (part if first else ""), False
        return kept

    after = _PART.sub(replaced, body)
    if not first:
        return after
    if not body.strip():
        return part + "\n"
    line = "\r\n" if "\r\n" in body else "\n"
    between = line if body.endswith("\n") else line * 2
    return f"{body}{between}{part}{line}"
