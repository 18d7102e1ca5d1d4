"""Text from records inside Markdown of ours: it means no more than its words, in any position.

Plain prose stands as it is. A word of which Markdown, or a host, could make more (a mention, an
issue, a link, an address, HTML, emphasis) is shown as code, as it was typed: hosts make nothing of
code, it can be copied, and nothing invisible is put in. Ids, paths and commands are code anyway.
"""

from __future__ import annotations

import re
from itertools import groupby

from gittask.core.text import many_lines, one_line
from gittask.views.pr.part import harmless
from gittask.views.quote import PROSE

_RUNS = re.compile("`+")


def code(text: str) -> str:
    """A text of one line as code."""
    shown = harmless(one_line(text)) or " "
    fence = "`" * (max(map(len, _RUNS.findall(shown)), default=0) + 1)
    edges = shown[0] + shown[-1]
    pad = " " if "`" in edges or (edges == "  " and shown.strip()) else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def prose(text: str) -> str:
    """A text of one line, in which single words may be code."""
    shown = one_line(text)
    words = shown.split(" ")
    if not all(words):
        return code(text)  # where spaces count, all of it is meant as it was typed
    plain = [_plain(word, first=number == 0) for number, word in enumerate(words)]
    found = []
    for is_plain, group in groupby(zip(plain, words, strict=True), key=lambda pair: pair[0]):
        run = " ".join(word for _, word in group)
        found.append(run if is_plain else code(run))
    return " ".join(found)


def _plain(word: str, *, first: bool) -> bool:
    return PROSE.fullmatch(f"{word} a" if first else f"A {word} a") is not None


def block(text: str) -> list[str]:
    """A text of several lines as a quote; at least one line."""
    lines = many_lines(text).strip("\n").split("\n")
    return [f"> {prose(line.rstrip())}" if line.strip() else ">" for line in lines]


def cell(text: str) -> str:
    """Markdown of ours, of one line, as it stands in a cell of a table."""
    return text.replace("|", "\\|")
