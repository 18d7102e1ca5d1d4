"""Lengths of time as people write them: ``90s``, ``15m``, ``2h``, ``1d``."""

from __future__ import annotations

import re

from gittask.errors import Usage

_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_NAMES = {"m": "min"}  # where the letter alone says too little
_PATTERN = f"([0-9]{{1,6}})([{''.join(_UNITS)}])"


def seconds(text: str) -> float:
    """How many seconds a text says. Raises Usage for anything else."""
    match = re.fullmatch(_PATTERN, text.strip().lower())
    if not match:
        raise Usage(f"{text!r} is no length of time", hint="write 90s, 15m, 2h or 1d")
    return float(match[1]) * _UNITS[match[2]]


def words(seconds: float) -> str:
    """A length of time for people, in its largest whole unit: ``26 min``."""
    unit = next((unit for unit, size in _UNITS.items() if seconds >= 2 * size), "s")
    return f"{int(seconds // _UNITS[unit])} {_NAMES.get(unit, unit)}"
