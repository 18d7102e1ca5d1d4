"""The pages that show many tasks: the board, and lists in pages of a bounded length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar
from xml.etree.ElementTree import Element

from gittask.core.moment import when
from gittask.core.record import Reader, Record
from gittask.core.text import shorten
from gittask.views import graph
from gittask.views.board import COLUMNS
from gittask.views.site.frame import Page, task_page
from gittask.views.site.gather import Row
from gittask.views.site.tags import (
    Child,
    chip,
    code,
    line,
    listed,
    mark,
    said,
    section,
    table,
    tag,
)

T = TypeVar("T")

LENGTH = 100
"""How many tasks, or decisions, one page of a list has."""
MOST_CARDS = 50
"""How many tasks a column of the board shows, the most urgent."""
LONGEST = 160
"""How many characters of a title a list shows."""

URGENT = 1


class Part(NamedTuple, Generic[T]):
    """One page of a long list: which of the pages ``names`` it is, from 0, and its items."""

    names: tuple[str, ...]
    number: int
    items: Sequence[T]
    total: int

    @property
    def name(self) -> str:
        """The name of the page."""
        return self.names[self.number]


def parts(name: str, items: Sequence[T]) -> Iterator[Part[T]]:
    """A list in pages: ``tasks.html``, ``tasks-2.html`` ...; at least one."""
    count = max(1, -(-len(items) // LENGTH))
    names = (f"{name}.html", *(f"{name}-{number}.html" for number in range(2, count + 1)))
    for number in range(count):
        some = items[number * LENGTH : (number + 1) * LENGTH]
        yield Part(names, number, some, len(items))


def turning(page: Page, part: Part[Any], where: str) -> Element | None:
    """The way to the page before, the next, and the ends of a list, above or below it."""
    last = len(part.names) - 1
    if last == 0:
        return None
    ways = {"First": 0, "Previous": part.number - 1, "Next": part.number + 1, "Last": last}
    links = [
        page.to(part.names[place], name)
        for name, place in ways.items()
        if 0 <= place <= last and place != part.number
    ]
    words = tag("span", f"Page {part.number + 1} of {len(part.names)}")
    label = f"Pages of this list, {where}"
    return tag("nav", listed([words, *links]), class_="pages", aria_label=label)


def tasks(page: Page, caption: str, rows: Sequence[Row], now: str) -> Element:
    """A table of tasks."""
    heads = ("Task", "State", "Priority", "Who", "Due", "Project", "Id")
    return table(caption, heads, (_cells(page, row, now) for row in rows))


def _cells(page: Page, row: Row, now: str) -> Iterator[Child]:
    yield page.to(task_page(row.id), said(shorten(row.title, LONGEST)))
    yield chip(row.stands)
    yield priority(row)
    yield who(page, row)
    yield due(row, now)
    yield page.project(row.project)
    yield code(row.id)


def priority(row: Row) -> Child:
    """The priority of a task; that it is urgent stands out."""
    return mark(f"P{row.priority}") if row.priority <= URGENT else f"P{row.priority}"


def who(page: Page, row: Row) -> Child:
    """Who works on a task, or else who answers for it."""
    if row.holder:
        return line(page.actor(row.holder), " works on it")
    return page.actor(row.responsible)


def due(row: Row, now: str) -> Child:
    """The day by which a task is due, and whether that is over."""
    if not row.due:
        return None
    day = tag("time", row.due, datetime=row.due)
    if row.closed or row.due >= now[:10]:
        return day
    return line(day, " ", mark("overdue", "bad"))


def task_list(page: Page, title: str, other: tuple[str, str], part: Part[Row], now: str) -> str:
    """One page of a list of tasks; ``other`` is the list beside it, its page and its name."""
    lead = tag(
        "p",
        page.to(*other),
        ". To search, filter and sort: ",
        page.to("search.html", "Search"),
        ".",
    )
    first = part.number * LENGTH + 1
    caption = f"{first} to {first + len(part.items) - 1} of {part.total}"
    shown = tasks(page, caption, part.items, now) if part.items else tag("p", "There are none.")
    return page.document(
        title,
        tag("h1", title),
        lead,
        turning(page, part, "above"),
        shown,
        turning(page, part, "below"),
    )


# -- the board ------------------------------------------------------------------------------------


Obstacle = tuple[str, str]
"""What is in the way of a task, in words, and the id of the task that it ends with, or ""."""


def columns(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The tasks in each column of the board, by urgency; closed ones, the last changed first."""
    found: dict[str, list[Row]] = {
        name: [row for row in rows if row.stands in kinds] for name, kinds in COLUMNS.items()
    }
    found["closed"].sort(key=lambda row: (row.updated, row.id), reverse=True)
    return found


def board(
    page: Page, found: Mapping[str, Sequence[Row]], totals: Mapping[str, int],
    obstacles: Mapping[str, Sequence[Obstacle]], now: str,
) -> str:  # fmt: skip
    """The board; ``obstacles`` say by task what is in its way."""
    parts = []
    for name, rows in found.items():
        cards = [_card(page, row, obstacles.get(row.id, ()), now) for row in rows]
        more = totals[name] - len(cards)
        full = "closed.html" if name == "closed" else "tasks.html"
        rest = tag("p", f"{more} more: ", page.to(full, "all of them")) if more else None
        nothing = None if cards else tag("p", "None.", class_="soft")
        id = name.replace(" ", "-")
        title = f"{name.capitalize()} ({totals[name]})"
        parts.append(section(id, title, listed(cards), nothing, rest))
    return page.document("Board", tag("h1", "Board"), tag("div", *parts, class_="board"))


def obstacles(reader: Reader, task: Record, now: str) -> list[Obstacle]:
    """What a task needs first, or waits for."""
    found = [("needs ", each.id) for each in graph.blocked_by(reader, task)]
    for wait in graph.waiting_for(reader, task.id, now):
        data = wait.data
        if data["on"] == "time":
            found.append((f"waits until {when(data['until'])}", ""))
        elif data["on"] == "task" and data["subject"]:
            found.append(("waits for ", data["subject"]))
        else:
            found.append((f"waits for {data.get('responder') or data['on']}", ""))
    return found


def _card(page: Page, row: Row, obstacles: Sequence[Obstacle], now: str) -> Element:
    last = due(row, now)
    about = tag(
        "p",
        chip(row.stands), " ", priority(row), ", ", who(page, row),
        line(", due ", last) if last is not None and not row.closed else None,
        class_="of",
    )  # fmt: skip
    title = tag("p", page.to(task_page(row.id), said(shorten(row.title, LONGEST))))
    way = [
        tag("p", words, page.task(id, title=True) if id else None, class_="of")
        for words, id in obstacles
    ]
    return tag("div", title, about, *way, class_="card")
