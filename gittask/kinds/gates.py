"""The checks that a pull request has to pass, and how much each matters in a store or a project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from gittask.core.record import Reader, Record
from gittask.errors import Invalid, Problem

Level = Literal["off", "warn", "fail"]

RULES: dict[str, tuple[Level, str]] = {
    "linked": ("warn", "a task says why the change exists"),
    "handoff": ("fail", "whoever did the work handed it off"),
    "evidence": ("fail", "what the last handoff verified is of this head"),
    "uncertain": ("fail", "nothing is uncertain, or a person waived it"),
    "acceptance": ("warn", "all that must be true at the end is met"),
    "acknowledged": ("warn", "somebody else reviewed the last handoff"),
    "authority": ("warn", "the records were written by who may"),
    "signatures": ("off", "the records are signed by whom they name"),
}
"""Each check with its level where nobody says another, and what passes it."""

_SIGNATURES: dict[str | None, Level] = {"warn": "warn", "require": "fail"}


def levels(reader: Reader, project: str | None) -> dict[str, Level]:
    """How much each check matters for the tasks of a project, or of none.

    The project goes before the store, check by check; for ``signatures`` what the store wants of
    them stands unless checks say otherwise. Raises Invalid where one of them cannot be read.
    """
    store = _read(reader, "store", "")
    found: dict[str, Level] = {rule: level for rule, (level, _) in RULES.items()}
    found["signatures"] = _SIGNATURES.get(store.data.get("signatures"), "off")
    found |= _said(store)
    return found | _said(_read(reader, "project", project)) if project else found


def strictest(found: Iterable[Mapping[str, Level]]) -> dict[str, Level]:
    """Of several, how much each check matters where it matters most."""
    order: tuple[Level, ...] = ("off", "warn", "fail")
    known = list(found)
    return {rule: max((one[rule] for one in known), key=order.index) for rule in RULES}


def _said(record: Record) -> dict[str, Level]:
    listed = record.data.get("checks") or []
    return {item["id"]: item["level"] for item in listed if item["id"] in RULES}


def _read(reader: Reader, kind: str, id: str) -> Record:
    found = reader.get(kind, id)
    if found is None:
        what = f"is not known: {kind} {id}".rstrip()
        raise Invalid([Problem("", "checks", f"{what} is missing", "see: gittask verify")])
    return found
