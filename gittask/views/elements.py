"""Nodes of a tree that a library writes as HTML, so that every text in it is escaped."""

from __future__ import annotations

from xml.etree.ElementTree import Element, tostring


def append(place: Element, child: Element | str) -> None:
    """Put an element, or a text, behind all that is in an element already."""
    if not isinstance(child, str):
        place.append(child)
    elif len(place):
        place[-1].tail = (place[-1].tail or "") + child
    else:
        place.text = (place.text or "") + child


def written(root: Element) -> str:
    """A whole document as text."""
    return f"<!DOCTYPE html>\n{tostring(root, encoding='unicode', method='html')}\n"
