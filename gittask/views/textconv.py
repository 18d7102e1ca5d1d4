"""A record's file as lines for people, as git shows them in a diff (``diff.gittask.textconv``).

Git gives the content and nothing else: neither path nor commit. So what a field is called says
how it reads, whatever the kind. A change of one field is a change of one line, which ends with
who set it: the stamps of ``changed`` stand where what they are about stands. Nothing that a file
says is left out but what is empty, the counters of stamps, and times below the minute; commits,
and the execution that holds a task, go by their short names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gittask.core import ids
from gittask.core.codec import decode
from gittask.core.moment import when
from gittask.core.record import Data, canonical
from gittask.core.stamp import Stamp, stamps
from gittask.core.text import many_lines, one_line, spaced
from gittask.errors import Invalid, Problem

SHA = 12
"""How many characters of a commit's name are shown."""

_PHRASES: dict[str, tuple[str, ...]] = {
    "created": ("{at}", " by {by}"),
    "state": (
        *("{status}", ", held by {holder}", " since {since}", ", claim {epoch}"),
        *(" by {by}", ", {at}", ": {outcome}", ": {reason}"),
    ),
    "acceptance": ("{met}", " {id}:", " {text}", "; evidence: {evidence}"),
    "links": ("{id}:", " {rel}", " {target}", ", {title}"),
    "changed": ("{path}", ": {what}"),
    "files": ("{path}", ": {what}"),
    "commits": ("{sha}", " {subject}", ", on {branch}", ", {at}"),
    "verified": (
        *("{claim}", ", `{command}`", ", exit code {exit_code}"),
        *(", at {commit}", ", with changes: {dirty}", ", {at}"),
    ),
    "not_verified": ("{claim}", ", because {why}"),
    "uncertain": ("{question}", " (matters for: {impact})", ", {who} could say"),
    "unanswered": ("{questions}", ", because {reason}"),
    "next_action": ("{do}", " (by {by})"),
    "runtimes": (
        *("{id}:", " {provider}", " {model}", " on {host}", ", process {pid}"),
        *(", since {started}", ", ended {ended}", ": {ended_reason}"),
    ),
    "spent": ("{at}", " by {by}", ", under {execution}"),
    "kept_by": ("{by}", ", {at}"),
    "lost_by": ("{by}", ", {at}"),
    "command": ("{argv}", ", exit code {exit_code}"),
    "workspace": (", repo {repo}", ", branch {branch}", ", path {path}", ", head {head}"),
    "overtakes": ("{execution}", ", reports seen: {reports}"),
}
"""How the objects in a field of this name read, in pieces: one whose value is empty is left out,
and what no piece names stands behind them."""

_NAMES = {"state": "status"}
"""Fields that are better known by another name."""

_KEY = re.compile(r"{(\w+)}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")

AS_IT_IS = "gittask shows this file as it is: {why}"
"""The line above what is no record, or cannot be read."""


def lines(content: bytes) -> Iterator[str]:
    """The lines for the content of any file, safe to show. It fails for none.

    What is no record, or none that can be read, comes as it is, below a line that says why.
    """
    try:
        data = decode(content)
        why = "" if _is_record(data) else "it holds no record"
    except Invalid as error:
        data, why = None, _why(error.problems[0])
    if not why:
        yield from _record(data)
        return
    yield one_line(AS_IT_IS.format(why=why))
    text = many_lines(content.decode("utf-8", "backslashreplace"))
    yield from text.removesuffix("\n").split("\n") if text else ()


def _why(problem: Problem) -> str:
    place = f"line {problem.line}: " if problem.line else ""
    return f"{place}{problem.message}"


def _is_record(data: Any) -> bool:
    """Whether it has what every record has, of whatever kind, and of a newer program too."""
    return isinstance(data, dict) and "id" in data and isinstance(data.get("created"), dict)


def _record(data: Data) -> Iterator[str]:
    known = stamps(data)
    mutable = isinstance(data.get("changed"), dict)
    for name, value in data.items():
        if name == "changed" and mutable:
            continue
        if value or value in (0, False) or name in known or (value == [] and not mutable):
            yield from _field(name, value, known)
    gone = {unit: stamp for unit, stamp in known.items() if not _told(data, unit)}
    yield from (f"{one_line(unit)}: removed{_signed(stamp)}" for unit, stamp in gone.items())
    changed = data["changed"] if mutable else {}
    broken = {unit: line for unit, line in changed.items() if unit not in known}
    yield from (one_line(f"changed {unit}: {_value(line)}") for unit, line in broken.items())


