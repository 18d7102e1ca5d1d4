"""Columns for people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.cli.table import NARROWEST, beside, cells, cut, pad, table
from gittask.core.meaning import joined, meant, parts


def test_columns_are_aligned_and_empty_ones_left_out() -> None:
    rows = [["a", "", "open", "x"], ["bcd", "", "", "y  z"]]
    assert table(rows) == ["a    open  x", "bcd        y  z"]


def test_no_rows_are_no_lines() -> None:
    assert table([]) == []
    assert table([["", ""]]) == []


def test_only_the_last_column_is_cut_and_only_with_a_width() -> None:
    rows = [["abcdef", "0123456789" * 5]]
    assert table(rows) == ["abcdef  " + "0123456789" * 5]
    assert table(rows, 40) == ["abcdef  " + "0123456789" * 3 + "0…"]
    assert table(rows, 5) == ["abcdef  0123456789012345678…"]


def test_text_cannot_leave_its_cell() -> None:
    assert table([["a", "x\n\x1b[2Jy"]]) == ["a  x\\n\\e[2Jy"]


@pytest.mark.parametrize(
    ("text", "width"),
    [("abc", 3), ("日本", 4), ("e\u0301", 1), ("", 0), ("👩\u200d🔬", 2), ("\u200d", 0)],
)
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


def test_wide_text_is_cut_by_cells() -> None:
    assert cut("日本語", 6) == "日本語"
    assert cut("日本語", 5) == "日本…"
    assert cut("日本語", 4) == "日…"


def test_wide_cells_are_padded_by_cells() -> None:
    assert table([["日", "x"], ["abc", "y"]]) == ["日   x", "abc  y"]


def test_spare_columns_make_room_in_their_order() -> None:
    rows = [["k3m9", "open", "alice", "0123456789" * 3]]
    assert table(rows, 39, spare=(2, 1)) == ["k3m9  open  alice  0123456789012345678…"]
    assert table(rows, 36, spare=(2, 1)) == ["k3m9  open  01234567890123456789012…"]
    assert table(rows, 31, spare=(2, 1)) == ["k3m9  012345678901234567890123…"]
    assert table(rows, 20, spare=(2, 1)) == ["k3m9  0123456789012345678…"]
    assert table([["a", "b", "c"]], 5, spare=(1, 0)) == ["a  c"]
    assert table([["a", "b", ""]], 3, spare=(1, 0)) == ["b"]


WIDE = st.text(st.sampled_from("ab \u65e5\u200d\u0301\U0001f469\ufe0f"), max_size=40)


@given(st.lists(st.tuples(WIDE, WIDE), min_size=1, max_size=3), st.integers(1, 60))
def test_no_line_is_wider_than_it_may_be(rows: list[tuple[str, str]], width: int) -> None:
    for line in table(rows, width, spare=(0,)):
        assert cells(line.rstrip()) <= max(width, NARROWEST)


def test_meanings_stay_through_cutting_and_padding() -> None:
    text = joined(meant("abc", "id"), meant("def", "warning"))
    assert parts(cut(text, 5)) == (("abc", "id"), ("d", "warning"), ("…", None))
    assert parts(cut(text, 4)) == (("abc", "id"), ("…", None))
    assert parts(pad(meant("a", "id"), 3)) == (("a", "id"), ("  ", None))
    (line,) = table([[meant("a", "id"), meant("\x1b", "urgent")]])
    assert parts(line) == (("a", "id"), ("  ", None), ("\\e", "urgent"))


def test_columns_of_lines_stand_beside_each_other() -> None:
    columns = [["a", "bcdefg"], ["", "日本語", "x"], []]
    assert beside(columns, 4) == ["a", "bcd…  日…", "      x"]
    assert beside([], 4) == []
