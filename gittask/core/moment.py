"""Times as people type them: a day, a time, or how long from now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from gittask.core import duration
from gittask.core.text import one_line
from gittask.errors import Usage


def moment(text: str, now: str) -> str:
    """The time that is meant, as records write it. Raises Usage for what names none.

    Either a day or a time (``2026-11-30``, ``2026-11-30T10:04``; UTC where no zone is said, and a
    day is its beginning), or how long from ``now`` (``90m``, ``2h``, ``3d``).
    """
    wanted = text.strip()
    try:
        if wanted[:-1].isdecimal() and not wanted[-1].isdecimal():
            lasts = timedelta(seconds=duration.seconds(wanted))
            return _written(datetime.fromisoformat(now) + lasts)
        time = datetime.fromisoformat(wanted)
        return _written(time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC))
    except (ValueError, OverflowError, Usage):
        raise Usage(
            f"{one_line(text)!r} is no time",
            hint="write a day (2026-11-30), a time (2026-11-30T10:04), or how long: 90m, 2h, 3d",
        ) from None


def _written(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
