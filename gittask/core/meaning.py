"""Text whose parts carry a meaning, which a terminal may show by a style.

Whoever makes a text says what a part of it means, never how it looks: that is decided in one
place, where it is printed. Everywhere else such a text is the string that it is. Nothing may rest
on a meaning alone: the words say the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

Meaning = Literal[
    "heading",
    "id",
    "aside",
    "ready",
    "active",
    "review",
    "done",
    "cancelled",
    "warning",
    "urgent",
    "match",
    "added",
    "removed",
    "verbatim",
]
"""What a part can mean. ``aside`` matters less than what stands beside it; a ``warning`` is
something that stands in the way (blocked, waiting, lost, late, a conflict); what is ``urgent`` is
overdue, or of priority 0 or 1; a ``match`` is what was searched for; a
line is ``added`` or ``removed`` by a change; what is ``verbatim`` (a command, YAML) is to be
copied as it is; the rest are states of a task, an id, and the head of a part."""

Part = tuple[str, Meaning | None]


class Meant(str):
    """A string in ``parts``, each with its meaning. Whatever makes a new string of it drops them;
    ``over`` keeps them."""

    __slots__ = ("parts",)
    parts: tuple[Part, ...]

    def __new__(cls, parts: tuple[Part, ...]) -> Meant:
        made = super().__new__(cls, "".join(text for text, _ in parts))
        made.parts = parts
        return made

    def __getnewargs__(self) -> tuple[tuple[Part, ...]]:  # type: ignore[override]
        return (self.parts,)  # for copies


def meant(text: str, meaning: Meaning | None) -> str:
    """The text as one part that has a meaning; as it is for None."""
    return Meant(((text, meaning),)) if meaning else text


def joined(*pieces: str, between: str = "") -> str:
    """The pieces that are not empty as one text, each with the meaning it has."""
    found: list[Part] = []
    for piece in filter(None, pieces):
        if found and between:
            found.append((between, None))
        found += parts(piece)
    return Meant(tuple(found))


def parts(text: str) -> tuple[Part, ...]:
    """The parts of any text; one that is no more than a string is one part without a meaning."""
    return text.parts if isinstance(text, Meant) else ((text, None),)


def within(text: str, start: int, end: int) -> str:
    """The characters of a text from ``start`` to before ``end``, each with the meaning it has."""
    found, place = [], 0
    for part, meaning in parts(text):
        found.append(meant(part[max(start - place, 0) : max(end - place, 0)], meaning))
        place += len(part)
    return joined(*found)


def over(change: Callable[[str], str], text: str) -> str:
    """The text with each part changed, and its meanings kept."""
    if not isinstance(text, Meant):
        return change(text)
    return Meant(tuple((change(part), meaning) for part, meaning in text.parts))
