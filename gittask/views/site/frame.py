"""What every page has: its head, the way to the others, and how it links to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from xml.etree.ElementTree import Element

from gittask.core.dataclass import dataclass
from gittask.views.elements import written
from gittask.views.site.tags import Child, code, link, said, tag

STYLE_FILE, SCRIPT_FILE = "site.css", "site.js"

POLICY = (
    "default-src 'none'; style-src 'self' file:; script-src {scripts}; base-uri 'none'; "
    "form-action 'none'"
)
"""Nothing is loaded but the site's own files. Opened from a disk, some browsers take those for
``file:``, others for ``self``."""

PLACES = {
    "index.html": "Board",
    "tasks.html": "Tasks",
    "attention.html": "Attention",
    "decisions.html": "Decisions",
    "people.html": "People",
    "projects.html": "Projects",
    "search.html": "Search",
}
"""The pages that every page leads to."""


def task_page(id: str) -> str:
    """The name of a task's page; like its records it is in one of 256 folders."""
    return f"tasks/{id[-2:]}/{id}.html"


@dataclass(frozen=True)
class Site:
    """What holds for all pages: the title, and what there are pages of.

    ``tasks`` are titles by id.
    """

    title: str
    tasks: Mapping[str, str]
    actors: Set[str]
    projects: Set[str]


class Page:
    """One page, by its name: ``tasks/7a/...html``."""

    def __init__(self, site: Site, name: str) -> None:
        self._site = site
        self._name = name
        self._root = "../" * name.count("/")

    def to(self, name: str, *children: Child) -> Element:
        """A link to another page."""
        return link(f"{self._root}{name}", *children)

    def task(self, id: str, *, title: bool = False) -> Element:
        """A task's id or, if asked, its title; a link if it has a page."""
        if id not in self._site.tasks:
            return code(id)
        return self.to(task_page(id), said(self._site.tasks[id]) if title else code(id))

    def actor(self, id: str | None, *, nobody: Child = None) -> Child:
        """An actor; a link if there is a page of them. Without one, what stands for nobody."""
        if not id:
            return nobody
        return self.to(f"people/{id}.html", id) if id in self._site.actors else id

    def actors(self, ids: Sequence[str]) -> Element:
        """Several of them in a row."""
        pieces = [piece for id in ids for piece in (", ", self.actor(id))]
        return tag("span", *pieces[1:])

    def project(self, id: str | None) -> Child:
        """A project; a link if it has a page."""
        if not id:
            return None
        return self.to(f"projects/{id}.html", id) if id in self._site.projects else id

    def document(self, title: str, *main: Child, scripts: tuple[str, ...] = ()) -> str:
        """The page with its frame as text. ``scripts`` are files of the site."""
        policy = POLICY.format(scripts="'self' file:" if scripts else "'none'")
        head = tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="referrer", content="no-referrer"),
            tag("title", f"{title} · {self._site.title}"),
            tag("link", rel="stylesheet", href=f"{self._root}{STYLE_FILE}"),
            *(tag("script", src=f"{self._root}{each}", defer="defer") for each in scripts),
        )
        body = tag(
            "body",
            link("#main", "Skip to the content"),
            tag("header", tag("p", said(self._site.title), class_="site"), self._places()),
            tag("main", *main, id="main"),
        )
        body[0].set("class", "skip")
        return written(tag("html", head, body, lang="en"))

    def _places(self) -> Element:
        links = []
        for name, title in PLACES.items():
            made = self.to(name, title)
            if name == self._name:
                made.set("aria-current", "page")
            links.append(tag("li", made))
        return tag("nav", tag("ul", *links), aria_label="Site")
