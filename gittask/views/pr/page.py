"""What a rendering is made of: sections of items, whose every piece of text says whose words it is.

A rendering (Markdown, HTML, text) says how each looks, once; so no text from a record comes into
one but by the rule for such text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from gittask.core.dataclass import dataclass
from gittask.core.text import shorten
from gittask.errors import Usage

How = Literal["ours", "mark", "good", "bad", "text", "code", "link"]


class Bit(NamedTuple):
    """A piece of a line. ``ours`` are words of the program, ``mark``, ``good`` and ``bad`` such
    that matter; ``text`` is a record's, ``code`` an id, a path or a command; ``link`` an address
    that the program made."""

    how: How
    text: str


Line = tuple[Bit, ...]


@dataclass(frozen=True)
class Item:
    """One thing that is said: a line, a long text below it, further lines; or the cells of a row.

    ``worth`` says how much is lost without it, from 0 to 100.
    """

    line: Line = ()
    quote: str = ""
    below: tuple[Line, ...] = ()
    cells: tuple[Line, ...] = ()
    worth: int = 50


@dataclass(frozen=True)
class Section:
    """Items under a heading, or ``empty`` where there are none; a table if there are ``columns``.

    ``old_first`` says that the first items are the oldest, and are missed least. ``see`` is the
    command that shows what is left out.
    """

    name: str
    title: str
    items: tuple[Item, ...]
    empty: str = ""
    columns: tuple[str, ...] = ()
    folded: bool = False
    old_first: bool = False
    see: str = ""
    left_out: int = 0
    shortened: bool = False


@dataclass(frozen=True)
class Chapter:
    """What is said of one task."""

    id: str
    title: str
    lines: tuple[Line, ...]
    sections: tuple[Section, ...]
    worth: int = 100


@dataclass(frozen=True)
class Page:
    """All that is said: to begin with, of each task, and at the end."""

    tasks: tuple[str, ...]
    lines: tuple[Line, ...]
    chapters: tuple[Chapter, ...]
    notes: tuple[Line, ...]


def ours(text: str) -> Bit:
    """Words of the program."""
    return Bit("ours", text)


def text(words: str) -> Bit:
    """Words of a record."""
    return Bit("text", words)


def code(id: str) -> Bit:
    """An id, a path or a command."""
    return Bit("code", id)


# -- fitting it into a limit ------------------------------------------------------------------

LONG, MANY = 160, 3
"""How much of a text, and how many of the lines below it, a shortened item keeps."""
_SOONER = 40
"""By so much sooner than it would be left out, an item is shortened."""


def fit(page: Page, size: Callable[[Page], int], limit: int) -> Page:
    """The page in at most ``limit``, by its worth: the least worthy is shortened, then left out.

    Where something is missing its section says so. Raises Usage if even the least is too much.
    """
    steps = sorted(_steps(page))
    few, many = 0, len(steps)
    while few < many:
        middle = (few + many) // 2
        if size(_less(page, steps[:middle])) <= limit:
            many = middle
        else:
            few = middle + 1
    while few < len(steps) and size(_less(page, steps[:few])) > limit:
        few += 1
    found = _less(page, steps[:few])
    while size(found) > limit and len(found.chapters) > 1:
        last = found.chapters[-1]
        left = (ours("Left out, for want of room: task "), code(last.id))
        found = replace(found, chapters=found.chapters[:-1], notes=(*found.notes, left))
    if size(found) > limit:
        raise Usage(f"it cannot be said in {limit} characters", hint="allow more: --limit N")
    return found


Step = tuple[int, int, tuple[int, int, int], bool]
"""How much it costs, what goes first of the like, the place of the item, and whether it goes."""


def _steps(page: Page) -> Iterator[Step]:
    for one, chapter in enumerate(page.chapters):
        for two, section in enumerate(chapter.sections):
            for three, item in enumerate(section.items):
                first = three if section.old_first else -three
                yield item.worth, first, (one, two, three), True
                if _short(item) != item:
                    yield item.worth - _SOONER, first, (one, two, three), False


def _less(page: Page, steps: list[Step]) -> Page:
    gone = {place for _, _, place, goes in steps if goes}
    cut = {place for _, _, place, goes in steps if not goes}
    chapters = []
    for one, chapter in enumerate(page.chapters):
        sections = []
        for two, section in enumerate(chapter.sections):
            places = [(one, two, three) for three in range(len(section.items))]
            kept = [place for place in places if place not in gone]
            items = [
                _short(section.items[place[2]]) if place in cut else section.items[place[2]]
                for place in kept
            ]
            sections.append(
                replace(
                    section,
                    items=tuple(items),
                    left_out=len(places) - len(kept) + section.left_out,
                    shortened=not cut.isdisjoint(kept),
                )
            )
        chapters.append(replace(chapter, sections=tuple(sections)))
    return replace(page, chapters=tuple(chapters))


def _short(item: Item) -> Item:
    more = len(item.below) - MANY
    below = (*map(_short_line, item.below[:MANY]),)
    if more > 0:
        below += ((ours(f"and {more} more"),),)
    quote = shorten(item.quote, 2 * LONG)
    cells = tuple(map(_short_line, item.cells))
    return replace(item, line=_short_line(item.line), quote=quote, below=below, cells=cells)


def _short_line(line: Line) -> Line:
    return tuple(
        bit if bit.how == "link" else bit._replace(text=shorten(bit.text, LONG)) for bit in line
    )
