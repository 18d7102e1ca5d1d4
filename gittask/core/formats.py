"""The formats of JSON Schema that our schemas use, really checked.

Validators treat ``format`` as a remark unless they are given the checks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime

_EMAIL = r"[^\s@<>]+@[^\s@<>]+"


def _date_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return len(text) > len("2026-11-30")


def _date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _email(text: str) -> bool:
    return re.fullmatch(_EMAIL, text) is not None


CHECKS: dict[str, Callable[[str], bool]] = {
    "date-time": _date_time,
    "date": _date,
    "email": _email,
}
"""The name of each format, and whether a string is of it."""
