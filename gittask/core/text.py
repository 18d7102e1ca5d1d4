"""Text from records, made safe to show: it can never control a terminal or hide in one."""

from __future__ import annotations

import re

# C0 and C1 controls, DEL, bidirectional, zero-width and tag characters, line separators, the byte
# order mark and lone surrogates: everything that moves, hides or reorders what stands beside it.
# The zero-width joiner stays: emoji are made with it.
UNSAFE = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e"
    r"\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f"
)
"""The inside of a regular expression's character class."""
_IN_LINE = re.compile(rf"[{UNSAFE}\t\n]")
_IN_TEXT = re.compile(f"[{UNSAFE}]")


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e"}
    code = ord(char)
    if code >= 0x10000:
        return f"\\U{code:08x}"
    return named.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def one_line(text: object) -> str:
    """The text on one line, with every unsafe character shown as an escape."""
    return _IN_LINE.sub(_escape, str(text))


def many_lines(text: object) -> str:
    """The text with its line breaks and tabs, every other unsafe character shown as an escape."""
    return _IN_TEXT.sub(_escape, str(text).replace("\r\n", "\n"))


def shorten(text: str, width: int) -> str:
    """The text, or its beginning and an ellipsis, in at most ``width`` characters."""
    return text if len(text) <= width else text[: max(width - 1, 0)].rstrip() + "…"
