"""Small pieces of wording that the views share."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from gittask.core import duration, names
from gittask.core.ids import SHORTEST
from gittask.core.moment import when as when
from gittask.core.record import Data, Reader, canonical
from gittask.core.text import one_line, shorten, spaced

When = Callable[[str | None], str]
"""How a record's time is said to people."""


def ago(at: str | None, now: str) -> str:
    """A record's time as how far it is from ``now``: ``3 h ago``, ``in 20 min``.

    One that is a day away or further says more in full, as ``when`` has it.
    """
    if not at:
        return when(at)
    away = (_time(at) - _time(now)).total_seconds()
    if abs(away) >= DAY:
        return when(at)
    if away > 0:
        return f"in {duration.words(away)}"
    return f"{duration.words(-away)} ago" if away <= -60 else JUST_NOW


DAY = 24 * 60 * 60
"""Seconds."""
JUST_NOW = "just now"


def _time(at: str) -> datetime:
    time = datetime.fromisoformat(at)
    return time.replace(tzinfo=time.tzinfo or UTC)


def timed(word: str, time: str) -> str:
    """A time behind ``at``, ``since`` or ``until``, as one says it.

    Behind ``at`` one that is relative stands alone: "3 h ago". Behind ``since`` it is how long
    that lasts, "for 3 h", and behind ``until`` how long it still will: "for another 20 min".
    """
    past = time == JUST_NOW or time.endswith(" ago")
    if word == "at" and (past or time.startswith("in ")):
        return time
    if word == "since" and past:
        return "for a moment" if time == JUST_NOW else f"for {time.removesuffix(' ago')}"
    if word == "until" and time.startswith("in "):
        return f"for another {time.removeprefix('in ')}"
    return f"{word} {time}"


def first_line(text: object) -> str:
    """The first line of a text that says something, safe to show."""
    lines = str(text).strip().splitlines()
    return one_line(lines[0]) if lines else ""


def short(reader: Reader, id: str) -> str:
    """The shortest unique prefix of a task's id; all of it, if there is no such task."""
    known = reader.near("task", id[:SHORTEST])
    return names.shortest(known, id) if id in known else one_line(id)


def item(value: Data) -> str:
    """The words of an item of a list, without its id; of one that has none its id."""
    said = [text for name, text in value.items() if name != "id" and isinstance(text, str)]
    return " ".join(said) or str(value["id"])


def value(value: Any, width: int) -> str:
    """A value as JSON, in at most so many characters; what is not there is "none"."""
    return "none" if value is None else shorten(one_line(canonical(value)), width)


def block(text: str, indent: str = "  ") -> list[str]:
    """A text of several lines, set in."""
    return [f"{indent}{line}".rstrip() for line in text.splitlines()]


def workspace(data: Data) -> str:
    """Where the code is, in a line; empty if that is not known."""
    parts = {**data, "head": (data.get("head") or "")[:12]}
    names = ("repo", "branch", "path", "head")
    said = ", ".join(f"{name} {parts[name]}" for name in names if parts.get(name))
    return f"{said}, with changes" if data.get("dirty") else said


def handoff(data: Data) -> list[str]:
    """What a handoff says below its summary, in lines for people; "none" is said too."""
    return [line for lines in _handoff(data) for line in lines]


def _handoff(data: Data) -> Iterator[list[str]]:
    yield _part("changed", [f"{item['path']}: {item['what']}" for item in data["changed"]])
    commits = data.get("commits") or []
    yield _part("commits", [_commit(item) for item in commits]) if commits else []
    yield _part("verified", [_check(item) for item in data["verified"]])
    yield _part(
        "not verified", [f"{item['claim']}, because {item['why']}" for item in data["not_verified"]]
    )
    yield _part("uncertain", [_question(item) for item in data["uncertain"]])
    left_open = data.get("unanswered")
    if left_open:
        because = f"left open, because {first_line(left_open['reason'])}"
        yield _part(because, [f"question {id}" for id in left_open["questions"]])
    for name in ("decisions", "contingencies"):
        yield _part(name, data[name]) if data.get(name) else []
    following = data["next_action"]
    yield [f"next: {one_line(following['do'])} (by {one_line(following['by'])})"]


def _part(name: str, items: Sequence[str]) -> list[str]:
    if not items:
        return [f"{name}: none"]
    return [f"{name}:", *(f"  - {one_line(item)}" for item in items)]


def _commit(item: Data) -> str:
    return f"{item['sha'][:12]} {item.get('subject') or ''}".rstrip()


def _check(item: Data) -> str:
    said = [f"{item['claim']}"]
    if item.get("command"):
        said.append(f"`{item['command']}`")
    if item.get("exit_code") is not None:
        said.append(f"exit code {item['exit_code']}")
    if item.get("commit"):
        said.append(f"at {item['commit'][:12]}" + (" with changes" if item.get("dirty") else ""))
    return ", ".join(said)


def _question(item: Data) -> str:
    who = f"; {item['who']} could say" if item["who"] else ""
    return f"{item['question']} (matters for: {item['impact']}{who})"


def review(data: Data) -> list[str]:
    """What a review says: its verdict, and each text that it has, as they are written."""
    said = [data.get("synthesis"), *(data.get("findings") or ()), *(data.get("questions") or ())]
    return [spaced(data["verdict"]), *filter(None, said)]


def note(data: Data) -> list[str]:
    """What a note says below its text: the command that was run, the files it speaks of."""
    lines = []
    command = data.get("command")
    if command:
        lines += [
            f"$ {one_line(_typed(command['argv']))}",
            *block(command["tail"]),
            f"exit code {command['exit_code']}",
        ]
    return lines + [
        f"- {one_line(file['path'])}: {one_line(file['what'])}" for file in data.get("files") or []
    ]


def _typed(argv: Sequence[str]) -> str:
    """A command as one would type it."""
    if len(argv) == 3 and tuple(argv[:2]) in (("sh", "-c"), ("cmd", "/c")):
        return argv[2]
    return shlex.join(argv)
