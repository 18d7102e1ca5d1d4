"""Wording that the views share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gittask.core import names
from gittask.views.words import first_line, short, when


def test_a_time_for_people() -> None:
    assert when("2026-11-30T10:04:11.123Z") == "2026-11-30 10:04 UTC"
    assert when(None) == "an unknown time"


def test_the_first_line_that_says_something() -> None:
    assert first_line("\n  a \x1b[31m\nb") == "a \\e[31m"
    assert first_line("") == ""


@given(st.sets(st.text("ab", min_size=6, max_size=6), min_size=1, max_size=20))
def test_short_ids_are_those_found_by_looking_at_all(ids: set[str]) -> None:
    known = sorted(ids)
    assert [short(known, id) for id in known] == [names.shortest(known, id) for id in known]
