"""Putting a handoff together from options, a file, and what can be known."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from typing import Any

from gittask.cli.context import read_text
from gittask.core.codec import decode
from gittask.core.record import Data, canonical
from gittask.core.schema import Schemas
from gittask.errors import Invalid, Problem
from gittask.kinds.handoff import NOTHING_MORE

HINTS = {
    "condition": "say how things stand: --condition green, watch or blocked",
    "summary": 'say it in one line: --summary "..."',
    "changed": 'say what changed: --changed "PATH :: WHAT", or --changed none',
    "changed.what": 'write "PATH :: WHAT"',
    "verified": 'say what was checked: --run "COMMAND", --verified "CLAIM", or --verified none',
    "not_verified": 'say what was not: --not-verified "CLAIM :: WHY", or --not-verified none',
    "not_verified.why": 'write "CLAIM :: WHY"',
    "uncertain": 'say what nobody knows: --uncertain "QUESTION :: IMPACT", or --uncertain none',
    "uncertain.impact": 'write "QUESTION :: IMPACT"',
    "next_action": 'say what comes next: --next "DO" --next-by WHO, or --next none',
    "next_action.do": 'say what comes next: --next "DO"',
    "next_action.by": "say who does it: --next-by WHO",
}
"""How to say each part of a handoff that somebody must say; "none" is said, not assumed."""

FILLED_IN = ("id", "task", "execution", "epoch", "actor", "at", "created", "unanswered")
"""The parts that the program knows by itself."""

_PAIRS = {
    "changed": ("path", "what"),
    "not_verified": ("claim", "why"),
    "uncertain": ("question", "impact"),
}


_LISTS = (*_PAIRS, "verified", "decisions", "contingencies")

_NOTHING_FOLLOWS = {"do": NOTHING_MORE, "by": "nobody"}


def said(
    schemas: Schemas, file: str | None, task: str, options: Data
) -> tuple[Data, list[Problem]]:
    """The fields that a file and the options say, and what is wrong with how they say it.

    An option stands before the file; one that was not given says nothing. The word none is an
    empty list, and as the next action that nothing follows.
    """
    report, problems = _from_file(schemas, file, task) if file is not None else ({}, [])
    given = _from_options(options)
    if isinstance(report.get("next_action"), dict):
        given["next_action"] = {**report["next_action"], **given.get("next_action", {})}
    report |= given
    report |= {name: [] for name in _LISTS if _is_none(report.get(name))}
    if _is_none(report.get("next_action")):
        report["next_action"] = dict(_NOTHING_FOLLOWS)
    if isinstance(report.get("uncertain"), list):
        report["uncertain"] = [
            {"who": None, **item} if isinstance(item, dict) else item
            for item in report["uncertain"]
        ]
    return report, problems


def faults(schemas: Schemas, draft: Data, runs: Sequence[str]) -> list[Problem]:
    """What is wrong with a handoff as it would be written, before the checks of it are run."""
    planned = [{"claim": f"{command} passes", "command": command} for command in runs]
    found = schemas.check("handoff", draft)
    checks = schemas.check("handoff", {**draft, "verified": planned})
    found += [problem for problem in checks if problem.field.startswith("verified.")]
    return [
        problem._replace(hint=HINTS.get(re.sub(r"\.\d+", "", problem.field), problem.hint))
        if problem.message == "is missing"
        else problem
        for problem in found
    ]


def _from_options(options: Data) -> Data:
    given: Data = {
        name: options[name]
        for name in ("kind", "condition", "summary")
        if options[name] is not None
    }
    for name, keys in _PAIRS.items():
        if options[name]:
            given[name] = [pair(text, *keys) for text in _items(options[name])]
    if options["verified"]:
        given["verified"] = [{"claim": text} for text in _items(options["verified"])]
    for name, option in (("decisions", "decision"), ("contingencies", "contingency")):
        if options[option]:
            given[name] = list(options[option])
    following = {"do": options["next_do"], "by": options["next_by"]}
    if _is_none(following["do"]):
        following = {**_NOTHING_FOLLOWS, "by": following["by"] or _NOTHING_FOLLOWS["by"]}
    if any(text is not None for text in following.values()):
        given["next_action"] = {key: text for key, text in following.items() if text is not None}
    return given


def _items(texts: Sequence[str]) -> list[str]:
    return [] if len(texts) == 1 and _is_none(texts[0]) else list(texts)


def _is_none(said: Any) -> bool:
    """Whether somebody says that there is nothing: the word, however it is written."""
    return isinstance(said, str) and said.strip().lower() == NOTHING_MORE


def pair(text: str, first: str, second: str) -> Data:
    """The two parts of ``FIRST :: SECOND``; the second is missing where a text says only one."""
    for separator in (" :: ", "::", ": "):
        left, found, right = text.partition(separator)
        if found and left.strip() and right.strip():
            return {first: left.strip(), second: right.strip()}
    return {first: text}


def _from_file(schemas: Schemas, file: str, task: str) -> tuple[Data, list[Problem]]:
    name = "standard input" if file == "-" else file
    text = read_text(file)
    data = _parsed(text, name) if text.strip() else None
    if not isinstance(data, dict):
        raise Invalid([Problem(name, "", "is not a map of fields", "write field: value lines")])
    problems = [
        Problem(name, field, "is filled in by gittask", "leave it out")
        for field in FILLED_IN
        if field in data and not (field == "task" and _names(data[field], task))
    ]
    fields = list(schemas.fields("handoff"))
    for field in schemas.unknown("handoff", data):
        near = difflib.get_close_matches(field, fields, 1)
        hint = f"did you mean {near[0]}?" if near else "see: gittask schema handoff"
        problems.append(Problem(name, field, "is not a field of a handoff", hint))
    return {field: value for field, value in data.items() if field not in FILLED_IN}, problems


def _names(value: Any, task: str) -> bool:
    return isinstance(value, str) and value != "" and task.startswith(value.lower())


def _parsed(text: str, name: str) -> Any:
    """The value of a YAML or JSON text. Most JSON is YAML too, but not its pairs of surrogates."""
    try:
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
        canonical(data).encode()
    except (ValueError, RecursionError):
        return decode(text.encode(), name=name)
    return data


def _unique(pairs: list[tuple[str, Any]]) -> Data:
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


def _no_number(_: str) -> None:
    raise ValueError
