"""The site, from the outside: what is in its pages, and which of them are written anew."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from gittask.core.text import UNSAFE
from gittask.store import lock, pages
from tests.cli.acting import HANDOFF, Actor
from tests.program import Program, controls, path_of
from tests.views.hostile import LINES

VOID = {"meta", "link", "input", "br"}


class Page(HTMLParser):
    """What a browser makes of a page: its elements in order, and its texts."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.source = path.read_text("utf-8")
        self.feed(self.source)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def all(self, *tags: str) -> list[dict[str, str]]:
        return [attributes for tag, attributes in self.elements if tag in tags]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


def build(gittask: Program, site: Path, *args: str) -> tuple[int, int, int]:
    document = gittask.json("site", "build", str(site), *args)["site"]
    return document["written"], document["kept"], document["removed"]


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def page(site: Path, task: str) -> Page:
    return Page(site / "tasks" / task[-2:] / f"{task}.html")


def worked_on(gittask: Program, codex: Actor) -> str:
    """A task with something of every kind."""
    task = gittask.new("Fix routing", "--accept", "It routes", "--label", "urgent")
    codex("start", task)
    codex("note", task, "--kind", "constraint", "Not at night")
    codex("ask", task, "May I restart it?", "--to", "ann")
    codex("approve", "request", task, "restart")
    codex("decide", task, "How", "--outcome", "By hand")
    codex("handoff", task, *HANDOFF[:4], "--changed", "a.py :: faster", "--verified", "It runs",
          "--not-verified", "At night :: no data", "--uncertain", "Is it enough? :: the peak",
          "--next", "look at it", "--next-by", "ann")  # fmt: skip
    return task


def test_it_prints_where_to_begin(gittask: Program, site: Path) -> None:
    task = gittask.new()
    result = gittask("site", "build", str(site))
    assert result.out == f"{site / 'index.html'}\n"
    assert "files written" in result.err
    assert task in (site / "index.html").read_text()
    relative = gittask.folder / "public"
    assert gittask("site", "build", "public").out == f"{relative.resolve() / 'index.html'}\n"


def test_a_store_without_tasks_has_pages(gittask: Program, site: Path) -> None:
    build(gittask, site)
    assert "There are none." in Page(site / "tasks.html").text
    assert {"index.html", "search.html", "people.html", "projects.html"} <= files(site).keys()


def test_the_page_of_a_task_says_what_is_known(gittask: Program, site: Path, codex: Actor) -> None:
    task = worked_on(gittask, codex)
    build(gittask, site)
    text = page(site, task).text
    for words in (
        *("Fix routing", "It is needed", "Not met : It routes", "Uncertain Is it enough?"),
        *("Matters for: the peak", "Not verified At night , because no data", "Verified It runs"),
        *("a.py : faster", "Question from codex-1 : May I restart it?", "requested restart"),
        *("By hand", "Timeline", "Not at night", "Next : look at it (by ann )", "urgent"),
    ):
        assert words in text, words


def test_every_link_leads_somewhere(gittask: Program, site: Path, codex: Actor) -> None:
    gittask("project", "add", "shop")
    task = worked_on(gittask, codex)
    gittask.new("Part", "--project", "shop", "--parent", task)
    later = gittask.new("Later", "--depends-on", task)
    gittask("wait", later, task, "--on", "task")
    build(gittask, site)
    ids = {
        path: {each.get("id") for _, each in Page(path).elements} for path in site.rglob("*.html")
    }
    for path in ids:
        for each in Page(path).all("a", "link", "script"):
            target = each.get("href") or each["src"]
            name, _, place = target.partition("#")
            there = (path.parent / name).resolve() if name else path
            assert there.is_file(), (path, target)
            assert not place or place in ids[there], (path, target)


# -- which pages are written ----------------------------------------------------------------------


def test_only_pages_that_changed_are_written(gittask: Program, site: Path) -> None:
    tasks = [gittask.new(f"Task {number}") for number in range(5)]
    written, kept, removed = build(gittask, site)
    assert (kept, removed) == (0, 0)
    assert build(gittask, site) == (0, written, 0)
    before = files(site)
    gittask("set", tasks[2], "title=Another")
    count, _, _ = build(gittask, site)
    changed = {name for name, content in files(site).items() if content != before[name]}
    others = [name for name in changed if name.startswith("tasks/")]
    assert others == [f"tasks/{tasks[2][-2:]}/{tasks[2]}.html"]
    assert count == len(changed - {pages.MANIFEST})


