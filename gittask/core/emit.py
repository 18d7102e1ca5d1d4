"""Values as text: the one canonical way to write a JSON value as YAML.

Block style, one key or list item a line, nothing folded, so that a line-based diff or merge
sees each change by itself. A text stands plain only where no YAML 1.1 or 1.2 reader can take it
for anything else; a text of several lines is a literal block; the rest is in double quotes, with
JSON's escapes. Equal data gives equal bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, TypeAlias

from gittask.errors import Invalid, Problem

Order: TypeAlias = Mapping[str, "Order | None"]
"""The sequence of a mapping's keys, each with the order of the mapping (or list of them) below."""

MAX_BYTES = 1 << 20
MAX_LEVELS = 64
MAX_DIGITS = 1000  # Python itself turns no number of more than 4,300 digits into text
TOO_DEEP = (f"more than {MAX_LEVELS} levels deep", "make the data flatter")
TOO_GREAT = 10**MAX_DIGITS
_SHORT_KEY = 50  # one that may come again in the next record
MAX_KEY = 250  # a simple key ends at 1,024 characters, which some readers count in bytes

# Never shown as they are: control characters, line breaks of YAML 1.1 only, invisible marks,
# marks that turn the direction of text, half characters and code points that are none.
_HIDDEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f"
    + "".join(rf"\U{plane:04x}fffe\U{plane:04x}ffff" for plane in range(1, 17))
)
_ESCAPED = rf'[\n\t"\\{_HIDDEN}]'
_UNFIT_FOR_BLOCK = rf"[{_HIDDEN}]|\n[ \t]+\Z"  # some drop a blank last line
PLAIN = (
    r"(?![0-9][0-9a-fA-FxXoObB_.,:+-]*\Z)"  # any number, time or part of one
    r"(?![0-9]{4}-[0-9]|[eE][-+]?[0-9]+\Z)"  # dates; an exponent alone is NaN to some
    rf"[^\n\t {_HIDDEN}\[\]{{}}?:,#&*!|>'\"%@`=<~.+-]"
    rf"(?:[^\n\t :{_HIDDEN}]++|:(?! |\Z)| (?!\#|\Z))*+"
)
WORDS = frozenset(["null", "true", "false", "yes", "no", "on", "off", "y", "n"])
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


