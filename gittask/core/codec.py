"""Values from text: strict reading of YAML, under the core rules of YAML 1.2.

What is in our own canonical form, as nearly every file is, is read line by line (``reading``), the
rest by a parser (``parsing``). Whatever two readers could understand differently is refused with
its line and what to do. Limits hold while reading: no input costs more than its size.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import Any

from gittask.core.emit import MAX_BYTES, Fault, Order, encode
from gittask.core.reading import NotOurs, reread

__all__ = ["Order", "decode", "encode"]

_FORBIDDEN = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]"
_MARKER = r"\n(?:<{7}|\|{7}|={7}|>{7})(?![^ \n])"


def decode(data: bytes, *, name: str = "") -> Any:
    """The JSON value that a YAML file holds.

    Raises Invalid, with ``name`` as the file, the line, the field where one is known, and what
    to do about it.
    """
    try:
        text = _checked(data)
        with suppress(NotOurs):
            return reread(text)
        from gittask.core.parsing import parse  # its parser takes long to load

        return parse(text)
    except Fault as fault:
        raise fault.invalid(name) from None


def _checked(data: bytes) -> str:
    """The file as text with LF line ends, if it is text at all and of bearable size."""
    if len(data) > MAX_BYTES:
        raise Fault(
            f"{len(data):,} bytes are more than a file may have ({MAX_BYTES:,})",
            "move long text to a file beside the code and link to it",
        )
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise Fault("the file is UTF-16 or UTF-32, not UTF-8", "save it as UTF-8", 1)
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = _line(data.decode("latin-1"), error.start)
        raise Fault("the file is not UTF-8", "save it as UTF-8", line) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if found := re.search(_FORBIDDEN, text):
        code = f"{ord(found[0]):04x}"
        hint = f'remove it, or write it as "\\u{code}" in double quotes'
        raise Fault(f"the character U+{code.upper()}", hint, _line(text, found.start()))
    if found := re.search(_MARKER, "\n" + text):
        hint = "keep what is right of both sides and delete the lines <<<<<<<, =======, >>>>>>>"
        raise Fault("an unresolved merge conflict", hint, _line(text, found.start()))
    return text


def _line(text: str, index: int) -> int:
    return text.count("\n", 0, index) + 1
