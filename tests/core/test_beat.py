"""Beats as text that anybody may have written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.beat import Beat, decode, encode

BEAT = Beat(3, "s", "a00000000000", None, "host", None, None, 1.5, 2)
BEATS = st.builds(
    Beat,
    count=st.integers(),
    source=st.text(max_size=2),
    task=st.text(max_size=2),
    runtime=st.none() | st.text(max_size=2),
    host=st.text(max_size=2),
    boot=st.none() | st.text(max_size=2),
    space=st.none() | st.text(max_size=2),
    uptime=st.floats(allow_nan=False, allow_infinity=False),
    wall=st.floats(allow_nan=False, allow_infinity=False),
    pid=st.none() | st.integers(1, 3),
    born=st.none() | st.text(max_size=2),
    ended=st.none() | st.integers(-2, 2),
    written=st.integers(0, 2),
)


@given(BEATS)
def test_what_is_written_is_read(beat: Beat) -> None:
    assert decode(encode(beat)) == beat


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(encode(BEAT)), **fields})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        "{}",
        "[" * 100_000,
        "1" * 5000,
        changed(count="3"),
        changed(count=True),
        changed(count=None),
        changed(task=None),
        changed(boot=1),
        changed(pid=0),
        changed(pid=-1),
        changed(pid=1.0),
        changed(uptime=float("nan")),
        changed(wall=float("inf")),
        "\udc80",
    ],
)
def test_what_is_no_beat_is_none(text: str) -> None:
    assert decode(text) is None


def test_more_than_is_known_is_passed_over() -> None:
    assert decode(changed(mood="good")) == BEAT


@given(st.binary(max_size=20) | st.text(max_size=20))
def test_nothing_raises(text: str | bytes) -> None:
    decode(text)
