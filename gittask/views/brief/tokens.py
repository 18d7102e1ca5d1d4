"""How many tokens a text is for a language model: an estimate that would rather be too high.

Every model cuts text differently, and none of their vocabularies is here. Counted are: a word as
one token for each 6 letters begun (CamelCase as several words), capitals for each 3, letters that
touch a digit, as in an id, for each 2; each digit, each sign, each run of spaces and each line
break 1, where a single space and an empty line cost nothing; beyond ASCII each character 1, from
U+0800 on 2 and from U+10000 on 3. A whole text costs 3 more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

START = 3
"""What a text costs beside its lines."""

_PIECE = re.compile(
    r"(?P<id>(?<=[0-9])[a-z]+|[a-z]+(?=[0-9]))"
    r"|(?P<capitals>[A-Z]+(?![a-z]))"
    r"|(?P<word>[A-Z]?[a-z]+)"
    r"|(?P<space>[ \t]{2,})"
    r"|(?P<sign>[^ \t])"
)
_LETTERS = {"id": 2, "capitals": 3, "word": 6}
"""How many letters of a piece make one token."""


def estimate(text: str) -> int:
    """The tokens of a text, estimated as the module says; never less for a longer text."""
    return START + of_lines(text.split("\n"))


def of_lines(lines: Iterable[str]) -> int:
    """The tokens that lines add to a text, each with its end."""
    return sum(map(_line, lines))


def _line(line: str) -> int:
    return sum(map(_piece, _PIECE.finditer(line))) + bool(line)


def _piece(match: re.Match[str]) -> int:
    kind = str(match.lastgroup)
    if kind in _LETTERS:
        return -(-len(match[0]) // _LETTERS[kind])
    return 1 + (match[0] >= "\u0800") + (match[0] >= "\U00010000")