def test_step_by_step_comes_to_the_same_as_at_once(
    gittask: Program, site: Path, tmp_path: Path
) -> None:
    first, second = gittask.new("First"), gittask.new("Second")
    steps = [
        ("set", second, f"depends_on+={first}"),
        ("start", first),
        ("set", first, "title=Renamed"),
        ("project", "add", "shop", "--name", "Shop"),
        ("set", second, "project=shop"),
        ("dep", "remove", second, first),
        ("set", second, f"parent={first}"),
        ("ask", first, "May I?", "--as", "codex-1"),
        ("set", second, "parent=none"),
        ("wait", second, first, "--on", "task"),
        ("approve", "request", first, "drop", "--as", "codex-1"),
        ("actor", "add", "bob", "--kind", "person"),
        ("project", "set", "shop", "approvers+=bob"),
        ("handoff", first, *HANDOFF),
        ("close", first, "--outcome", "Done"),
        ("store", "set", "name=Renamed store"),
    ]
    for number, step in enumerate(steps):
        build(gittask, site)
        gittask("--as", "ann", *step)
        at_once = tmp_path / f"at-once-{number}"
        build(gittask, site)
        build(gittask, at_once)
        assert files(site) == files(at_once), step


def test_what_is_no_longer_there_goes(gittask: Program, site: Path) -> None:
    task = gittask.new("Gone")
    build(gittask, site)
    folder = path_of(task).rpartition("/")[0]
    gittask.push({f"{folder}/task.yaml": None})
    _, _, removed = build(gittask, site)
    assert removed == 1
    assert not any(task in name for name in files(site))


def test_a_new_title_is_on_every_page(gittask: Program, site: Path) -> None:
    gittask.new()
    build(gittask, site)
    build(gittask, site, "--title", "Our <b>work</b>")
    for path in site.rglob("*.html"):
        assert "Our <b>work</b>" in Page(path).text
    assert gittask("site", "build", str(site), "--title", " ", code=2).out == ""


def test_all_is_written_again_if_asked(gittask: Program, site: Path) -> None:
    gittask.new()
    written, _, _ = build(gittask, site)
    (site / "index.html").write_text("spoilt")
    assert build(gittask, site, "--clean") == (written, 0, 0)
    assert "spoilt" not in (site / "index.html").read_text()


def test_a_folder_that_is_no_site_is_refused(gittask: Program, site: Path) -> None:
    site.mkdir()
    (site / "thesis.txt").write_text("mine")
    error = gittask("--json", "site", "build", str(site), code=4).error
    assert "not empty" in error["message"]
    assert files(site) == {"thesis.txt": b"mine"}


def test_reading_leaves_the_store_alone(gittask: Program, site: Path) -> None:
    gittask.new()
    before = gittask.json("log")
    build(gittask, site)
    assert gittask.json("log") == before


# -- texts of others ------------------------------------------------------------------------------


def test_no_text_is_more_than_words(gittask: Program, site: Path) -> None:
    texts = [re.sub(r"[\r\x0b\x0c\x1c\x85]", "", text)[:900] or "empty" for text in LINES[::-1]]
    task = gittask.new(texts[0])
    for text in filter(str.strip, texts[::2]):
        gittask("say", task, "-F", "-", input=text)
    lines = [" ".join(text.split())[:200] or "-" for text in texts]
    for line in lines[::4]:
        gittask("new", f"T {line}", f"--why={line} .")
    build(gittask, site)
    for path in site.rglob("*.html"):
        found = Page(path)
        assert not {tag for tag, _ in found.elements} & {"img", "iframe", "b", "system", "style"}
        for tag, attributes in found.elements:
            assert not any(name.startswith("on") or name == "style" for name in attributes)
            target = attributes.get("href") or attributes.get("src") or ""
            assert "://" not in target, target
            assert tag != "script" or path.name == "search.html"
        assert not re.search(UNSAFE, found.source)
        assert not controls(found.source) - {"\n", "\t"}
    shown = page(site, task).text
    assert all(" ".join(line.split()) in shown for line in texts[::2] if line.isprintable())
    assert "\\u202eesrever" in shown
    for path in (site / "search").iterdir():
        assert path.read_text("utf-8").isascii()
        assert "\\u202e" not in path.read_text("utf-8").replace("\\\\u202e", "")


def test_links_of_records_are_followed_only_into_the_web(gittask: Program, site: Path) -> None:
    task = gittask.new("Linked")
    targets = [
        "https://example.org/a?b=1&c",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc",
    ]
    links = [
        {"id": f"l{number}", "rel": "see", "target": target, "title": None}
        for number, target in enumerate(targets)
    ]
    gittask.change(path_of(task), links=links)
    build(gittask, site)
    found = page(site, task)
    outward = [each for each in found.all("a") if ":" in each["href"]]
    assert [each["href"] for each in outward] == targets[:1]
    assert outward[0]["rel"] == "noopener noreferrer nofollow"
    assert all(target in found.text for target in targets)


