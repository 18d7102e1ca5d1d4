"""What standard output is: a terminal or not, how wide, and whether it shows colours.

And how text is shown there: its meanings by styles, and what is too long in several lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, NamedTuple

from gittask.cli.table import cells
from gittask.core.meaning import Meaning, joined, over, parts, within
from gittask.core.text import many_lines

STYLES: dict[Meaning, str] = {
    "heading": "bold",
    "id": "cyan",
    "aside": "dim",
    "ready": "green",
    "active": "blue",
    "review": "magenta",
    "done": "dim green",
    "cancelled": "dim",
    "warning": "yellow",
    "urgent": "bold red",
    "match": "bold",
    "added": "green",
    "removed": "red",
    "verbatim": "none",
}
"""How each meaning looks: in the eight colours that the user's own theme defines."""


class Terminal(NamedTuple):
    """Where text is shown: how wide it is (None: it is no terminal), and what it can do."""

    width: int | None = None
    colours: bool = False
    pages: bool = False


def terminal(stream: IO[str], environ: Mapping[str, str]) -> Terminal:
    """What a stream is.

    ``NO_COLOR``, if it is not empty, forbids colours, ``FORCE_COLOR`` and ``CLICOLOR_FORCE`` ask
    for them even where there is no terminal, ``CLICOLOR=0`` and ``TERM=dumb`` mean none.
    """
    seen = stream.isatty()
    able = seen and environ.get("TERM") != "dumb"
    forced = any(environ.get(name, "0") not in ("", "0") for name in _FORCING)
    wanted = forced or (able and environ.get("CLICOLOR") != "0")
    colours = wanted and not environ.get("NO_COLOR")
    return Terminal(_width() if seen else None, colours, able)


_FORCING = ("FORCE_COLOR", "CLICOLOR_FORCE")


def _width() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().columns


def styled(text: str) -> str:
    """A text with what its parts mean shown by escape codes, and all that is its own escaped."""
    return "".join(_styled(many_lines(part), meaning) for part, meaning in parts(text))


def _styled(text: str, meaning: Meaning | None) -> str:
    if meaning is None:
        return text
    from rich.color import ColorSystem
    from rich.style import Style

    style = Style.parse(STYLES[meaning])
    return style.render(text, color_system=ColorSystem.STANDARD)


# -- lines that are too long ------------------------------------------------------------------

HANG = 2
"""How many cells further in than its line what is broken off stands."""


def wrapped(text: str, width: int, hang: int = HANG) -> Iterator[str]:
    """The lines of a text, each in at most ``width`` cells, broken between words.

    A word is broken only if it is longer than a line; a line of which a part is ``verbatim``
    never. Meanings are kept.
    """
    place = 0
    for line in text.split("\n"):
        whole = within(text, place, place + len(line))
        place += len(line) + 1
        if any(meaning == "verbatim" for _, meaning in parts(whole)):
            yield whole
        else:
            yield from _broken(over(str.expandtabs, whole), width, hang)


def _broken(line: str, width: int, hang: int) -> Iterator[str]:
    if cells(line) <= width:
        yield line
        return
    start = len(line) - len(line.lstrip(" "))
    indent, deeper = (min(size, width // 2) for size in (start, start + hang))
    while start < len(line):
        end = _end(line, start, width - indent)
        yield joined(" " * indent, within(line, start, end))
        start = len(line) - len(line[end:].lstrip(" "))
        indent = deeper


def _end(line: str, start: int, room: int) -> int:
    """Where a line of ``room`` cells that begins with a word at ``start`` is to end."""
    end = start + max(len(_beginning(line[start : start + 4 * room], room)), 1)
    if end < len(line) and line[end] != " ":
        blank = line.rfind(" ", start, end)
        end = end if blank < 0 else blank
    return start + len(line[start:end].rstrip(" "))


def _beginning(text: str, room: int) -> str:
    """As much of a text as so many cells hold."""
    if text.isascii():
        return text[:room]
    from rich.cells import chop_cells

    return next(iter(chop_cells(text, room)), text)  # none: there is nothing that takes room
