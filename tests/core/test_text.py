"""Text made safe to show: nothing that controls or hides stays, everything else does."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.text import many_lines, one_line, shorten

SOME = st.text(st.sampled_from("ab \n\t\r\x1b\x9b\x07\u202e\u200b\u200d\ufeff\u2028\U000e0041漢🧭"))


def hides(char: str) -> bool:
    """Whether a character has no picture of its own; the joiner makes emoji, and stays."""
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != "\u200d"


@given(SOME)
def test_nothing_hidden_stays(text: str) -> None:
    assert not any(hides(char) for char in one_line(text))
    assert not any(hides(char) for char in many_lines(text) if char not in "\n\t")


@given(SOME)
def test_what_is_seen_stays(text: str) -> None:
    seen = "".join(char for char in text if not hides(char))
    shown = iter(one_line(text))
    assert all(char in shown for char in seen)  # in order
    if not any(hides(char) for char in text):
        assert one_line(text) == many_lines(text) == text


@given(SOME)
def test_safe_text_stays_as_it_is(text: str) -> None:
    assert one_line(one_line(text)) == one_line(text)
    assert many_lines(many_lines(text)) == many_lines(text)


def test_every_format_character_of_unicode() -> None:
    """All that unicode calls a format character, but those that write numbers or join letters."""
    kept = {char for char in map(chr, range(0x110000)) if hides(char) and one_line(char) == char}
    assert all(ord(char) >= 0x600 for char in kept)
    assert {unicodedata.name(char).split()[0] for char in kept} <= {
        *("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN", "SHORTHAND", "MUSICAL"),
    }


@pytest.mark.parametrize(
    ("text", "line", "lines"),
    [
        ("a\nb\tc", "a\\nb\\tc", "a\nb\tc"),
        ("a\r\nb", "a\\r\\nb", "a\nb"),
        ("a\rb", "a\\rb", "a\\rb"),
        ("\x1b[2J", "\\e[2J", "\\e[2J"),
        ("\x00\x9b", "\\x00\\x9b", "\\x00\\x9b"),
        ("\u202e", "\\u202e", "\\u202e"),
        ("\U000e0041", "\\U000e0041", "\\U000e0041"),
        ("\udc80", "\\udc80", "\\udc80"),
        ("👩\u200d💻", "👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_escapes(text: str, line: str, lines: str) -> None:
    assert one_line(text) == line
    assert many_lines(text) == lines


def test_anything_can_be_shown() -> None:
    assert one_line(7) == "7"
    assert many_lines(None) == "None"


@given(st.text(max_size=20), st.integers(1, 20))
def test_shortened_text(text: str, width: int) -> None:
    short = shorten(text, width)
    assert len(short) <= width
    assert short == text or short.endswith("…")
    assert text.startswith(short.removesuffix("…"))