def test_what_cannot_be_read_wants_somebody_and_hides_nothing(gittask: Program, site: Path) -> None:
    good, bad = gittask.new("Good"), gittask.new("Bad")
    gittask.push({path_of(bad): b"title: ["})
    result = gittask("site", "build", str(site))
    assert "unreadable" in result.err
    assert path_of(bad) in Page(site / "attention.html").text
    assert "Good" in page(site, good).text


# -- how pages are made -----------------------------------------------------------------------


def test_pages_can_be_read_by_everybody(gittask: Program, site: Path, codex: Actor) -> None:
    worked_on(gittask, codex)
    build(gittask, site)
    for path in site.rglob("*.html"):
        found = Page(path)
        assert found.all("html")[0]["lang"] == "en"
        assert [len(found.all(tag)) for tag in ("h1", "main", "title")] == [1, 1, 1], path
        assert found.all("a")[0] == {"href": "#main", "class": "skip"}
        assert found.all("main")[0]["id"] == "main"
        levels = [int(tag[1]) for tag, _ in found.elements if re.fullmatch("h[1-6]", tag)]
        assert all(after <= before + 1 for before, after in zip([0, *levels], levels, strict=False))
        labels = [each["aria-label"] for each in found.all("nav")]
        assert len(set(labels)) == len(labels)
        ids = [each["id"] for _, each in found.elements if "id" in each]
        assert len(set(ids)) == len(ids), path
        named = {each["for"] for each in found.all("label")}
        assert {each["id"] for each in found.all("input", "select")} == named
        for _, each in found.elements:
            assert each.get("aria-labelledby", ids[0]) in ids
        assert len(found.all("caption")) == len(found.all("table"))
        assert all("scope" in each for each in found.all("th"))
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\d(T[\d:.]+Z)?", each["datetime"])
                   for each in found.all("time"))  # fmt: skip
        policy = next(each["content"] for each in found.all("meta") if "http-equiv" in each)
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy


def test_long_lists_are_in_pages(
    gittask: Program, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gittask.views.site.lists.LENGTH", 2)
    monkeypatch.setattr("gittask.views.site.lists.MOST_CARDS", 3)
    tasks = {gittask.new(f"Task {number}") for number in range(5)}
    build(gittask, site)
    names = ["tasks.html", "tasks-2.html", "tasks-3.html"]
    found = [set(re.findall(r"<code>(\w{12})</code>", Page(site / name).source)) for name in names]
    assert [len(each) for each in found] == [2, 2, 1]
    assert set().union(*found) == tasks
    assert [each["href"] for each in Page(site / "tasks-2.html").all("a")].count(
        "tasks-3.html"
    ) == 4
    assert "2 more" in Page(site / "index.html").text
    gittask("close", min(tasks), "--outcome", "done")
    assert build(gittask, site)[2] == 1
    assert not (site / "tasks-3.html").exists()


def test_the_search_has_every_task_once(
    gittask: Program, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gittask.views.site.search._ENDS", {3: 0, 100: 1})
    tasks = [gittask.new(f"Task {number}") for number in range(3)]
    build(gittask, site)
    assert [path.name for path in (site / "search").iterdir()] == ["tasks.js"]
    tasks += [gittask.new("Task 3", "--label", "urgent")]
    build(gittask, site)
    parts = sorted((site / "search").iterdir())
    assert len(parts) == 16
    rows = []
    for path in parts:
        _, _, rest = path.read_text().partition(".push(")
        some = json.loads(rest.rpartition(");")[0])
        assert all(row[0].endswith(path.stem[-1]) for row in some)
        rows += some
    assert sorted(row[0] for row in rows) == sorted(tasks)
    assert ["urgent"] in [row[6] for row in rows]
    listed = [task["id"] for task in gittask.json("list")["tasks"]]
    assert [row[0] for row in sorted(rows, key=lambda row: row[7])] == listed
    sources = [each["src"] for each in Page(site / "search.html").all("script")]
    assert sources == [*(f"search/{path.name}" for path in parts), "site.js"]


def test_a_build_waits_for_another_however_long_that_takes(
    gittask: Program, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gittask.new()
    place = gittask.folder / ".git/gittask/site.lock"
    passed = [0.0]
    with ExitStack() as other:
        assert other.enter_context(lock.hold(place))

        def sleep(_: float) -> None:
            assert not site.exists()
            passed.append(passed[-1] + 60)
            if passed[-1] > 600:
                other.close()

        clock = SimpleNamespace(sleep=sleep, monotonic=lambda: passed[-1])
        monkeypatch.setattr(lock, "time", clock)
        build(gittask, site)
    assert passed[-1] > 600
    assert (site / "index.html").exists()