def _told(data: Data, unit: str) -> bool:
    """Whether the lines of a record have a place for the stamp of a unit."""
    field, _, key = unit.partition(".")
    value = data.get(field)
    if not key or not isinstance(value, list):
        return field in data and not key
    return any(key == _key(item) or key.startswith(f"{_key(item)}.") for item in value)


def _key(item: Any) -> Any:
    """What the units of an item, or of an element of a set, are called by."""
    return item.get("id") if isinstance(item, dict) else item


def _field(name: str, value: Any, known: Mapping[str, Stamp]) -> Iterator[str]:
    title, signed = one_line(spaced(_NAMES.get(name, name))), _signed(known.get(name))
    if isinstance(value, dict) and value:
        first, *rest = _object(name, value)
        yield f"{title}: {first}{'' if _says(value, known.get(name)) else signed}"
        yield from _set_in(rest, 2)
    elif isinstance(value, list) and value:
        yield f"{title}:{signed}"
        for item in value:
            yield from _item(name, item, known)
    elif isinstance(value, str) and "\n" in value:
        yield f"{title}:{signed}"
        yield from _set_in(many_lines(value).split("\n"), 2)
    else:
        yield f"{title}: {_value(value)}{signed}"


def _item(name: str, item: Any, known: Mapping[str, Stamp]) -> Iterator[str]:
    """One item of a list, signed by who brought it and by who set a part of it since."""
    unit = f"{name}.{_key(item)}"
    if isinstance(item, dict) and item:
        first, *rest = _object(name, item)
    else:
        text = item if isinstance(item, str) else _value(item)
        first, *rest = map(one_line, text.split("\n"))
    signed: dict[Stamp, list[str]] = {}
    for each, stamp in known.items():
        if each == unit or (isinstance(item, dict) and each.startswith(f"{unit}.")):
            signed.setdefault(stamp, []).append(each[len(unit) + 1 :])
    said = (_signed(stamp, ", ".join(parts)) for stamp, parts in signed.items())
    yield f"  - {first}{''.join(said)}"
    yield from _set_in(rest, 4)


def _object(name: str, value: Data) -> Iterator[str]:
    """An object in a line, and texts of several lines below that, each under its name."""
    said = {key: each for key, each in value.items() if each not in (None, "", [], {})}
    long = {key: each for key, each in said.items() if isinstance(each, str) and "\n" in each}
    text = ""
    for piece in _PHRASES.get(name, ()):
        (key,) = _KEY.findall(piece)
        if key in said and key not in long:
            words = piece if text else piece.lstrip(", ")
            text += words.replace(f"{{{key}}}", _named(key, said.pop(key)))
    rest = {key: each for key, each in said.items() if key not in long}
    others = (f"{spaced(key)}: {_value(each)}" for key, each in rest.items())
    yield one_line(", ".join(filter(None, [text, *others])))
    for key, each in long.items():
        yield f"{one_line(spaced(key))}:"
        yield from _set_in(many_lines(each).split("\n"), 2)


def _named(key: str, value: Any) -> str:
    """A value in a phrase, where its name says how it reads."""
    if key == "met" and isinstance(value, bool):
        return "[x]" if value else "[ ]"
    if key == "holder" and isinstance(value, str):
        return ids.ending(value) or value
    return spaced(value) if key == "status" else _value(value)


def _value(value: Any) -> str:
    if value in (None, [], ""):
        return "none"
    if not isinstance(value, str):
        return ("no", "yes")[value] if isinstance(value, bool) else canonical(value)
    if _TIME.fullmatch(value):
        return when(value)
    return value[:SHA] if _COMMIT.fullmatch(value) else one_line(value)


def _set_in(lines: Iterable[str], by: int) -> Iterator[str]:
    return (f"{' ' * by}{line}" if line else "" for line in lines)


def _says(value: Data, stamp: Stamp | None) -> bool:
    """Whether an object says itself who set it and when."""
    return stamp is not None and (value.get("at"), value.get("by")) == (stamp.at, stamp.by)


def _signed(stamp: Stamp | None, what: str = "") -> str:
    """Who set something, and when, as it stands at the end of its line."""
    if stamp is None:
        return ""
    said = one_line(f"{what} by {stamp.by}, {when(stamp.at)}").strip()
    return f" ({said})"
