"""Lengths of time."""

from __future__ import annotations

import pytest

from gittask.core.duration import seconds, words
from gittask.errors import Usage


@pytest.mark.parametrize(
    ("text", "expected"), [("0s", 0), ("90s", 90), ("15m", 900), (" 2H ", 7200), ("1d", 86400)]
)
def test_reads(text: str, expected: float) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize("text", ["", "5", "m", "-1s", "1.5h", "1w", "9999999s", "1h30m"])
def test_refuses(text: str) -> None:
    with pytest.raises(Usage, match="no length of time"):
        seconds(text)


@pytest.mark.parametrize(
    ("length", "expected"),
    [(0, "0 s"), (119.9, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (1e6, "11 d")],
)
def test_says(length: float, expected: str) -> None:
    assert words(length) == expected
