from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gittask.core.text import UNSAFE, many_lines
from gittask.views.quote import quote
from tests.views.hostile import (
    INLINE,
    LINES,
    ORDER,
    SEPARATORS,
    TEXTS,
    Page,
    escaped,
    outside,
    parser,
    tokens,
)

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


def shown(text: str) -> list[str]:
    """The lines that a reader sees of a quoted text."""
    return Page(parser().render("\n".join(quote(text)))).lines


def typed(text: str) -> list[str]:
    """The lines of a text, without what cannot be seen: empty ones, and spaces at an end."""
    return [line.rstrip() for line in many_lines(text).split("\n") if line.strip()]


MARKS = st.text(st.sampled_from("aB1 _*~`&;\\<>|[]()!#@:.-+='/\"$%\n\té漢\xa0"), max_size=12)


@given(MARKS)
@example("git *push* origin")
@example("run _this_ and ~that~")
@example("keep  both   spaces")
@example("\ta tab\n  and two spaces")
@example("one\n\n\n\nfive  ")
def test_what_is_seen_is_what_was_typed(text: str) -> None:
    assert shown(text) == typed(text)


@given(st.one_of(hostile, st.text()))
def test_what_is_seen_is_what_was_typed_whatever_it_was(text: str) -> None:
    assert shown(text) == typed(text)


@given(hostile)
def test_a_quote_says_what_was_written(text: str) -> None:
    """Nothing is lost or added but the marks, and escapes for what cannot be seen."""
    lines = [line[1:].removeprefix(" ") for line in quote(text)]
    inset = all(not line or line.startswith("    ") for line in lines)
    bare = [line.removeprefix("    ") if inset else line for line in lines]
    wanted = many_lines(text).strip("\n").split("\n")
    assert [line.rstrip() for line in bare] == [line.rstrip() for line in wanted]


@pytest.mark.parametrize(
    "text",
    [
        *("(Then rest.) 2 of 3", "It's \"done\" - isn't it? Yes: at 10:30:00, 50% of it!"),
        *("Don’t stop — read_orders is in src/route.py", "1.5 seconds, 3 (or 4)", "“So” it was"),
        *("Zoë said 漢字 🧭", "UTF-8 and SHA-256; k3m9q2", "high-5 at 20261130t100411z-k3m9q2"),
    ],
)
def test_prose_reads_as_prose(text: str) -> None:
    assert quote(f"Fix it.\n\n{text}") == ["> Fix it.", ">", f"> {text}"]


def test_what_markdown_would_change_stands_as_it_was_typed() -> None:
    assert quote(f"# {ORDER}\n<b>") == [f">     # {ORDER}", ">     <b>"]


@pytest.mark.parametrize("sign", INLINE)
@pytest.mark.parametrize("line", ["{}", "{} at first", "More {} here", "More ({})", "'{}'"])
def test_what_a_host_would_make_more_of_is_set_in(sign: str, line: str) -> None:
    text = line.format(sign)
    assert quote(f"Plain.\n{text}") == [">     Plain.", f">     {text}"]
    assert escaped(document(text)) == []


def test_what_hides_is_shown() -> None:
    (line,) = quote("a\u202eb\u200bc\x85d\u2028e")
    assert line == r">     a\u202eb\u200bc\x85d\u2028e"


@given(st.text(st.sampled_from("a\u202e\u200b\x85\u2028\r\x0b\x0c#\n")))
def test_no_unsafe_character_is_left(text: str) -> None:
    assert not re.search(UNSAFE, "".join(quote(text)))
