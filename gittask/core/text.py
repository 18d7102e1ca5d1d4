"""Text from records, made safe to show: it can never control a terminal or hide in one."""

from __future__ import annotations

import re
from functools import cache

# C0 and C1 controls, lone surrogates, line separators, the blank braille cell, and whatever Unicode
# says is to be ignored where it is shown (bidirectional, zero-width and tag characters, fillers,
# variation selectors, the byte order mark): everything that moves, hides or reorders what stands
# beside it. Two of these make emoji, and only there stay: the selector U+FE0F after an emoji, and
# the joiner U+200D after that, or after a letter of the scripts of India, where it shapes them.
_HIDDEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0"
    r"\ufff0-\ufffb\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_EMOJI = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf"
    r"\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_INDIC = r"\u0900-\u0dff"
UNSAFE = (
    rf"[{_HIDDEN}]+"
    rf"|\ufe0f(?<![{_EMOJI}]\ufe0f)(?<![#*0-9]\ufe0f(?=\u20e3))"
    rf"|\u200d(?<![{_EMOJI}{_INDIC}]\u200d)(?<![{_EMOJI}]\ufe0f\u200d)"
)
"""A regular expression: characters that are never shown as they are."""
_UNSAFE_IN_LINE = rf"[\t\n]|{UNSAFE}"
_BREAKS = str.maketrans("", "", "\n\t")
_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e"}


def _escape(match: re.Match[str]) -> str:
    return "".join(map(_escaped, match[0]))


@cache
def _escaped(char: str) -> str:
    code = ord(char)
    if code >= 0x10000:
        return f"\\U{code:08x}"
    return _NAMED.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


_UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
"""The characters among these that Python calls printable."""


def _is_plain(text: str) -> bool:
    """Whether a text is safe at first sight: compiling the pattern takes longer than most do."""
    return text.isprintable() and _UNSEEN.isdisjoint(text)


def one_line(text: object) -> str:
    """The text on one line, with every unsafe character shown as an escape."""
    said = str(text)
    return said if _is_plain(said) else re.sub(_UNSAFE_IN_LINE, _escape, said)


def many_lines(text: object) -> str:
    """The text with its line breaks and tabs, every other unsafe character shown as an escape."""
    said = str(text).replace("\r\n", "\n")
    return said if _is_plain(said.translate(_BREAKS)) else re.sub(UNSAFE, _escape, said)


def is_text(name: str) -> bool:
    """Whether a name was UTF-8 where it was read; git allows any bytes."""
    return name.isascii() or not re.search("[\ud800-\udfff]", name)


def spaced(name: object) -> str:
    """A name of the records as people write it: ``changes requested``."""
    return str(name).replace("_", " ")


def shorten(text: str, width: int) -> str:
    """The text, or its beginning and an ellipsis, in at most ``width`` characters."""
    return text if len(text) <= width else text[: max(width - 1, 0)].rstrip() + "…"
