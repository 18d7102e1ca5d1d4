"""Times as people type them."""

from __future__ import annotations

import pytest

from gittask.core.moment import moment
from gittask.errors import Usage

NOW = "2026-11-30T10:04:11.123Z"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("90m", "2026-11-30T11:34:11.123Z"),
        (" 2h ", "2026-11-30T12:04:11.123Z"),
        ("3d", "2026-12-03T10:04:11.123Z"),
        ("2026-12-01", "2026-12-01T00:00:00.000Z"),
        ("2026-12-01T06:30", "2026-12-01T06:30:00.000Z"),
        ("2026-12-01T06:30:15.5Z", "2026-12-01T06:30:15.500Z"),
        ("2026-12-01T06:30+02:00", "2026-12-01T04:30:00.000Z"),
        (NOW, NOW),
    ],
)
def test_what_is_meant(text: str, meant: str) -> None:
    assert moment(text, NOW) == meant


@pytest.mark.parametrize(
    "text",
    ["", " ", "soon", "5", "h", "-2h", "2h30m", "2y", "٣d", "2026-02-30", "25:00", "9999999d"],
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(Usage, match="is no time"):
        moment(text, NOW)


@pytest.mark.parametrize("text", ["0001-01-01T00:00+05:00", "9999-12-31T23:59-05:00"])
def test_times_beyond_the_calendar(text: str) -> None:
    with pytest.raises(Usage, match="is no time"):
        moment(text, NOW)
