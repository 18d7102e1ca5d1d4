"""Any record in full for people: every field that says something, whatever its kind."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from gittask.core.meaning import meant
from gittask.core.record import Data, Reader, Record, canonical
from gittask.core.stamp import stamps
from gittask.core.text import one_line, spaced
from gittask.kinds.approval import standing
from gittask.views import discussion, graph, words
from gittask.views.words import When, block, first_line, when

SHORT = 60
"""How many characters a value has at most that stands beside its name."""

_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"

_TOLD: dict[str, tuple[str, ...]] = {
    "handoff": (
        *("changed", "commits", "verified", "not_verified", "uncertain", "unanswered"),
        *("decisions", "next_action", "contingencies"),
    ),
    "note": ("command", "files"),
}
"""The fields that are told in words of their kind's own."""


def computed(reader: Reader, record: Record, now: str) -> Data:
    """What other records say of a message, an approval or a wait; empty for other kinds.

    ``thread`` of a message as the discussion shows it, ``standing`` of an approval, ``end`` of a
    wait: None while it lasts.
    """
    if record.kind == "message":
        return {"thread": discussion.thread_of(reader, record)}
    if record.kind == "approval":
        return {"standing": standing(reader, record, now)}
    if record.kind == "wait":
        ends = {each.wait.id: each.end for each in graph.waits(reader, record.data["task"], now)}
        return {"end": ends.get(record.id, record.data["state"]["status"])}
    return {}


def text(record: Record, names: Sequence[str], found: Data, *, when: When = when) -> Iterator[str]:
    """A record in lines; ``names`` are its kind's fields in order, ``found`` what is computed.

    Fields that the kind does not know stand behind those. Empty ones are left out.
    """
    of = f" of task {record.task}" if record.task else ""
    yield meant(one_line(f"{record.kind} {record.id}{of}"), "heading")
    yield ""
    data = record.data
    yield from fields(data, names, ("id", "task", *_TOLD.get(record.kind, ())), when)
    for name in ("standing", "end"):
        yield from row(name, found.get(name))
    if record.kind == "handoff":
        yield from ("", *words.handoff(data), *_outputs(data))
    if record.kind == "note":
        said = words.note(data)
        yield from ("", *said) if said else ()
    if "thread" in found:
        yield from part("thread", discussion.lines(found["thread"], when=when))


def row(name: str, value: object) -> Iterator[str]:
    """A short value beside its name; nothing for None or an empty text."""
    if value not in (None, ""):
        yield f"{spaced(name):<12} {one_line(value)}"


def part(name: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines under a heading; nothing if there are none."""
    for place, line in enumerate(lines):
        yield from ("", meant(spaced(name), "heading")) if place == 0 else ()
        yield f"  {line}".rstrip()


def fields(data: Data, names: Sequence[str], without: Collection[str], when: When) -> Iterator[str]:
    """The fields of a record: short ones first, each on a line, then the others under headings."""
    order = dict.fromkeys([*names, *data])
    said = {name: data[name] for name in order if name in data and name not in without}
    long = {}
    for name, value in said.items():
        shown = _short(name, value, when)
        if shown is None:
            long[name] = value
        else:
            yield from row(name, shown)
    for name, value in long.items():
        yield from part(name, _long(name, value, data, when))


def signed(at: str | None, by: str | None, when: When) -> str:
    """Who did something, and when."""
    return f"{when(at)} by {by}" if by else when(at)


def _short(name: str, value: Any, when: When) -> str | None:
    """A value in a few words; empty if it says nothing, None if it needs lines of its own."""
    if value in (None, "", [], {}):
        return ""
    if name == "created":
        return signed(value["at"], value["by"], when)
    if name == "state" and not value.get("reason"):
        return f"{value['status']}, {signed(value['at'], value.get('by'), when)}"
    if isinstance(value, str):
        plain = "\n" not in value and len(value) <= SHORT and name != "body"
        return _value(value, when) if plain else None
    return None if isinstance(value, list | dict) else _value(value, when)


def _value(value: Any, when: When) -> str:
    if isinstance(value, str):
        return when(value) if re.fullmatch(_TIME, value) else value
    return canonical(value)


def _long(name: str, value: Any, data: Data, when: When) -> Iterator[str]:
    if name == "changed":
        for unit, stamp in stamps(data).items():
            yield one_line(f"{unit}: {signed(stamp.at, stamp.by, when)}")
    elif isinstance(value, str):
        yield from block(value, "")
    elif isinstance(value, list):
        for item in value:
            yield one_line(f"- {_item(item, when)}")
    elif isinstance(value, dict):
        for key, each in value.items():
            if each not in (None, "", [], {}):
                yield one_line(f"{key}: {_value(each, when)}")


def _item(item: Any, when: When) -> str:
    if not isinstance(item, dict):
        return _value(item, when)
    said = {key: each for key, each in item.items() if each not in (None, "", [], {})}
    return ", ".join(f"{key}: {_value(each, when)}" for key, each in said.items())


def _outputs(handoff: Data) -> Iterator[str]:
    """What the checks of a handoff printed last."""
    for check in handoff["verified"]:
        if check.get("tail"):
            yield from ("", f"$ {first_line(check.get('command') or check['claim'])}")
            yield from block(check["tail"])
