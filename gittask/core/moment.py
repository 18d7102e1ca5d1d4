"""Times as people read and type them: a day, a time, or how long from now or ago."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from gittask.core import duration
from gittask.core.text import one_line
from gittask.errors import Usage

POINTS = "a day (2026-11-30), a time (2026-11-30T10:04)"


def when(at: str | None) -> str:
    """A record's time for people: ``2026-11-30 10:04 UTC``; an unknown one as such."""
    return f"{at[:10]} {at[11:16]} UTC" if at else "an unknown time"


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


def span(since: str | None, until: str | None, now: str) -> tuple[str | None, str | None]:
    """From when on, and before when, as records write it; None leaves an end open.

    Each is a day, ``today`` or ``yesterday`` (in UTC, and as the end the day is within), a time,
    or how long before ``now``: ``2d``, ``3h``. Raises Usage for anything else, and where the end
    is not after the beginning.
    """
    first = None if since is None else _ago(since, now)
    last = None if until is None else _ago(until, now, last=True)
    if first is not None and last is not None and last <= first:
        raise Usage("--until is before --since", hint="give a later --until, or leave one out")
    return first, last


def _ago(text: str, now: str, *, last: bool = False) -> str:
    """A time that lies back. Of a day it is the beginning; of the ``last`` one, the end."""
    said, today = text.strip().lower(), date.fromisoformat(now[:10])
    try:
        back = _DAYS.get(said)
        day = date.fromisoformat(said) if back is None else today - timedelta(days=back)
        return point(str(day + timedelta(days=last)))
    except (ValueError, OverflowError):
        pass
    try:
        lasted = timedelta(seconds=duration.seconds(said))
        return written(datetime.fromisoformat(now) - lasted)
    except (Usage, OverflowError):
        return point(text, hint=f"write {POINTS}, yesterday, or how long ago: 2d, 3h")


_DAYS = {"today": 0, "yesterday": 1}


def written(time: datetime) -> str:
    """A time in UTC as records write it: to the millisecond, with Z."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
