"""What is read without the parser is what the parser reads, and every record of ours is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gittask.core import codec
from gittask.core.emit import MAX_KEY, MAX_LEVELS, Fault, encode
from gittask.core.parsing import parse
from gittask.core.reading import NotOurs, reread
from gittask.core.record import canonical
from gittask.errors import Invalid
from gittask.store.packaged import example, schemas
from tests.core.test_emit import values

law = settings(max_examples=500, deadline=None)

BITS = [
    *("", " ", "  ", "\n", "\n  ", "\n\n", ":", ": ", "- ", "-", "|", "|-", "|2-", "|+", ">", "#"),
    *('"', "\\n", "\\u0085", "\\ud83d", "\\/", "'", "a", "b", "0", "1", "-0", "007", "1.5", "1e3"),
    *("null", "true", "yes", "~", "[]", "{}", "[", "?", "? ", "&a ", "*a", "!!str ", "<<", "---"),
    *("...", "%", "\t", "\r", "\x85", "\ufeff", "é", "=======", "2026-01-01", " #"),
]
LINES = [
    *(
        "a: b",
        "a:",
        "  b: c",
        "  - d",
        "- e",
        "- f: g",
        "  h: 1",
        "- |-",
        "  two",
        "  lines",
        "a: |",
    ),
    *("    deep: []", "-", "  -", '"k": "v"', "k: null", "", "  ", "- {}", "b: true", "    - x"),
]


def by_parser(text: str) -> Any:
    """What the parser makes of a text; NotOurs stands for whatever it refuses."""
    try:
        return canonical(parse(text))
    except Fault:
        return NotOurs


def agrees(text: str) -> bool:
    """Whether a text was read; then the parser reads the same from it."""
    try:
        text = codec._checked(text.encode())
        found = reread(text)
    except (NotOurs, Fault):
        return False
    assert canonical(found) == by_parser(text), text
    return True


@law
@given(values)
def test_what_was_written_is_read_as_by_the_parser(value: Any) -> None:
    agrees(encode(value).decode())


@law
@given(values, st.lists(st.tuples(st.integers(0, 300), st.integers(0, 4), st.sampled_from(BITS))))
def test_what_was_changed_by_hand_is_read_as_by_the_parser_or_left_to_it(
    value: Any, edits: list[tuple[int, int, str]]
) -> None:
    text = encode(value).decode()
    for at, gone, bit in edits:
        text = text[:at] + bit + text[at + gone :]
    agrees(text)


@law
@given(st.lists(st.sampled_from(LINES), max_size=6).map("\n".join), st.booleans())
def test_any_lines_are_read_as_by_the_parser_or_left_to_it(text: str, ends: bool) -> None:
    agrees(text + "\n" * ends)


@law
@given(st.lists(st.sampled_from(BITS), max_size=7).map("".join))
def test_any_text_is_read_as_by_the_parser_or_left_to_it(text: str) -> None:
    agrees(text)


def test_every_record_of_ours_needs_no_parser() -> None:
    files = [path for path in sorted(example().rglob("*.yaml")) if path.is_file()]
    assert len(files) > 20
    assert all(agrees(path.read_text(encoding="utf-8")) for path in files)


@pytest.mark.parametrize(
    "value",
    [
        {"a": "two\nlines", "b": ["  indented\nx\n", {"c": {"d": []}, "e": -7}], "f:g": "h: i"},
        {"changed": {"state.status": "7 2026-11-30T10:04:11.123Z alice"}, "due": "2026-11-30"},
        [[1, [2]], {"k" * MAX_KEY: "é \U0001f469"}, "tab\there", ""],
    ],
)
def test_what_records_hold_needs_no_parser(value: Any) -> None:
    assert agrees(encode(value).decode())


def test_what_the_parser_refuses_is_left_to_it() -> None:
    deep = "".join(f"{'  ' * level}a:\n" for level in range(MAX_LEVELS)) + f"{'  ' * MAX_LEVELS}b"
    for text in (f"{deep}: 1\n", f"{'k' * 1100}: 1\n", "a: 1\na: 2\n", "a: *b\n", "a: 1\n<<: 2\n"):
        with pytest.raises(NotOurs):
            reread(text)
        with pytest.raises(Invalid):
            codec.decode(text.encode())


def test_what_is_written_otherwise_is_left_to_the_parser() -> None:
    """Though it means the same as what would be written."""
    for text in ("- - a: 1\n", "- - 1\n", "a: 'b'\n", 'a: "b"\n', "a:  b\n", "a: 01\n"):
        with pytest.raises(NotOurs):
            reread(text)


def test_all_schemas_have_keys_that_need_no_parser() -> None:
    for kind in schemas().kinds:
        assert agrees(encode(dict.fromkeys(schemas().order(kind))).decode())
