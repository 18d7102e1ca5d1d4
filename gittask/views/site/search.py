"""The page that searches, filters and sorts all tasks, and what it searches in.

A browser may load no data from a disk but as a script: so the tasks come in files that hand them
over, each a bounded part of all, chosen by the ends of the ids.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from gittask.core.text import one_line
from gittask.views.site.frame import SCRIPT_FILE, Page
from gittask.views.site.gather import Row
from gittask.views.site.lists import LONGEST
from gittask.views.site.tags import tag

_ENDS = {1_000: 0, 50_000: 1}
"""Up to how many tasks how many digits at the end of an id choose the part."""


def parts(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The tasks by the name of the file in which they are, in order of id."""
    digits = next((digits for most, digits in _ENDS.items() if len(rows) <= most), 2)
    ends = [""] if digits == 0 else [f"{n:0{digits}x}" for n in range(16**digits)]
    found: dict[str, list[Row]] = {end: [] for end in ends}
    for row in sorted(rows):
        found[row.id[len(row.id) - digits :]].append(row)
    return {f"search/tasks{f'-{end}' if end else ''}.js": some for end, some in found.items()}


def part(rows: Sequence[Row]) -> str:
    """The script that hands some tasks over."""
    lines = ",\n".join(json.dumps(_fields(row)) for row in rows)
    return f'"use strict";\n(window.tasks ??= []).push([\n{lines}\n]);\n'


def _fields(row: Row) -> list[object]:
    """A task, safe to show, in the order in which the script reads it."""
    texts = (row.title[:LONGEST], row.stands, row.responsible, row.holder, row.project)
    more = one_line(f"{row.why} {row.report}".strip())
    labels = [one_line(label) for label in row.labels]
    return [row.id, *map(one_line, texts), labels, row.rank, row.updated, more]


def search(page: Page, files: Sequence[str]) -> str:
    """The page; what it finds is put there by the script."""
    fields = [tag("div", *_labelled("q", "Words", "input"), class_="words")]
    for name, title in _CHOICES.items():
        fields.append(tag("div", *_labelled(name, title, "select")))
    lead = (
        "Words are looked for in titles, ids, labels, names of people and projects, the beginning "
        "of why a task exists, and the summary of its last handoff."
    )
    without = tag(
        "noscript",
        tag("p", "Searching needs JavaScript. Without it: ", page.to("tasks.html", "open tasks"),
            ", ", page.to("closed.html", "closed tasks"), "."),
    )  # fmt: skip
    return page.document(
        "Search",
        tag("h1", "Search"),
        tag("p", lead, class_="soft"),
        without,
        tag("form", *fields, role="search", hidden="hidden"),
        tag("p", role="status", id="count"),
        tag("div", id="found"),
        scripts=(*files, SCRIPT_FILE),
    )


_CHOICES = {
    "stands": "State",
    "project": "Project",
    "responsible": "Responsible",
    "holder": "Works on it",
    "label": "Label",
    "sort": "Order",
}


def _labelled(name: str, title: str, kind: str) -> tuple[Element, Element]:
    field = tag(kind, id=name, name=name)
    if kind == "input":
        field.set("type", "search")
        field.set("autocomplete", "off")
    return tag("label", title, for_=name), field


SCRIPT = """\
// Searches the tasks that the other scripts handed over. Texts only ever become text.
"use strict";
(() => {
  const MOST = 200;
  const plain = text => text.normalize("NFKD").replace(/\\p{M}/gu, "").toLowerCase();
  const tasks = (window.tasks ?? []).flat().map(
    ([id, title, stands, responsible, holder, project, label, rank, updated, more]) => ({
      id, title, stands, responsible, holder, project, label, rank, updated,
      priority: rank[0], due: rank.slice(2, 12).replace("9999-99-99", ""),
      words: plain([id, title, responsible, holder, project, ...label, more].join(" ")),
    }));
  const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const closed = task => task.stands === "done" || task.stands === "cancelled";
  const urgent = (a, b) => closed(a) - closed(b) || byText(a.rank, b.rank);
  const orders = {
    "most urgent first": urgent,
    "last changed first": (a, b) => byText(b.updated, a.updated) || byText(a.id, b.id),
    "by title": (a, b) => a.title.localeCompare(b.title) || byText(a.id, b.id),
  };
  const form = document.querySelector("form");
  const count = document.getElementById("count");
  const found = document.getElementById("found");
  const filters = ["stands", "project", "responsible", "holder", "label"];

  const make = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const choices = (name, values, first) => {
    const field = form.elements[name];
    if (first) field.append(make("option", first, { value: "" }));
    for (const value of values) field.append(make("option", value, { value }));
  };
  for (const name of filters) {
    const values = new Set(tasks.flatMap(task => task[name]));
    values.delete("");
    choices(name, [...values].sort(), "any");
  }
  choices("sort", Object.keys(orders));

  const cell = (head, child) => {
    const made = make("td", "", { "data-head": head });
    made.append(child);
    return made;
  };
  const row = task => {
    const made = make("tr");
    const name = make("th", "", { scope: "row" });
    const link = make("a", "", { href: `tasks/${task.id.slice(-2)}/${task.id}.html` });
    link.append(make("bdi", task.title));
    name.append(link);
    made.append(name,
      cell("State", make("span", task.stands, { class: `chip ${task.stands}` })),
      cell("Priority", `P${task.priority}`),
      cell("Who", task.holder ? `${task.holder} works on it` : task.responsible),
      cell("Due", task.due), cell("Project", task.project), cell("Id", make("code", task.id)));
    return made;
  };
  const show = () => {
    const wanted = plain(form.elements.q.value).split(/\\s+/).filter(Boolean);
    const chosen = filters.map(name => [name, form.elements[name].value]).filter(([, v]) => v);
    const fits = task =>
      wanted.every(word => task.words.includes(word)) &&
      chosen.every(([name, value]) => [task[name]].flat().includes(value));
    const all = tasks.filter(fits).sort(orders[form.elements.sort.value]);
    const some = all.slice(0, MOST);
    count.textContent = `${all.length} of ${tasks.length} tasks` +
      (all.length > MOST ? `; the first ${MOST} are shown` : "");
    const table = make("table");
    const head = make("tr");
    for (const name of ["Task", "State", "Priority", "Who", "Due", "Project", "Id"])
      head.append(make("th", name, { scope: "col" }));
    const top = make("thead"), body = make("tbody");
    top.append(head);
    body.append(...some.map(row));
    table.append(make("caption", "Tasks that were found"), top, body);
    found.replaceChildren(...(some.length ? [table] : []));
  };
  form.addEventListener("submit", event => event.preventDefault());
  let later;
  form.addEventListener("input", () => { clearTimeout(later); later = setTimeout(show, 120); });
  form.hidden = false;
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of asked)
    if (name in form.elements) form.elements[name].value = value;
  show();
})();
"""
