"""Times as people type them: a day, a time, or how long from now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from gittask.core import duration
from gittask.core.text import one_line
from gittask.errors import Usage

POINTS = "a day (2026-11-30), a time (2026-11-30T10:04)"


def moment(text: str, now: str) -> str:
    """The time that is meant, as records write it. Raises Usage for what names none.

    Either a day or a time, as ``point`` reads them, or how long from ``now`` (``90m``, ``3d``).
    """
    try:
        lasts = timedelta(seconds=duration.seconds(text))
        return written(datetime.fromisoformat(now) + lasts)
    except (Usage, OverflowError):
        return point(text, hint=f"write {POINTS}, or how long: 90m, 2h, 3d")


def point(text: str, *, hint: str = f"write {POINTS}") -> str:
    """A day or a time as records write it. Raises Usage, with the hint, for anything else.

    It is in UTC where no zone is said, and a day is its beginning.
    """
    try:
        time = datetime.fromisoformat(text.strip())
        return written(time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC))
    except (ValueError, OverflowError):
        raise Usage(f"{one_line(text)!r} is no time", hint=hint) from None


def written(time: datetime) -> str:
    """A time in UTC as records write it: to the millisecond, with Z."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
