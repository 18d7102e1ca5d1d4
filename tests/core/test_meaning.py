"""Text whose parts carry a meaning."""

from __future__ import annotations

import copy
import json

from hypothesis import given
from hypothesis import strategies as st

from gittask.core.meaning import Meaning, joined, meant, over, parts

MEANINGS: tuple[Meaning | None, ...] = (None, "id", "warning")
PIECES = st.lists(st.tuples(st.text("ab ", max_size=3), st.sampled_from(MEANINGS)), max_size=4)


@given(PIECES, st.sampled_from(["", " "]))
def test_joined_text_is_the_string_and_keeps_each_meaning(
    pieces: list[tuple[str, Meaning | None]], between: str
) -> None:
    text = joined(*(meant(*piece) for piece in pieces), between=between)
    said = [piece for piece in pieces if piece[0]]
    assert text == between.join(piece for piece, _ in said)
    assert [part for part in parts(text) if part != (between, None)] == [
        piece for piece in said if piece != (between, None)
    ]


def test_a_change_keeps_meanings_and_a_plain_text_plain() -> None:
    text = joined(meant("a", "id"), "b")
    assert parts(over(str.upper, text)) == (("A", "id"), ("B", None))
    assert parts(over(str.upper, "b")) == (("B", None),)
    assert parts(meant("b", None)) == (("b", None),)


def test_everywhere_else_it_is_the_string_that_it_is() -> None:
    text = joined(meant("a", "id"), "b")
    assert json.dumps([text]) == '["ab"]'
    assert parts(text.upper()) == (("AB", None),)
    for copied in (copy.copy(text), copy.deepcopy({"key": text})["key"]):
        assert copied == text
        assert parts(copied) == parts(text)
