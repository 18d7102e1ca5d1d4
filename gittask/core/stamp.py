"""Stamps: who set a field, when, and in which order.

``title: 7 2026-11-30T10:04:11.123Z alice`` under ``changed`` says that the title was set by
alice, as the seventh change of this record that she could see. Order is by the counter, then by
the actor; the time is for people and decides nothing (Lamport 1978).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

PATTERN = re.compile(
    r"([1-9][0-9]{0,14}) ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z) ([a-z0-9][a-z0-9._-]*)"
)

GREATEST = 10**15 - 1
"""The greatest counter that a stamp can have."""

ABSURD = 10**12
"""From here on a counter was set by hand: no record is changed so often."""


class Stamp(NamedTuple):
    """One change of one unit of a record, ordered by counter, then actor, then time."""

    counter: int
    by: str
    at: str

    def __str__(self) -> str:
        return f"{self.counter} {self.at} {self.by}"


def parse(text: object) -> Stamp | None:
    """The stamp that a text of ``changed`` says, or None where it says none."""
    match = PATTERN.fullmatch(text) if isinstance(text, str) else None
    return Stamp(int(match[1]), match[3], match[2]) if match else None


def following(known: Iterable[Stamp]) -> int:
    """The counter of a stamp that comes after these.

    After the greatest there is none: then only actor and time tell an order.
    """
    return min(1 + highest(known), GREATEST)


def highest(known: Iterable[Stamp]) -> int:
    """The highest counter of these stamps; 0 of none."""
    return max((stamp.counter for stamp in known), default=0)


def stamps(data: Mapping[str, Any]) -> dict[str, Stamp]:
    """The readable stamps of a record, by unit (``title``, ``labels.urgent``)."""
    changed = data.get("changed")
    if not isinstance(changed, dict):
        return {}
    found = ((unit, parse(text)) for unit, text in changed.items())
    return {unit: stamp for unit, stamp in found if stamp is not None}


def latest(data: Mapping[str, Any], *units: str) -> Stamp:
    """Who last set any of these units of a record; without one, who last changed the record.

    A unit is also set by what is done to a part of it, even if that is gone since (``allowed``: to
    ``allowed.x``), and by the coming of what it is a part of (``links.a.target``: of ``links.a``).
    One that nobody set since has the stamp of the record's creation.
    """
    found = (
        stamp
        for unit, stamp in stamps(data).items()
        if not units or any(_overlap(unit, one) for one in units)
    )
    return max(found, default=creation(data))


def _overlap(*units: str) -> bool:
    """Whether one of two units is the other, or a part of it."""
    whole, part = sorted((f"{unit}." for unit in units), key=len)
    return part.startswith(whole)


def creation(data: Mapping[str, Any]) -> Stamp:
    """The stamp of every unit that was not changed since the record was made: counter 0."""
    created = data.get("created")
    created = created if isinstance(created, dict) else {}
    return Stamp(0, str(created.get("by", "")), str(created.get("at", "")))
