"""The pages of decisions, people, projects, and of what wants somebody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple
from xml.etree.ElementTree import Element

from gittask.core.record import Data
from gittask.core.text import shorten
from gittask.views.inbox import TROUBLE
from gittask.views.item import Item
from gittask.views.site.frame import Page, task_page
from gittask.views.site.gather import Row
from gittask.views.site.lists import Part, tasks, turning
from gittask.views.site.records import decision as in_full
from gittask.views.site.tags import (
    Child,
    code,
    facts,
    line,
    listed,
    mark,
    quote,
    said,
    section,
    table,
    tag,
    time,
)

MOST_ROWS = 200
"""How many tasks a page of an actor or a project shows in one list."""
MOST_ITEMS = 500
"""How many of the things that want somebody are shown."""
SHOWN = 300
"""How many characters of an outcome the list of decisions shows."""


class Decided(NamedTuple):
    """A decision as the list of all shows it."""

    id: str
    at: str
    title: str
    outcome: str
    deciders: tuple[str, ...]
    task: str
    project: str
    superseded: bool


def decisions(page: Page, part: Part[Decided]) -> str:
    """One page of all decisions, the newest first."""
    items = [_decided(page, one) for one in part.items]
    return page.document(
        "Decisions",
        tag("h1", "Decisions"),
        turning(page, part, "above"),
        listed(items, class_="log") if items else tag("p", "Nobody has decided anything yet."),
        turning(page, part, "below"),
    )


def _decided(page: Page, one: Decided) -> Element:
    if one.task:
        place, where = task_page(one.task), line(" on ", page.task(one.task, title=True))
    else:
        place, where = f"projects/{one.project}.html", line(" for ", page.project(one.project))
    return tag(
        "div",
        tag("p", page.to(f"{place}#{one.id}", said(one.title)),
            line(" ", mark("superseded")) if one.superseded else None),
        tag("p", said(shorten(one.outcome, SHOWN))),
        tag("p", "By ", page.actors(one.deciders), ", ", time(one.at), where, class_="of"),
    )  # fmt: skip


# -- who ------------------------------------------------------------------------------------------


class Person(NamedTuple):
    """An actor, with how many tasks they hold and how many open ones they answer for."""

    id: str
    name: str
    kind: str
    delegated_by: str
    provider: str
    held: int
    answers: int


def people(page: Page, found: Sequence[Person]) -> str:
    """All actors."""
    rows = [
        (page.actor(one.id), said(one.name), one.kind, page.actor(one.delegated_by),
         str(one.held), str(one.answers))
        for one in found
    ]  # fmt: skip
    heads = ("Who", "Name", "Kind", "For", "Works on", "Answers for")
    made = table("Actors, and how many open tasks they have", heads, rows)
    return page.document("People", tag("h1", "People, agents and services"), made)


def actor(page: Page, one: Person, held: Sequence[Row], answers: Sequence[Row], now: str) -> str:
    """What an actor works on, and answers for."""
    rows: list[tuple[str, Child]] = [
        ("Id", code(one.id)),
        ("Kind", one.kind),
        ("Acts for", page.actor(one.delegated_by)),
        ("Provider", one.provider),
    ]
    return page.document(
        one.name,
        tag("h1", said(one.name)),
        facts(rows),
        _some(page, "held", "Works on", held, one.held, now),
        _some(page, "answers", "Answers for", answers, one.answers, now),
    )


def _some(
    page: Page, id: str, title: str, rows: Sequence[Row], total: int, now: str
) -> Element | None:
    if not rows:
        return section(id, title, tag("p", "None.", class_="soft"))
    caption = f"{len(rows)} of {total}, by urgency" if total > len(rows) else "By urgency"
    return section(id, f"{title} ({total})", tasks(page, caption, rows, now))


def projects(page: Page, found: Sequence[tuple[Data, int]]) -> str:
    """All projects, each with how many tasks of it are open."""
    if not found:
        return page.document("Projects", tag("h1", "Projects"), tag("p", "There are none."))
    rows = [
        (page.to(f"projects/{data['id']}.html", said(data["name"])), code(data["id"]),
         page.actor(data.get("responsible")), str(count))
        for data, count in found
    ]  # fmt: skip
    made = table("Projects", ("Project", "Id", "Responsible", "Open tasks"), rows)
    return page.document("Projects", tag("h1", "Projects"), made)


def project(
    page: Page, data: Data, rows: Sequence[Row], total: int, decided: Sequence[Data], now: str
) -> str:
    """A project: what holds in it, what was decided for it, and its open tasks."""
    about: list[tuple[str, Child]] = [
        ("Id", code(data["id"])),
        ("Responsible", page.actor(data.get("responsible"))),
        ("Provider", data.get("provider")),
        ("Allowed", ", ".join(data.get("allowed") or ())),
        ("Approvers", ", ".join(data.get("approvers") or ())),
    ]
    gone: Mapping[str | None, str] = {one.get("supersedes"): one["id"] for one in decided}
    shown = [in_full(page, one, gone.get(one["id"])) for one in decided]
    text = data.get("instructions")
    return page.document(
        data["name"],
        tag("h1", said(data["name"])),
        facts(about),
        section("instructions", "Instructions", quote(text)) if text else None,
        section("decisions", f"Decisions ({len(shown)})", *shown) if shown else None,
        _some(page, "tasks", "Open tasks", rows, total, now),
    )


# -- what wants somebody --------------------------------------------------------------------------


def attention(page: Page, items: Sequence[Item], total: int) -> str:
    """What wants somebody, by kind, each with the command that settles it."""
    parts = []
    for kind, group in groupby(items, key=lambda one: one.kind):
        found = [_wanting(page, one) for one in group]
        trouble = kind in TROUBLE
        title = f"{'Trouble: ' if trouble else ''}{kind} ({len(found)})"
        parts.append(section(kind, title[0].upper() + title[1:], listed(found, class_="log")))
    lead = f"{total} things want somebody." if total != 1 else "One thing wants somebody."
    if total > len(items):
        lead += f" The first {len(items)} are shown; all of them: gittask inbox --all"
    return page.document("Attention", tag("h1", "Attention"), tag("p", lead), *parts)


def _wanting(page: Page, one: Item) -> Element:
    at = line(", ", time(one.at)) if one.at else None
    about = tag("p", "For ", page.actors(one.to) if one.to else "nobody", at, class_="of")
    return tag(
        "div",
        tag("p", page.task(one.task, title=True)) if one.task else None,
        tag("p", said(one.text)),
        about,
        tag("p", code(one.command)),
    )
