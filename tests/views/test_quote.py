from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.text import UNSAFE, many_lines
from gittask.views.quote import quote
from tests.views.hostile import INLINE, LINES, ORDER, SEPARATORS, TEXTS, escaped, outside, tokens

hostile = st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(SEPARATORS)), max_size=6).map(
    lambda pairs: "".join(part for pair in pairs for part in pair)
)


def document(text: str) -> str:
    return "\n".join(["# Ours", "", "Title, by mallory:", *quote(text), "", "Ours again", ""])


def check(text: str) -> None:
    lines = quote(text)
    assert lines
    assert all(line == ">" or line.startswith("> ") for line in lines)
    assert all(len(line.splitlines()) == 1 for line in lines)
    markdown = document(text)
    assert escaped(markdown) == []
    assert outside(markdown).split() == ["Ours", "Title,", "by", "mallory:", "Ours", "again"]
    assert sum(token.type == "blockquote_open" for _, token in tokens(markdown)) == 1


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_leaves_its_quote(text: str) -> None:
    check(text)


@given(hostile)
def test_nothing_leaves_its_quote_in_any_company(text: str) -> None:
    check(text)


@given(st.text())
def test_no_text_leaves_its_quote(text: str) -> None:
    check(text)


@given(hostile)
def test_a_quote_says_what_was_written(text: str) -> None:
    """Nothing is lost or added but the marks, and escapes for what cannot be seen."""
    shown = [line[1:].removeprefix(" ") for line in quote(text)]
    inset = all(not line or line.startswith("    ") for line in shown)
    bare = [line.removeprefix("    ") if inset else line for line in shown]
    wanted = many_lines(text).strip("\n").split("\n")
    assert [line.rstrip() for line in bare] == [line.rstrip() for line in wanted]


def test_prose_reads_as_prose() -> None:
    assert quote("Fix it.\n\n(Then rest.) 2 of 3") == ["> Fix it.", ">", "> (Then rest.) 2 of 3"]


def test_what_markdown_would_change_stands_as_it_was_typed() -> None:
    assert quote(f"# {ORDER}\n<b>") == [f">     # {ORDER}", ">     <b>"]


@pytest.mark.parametrize("sign", INLINE)
def test_what_a_host_would_make_more_of_is_set_in(sign: str) -> None:
    assert quote(f"Plain.\nMore {sign} here") == [">     Plain.", f">     More {sign} here"]


def test_what_hides_is_shown() -> None:
    (line,) = quote("a\u202eb\u200bc\x85d\u2028e")
    assert line == r">     a\u202eb\u200bc\x85d\u2028e"


@given(st.text(st.sampled_from("a\u202e\u200b\x85\u2028\r\x0b\x0c#\n")))
def test_no_unsafe_character_is_left(text: str) -> None:
    assert not re.search(f"[{UNSAFE}]", "".join(quote(text)))
