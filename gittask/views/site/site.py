"""All pages of a site: their names, what each is made from, and how.

What a page is made from is a value that differs whenever the page may; whoever keeps it needs not
make a page again of which it is the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from gittask.core.record import Data, Reader, age
from gittask.core.schema import Schemas
from gittask.kinds import readable
from gittask.views.inbox import inbox
from gittask.views.site import lists, others, search
from gittask.views.site.frame import SCRIPT_FILE, STYLE_FILE, Page, Site, task_page
from gittask.views.site.gather import Gathered, Row, gather
from gittask.views.site.look import STYLE
from gittask.views.site.task import task_page as one_task


class File(NamedTuple):
    """A file of the site: its name, what it is made from (any JSON value), and how."""

    name: str
    source: object
    make: Callable[[], str]


Folders = Mapping[str, str]
"""The ids of the folders of a store, by path: ``tasks/7a/<id>``, ``projects/<id>``, ``actors``."""


def files(reader: Reader, schemas: Schemas, folders: Folders, title: str, now: str) -> list[File]:
    """The files of the site of a store, as it was at a time. None is made before it is wanted."""
    found = gather(reader, now)
    site = Site(
        title,
        {row.id: row.title for row in found.rows},
        frozenset(reader.ids("actor")),
        frozenset(reader.ids("project")),
    )
    made = _Files(reader, schemas, folders, site, found, now)
    return [*made.shared(), *made.tasks()]


class _Files:
    def __init__(
        self, reader: Reader, schemas: Schemas, folders: Folders, site: Site, found: Gathered,
        now: str,
    ) -> None:  # fmt: skip
        self._reader = reader
        self._schemas = schemas
        self._folders = folders
        self._site = site
        self._found = found
        self._now = now
        self._open = [row for row in found.rows if not row.closed]
        self._closed = lists.columns(found.rows)["closed"]
        self._today = now[:10]  # by which it is said what is overdue
        self._others = [sorted(site.actors), sorted(site.projects)]

    def shared(self) -> Iterator[File]:
        """All but the pages of tasks."""
        yield File(STYLE_FILE, STYLE, lambda: STYLE)
        yield File(SCRIPT_FILE, search.SCRIPT, lambda: search.SCRIPT)
        yield self._board()
        yield from self._lists()
        yield self._attention()
        yield from self._decisions()
        yield from self._people()
        yield from self._projects()
        yield from self._search()

    def _file(
        self, name: str, make: Callable[..., str], *args: object, also: object = None
    ) -> File:
        """A page that is made of its ``Page``, some JSON values and, by way of those, ``also``."""
        source = [self._site.title, args, also]
        return File(name, source, lambda: make(Page(self._site, name), *args))

    # -- tasks --------------------------------------------------------------------------------

    def tasks(self) -> Iterator[File]:
        """The page of each task."""
        circles: dict[str, list[str]] = defaultdict(list)
        for circle in self._found.circles:
            for id in circle.ids:
                circles[id].append(str(circle))
        for row in self._found.rows:
            yield self._task(row, circles.get(row.id, []))

    def _task(self, row: Row, circles: Sequence[str]) -> File:
        project = f"projects/{row.project}"
        around = sorted(self._found.around.get(row.id, ()))
        timely = [self._found.timely.get(id, ()) for id in (row.id, project)]
        # Who may allow a thing is said by the actors' own records.
        asked = bool(self._reader.ids("approval", task=row.id)) or row.project in self._asked
        source = [
            *(self._folders.get(f"tasks/{id[-2:]}/{id}", id) for id in (row.id, *around)),
            self._folders.get(project, ""),
            self._folders.get("actors", "") if asked else "",
            circles,
            timely,
        ]

        return self._file(task_page(row.id), self._page, row.id, row.stands, also=source)

    def _page(self, page: Page, id: str, stands: str) -> str:
        task = readable(self._reader, "task", id, task=None)
        assert task is not None  # all rows are of tasks that can be read
        return one_task(page, self._reader, self._schemas, task, stands, self._now)

    @cached_property
    def _asked(self) -> frozenset[str]:
        """The projects in which something is to be allowed."""
        projects = self._site.projects
        return frozenset(id for id in projects if any(self._reader.ids("approval", project=id)))

    # -- many tasks ---------------------------------------------------------------------------

    def _board(self) -> File:
        found = lists.columns(self._found.rows)
        totals = {name: len(rows) for name, rows in found.items()}
        shown = {name: rows[: lists.MOST_CARDS] for name, rows in found.items()}
        obstacles = {
            row.id: said
            for rows in shown.values()
            for row in rows
            if not row.closed and (said := self._obstacles(row))
        }
        titles = [self._site.tasks.get(id) for said in obstacles.values() for _, id in said]
        return self._file(
            "index.html", lists.board, shown, totals, obstacles, self._now,
            also=[titles, self._others],
        )  # fmt: skip

    def _obstacles(self, row: Row) -> list[lists.Obstacle]:
        task = readable(self._reader, "task", row.id, task=None)
        return lists.obstacles(self._reader, task, self._now) if task else []

    def _lists(self) -> Iterator[File]:
        for name, title, rows, other in (
            ("tasks", "Open tasks, by urgency", self._open, ("closed.html", "Closed tasks")),
            ("closed", "Closed tasks, the last first", self._closed, ("tasks.html", "Open tasks")),
        ):
            for part in lists.parts(name, rows):
                yield self._file(
                    part.name, lists.task_list, title, other, part, self._today, also=self._others
                )

    def _search(self) -> Iterator[File]:
        found = search.parts(self._found.rows)
        for name, rows in found.items():
            yield File(name, rows, partial(search.part, rows))
        yield self._file("search.html", search.search, [*found])

    # -- the others ---------------------------------------------------------------------------

    def _attention(self) -> File:
        items = inbox(self._reader, None, self._now)
        shown = items[: others.MOST_ITEMS]
        said = [[one.as_json(), self._site.tasks.get(one.task or "")] for one in shown]
        make = partial(others.attention, items=shown, total=len(items))
        return self._file("attention.html", make, also=[said, len(items), self._others])

    def _decisions(self) -> Iterator[File]:
        for part in lists.parts("decisions", list(self._decided())):
            titles = [self._site.tasks.get(one.task, "") for one in part.items]
            yield self._file(part.name, others.decisions, part, also=[titles, self._others])

    def _decided(self) -> Iterator[others.Decided]:
        gone: set[str] = set()
        for one in sorted(self._reader.all("decision"), key=age, reverse=True):
            data = one.data
            gone.add(data.get("supersedes") or "")
            yield others.Decided(
                one.id, data["created"]["at"], data["title"],
                " ".join(data["outcome"].split())[: others.SHOWN + 1],
                tuple(data["deciders"]), one.task or "", data.get("project") or "", one.id in gone,
            )  # fmt: skip

    def _people(self) -> Iterator[File]:
        held: dict[str, list[Row]] = defaultdict(list)
        answers: dict[str, list[Row]] = defaultdict(list)
        for row in self._open:
            held[row.holder].append(row)
            answers[row.responsible].append(row)
        found = []
        for record in self._reader.all("actor"):
            data, id = record.data, record.id
            one = others.Person(
                id, data["name"], data["kind"], data.get("delegated_by") or "",
                data.get("provider") or "", len(held[id]), len(answers[id]),
            )  # fmt: skip
            found.append(one)
            shown = held[id][: others.MOST_ROWS], answers[id][: others.MOST_ROWS]
            yield self._file(
                f"people/{id}.html", others.actor, one, *shown, self._today, also=self._others
            )
        yield self._file("people.html", others.people, found, also=self._others)

    def _projects(self) -> Iterator[File]:
        count = Counter(row.project for row in self._open)
        found: list[tuple[Data, int]] = []
        for record in self._reader.all("project"):
            data, id = record.data, record.id
            found.append((data, count[id]))
            rows = [row for row in self._open if row.project == id][: others.MOST_ROWS]
            decided = sorted(self._reader.all("decision", project=id), key=age, reverse=True)
            yield self._file(
                f"projects/{id}.html", others.project, data, rows, count[id],
                [one.data for one in decided], self._today, also=self._others,
            )  # fmt: skip
        yield self._file("projects.html", others.projects, found, also=self._others)
