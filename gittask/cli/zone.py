"""Time zones: the one that is named, or this machine's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from gittask.core.text import one_line
from gittask.errors import Usage


class Local(tzinfo):
    """This machine's zone, with the offset that it has on each day."""

    def utcoffset(self, dt: datetime | None) -> timedelta | None:
        return dt.replace(tzinfo=None).astimezone().utcoffset() if dt else None

    def dst(self, _: datetime | None) -> timedelta | None:
        return None

    def tzname(self, dt: datetime | None) -> str | None:
        return dt.replace(tzinfo=None).astimezone().tzname() if dt else None

    def fromutc(self, dt: datetime) -> datetime:
        return dt.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)


def zone(name: str | None) -> tzinfo:
    """The zone of a name such as Europe/Berlin, or the local one. Raises Usage."""
    if name is None:
        return Local()
    try:
        return ZoneInfo(name.strip())
    except (KeyError, ValueError, OSError):  # not there, not a name, or a folder
        raise Usage(
            f"no time zone {one_line(name)!r}", hint="name one as the system does: Europe/Berlin"
        ) from None
