"""The page of one task: what is known of it, and what happened."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any
from xml.etree.ElementTree import Element

from gittask.core.record import Data, Reader, Record, age
from gittask.core.schema import Schemas
from gittask.core.text import spaced
from gittask.kinds.approval import of_task, standing
from gittask.views import words
from gittask.views.discussion import threads
from gittask.views.entries import Entry
from gittask.views.graph import waits
from gittask.views.late import Late
from gittask.views.show.task import computed
from gittask.views.site import records
from gittask.views.site.frame import Page
from gittask.views.site.tags import (
    Child,
    chip,
    code,
    facts,
    line,
    link,
    listed,
    mark,
    outward,
    quote,
    said,
    section,
    table,
    tag,
    time,
)
from gittask.views.timeline import Timeline

MOST = 200
"""So many records of a kind are shown in full on a page, the newest; and of the timeline more."""
MOST_ENTRIES = 500
OPEN = 3
"""So many handoffs are not folded."""


def task_page(
    page: Page, reader: Reader, schemas: Schemas, task: Record, stands: str, now: str
) -> str:
    """The page of a task that ``stands`` as the board says it."""
    return _Task(page, reader, schemas, task, now).document(stands)


class _Task:
    def __init__(
        self, page: Page, reader: Reader, schemas: Schemas, task: Record, now: str
    ) -> None:
        self._page = page
        self._reader = reader
        self._task = task
        self._now = now
        self._found = computed(reader, task, now)
        newest = Timeline(reader, schemas, task).entries(reverse=True)
        self._entries: list[Entry] = list(islice(newest, MOST_ENTRIES))
        self._more = next(newest, None) is not None

    def document(self, stands: str) -> str:
        data = self._task.data
        parts = [part for part in self._sections() if part is not None]
        parts.append(self._timeline({id for part in parts for id in _ids(part)}))
        ways = [(part.get("aria-labelledby") or "", part[0].text or "") for part in parts]
        contents = tag(
            "nav",
            listed(link(f"#{id}", title) for id, title in ways),
            aria_label="On this page",
        )
        return self._page.document(
            data["title"],
            tag(
                "article",
                tag("h1", said(data["title"])),
                tag("p", chip(stands), " ", said(self._found["status"]), class_="status"),
                self._facts(),
                contents,
                *parts,
                class_="task",
            ),
        )

    def _facts(self) -> Element:
        data, found, page = self._task.data, self._found, self._page
        holder = found["holder"]
        held = (
            line(page.actor(holder["actor"], nobody="unknown"), ", ", code(holder["execution"]))
            if holder
            else None
        )
        parent = data.get("parent")
        rows: list[tuple[str, Child]] = [
            ("Task", code(self._task.id)),
            ("Responsible", page.actor(data["responsible"])),
            ("Held by", held),
            ("Priority", f"P{data.get('priority', 2)}"),
            ("Type", data.get("type")),
            ("Labels", ", ".join(data.get("labels") or ())),
            ("Due", data.get("due")),
            ("Project", page.project(data.get("project"))),
            ("Part of", page.task(parent, title=True) if parent else None),
            ("Provider", data.get("provider")),
            ("Workspace", words.workspace(data.get("workspace") or {})),
            ("Created", records.signed(page, data["created"]["by"], data["created"]["at"])),
            ("Updated", time(found["updated"])),
        ]  # fmt: skip
        return facts(rows)

    # -- parts --------------------------------------------------------------------------------

    def _sections(self) -> Iterator[Element | None]:
        data = self._task.data
        why = quote(data["why"]) if data.get("why") else tag("p", "Nobody said why yet.")
        yield section("why", "Why", why)
        yield self._acceptance(data.get("acceptance") or [])
        for name in ("outcome", "reason"):
            text = data["state"][name]
            yield section(name, name.capitalize(), quote(text)) if text else None
        instructions = data.get("instructions")
        yield section("instructions", "Instructions", quote(instructions)) if instructions else None
        yield self._open()
        yield self._handoffs()
        yield self._attempts()
        yield self._decisions()
        yield self._discussion()
        yield self._listed("review", "Reviews", lambda one: records.review(self._page, one.data))
        yield self._approvals()
        yield self._waits()
        yield self._listed(
            "conflict", "Conflicts", lambda one: records.conflict(self._page, one.data)
        )
        yield self._around()

    def _acceptance(self, items: list[Data]) -> Element | None:
        nothing = tag("p", "Nothing is written down that must be true at the end.")
        met = sum(bool(item["met"]) for item in items)
        title = f"Acceptance ({met} of {len(items)} met)" if items else "Acceptance"
        return section(
            "acceptance", title, listed(map(records.criterion, items)) if items else nothing
        )

    def _open(self) -> Element | None:
        """What wants somebody now, each with the way to where it stands in full."""
        found = self._found
        asked = {one["id"] for one in found["open_questions"]}
        items = [
            line(mark("Question", "bad"), " from ", self._page.actor(one["from"]), ": ",
                 link(f"#{one['id']}", said(words.first_line(one["body"]))))
            for one in found["open_questions"]
        ]  # fmt: skip
        items += [
            line(mark("Wait", "bad"), f" for {one['on']}: ",
                 link(f"#{one['id']}", said(words.first_line(one["condition"]))))
            for one in found["waits"] if one["subject"] not in asked
        ]  # fmt: skip
        items += [
            line(
                mark("Conflict", "bad"),
                ": ",
                link(f"#{one['id']}", code(one["field"] or one["record"])),
            )
            for one in found["conflicts"]
        ]
        items += [
            line(mark("Circle", "bad"), ": ", code(" -> ".join(one["tasks"])))
            for one in found["circles"]
        ]
        return section("open", f"Open now ({len(items)})", listed(items)) if items else None

    def _handoffs(self) -> Element | None:
        found = self._newest("handoff")
        if not found:
            return section("handoffs", "Handoffs", tag("p", "Nobody has handed off yet."))
        late = Late(self._reader, self._task, self._newest("execution"))
        shown = [records.handoff(self._page, one.data, late=late(one)) for one in found[:MOST]]
        folded = shown[OPEN:]
        earlier = None
        if folded:
            earlier = tag("details", tag("summary", f"{len(folded)} earlier"), *folded)
        title = f"Handoffs ({len(found)})"
        return section("handoffs", title, *shown[:OPEN], earlier, self._left_out(found))

    def _attempts(self) -> Element | None:
        found = self._found["executions"][::-1]
        if not found:
            return None
        heads = ("Who", "As", "Epoch", "State", "Since", "Execution")
        rows = map(self._attempt, found[:MOST])
        shown = table("The newest first", heads, rows)
        return section("attempts", f"Attempts ({len(found)})", shown, self._left_out(found))

    def _attempt(self, one: Data) -> Iterator[Child]:
        yield self._page.actor(one["actor"])
        yield f"{one['role']}, {one['lane']}"
        yield str(one["epoch"])
        yield spaced(one["status"]) + (f" ({one['cause']})" if one["cause"] else "")
        yield time(one["since"])
        yield code(one["id"])

    def _decisions(self) -> Element | None:
        found = self._newest("decision")
        gone = {one.data.get("supersedes"): one.id for one in found}
        shown = [records.decision(self._page, one.data, gone.get(one.id)) for one in found[:MOST]]
        return (
            section("decisions", f"Decisions ({len(found)})", *shown, self._left_out(found))
            if found
            else None
        )

    def _discussion(self) -> Element | None:
        found = threads(self._reader, self._task.id)
        said_all = [each for thread in found for each in thread["messages"]]
        shown = [records.message(self._page, each) for each in said_all[-MOST:]]
        if not shown:
            return None
        return section(
            "discussion",
            f"Discussion ({len(said_all)})",
            self._left_out(said_all),
            tag("ul", *shown, class_="thread"),
        )

    def _approvals(self) -> Element | None:
        found = sorted(of_task(self._reader, self._task), key=age)[::-1]
        shown = [
            records.approval(self._page, one.data, standing(self._reader, one, self._now))
            for one in found[:MOST]
        ]
        return self._all("approvals", "Approvals", found, shown)

    def _waits(self) -> Element | None:
        ends = {each.wait.id: each.end for each in waits(self._reader, self._task.id, self._now)}
        return self._listed(
            "wait", "Waits", lambda one: records.wait(self._page, one.data, ends.get(one.id))
        )

    def _around(self) -> Element | None:
        names = {"depends_on": "Needs", "dependents": "Needed by", "children": "Parts"}
        groups: list[Child] = []
        for name, title in names.items():
            found = self._found[name]
            items = [
                line(chip(one["status"]), " ", self._page.task(one["id"], title=True))
                for one in found[:MOST]
            ]
            groups += [tag("h3", f"{title} ({len(found)})"), listed(items)] if items else []
        links = [
            line(each["rel"].replace("-", " "), " ", self._target(each["target"], each["title"]))
            for each in self._task.data.get("links") or ()
        ]
        groups += [tag("h3", "Links"), listed(links)] if links else []
        return section("around", "Around it", *groups)

    def _target(self, target: str, title: str | None) -> Element:
        """What a link of a task leads to: another task, or an address that is shown."""
        if title is None and "/" not in target:
            return self._page.task(target, title=True)
        shown = line(said(title), " (", said(target), ")") if title else said(target)
        return outward(target, shown)

    def _timeline(self, known: set[str]) -> Element:
        """What happened; ``known`` is what stands in full on the page."""
        rows = [tag("li", records.entry(self._page, each, known)) for each in self._entries]
        see = f"Older entries: gittask timeline {self._task.id} --all"
        return tag(
            "section",
            tag("h2", "Timeline, the newest first", id="timeline"),
            tag("ol", *rows, class_="log"),
            tag("p", see, class_="soft") if self._more else None,
            aria_labelledby="timeline",
        )

    # -- lists of records -------------------------------------------------------------------------

    def _newest(self, kind: str) -> list[Record]:
        return sorted(self._reader.all(kind, task=self._task.id), key=age)[::-1]

    def _listed(self, kind: str, title: str, shown: Any) -> Element | None:
        found = self._newest(kind)
        return self._all(f"{kind}s", title, found, [shown(one) for one in found[:MOST]])

    def _all(
        self, id: str, title: str, found: list[Record], shown: list[Element]
    ) -> Element | None:
        """A part that lists what is ``shown`` of the records that were found; None for none."""
        if not found:
            return None
        return section(id, f"{title} ({len(found)})", listed(shown), self._left_out(found))

    def _left_out(self, found: list[Any]) -> Element | None:
        if len(found) <= MOST:
            return None
        see = f"{len(found) - MOST} older ones: gittask timeline {self._task.id} --all"
        return tag("p", see, class_="soft")


def _ids(part: Element) -> Iterator[str]:
    """The places of a page that can be linked to."""
    return (id for each in part.iter() if (id := each.get("id")))
