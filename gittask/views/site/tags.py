"""Elements of a page. Each is a node of a tree that a library writes, so that every text in it is
escaped; and whatever text goes in is made safe to show."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from gittask.core.moment import when
from gittask.core.text import many_lines, one_line
from gittask.views.elements import append

Child = Element | str | None
"""What stands in an element; None is nothing."""


def tag(name: str, /, *children: Child, **attributes: str) -> Element:
    """An element. ``class_`` is its class; ``aria_label`` stands for ``aria-label``."""
    named = {key.rstrip("_").replace("_", "-"): one_line(each) for key, each in attributes.items()}
    made = Element(name, named)
    for child in children:
        if child is not None:
            append(made, many_lines(child) if isinstance(child, str) else child)
    return made


# -- what stands in a line ----------------------------------------------------------------------


def said(text: object) -> Element:
    """Words of a record: whichever way they are read, what stands beside them stays in place."""
    return tag("bdi", str(text))


def code(text: object) -> Element:
    """An id, a path or a command."""
    return tag("code", str(text))


def mark(text: str, how: str = "") -> Element:
    """Words of the program that matter: ``good``, ``bad`` or, without a ``how``, neither."""
    return tag("strong", text, class_=how) if how else tag("strong", text)


def chip(state: str) -> Element:
    """How something stands, in a word."""
    return tag("span", state, class_=f"chip {state.replace(' ', '-')}")


def time(at: str | None) -> Child:
    """A time of a record."""
    return tag("time", when(at), datetime=at) if at else when(at)


def link(target: str, *children: Child) -> Element:
    """A link to another page of the site, or a place in this one."""
    return tag("a", *children, href=target)


def outward(target: str, *children: Child) -> Element:
    """A link that a record holds: followed only if it is of the web."""
    if not target.lower().startswith(("https://", "http://")):
        return tag("span", *children)
    return tag("a", *children, href=target, rel="noopener noreferrer nofollow")


# -- what stands in lines of its own ------------------------------------------------------------


def quote(text: str) -> Element:
    """A long text of a record, with its lines as they are."""
    return tag("blockquote", text.strip("\n"), dir="auto")


def output(text: str) -> Element:
    """Lines that stand as they are, such as what a program printed."""
    return tag("pre", text.rstrip("\n"))


def listed(items: Iterable[Child], **attributes: str) -> Element | None:
    """A list; None for one without items."""
    entries = [tag("li", each) for each in items]
    return tag("ul", *entries, **attributes) if entries else None


def facts(rows: Iterable[tuple[str, Child]]) -> Element:
    """Names and what they are; what is None or empty is left out."""
    found = [
        tag("div", tag("dt", name), tag("dd", value))
        for name, value in rows
        if value is not None and value != ""
    ]
    return tag("dl", *found)


def line(*children: Child) -> Element:
    """Several pieces as one, to stand in a list."""
    return tag("span", *children)


def table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[Child]]) -> Element:
    """A table. Where there is little room each row becomes a block, whose cells say their head."""
    names = list(heads)
    body = [
        tag(
            "tr",
            *(
                tag("td", cell, data_head=name) if place else tag("th", cell, scope="row")
                for place, (name, cell) in enumerate(zip(names, row, strict=True))
            ),
        )
        for row in rows
    ]
    top = tag("tr", *(tag("th", name, scope="col") for name in names))
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", top),
        tag("tbody", *body),
    )


def section(id: str, title: str, *children: Child, level: int = 2) -> Element | None:
    """A part of a page under its heading; None if there is nothing in it."""
    found = [child for child in children if child is not None]
    if not found:
        return None
    head = tag(f"h{level}", title, id=id)
    return tag("section", head, *found, aria_labelledby=id)
