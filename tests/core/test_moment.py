"""Times as people type them."""

from __future__ import annotations

import pytest

from gittask.core.moment import moment, span
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


# -- from, and to -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-11-28", "2026-11-28T00:00:00.000Z", "2026-11-29T00:00:00.000Z"),
        (" Yesterday", "2026-11-29T00:00:00.000Z", "2026-11-30T00:00:00.000Z"),
        ("today", "2026-11-30T00:00:00.000Z", "2026-12-01T00:00:00.000Z"),
        *((text, at, at) for text, at in (
            ("3h", "2026-11-30T07:04:11.123Z"),
            ("2d", "2026-11-28T10:04:11.123Z"),
            ("2026-11-28T06:30+02:00", "2026-11-28T04:30:00.000Z"),
        )),
    ],
)  # fmt: skip
def test_of_a_day_both_ends_are_within(text: str, first: str, last: str) -> None:
    assert span(text, None, NOW) == (first, None)
    assert span(None, text, NOW) == (None, last)


def test_a_span_that_is_open() -> None:
    assert span(None, None, NOW) == (None, None)


@pytest.mark.parametrize(
    ("since", "until"),
    [
        ("2026-12-02", "2026-12-01"),
        ("2026-12-01T10:00", "2026-12-01T10:00"),
        ("today", "yesterday"),
        ("1h", "2h"),
    ],
)
def test_a_span_that_ends_before_it_begins(since: str, until: str) -> None:
    with pytest.raises(Usage, match="--until is before --since"):
        span(since, until, NOW)


@pytest.mark.parametrize(
    "text", ["", "soon", "5", "-2h", "2026-02-30", "9999-12-31T23:59-05:00", "999999d", "tomorrow"]
)
def test_what_is_no_end(text: str) -> None:
    with pytest.raises(Usage, match="is no time"):
        span(text, None, NOW)
    with pytest.raises(Usage, match="is no time"):
        span(None, text, NOW)


def test_the_last_day_of_the_calendar_has_no_end() -> None:
    assert span("9999-12-31", None, NOW)[0] == "9999-12-31T00:00:00.000Z"
    assert span(None, "9999-12-31", NOW)[1] == "9999-12-31T00:00:00.000Z"
