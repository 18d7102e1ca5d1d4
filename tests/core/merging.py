"""Short ways to say an edit and to merge, for tests that look at one merge at a time."""

from __future__ import annotations

from typing import Any

from gittask.core.merge import Merged, merge
from gittask.core.record import Data
from gittask.core.units import Rules, stamped
from tests.core.histories import RULES, TIMES

EARLY, MIDDLE, LATE = TIMES


def edit(before: Data, by: str, at: str = MIDDLE, rules: Rules = RULES, **fields: Any) -> Data:
    return stamped(rules, before, before | fields, at, by)


def both(base: Data | None, left: Data, right: Data, rules: Rules = RULES) -> Merged:
    """The merge, which must be the same from either side."""
    merged = merge(rules, base, left, right)
    assert merged == merge(rules, base, right, left)
    return merged


def line(counter: int, by: str, at: str = MIDDLE) -> str:
    return f"{counter} {at} {by}"


def item(key: str, text: str = "p", met: Any = False) -> Data:
    return {"id": key, "text": text, "met": met}
