"""Wording that the views share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core import names
from gittask.views.words import ago, first_line, short, timed, when
from tests.memory import MemoryReader, task, task_id


def test_a_time_for_people() -> None:
    assert when("2026-11-30T10:04:11.123Z") == "2026-11-30 10:04 UTC"
    assert when(None) == "an unknown time"


def test_the_first_line_that_says_something() -> None:
    assert first_line("\n  a \x1b[31m\nb") == "a \\e[31m"
    assert first_line("") == ""


@given(st.sets(st.text("ab", min_size=6, max_size=6), min_size=1, max_size=20))
def test_short_ids_are_those_found_by_looking_at_all(found: set[str]) -> None:
    reader = MemoryReader(*map(task, sorted(found)))
    known = reader.ids("task")
    assert [short(reader, id) for id in known] == [names.shortest(known, id) for id in known]


def test_what_does_not_exist_has_no_short_name() -> None:
    assert short(MemoryReader(task("a")), task_id("ab")) == task_id("ab")


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("2026-11-30T12:00:00.000Z", "just now"),
        ("2026-11-30T11:59:00.001Z", "just now"),
        ("2026-11-30T11:59:00.000Z", "60 s ago"),
        ("2026-11-30T11:34:00.000Z", "26 min ago"),
        ("2026-11-30T09:00:00.000Z", "3 h ago"),
        ("2026-11-30T10:00:00.000+01:00", "3 h ago"),
        ("2026-11-30T09:00:00.000", "3 h ago"),
        ("2026-11-29T12:00:00.001Z", "23 h ago"),
        ("2026-11-29T12:00:00.000Z", "2026-11-29 12:00 UTC"),
        ("2026-11-20T10:19:00.000Z", "2026-11-20 10:19 UTC"),
        ("2026-11-30T12:00:30.000Z", "in 30 s"),
        ("2026-11-30T15:00:00.000Z", "in 3 h"),
        ("2026-12-01T12:00:00.000Z", "2026-12-01 12:00 UTC"),
        ("2027-11-30T12:00:00.000Z", "2027-11-30 12:00 UTC"),
        ("0001-01-01T00:00:00.000Z", "0001-01-01 00:00 UTC"),
        (None, "an unknown time"),
    ],
)
def test_a_time_as_how_far_it_is(at: str | None, said: str) -> None:
    assert ago(at, "2026-11-30T12:00:00.000Z") == said


@pytest.mark.parametrize(
    ("word", "time", "said"),
    [
        ("at", "2026-11-30 10:04 UTC", "at 2026-11-30 10:04 UTC"),
        ("at", "3 h ago", "3 h ago"),
        ("at", "just now", "just now"),
        ("at", "in 3 h", "in 3 h"),
        ("since", "2026-11-30 10:04 UTC", "since 2026-11-30 10:04 UTC"),
        ("since", "3 h ago", "for 3 h"),
        ("since", "just now", "for a moment"),
        ("since", "an unknown time", "since an unknown time"),
        ("until", "2026-11-30 10:04 UTC", "until 2026-11-30 10:04 UTC"),
        ("until", "3 h ago", "until 3 h ago"),
        ("until", "in 3 h", "for another 3 h"),
        ("until", "an unknown time", "until an unknown time"),
    ],
)
def test_a_time_behind_its_word(word: str, time: str, said: str) -> None:
    assert timed(word, time) == said
