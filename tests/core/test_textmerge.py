from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gittask.core.textmerge import merge_text

texts = st.lists(st.sampled_from(["a", "b", ""]), max_size=6).map("\n".join)


@pytest.mark.parametrize(
    ("base", "left", "right", "merged"),
    [
        ("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n", "a\nc\nd\n"),
        ("a\nb\nc\n", "x\na\nb\nc\n", "a\nb\nc\ny\n", "x\na\nb\nc\ny\n"),
        ("a\nb\nc", "a\nb\nc\n", "A\nb\nc", "A\nb\nc\n"),
        ("a\nb\nc\nd", "A\nb\nc\nD", "A\nb\nc\nd", "A\nb\nc\nD"),
        ("a", "", "", ""),
        ("", "a\nb", "", "a\nb"),
    ],
    ids=[
        "apart",
        "delete and append",
        "both ends",
        "last newline",
        "same once",
        "gone",
        "one side",
    ],
)
def test_edits_that_do_not_touch_are_all_made(
    base: str, left: str, right: str, merged: str
) -> None:
    assert merge_text(base, left, right) == merged
    assert merge_text(base, right, left) == merged


@pytest.mark.parametrize(
    ("base", "left", "right"),
    [
        ("a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\n"),
        ("a\nb\n", "a\nb\nx\n", "a\nb\ny\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nx\nc\n"),
        ("a\nb\nc\nd\n", "a\nx\nc\nd\n", "a\nb\ny\nd\n"),
        ("a\nb\nc\n", "a\nx\nb\nc\n", "a\nB\nc\n"),
        ("a", "b", "c"),
    ],
    ids=[
        "same line",
        "same place",
        "delete and change",
        "side by side",
        "insert at a change",
        "all",
    ],
)
def test_edits_that_touch_are_left_to_a_person(base: str, left: str, right: str) -> None:
    assert merge_text(base, left, right) is None
    assert merge_text(base, right, left) is None


def test_a_long_text_whose_lines_are_all_the_same_is_given_up_at_once() -> None:
    lines = ["a", ""] * 500
    middle = [*lines[:500], "b", *lines[501:]]
    assert merge_text(*map("\n".join, (lines, lines[::-1], middle))) is None


def test_a_long_text_with_many_equal_lines_merges_where_the_edits_are_small() -> None:
    lines = ["a", ""] * 2000
    left, right = lines.copy(), lines.copy()
    left[10], right[3000] = "x", "y"
    merged = lines.copy()
    merged[10], merged[3000] = "x", "y"
    assert merge_text(*map("\n".join, (lines, left, right))) == "\n".join(merged)


def test_lines_that_are_everywhere_still_tell_edits_apart() -> None:
    lines = ["a", ""] * 200
    left, right = lines.copy(), lines.copy()
    left[10] = left[390] = "x"
    right[200] = "y"
    merged = left.copy()
    merged[200] = "y"
    assert merge_text(*map("\n".join, (lines, left, right))) == "\n".join(merged)


@settings(deadline=None)
@given(texts, texts, texts)
def test_any_texts(base: str, left: str, right: str) -> None:
    merged = merge_text(base, left, right)
    assert merged == merge_text(base, right, left)
    assert merge_text(base, base, right) == right
    assert merge_text(base, left, left) == left
    if merged is not None:
        was, ours, theirs, result = (set(t.split("\n")) for t in (base, left, right, merged))
        assert (ours | theirs) - was <= result <= was | ours | theirs