class Fault(Exception):
    """What is wrong with a value, on its way out to where the file is known.

    ``path`` holds the keys and indexes that lead to the value, the innermost first.
    """

    def __init__(self, message: str, hint: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.line = line
        self.path: list[str] = []

    def invalid(self, name: str) -> Invalid:
        """The error as others see it, for the file ``name``."""
        field = ".".join(reversed(self.path)).encode("utf-8", "backslashreplace").decode()
        return Invalid([Problem(name, field, self.message, self.hint, self.line)])


def encode(value: Any, order: Order | None = None) -> bytes:
    """The canonical YAML of a JSON value: UTF-8, ending with a newline.

    Keys that ``order`` names come first and in its sequence, others after them by code point;
    ``changed``, where ``order`` ends with it, stays last. Raises Invalid, with the field, for
    what could not be read back: a type that JSON has not, a number that is not finite or has
    more than 1,000 digits, a lone surrogate, more than 64 levels, more than 1 MiB.
    """
    lines: list[str] = []
    try:
        if _nested(value):
            _block(lines, value, order, "")
        else:
            lines.append(_scalar(value, ""))
        text = "\n".join(lines) + "\n"
        if text.endswith("\n\n"):  # blank lines at the very end are not safe from editors
            text += "...\n"
        data = text.encode()
        if len(data) > MAX_BYTES:
            raise Fault(
                f"{len(data):,} bytes are more than a file may have ({MAX_BYTES:,})",
                "shorten the text, or keep it in a file beside the code and link to it",
            )
    except Fault as fault:
        raise fault.invalid("") from None
    return data


def arranged(value: Any, order: Order | None = None) -> Any:
    """A value with its keys in the sequence in which ``encode`` writes them."""
    if not _nested(value):
        return value
    if isinstance(value, list):
        return [arranged(item, order) if _nested(item) else item for item in value]
    return {
        key: arranged(item, order and order.get(key)) if _nested(item := value[key]) else item
        for key in _arranged(value, order)
    }


def _nested(value: Any) -> bool:
    return type(value) in (dict, list) and bool(value)


def _check_depth(pad: str) -> None:
    """Refuse a collection that would stand too deep; each level is indented by two."""
    if len(pad) >= 2 * MAX_LEVELS:
        raise Fault(*TOO_DEEP)


def _block(lines: list[str], value: Any, order: Order | None, pad: str) -> None:
    """Add the lines of a collection that is not empty, indented by ``pad``."""
    _check_depth(pad)
    if type(value) is list:
        _list(lines, value, order, pad)
    else:
        _mapping(lines, value, order, pad)


def _mapping(lines: list[str], data: dict[str, Any], order: Order | None, pad: str) -> None:
    below = pad + "  "
    for key in _arranged(data, order):
        try:
            head = _key(key, pad)
            item = data[key]
            if _nested(item):
                lines.append(head)
                _block(lines, item, order and order.get(key), below)
            else:
                lines.append(f"{head} {_scalar(item, below)}")
        except Fault as fault:
            fault.path.append(key)
            raise


def _list(lines: list[str], items: list[Any], order: Order | None, pad: str) -> None:
    below = pad + "  "
    for index, item in enumerate(items):
        try:
            if not _nested(item):
                lines.append(f"{pad}- {_scalar(item, below)}")
            elif type(item) is list:
                lines.append(f"{pad}-")
                _block(lines, item, order, below)
            else:  # the first key shares the line of the dash
                first = len(lines)
                _block(lines, item, order, below)
                lines[first] = f"{pad}- {lines[first][len(below) :]}"
        except Fault as fault:
            fault.path.append(str(index))
            raise


def _arranged(data: dict[str, Any], order: Order | None) -> list[str]:
    for key in data:
        if type(key) is not str:
            raise Fault(f"the key {key!r} is not text", "make it a string")
    if not order:
        return sorted(data)
    named = [key for key in order if key in data]
    others = sorted(data.keys() - order.keys())
    if others and "changed" in data and [*order][-1] == "changed":
        return [*named[:-1], *others, "changed"]
    return named + others


def _key(key: str, pad: str) -> str:
    """The line that a key begins, up to its colon."""
    text = _known_key(key) if len(key) < _SHORT_KEY else text_form(key, "")
    return f"{pad}{text}:" if len(text) <= MAX_KEY else f"{pad}? {text}\n{pad}:"


@lru_cache(1 << 10)
def _known_key(key: str) -> str:
    return text_form(key, "")


def _scalar(value: Any, pad: str) -> str:
    """A value other than a collection with content; ``pad`` as for a text."""
    kind = type(value)
    if kind is str:
        return text_form(value, pad)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is dict or kind is list:
        _check_depth(pad)
        return "{}" if kind is dict else "[]"
    if kind is not int and kind is not float:
        raise Fault(
            f"{kind.__name__} is not a JSON type", "use text, a number, a list or a mapping"
        )
    if not abs(value) < TOO_GREAT:  # said so that it refuses NaN as well
        raise Fault(f"not a finite number of at most {MAX_DIGITS:,} digits", "store it as text")
    text = repr(value)
    if kind is float and "." not in text:
        text = text.replace("e", ".0e")  # YAML 1.1 wants the point and the sign: 1.0e+16
    return text


def text_form(text: str, pad: str) -> str:
    """A text in the plainest form that is safe, as a block at ``pad`` unless that is empty."""
    if _plain().fullmatch(text) and text.lower() not in WORDS:
        return text
    if pad and "\n" in text and text.strip(" \t\n") and not re.search(_UNFIT_FOR_BLOCK, text):
        return _literal(text, pad)
    return f'"{re.sub(_ESCAPED, _escape, text)}"'


@cache
def _plain() -> re.Pattern[str]:
    return re.compile(PLAIN)


def _literal(text: str, pad: str) -> str:
    indent = "2" if text[0] in " \t\n" else ""  # a reader cannot see it from the first line
    if text.endswith("\n"):
        text = text[:-1]
        keep = "+" if text.endswith("\n") else ""
    else:
        keep = "-"
    body = "\n".join(pad + line if line else "" for line in text.split("\n"))
    return f"|{indent}{keep}\n{body}"


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        raise Fault(
            f"half a character (the lone surrogate U+{code:04X}), which UTF-8 cannot hold",
            "remove it, or give the text in UTF-8",
        )
    return _SHORT.get(char) or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
