"""What governs the work on a task: instructions, the files they name, and what is allowed."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Record
from gittask.core.stamp import latest
from gittask.core.text import shorten
from gittask.errors import Invalid
from gittask.kinds import readable
from gittask.kinds.approval import NOTHING
from gittask.kinds.preference import Said, policy, said
from gittask.views.brief.files import LONGEST, Named, look, named
from gittask.views.brief.item import About, Item, actor_name
from gittask.views.words import when

LINK = "instructions"
"""The relation of a task's link to a file that governs the work."""

SHOW_FILE = "git show HEAD:FILE"
"""How a named file is seen; its name is a record's text, and so stands in a quote."""


def instructions(about: About) -> Iterator[Item]:
    """The instructions of each level, the nearest first, and the files that they name."""
    found = said(about.reader, about.task, "instructions", about.actor.id)
    if len(found) > 1:
        yield Item("Where two of these differ, the one above decides")
    for one in found:
        record = _record(about, one)
        stamp = latest(record.data if record else {}, "instructions")
        by = f"{actor_name(stamp.by)} ({about.kind_of(stamp.by)}), {when(stamp.at)}"
        yield Item(f"Instructions of the {_level(one)}, set by {by}", one.value)
    files = governing_files(about)
    for _, file in files:
        yield Item(f"A file to read at the code's present commit: {file.found}", file.name)
    if not found and not files:
        yield Item("None are written down")


def _record(about: About, one: Said) -> Record | None:
    if one.level == "task":
        return about.task
    return readable(about.reader, one.level, one.id, task=None)


def _level(one: Said) -> str:
    return one.level if one.level == "store" else f"{one.level} {one.id}"


def governing_files(about: About) -> list[tuple[str, Named]]:
    """The files that instructions and links of the task name, each once, with who names them."""
    names: dict[str, str] = {}
    for one in said(about.reader, about.task, "instructions", about.actor.id):
        record = _record(about, one)
        by = latest(record.data if record else {}, "instructions").by
        for name in named(one.value):
            names.setdefault(name, by)
    for link in about.task.data.get("links") or []:
        if link["rel"] == LINK:
            units = (f"links.{link['id']}.{name}" for name in ("rel", "target"))
            names.setdefault(link["target"], latest(about.task.data, *units).by)
    return [(by, look(about.code, name)) for name, by in names.items()]


def files(about: About) -> Iterator[Item]:
    """The texts of the files that instructions name, as far as they are there."""
    for by, file in governing_files(about):
        if file.text:
            by = actor_name(by)
            label = f"A file that instructions set by {by} name, at the code's present commit"
            yield Item(label, f"{file.name}\n\n{shorten(file.text, LONGEST)}", see=SHOW_FILE)


def allowed(about: About) -> Iterator[Item]:
    """What needs no approval."""
    task = about.task
    try:
        found = policy(about.reader, "allowed", task, task.data.get("project"), about.actor.id)
    except Invalid:
        yield Item("What needs no approval is not known, for a record cannot be read: ask first")
        return
    if found is None or NOTHING in found.value:
        yield Item("Nothing is written down as allowed without approval")
        return
    record = _record(about, found)
    by = latest(record.data if record else {}, "allowed").by
    label = f"Allowed without approval by the {_level(found)}, unless it was denied"
    yield Item(label, "\n".join(found.value), by, did="set")
