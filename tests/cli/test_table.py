"""Columns for people."""

from __future__ import annotations

import pytest

from gittask.cli.table import cells, cut, table


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
    ("text", "width"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("", 0), ("👩\u200d🔬", 4)]
)
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


def test_wide_text_is_cut_by_cells() -> None:
    assert cut("日本語", 6) == "日本語"
    assert cut("日本語", 5) == "日本…"
    assert cut("日本語", 4) == "日…"


def test_wide_cells_are_padded_by_cells() -> None:
    assert table([["日", "x"], ["abc", "y"]]) == ["日   x", "abc  y"]
