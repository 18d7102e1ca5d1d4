"""The files of the code that instructions name, such as ``AGENTS.md#testing``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gittask.core.dataclass import dataclass
from gittask.views.brief.item import Head

LONGEST = 4000
"""How many characters of a file a brief shows at most."""

_NAMED = r"(?<![\w/.:#@-])((?:[\w.-]+/)*[\w.-]+\.(?:md|markdown|txt|rst|adoc))(#[\w-]+)?(?![\w/])"
_HEADING = r" {0,3}(#{1,6})[ \t]+(.*)"
_FENCE = r" {0,3}(`{3,}|~{3,})"


@dataclass(frozen=True)
class Named:
    """A file that an instruction names, and what is found of it: in words, and its text."""

    name: str
    found: str
    text: str | None


def named(text: str) -> list[str]:
    """The names of text files in a text, each with the section that it names, each once."""
    return list(dict.fromkeys("".join(match.groups("")) for match in re.finditer(_NAMED, text)))


def look(code: Head, name: str) -> Named:
    """What the code's present commit has at a name (``docs/testing.md#how-to``)."""
    path, _, anchor = name.partition("#")
    found, text = code.read(path)
    if text is None or not anchor:
        return Named(name, found, text)
    part = section(text, anchor)
    return Named(name, found if part else "there, but without such a section", part)


def section(text: str, anchor: str) -> str | None:
    """The part of a Markdown text under the heading that an anchor names, or None.

    It ends before the next heading of the same level or a higher one. Anchors are made as hosts
    make them: lower case, hyphens for spaces, no other signs, and a number for a repeated one.
    """
    lines = text.splitlines()
    headings = list(_headings(lines))
    for place, (start, level, name) in enumerate(headings):
        if name == anchor.lower():
            ends = (line for line, other, _ in headings[place + 1 :] if other <= level)
            return "\n".join(lines[start : next(ends, len(lines))]).strip()
    return None


def _headings(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The line, the level and the anchor of each heading."""
    fence = ""
    counts: dict[str, int] = {}
    for number, line in enumerate(lines):
        opened = re.match(_FENCE, line)
        if fence:
            if opened and opened[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        elif opened:
            fence = opened[1]
        elif heading := re.match(_HEADING, line):
            words = heading[2].strip("# \t").lower()
            name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            repeated = counts.get(name, 0)
            counts[name] = repeated + 1
            yield number, len(heading[1]), f"{name}-{repeated}" if repeated else name
