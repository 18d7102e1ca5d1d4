"""How far long work is, told while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

Progress = Callable[[str, int], None]
"""Told, often, what is done and of how many things it is: ``{:,}`` stands for them in the text."""


def untold(what: str, number: int) -> None:
    """Tell nobody."""


def counted(items: Iterable[T], what: str, progress: Progress) -> Iterator[T]:
    """The items, of each of which it is told that it comes next."""
    for number, item in enumerate(items):
        progress(what, number)
        yield item
