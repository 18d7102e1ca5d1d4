"""Text made safe to show: nothing that controls or hides stays, everything else does."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.text import many_lines, one_line, shorten

SOME = st.text(
    st.sampled_from("a1 \n\t\r\x1b\x9b\x07\u202e\u200b\u200d\ufe0f\ufe0e\u20e3\u3164\u2028क漢🧭❤")
)
EMOJI = "\u200d\ufe0f"
"""The joiner and the selector that make emoji: they stay where they do."""


def hides(char: str) -> bool:
    """Whether a character has no picture of its own."""
    formats = unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    return formats or char in "\u3164\u115f\u1160\uffa0\u2800" or selects(char)


def selects(char: str) -> bool:
    return unicodedata.name(char, "").startswith(("VARIATION SELECTOR", "MONGOLIAN FREE VARIATION"))


@given(SOME)
def test_nothing_hidden_stays(text: str) -> None:
    assert not any(hides(char) for char in one_line(text) if char not in EMOJI)
    assert not any(hides(char) for char in many_lines(text) if char not in "\n\t" + EMOJI)


@given(SOME)
def test_what_makes_emoji_hides_nowhere_else(text: str) -> None:
    """So at most one bit can hide behind a character that is seen, and nothing behind a letter."""
    shown = one_line(text)
    assert not re.search("[\u200d\ufe0f]{3}|\u200d\u200d|\ufe0f\ufe0f|\u200d\ufe0f", shown)
    assert not re.search("(^|[a \u6f22\u20e3])[\u200d\ufe0f]", shown)
    assert not re.search("1\u200d|1\ufe0f(?!\u20e3)|\u0915\ufe0f", shown)


@given(SOME)
def test_what_is_seen_stays(text: str) -> None:
    seen = "".join(char for char in text if not hides(char))
    shown = iter(one_line(text))
    assert all(char in shown for char in seen)  # in order
    if not any(hides(char) for char in text):
        assert one_line(text) == many_lines(text) == text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "❤\ufe0f",
            "👩\u200d💻",
            "👩🏽\u200d💻",
            "🏳\ufe0f\u200d🌈",
            "👨\u200d👩\u200d👧",
            "☎\ufe0f",
        ),
        *(
            "❤\ufe0f\u200d🔥",
            "🧔\u200d♂\ufe0f",
            "1\ufe0f\u20e3",
            "🇩🇪",
            "©\ufe0f",
            "▶\ufe0f",
            "⌚\ufe0f",
        ),
        *("क्\u200dष", "രാജാവ്", "한국어", "日本語", "ᠮᠣᠩᠭᠣᠯ", "⠓⠑⠇⠇⠕"),
    ],
)
def test_emoji_and_scripts_stay_as_they_are(text: str) -> None:
    assert one_line(text) == many_lines(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ok\ufe00\ufe0f", r"ok\ufe00\ufe0f"),
        ("a\ufe0f", r"a\ufe0f"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f" r"\ufe0f"),
        ("❤\ufe0e", r"❤\ufe0e"),
        ("1\ufe0f", r"1\ufe0f"),
        ("漢\U000e0100\U000e01ef", r"漢\U000e0100\U000e01ef"),
        ("a\u200db", r"a\u200db"),
        ("👩\u200d\u200d💻", "👩\u200d" r"\u200d💻"),
        ("\u3164\u115f\u1160\uffa0\u2800", r"\u3164\u115f\u1160\uffa0\u2800"),
        ("ᠮ\u180b", r"ᠮ\u180b"),
    ],
)
def test_what_hides_behind_what_is_seen(text: str, shown: str) -> None:
    assert one_line(text) == many_lines(text) == shown


@given(SOME)
def test_safe_text_stays_as_it_is(text: str) -> None:
    assert one_line(one_line(text)) == one_line(text)
    assert many_lines(many_lines(text)) == many_lines(text)


def test_every_format_character_of_unicode() -> None:
    """All that unicode calls a format character, but those that write numbers or join letters."""
    kept = {char for char in map(chr, range(0x110000)) if hides(char) and one_line(char) == char}
    assert all(ord(char) >= 0x600 for char in kept)
    assert {unicodedata.name(char).split()[0] for char in kept} <= {
        *("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN"),
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
