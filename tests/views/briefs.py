"""What the tests of briefs share: a reader's view of a task in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gittask.core.record import Record
from gittask.views.brief.compose import Brief, brief
from gittask.views.brief.item import About
from tests.memory import NOW, MemoryReader, actor, store

HEAD = "a" * 40
SAME = "b" * 40
OLD = "c" * 40
GONE = "d" * 40


class CodeAt:
    """Code whose present commit is ``HEAD``, with these files."""

    commit: str | None = HEAD

    def __init__(self, files: Mapping[str, str] | None = None) -> None:
        self.files = files or {}

    def age(self, commit: str) -> str:
        return {HEAD: "present", SAME: "present", OLD: "stale"}.get(commit, "unknown")

    def read(self, path: str) -> tuple[str, str | None]:
        text = self.files.get(path)
        return ("there" if text is not None else "no such file there"), text


ACTORS = (actor("alice"), actor("bob"), actor("codex-1", "agent"), actor("claude-1", "agent"))


def about(
    task: Record,
    *records: Record,
    who: str = "codex-1",
    under: Record | None = None,
    role: str = "editor",
    files: Mapping[str, str] | None = None,
    at: str = NOW,
    **more: Any,
) -> About:
    """Who reads a brief about a task among these records."""
    kept = [] if any(one.kind == "store" for one in records) else [store()]
    reader = MemoryReader(task, *kept, *ACTORS, *records)
    reads = next(one for one in ACTORS if one.id == who)
    return About(reader, task, reads, under, role, at, CodeAt(files), **more)


def text(found: About, budget: int = 20_000) -> str:
    """A brief as it is printed."""
    return "\n".join(brief(found, budget).lines)


def made(task: Record, *records: Record, budget: int = 20_000, **how: Any) -> Brief:
    """A brief about a task among these records."""
    return brief(about(task, *records, **how), budget)


def part(found: Brief, name: str) -> list[dict[str, Any]]:
    """The items of a section; none if it is not there."""
    sections = {each["name"]: each["items"] for each in found.as_json()["sections"]}
    items: list[dict[str, Any]] = sections.get(name, [])
    return items


def texts(found: Brief, name: str) -> list[str]:
    """The quoted texts of a section."""
    return [item["text"] for item in part(found, name) if "text" in item]


def labels(found: Brief, name: str) -> str:
    """The program's own words of a section."""
    return "\n".join(item["label"] for item in part(found, name))


def commands(found: Brief) -> list[str]:
    """The commands of a brief."""
    return [each["command"] for each in found.as_json()["commands"]]
