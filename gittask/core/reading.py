"""Values from the canonical text that ``emit`` writes, line by line and without a parser of YAML.

Nearly all files are as this program wrote them, and to load a parser takes longer than to read
some dozens of them. Whatever is not in that form to the letter is left to the parser: a text
counts only where ``emit`` would write it just so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from gittask.core.emit import MAX_KEY, MAX_LEVELS, PLAIN, WORDS, text_form

_CONSTANTS: dict[str, Any] = {"null": None, "true": True, "false": False}
_EMPTY = {"[]": list, "{}": dict}
_WHOLE = r"-?[1-9][0-9]{0,17}|0"
_QUOTED = r'"(?:[^"\\\x00-\x1f]|\\[nrt"\\]|\\u[0-9a-c][0-9a-f]{3}|\\u[ef][0-9a-f]{3})*"'


# Most lines: a name with a text that stands plain, a time, which never does, or what else there is.
_TIME = '"([0-9]{4}-[0-9][0-9:.TZ-]*)"'
_USUAL = rf"([a-z_]+):(?: (?:({PLAIN})|{_TIME}|([^ ].*)))?"


@cache
def _usual() -> Callable[[str], re.Match[str] | None]:
    return re.compile(_USUAL).fullmatch


class NotOurs(Exception):
    """The text is not in canonical form, or holds what is not read here (fractions)."""


def reread(text: str) -> Any:
    """The list or mapping of which ``emit.encode`` wrote the text. Raises NotOurs."""
    lines = text.split("\n")
    if lines.pop() or not lines:
        raise NotOurs
    reading = _Reading(lines)
    value = reading.collection("")
    if reading.at < len(lines):
        raise NotOurs
    return value


class _Reading:
    """The lines of a text, and at which of them its reading has arrived."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = [*lines, ""]
        self.at = 0

    def collection(self, pad: str) -> Any:
        """The list or mapping of which the lines are indented by ``pad``, from this one on."""
        line = self._lines[self.at]
        if len(pad) >= 2 * MAX_LEVELS or not line.startswith(pad):
            raise NotOurs
        return self._list(pad) if line.startswith("-", len(pad)) else self._mapping(pad)

    def _mapping(self, pad: str) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        below, fullmatch = f"{pad}  ", _usual()
        while line := self._line(pad):
            usual = fullmatch(line)
            said, plain, time, other = usual.groups() if usual else _unusual(line)
            key = _key(said) if len(said) <= MAX_KEY else None
            if key is None or key in fields:
                raise NotOurs
            text = plain or time
            if text and text.lower() not in WORDS:
                self.at += 1
                fields[key] = text
            else:
                fields[key] = self._value(plain or other or "", below)
        return fields

    def _list(self, pad: str) -> list[Any]:
        items: list[Any] = []
        below = f"{pad}  "
        while line := self._line(pad):
            dash, _, rest = line.partition(" ")
            if dash != "-":
                raise NotOurs
            if rest.startswith("- "):
                raise NotOurs
            if _entry(rest):  # the first key shares the line of the dash
                self._lines[self.at] = f"{below}{rest}"
                items.append(self.collection(below))
            else:
                items.append(self._value(rest, below))
        return items

    def _line(self, pad: str) -> str:
        """This line behind ``pad``; empty if it belongs to no collection there."""
        line = self._lines[self.at]
        return line[len(pad) :] if line.startswith(pad) else ""

    def _value(self, said: str, below: str) -> Any:
        """What stands behind a key or dash of this line, or below it, indented so far."""
        self.at += 1
        if not said:
            return self.collection(below)
        if said in _CONSTANTS:
            return _CONSTANTS[said]
        if said in _EMPTY and len(below) < 2 * MAX_LEVELS:
            return _EMPTY[said]()
        if said[0] in "-0123456789" and re.fullmatch(_WHOLE, said):
            return int(said)
        if said[0] == "|":
            return self._block(said, below)
        text = _text(said, below)
        if text is None:
            raise NotOurs
        return text

    def _block(self, head: str, pad: str) -> str:
        """A text of several lines."""
        first = end = self.at
        while end < len(self._lines) and (not self._lines[end] or self._lines[end].startswith(pad)):
            end += 1
        while self._lines[end - 1] == "":
            end -= 1
        lines = self._lines[first:end]
        text = "\n".join(line.removeprefix(pad) for line in lines)
        text += "" if head.endswith("-") else "\n"
        if text_form(text, pad) != "\n".join([head, *lines]):
            raise NotOurs
        self.at = end
        return text


def _unusual(line: str) -> tuple[str, None, None, str]:
    """The key and the value of any line, as ``_USUAL`` finds them."""
    found = _entry(line)
    if found is None:
        raise NotOurs
    return found[0], None, None, found[1]


def _entry(line: str) -> tuple[str, str] | None:
    """The key and the value that a line begins with, as they stand there; None if it has no key.

    The value is empty if it is below.
    """
    end = line.find(": ")
    if line.startswith('"'):
        found = re.match(_QUOTED, line)
        end = found.end() if found else 0
    elif end < 0:
        end = max(0, len(line) - 1)
    key, colon, value = line[:end], line[end : end + 1], line[end + 1 :]
    if colon != ":" or (value and (value[0] != " " or value == " ")):
        return None
    return key, value[1:]


@lru_cache(500)
def _key(said: str) -> str | None:
    """The key that stands so in a file; None if none does. Most records have the same ones."""
    return _text(said, "")


def _text(said: str, pad: str) -> str | None:
    """The text that stands so in one line of a file; None if none does. ``pad`` as in ``emit``."""
    text = said
    if said.startswith('"'):
        if not re.fullmatch(_QUOTED, said):
            return None
        text = json.loads(said)
    return text if text_form(text, pad) == said else None
