"""Values from any text that is YAML, with a parser.

Its events are built into values here, so that nothing is taken for a date, a boolean or an object
that was typed as text (``no``, ``12:30``, ``2026-01-01`` are text), and so that whatever two
readers could understand differently is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import yaml

from gittask.core.emit import MAX_DIGITS, MAX_LEVELS, TOO_DEEP, TOO_GREAT, Fault, encode

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"]),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}
_NOT_TEXT = frozenset("~nNtTfF.+-0123456789")  # how a plain value begins that is no text
# The numbers of YAML 1.2; 1.1 reads those of the groups in _DISPUTED as something else.
_NUMBER = (
    r"(?P<decimal>[-+]?(?:0|[1-9][0-9]*))"
    r"|(?P<hex>0x[0-9a-fA-F]+)"
    r"|(?P<float>(?:[-+]?[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?)"
    r"|(?P<padded>[-+]?[0-9]+)"
    r"|(?P<octal>0o[0-7]+)"
    r"|(?P<bare>[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<endless>[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))"
)
_DISPUTED = frozenset(["padded", "octal", "bare"])
_QUOTE = "quote it if it is text"
_BASES = {"decimal": 10, "padded": 10, "hex": 16, "octal": 8}


def parse(text: str) -> Any:
    """The value of a document of YAML with LF line ends. Raises Fault, with the line."""
    try:
        return _document(_events(text))
    except yaml.MarkedYAMLError as error:
        raise _syntax(error, text) from None


def _events(text: str) -> Callable[[], Any]:
    """What returns the next event of a text each time: the C parser's, if yaml has one."""
    if yaml.__with_libyaml__:
        read: Callable[[], Any] = yaml.CBaseLoader(text).get_event
        return read
    parser: Any = yaml.BaseLoader(text)

    def checked() -> Any:
        try:
            event = parser.get_event()
            if type(event) is yaml.ScalarEvent:
                event.value.encode()
        except (ValueError, OverflowError):  # escapes that stand for no character, as \ud800
            raise yaml.scanner.ScannerError(
                None, None, "found an invalid escape", parser.get_mark()
            ) from None
        return event

    return checked


def _document(read: Callable[[], Any]) -> Any:
    """The value of the only document of a stream of events."""
    read()
    start = read()
    if type(start) is yaml.StreamEndEvent:
        raise Fault("the file is empty", "restore it from an earlier commit", 1)
    if start.version or start.tags:
        raise _fault("a directive (%)", "remove the line", start)
    value = _value(read(), read, 1)
    read()
    end = read()
    if type(end) is not yaml.StreamEndEvent:
        raise _fault("a second document in one file", "keep one, remove the line ---", end)
    return value


def _value(event: Any, read: Callable[[], Any], level: int) -> Any:
    """The value that begins with ``event``; what follows of it is taken from ``read``."""
    if event.anchor or event.tag:
        raise _decorated(event)
    kind = type(event)
    if kind is yaml.ScalarEvent:
        return _scalar(event)
    if level > MAX_LEVELS:
        raise _fault(*TOO_DEEP, event)
    if kind is yaml.SequenceStartEvent:
        items: list[Any] = []
        try:
            while type(event := read()) is not yaml.SequenceEndEvent:
                items.append(_value(event, read, level + 1))
        except Fault as fault:
            fault.path.append(str(len(items)))
            raise
        return items
    fields: dict[str, Any] = {}
    while type(event := read()) is not yaml.MappingEndEvent:
        key = _key(event)
        try:
            if key in fields:
                raise _fault("the key stands twice", "keep one of the two", event)
            fields[key] = _value(read(), read, level + 1)
        except Fault as fault:
            fault.path.append(key)
            raise
    return fields


def _key(event: Any) -> str:
    if event.anchor or event.tag:
        raise _decorated(event)
    if type(event) is not yaml.ScalarEvent:
        raise _fault("a list or mapping as a key", "use text as the key", event)
    if event.implicit[0] and event.value == "<<":
        raise _fault("a merge key (<<)", "write its fields out", event)
    key = _scalar(event)
    if type(key) is not str:
        raise _fault(
            f"the key {event.value or '(nothing)'} is not text",
            f'write it as "{event.value}"',
            event,
        )
    return key


def _scalar(event: Any) -> Any:
    text: str = event.value
    if not event.implicit[0] or (text and text[0] not in _NOT_TEXT):
        return text
    if text in _WORDS:
        return _WORDS[text]
    match = re.fullmatch(_NUMBER, text)
    return _number(match, event) if match else text


def _number(match: re.Match[str], event: Any) -> int | float:
    text, form = match[0], match.lastgroup
    number: int | float = TOO_GREAT
    if form != "endless" and len(text) <= MAX_DIGITS + 1:
        base = _BASES.get(form or "")
        number = int(text, base) if base else float(text)
    if abs(number) >= TOO_GREAT:
        message = f"{text[:40]} is not a finite number of at most {MAX_DIGITS:,} digits"
        raise _fault(message, _QUOTE, event)
    if form in _DISPUTED:
        hint = f'write "{text}" if it is text, {encode(number).decode().strip()} if it is a number'
        raise _fault(f"readers of YAML disagree on the number {text}", hint, event)
    return number


def _fault(message: str, hint: str, event: Any) -> Fault:
    return Fault(message, hint, event.start_mark.line + 1)


def _decorated(event: Any) -> Fault:
    """Why an alias, or a value with an anchor or a tag, is refused."""
    if type(event) is yaml.AliasEvent:
        return _fault(f"the alias *{event.anchor}", f"write the value out; {_QUOTE}", event)
    if event.anchor:
        return _fault(f"the anchor &{event.anchor}", f"remove it; {_QUOTE}", event)
    return _fault(f"the tag {event.tag!r}", f"remove it; {_QUOTE}", event)


def _syntax(error: yaml.MarkedYAMLError, text: str) -> Fault:
    """What the parser could not read, at the line where its author would look for it."""
    found: Any = error.problem_mark
    problem = str(error.problem)
    if "nesting depth" in problem:  # the C parser reads ahead, and so may find it first
        return Fault(*TOO_DEEP, found.line + 1)
    line = f"{text}\n".split("\n")[found.line]
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return Fault("a tab in the indentation", "indent with spaces", found.line + 1)
    hint = "check quotes, brackets and indentation; put text with special characters in quotes"
    if at_end := found.index >= len(text):
        hint = "the text may be cut off: complete it, or restore it from an earlier commit"
    if error.context_mark and (at_end or isinstance(error, yaml.scanner.ScannerError)):
        found = error.context_mark
    return Fault(f"cannot be read as YAML: {problem}", hint, found.line + 1)
