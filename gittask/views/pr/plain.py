"""A page as plain text, for a terminal or a log.

No line begins with words of a record: a CI system could take them for commands.
"""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.meaning import joined, meant
from gittask.core.text import many_lines, one_line
from gittask.views.pr.page import Bit, Chapter, Item, Line, Page
from gittask.views.words import block

_GAP = "  "


def plain(page: Page) -> Iterator[str]:
    """The page in lines."""
    for line in page.lines:
        yield from (_line(line), "")
    for chapter in page.chapters:
        yield from _chapter(chapter)
    yield from (_line(note) for note in page.notes)


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield joined(meant(chapter.id, "id"), "  ", meant(one_line(chapter.title), "heading"))
    yield from (_line(line) for line in chapter.lines)
    yield ""
    for section in chapter.sections:
        yield meant(section.title, "heading")
        if not section.items and not section.left_out:
            yield f"{_GAP}{section.empty or 'None.'}"
        for item in section.items:
            yield from _item(item)
        if section.left_out:
            yield f"{_GAP}{section.left_out} more: {section.see}"
        yield ""


def _item(item: Item) -> Iterator[str]:
    yield joined(f"{_GAP}- ", *map(_bit, item.line), joined(*map(_line, item.cells), between="; "))
    if item.quote:
        yield from block(many_lines(item.quote), f"{_GAP * 2}> ")
    for line in item.below:
        yield joined(f"{_GAP * 2}- ", _line(line))


def _line(line: Line) -> str:
    return joined(*map(_bit, line))


def _bit(bit: Bit) -> str:
    words = one_line(bit.text)
    if bit.how == "bad":
        return meant(words, "warning")
    if bit.how == "good":
        return meant(words, "done")
    return words
