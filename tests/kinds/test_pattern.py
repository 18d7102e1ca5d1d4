"""Which actions an action covers, exact or as a pattern."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.kinds.pattern import matches

texts = st.text("ab;*", max_size=8)


@given(texts, texts)
def test_without_a_pattern_only_the_same_text(action: str, wanted: str) -> None:
    assert matches(action, wanted) is (action == wanted)


@given(texts, texts)
def test_a_pattern_covers_what_trying_all_places_would(pattern: str, wanted: str) -> None:
    every = re.escape(pattern).replace(r"\*", r"[^;]*")
    assert matches(f"glob:{pattern}", wanted) is (re.fullmatch(every, wanted) is not None)


@given(texts, st.lists(st.text("ab ", max_size=3), min_size=8, max_size=8))
def test_a_pattern_covers_itself_with_its_stars_filled(pattern: str, fillings: list[str]) -> None:
    filled = iter(fillings)
    wanted = re.sub(r"\*", lambda _: next(filled), pattern)
    assert matches(f"glob:{pattern}", wanted)


@pytest.mark.parametrize("second", list("\n;&|<>()$`"))
def test_a_star_covers_no_second_command(second: str) -> None:
    assert matches("glob:pytest *", "pytest -q 'a b' --x=1")
    assert not matches("glob:pytest *", f"pytest -q {second} rm")


@pytest.mark.parametrize("char", list("?[].+^{}\\"))
def test_nothing_but_the_star_has_a_meaning(char: str) -> None:
    assert matches(f"glob:a{char}b*", f"a{char}b c")
    assert not matches(f"glob:a{char}b*", "aXb c")


def test_many_stars_take_no_time() -> None:
    assert not matches("glob:" + "a*" * 1000 + "b", "a" * 20000)
