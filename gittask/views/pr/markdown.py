"""A page as Markdown for the text of a pull request, a comment or a job's summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gittask.views.pr import part, safe
from gittask.views.pr.page import Bit, Chapter, Item, Line, Page, Section, fit

GITHUB, GITLAB = 65_536, 1_000_000
"""How many characters the text of a pull request may have."""


def markdown(page: Page, limit: int) -> str:
    """The page between our markers, in at most so many characters; no line break at its end."""
    return _whole(fit(page, size, limit))


def size(page: Page) -> int:
    """How long the Markdown of a page is, as hosts count: in UTF-16 units."""
    return length(_whole(page))


def length(text: str) -> int:
    """The length of a text as hosts count it: what is beyond 65,535 counts twice."""
    return len(text) + sum(char > "\uffff" for char in text)


def _whole(page: Page) -> str:
    lines = [part.begin(page.tasks), *_page(page), part.END]
    return "\n".join(lines)


def _page(page: Page) -> Iterator[str]:
    for line in page.lines:
        yield from (_line(line), "")
    for chapter in page.chapters:
        yield from _chapter(chapter)
    for note in page.notes:
        yield from (_line(note), "")


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield from (f"## {safe.prose(chapter.title)}", "")
    for line in chapter.lines:
        yield from (_line(line), "")
    for section in chapter.sections:
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    if section.folded:
        yield from ("<details>", f"<summary>{section.title}</summary>", "")
    else:
        yield from (f"### {section.title}", "")
    yield from _items(section)
    missing = _missing(section)
    if missing:
        yield from (missing, "")
    if section.folded:
        yield from ("</details>", "")


def _items(section: Section) -> Iterator[str]:
    if not section.items and not section.left_out:
        yield from (section.empty or "None.", "")
    elif section.columns and section.items:
        yield _row(section.columns)
        yield _row(["---"] * len(section.columns))
        for item in section.items:
            yield _row([safe.cell(_line(cell)) for cell in item.cells])
        yield ""
    elif section.items:
        for item in section.items:
            yield from _item(item)
        yield ""


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _item(item: Item) -> Iterator[str]:
    yield f"- {_line(item.line)}"
    if item.quote:
        yield from (f"  {line}" for line in safe.block(item.quote))
    yield from (f"  - {_line(line)}" for line in item.below)


def _missing(section: Section) -> str:
    """What is not there of a section, and where it is."""
    said = [f"{section.left_out} more"] if section.left_out else []
    said += ["long texts are shortened"] if section.shortened else []
    where = f": {safe.code(section.see)}" if section.see else ""
    return f"Left out for want of room: {', '.join(said)}{where}" if said else ""


def _line(line: Line) -> str:
    return "".join(map(_bit, line))


def _bit(bit: Bit) -> str:
    if bit.how == "ours":
        return bit.text
    if bit.how == "text":
        return safe.prose(bit.text)
    if bit.how == "code":
        return safe.code(bit.text)
    if bit.how == "link":
        return f"[compare]({bit.text})"
    return f"**{bit.text}**"
