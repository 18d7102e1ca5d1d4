"""A page as HTML: one file that asks for nothing else, for a browser or a phone.

It is built as a tree and written by the library, so that every text in it is escaped. Its policy
lets nothing be loaded and nothing run, whatever it holds.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

from gittask.core.text import many_lines, one_line
from gittask.views.elements import append, written
from gittask.views.palette import PALETTE
from gittask.views.pr.page import Bit, Chapter, Item, Line, Page, Section

STYLE = (
    "\n"
    + PALETTE
    + """\
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 50rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
header p, .empty, .missing, .below { color: var(--soft); }
ul { margin: .25rem 0; padding-left: 1.25rem; } li { margin: .4rem 0; }
.below li { margin: .1rem 0; }
code { background: var(--tint); border-radius: .25rem; padding: .1em .3em;
  font: .875em/1.4 ui-monospace, monospace; }
blockquote { margin: .3rem 0; padding-left: .75rem; border-left: .2rem solid var(--line);
  white-space: pre-wrap; }
.mark { font-weight: 600; } .bad { font-weight: 600; color: var(--bad); }
.good { font-weight: 600; color: var(--good); }
.unknown { border: 1px solid var(--line); border-left: .3rem solid var(--bad);
  border-radius: .4rem; padding: 0 1rem .75rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; min-width: 5rem;
  border-bottom: 1px solid var(--line); }
td + td code { overflow-wrap: break-word; }
summary { cursor: pointer; font-weight: 600; padding: .5rem 0; } a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: .15rem solid var(--link); }
@media (max-width: 44rem) {
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tr, td { display: block; padding: .1rem 0; border: 0; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } td:empty { display: none; }
  td::before { content: attr(data-head) ": "; color: var(--soft); }
}
"""
)

_TITLE = "What this change is for, and what is known of it"


def html(page: Page) -> str:
    """The page as one document, with a line break at its end."""
    root = Element("html", lang="en")
    _head(SubElement(root, "head"))
    main = SubElement(SubElement(root, "body"), "main")
    header = SubElement(main, "header")
    SubElement(header, "h1").text = _TITLE
    for line in page.lines:
        _put(SubElement(header, "p"), line)
    for number, chapter in enumerate(page.chapters, 1):
        _chapter(main, chapter, f"task-{number}")
    if page.notes:
        footer = SubElement(main, "footer")
        for note in page.notes:
            _put(SubElement(footer, "p"), note)
    return written(root)


def _head(head: Element) -> None:
    SubElement(head, "meta", charset="utf-8")
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": policy})
    SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(head, "meta", name="referrer", content="no-referrer")
    SubElement(head, "title").text = _TITLE
    SubElement(head, "style").text = STYLE


def _chapter(main: Element, chapter: Chapter, id: str) -> None:
    article = SubElement(main, "article", {"aria-labelledby": id})
    SubElement(article, "h2", id=id).text = one_line(chapter.title)
    for line in chapter.lines:
        _put(SubElement(article, "p"), line)
    for section in chapter.sections:
        _section(article, section, f"{id}-{section.name}")


def _section(article: Element, section: Section, id: str) -> None:
    place = SubElement(article, "section", {"class": section.name, "aria-labelledby": id})
    if section.folded:
        place = SubElement(place, "details")
        SubElement(SubElement(place, "summary"), "span", id=id).text = section.title
    else:
        SubElement(place, "h3", id=id).text = section.title
    if not section.items and not section.left_out:
        SubElement(place, "p", {"class": "empty"}).text = section.empty or "None."
    elif section.columns:
        _table(place, section, id)
    else:
        _list(place, section.items)
    if section.left_out:
        missing = (Bit("ours", f"{section.left_out} more: "), Bit("code", section.see))
        _put(SubElement(place, "p", {"class": "missing"}), missing)


def _list(place: Element, items: Iterable[Item]) -> None:
    listed = SubElement(place, "ul")
    for item in items:
        entry = SubElement(listed, "li")
        _put(entry, item.line)
        if item.quote:
            SubElement(entry, "blockquote").text = many_lines(item.quote)
        if item.below:
            below = SubElement(entry, "ul", {"class": "below"})
            for line in item.below:
                _put(SubElement(below, "li"), line)


def _table(place: Element, section: Section, id: str) -> None:
    table = SubElement(place, "table", {"aria-labelledby": id})
    row = SubElement(SubElement(table, "thead"), "tr")
    for column in section.columns:
        SubElement(row, "th", scope="col").text = column
    body = SubElement(table, "tbody")
    for item in section.items:
        row = SubElement(body, "tr")
        for column, cell in zip(section.columns, item.cells, strict=True):
            # On a phone a row stands as lines, each after the name of its column.
            _put(SubElement(row, "td", {"data-head": column}), cell)


def _put(place: Element, line: Line) -> None:
    """Append a line to an element: each piece as text of its own kind."""
    for bit in line:
        words = one_line(bit.text)
        if bit.how == "code":
            SubElement(place, "code").text = words
        elif bit.how == "link":
            SubElement(place, "a", href=bit.text, rel="noreferrer").text = "compare"
        elif bit.how in ("mark", "good", "bad"):
            SubElement(place, "strong", {"class": bit.how}).text = words
        else:
            append(place, words)
