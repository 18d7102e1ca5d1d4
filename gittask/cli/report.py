"""Putting a handoff together from options, a file, and what can be known."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from gittask.cli.context import read_text
from gittask.core.codec import decode
from gittask.core.record import Data
from gittask.core.schema import Schemas
from gittask.errors import Invalid, Problem

REQUIRED = {
    "condition": "say how things stand: --condition green, watch or blocked",
    "summary": 'say it in one line: --summary "..."',
    "changed": 'say what changed: --changed "PATH :: WHAT", or --changed none',
    "verified": 'say what was checked: --run "COMMAND", --verified "CLAIM", or --verified none',
    "not_verified": 'say what was not: --not-verified "CLAIM :: WHY", or --not-verified none',
    "uncertain": 'say what nobody knows: --uncertain "QUESTION :: IMPACT", or --uncertain none',
    "next_action": 'say what comes next: --next "DO" --next-by WHO',
}
"""The parts of a handoff that somebody must say; "none" is said, not assumed."""

FILLED_IN = ("id", "task", "execution", "epoch", "actor", "at", "created")
"""The parts that the program knows by itself."""

_PAIRS = {
    "changed": ("path", "what"),
    "not_verified": ("claim", "why"),
    "uncertain": ("question", "impact"),
}


def from_options(**options: Any) -> Data:
    """The fields that the options say; an option that was not given says nothing."""
    said: Data = {
        name: options[name]
        for name in ("kind", "condition", "summary")
        if options[name] is not None
    }
    problems: list[Problem] = []
    for name, (first, second) in _PAIRS.items():
        if options[name]:
            said[name] = [
                _pair(name, text, first, second, problems) for text in _items(options[name])
            ]
    if options["verified"]:
        said["verified"] = [{"claim": text} for text in _items(options["verified"])]
    for item in said.get("uncertain", ()):
        item.setdefault("who", None)
    for name, option in (("decisions", "decision"), ("contingencies", "contingency")):
        if options[option]:
            said[name] = list(options[option])
    if options["next_do"] is not None or options["next_by"] is not None:
        given = {"do": options["next_do"], "by": options["next_by"]}
        said["next_action"] = {key: text for key, text in given.items() if text is not None}
    if problems:
        raise Invalid(problems, what="handoff refused")
    return said


def _items(texts: Sequence[str]) -> list[str]:
    return [] if [text.strip().lower() for text in texts] == ["none"] else list(texts)


def _pair(field: str, text: str, first: str, second: str, problems: list[Problem]) -> Data:
    for separator in (" :: ", "::", ": "):
        left, found, right = text.partition(separator)
        if found and left.strip() and right.strip():
            return {first: left.strip(), second: right.strip()}
    hint = f'write "{first.upper()} :: {second.upper()}"'
    problems.append(Problem("", field, f"does not say its {second}: {text[:60]!r}", hint))
    return {first: text, second: ""}


def from_file(schemas: Schemas, file: str, task: str) -> Data:
    """The fields that a YAML or JSON file says. Raises Invalid with all its problems."""
    name = "standard input" if file == "-" else file
    data = decode(read_text(file).encode(), name=name)
    if not isinstance(data, dict):
        raise Invalid([Problem(name, "", "is not a map of fields", "write field: value lines")])
    problems = [
        Problem(name, field, "is filled in by gittask", "leave it out")
        for field in FILLED_IN
        if field in data and not (field == "task" and task.startswith(str(data[field]).lower()))
    ]
    fields = list(schemas.fields("handoff"))
    for field in schemas.unknown("handoff", data):
        near = get_close_matches(field, fields, 1)
        hint = f"did you mean {near[0]}?" if near else "see: gittask schema handoff"
        problems.append(Problem(name, field, "is not a field of a handoff", hint))
    if problems:
        raise Invalid(problems, what="handoff refused")
    return {field: value for field, value in data.items() if field not in FILLED_IN}


def require(report: Data) -> None:
    """Refuse a report that leaves out a part, naming every one, with the option that says it."""
    problems = [
        Problem("", field, "is missing", hint)
        for field, hint in REQUIRED.items()
        if field not in report
    ]
    if problems:
        raise Invalid(problems, what="handoff refused")
