"""Lengths of time as people write them: ``90s``, ``15m``, ``2h``, ``1d``."""

from __future__ import annotations

import re

from gittask.errors import Usage

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_PATTERN = re.compile("([0-9]{1,6})([smhd])")


def seconds(text: str) -> float:
    """How many seconds a text says. Raises Usage for anything else."""
    match = _PATTERN.fullmatch(text.strip().lower())
    if not match:
        raise Usage(f"{text!r} is no length of time", hint="write 90s, 15m, 2h or 1d")
    return float(match[1]) * _UNITS[match[2]]


def words(seconds: float) -> str:
    """A length of time for people, in its largest whole unit: ``26 min``."""
    for name, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {name}"
    return f"{int(seconds)} s"
