"""What standard output is: a terminal or not, how wide, and whether it shows colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO

from gittask.core.meaning import Meaning, parts
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
}
"""How each meaning looks: in the eight colours that the user's own theme defines."""


@dataclass(frozen=True)
class Terminal:
    """Where text is shown: how wide it is (None: it is no terminal), and what it can do."""

    width: int | None = None
    colours: bool = False
    pages: bool = False


def terminal(stream: IO[str], environ: Mapping[str, str]) -> Terminal:
    """What a stream is.

    ``NO_COLOR`` (with any value) forbids colours, ``FORCE_COLOR`` and ``CLICOLOR_FORCE`` ask for
    them even where there is no terminal, ``CLICOLOR=0`` and ``TERM=dumb`` mean none.
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
