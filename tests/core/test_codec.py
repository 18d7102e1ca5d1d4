"""What could be misread is refused with its place and what to do; the rest is read as typed."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gittask.core.codec import decode, encode
from gittask.core.record import canonical
from gittask.errors import Invalid, Problem


@pytest.fixture(params=["c", "pure"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers that decode may run on."""
    if request.param == "pure":
        monkeypatch.setattr(yaml, "__with_libyaml__", False)


def refusal(data: bytes) -> Problem:
    with pytest.raises(Invalid) as caught:
        decode(data, name="tasks/x.yaml")
    (problem,) = caught.value.problems
    assert problem.file == "tasks/x.yaml"
    assert problem.hint
    return problem


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "[no, on, Y, =, 12:30, 1:20:30, 2026-02-30]",
            ["no", "on", "Y", "=", "12:30", "1:20:30", "2026-02-30"],
        ),
        ("[1_000, 0b11, -0x1F, 1e, tRUE, x<<]", ["1_000", "0b11", "-0x1F", "1e", "tRUE", "x<<"]),
        ("[~, null, Null, NULL, ]", [None] * 4),
        ("[true, True, TRUE, false, False, FALSE]", [True] * 3 + [False] * 3),
        ("[0, -1, +12, 0x1F, 99999999999999999999]", [0, -1, 12, 31, 99999999999999999999]),
        ("[1., .5, 1.50, -2.5e+3, 1.0E-2]", [1.0, 0.5, 1.5, -2500.0, 0.01]),
        ("a:\nb: ''\n", {"a": None, "b": ""}),
        ("no: 1\n2026-01-01: 2\n=: 3\n", {"no": 1, "2026-01-01": 2, "=": 3}),
        ("'1': 4\n'<<': 5\n", {"1": 4, "<<": 5}),
        ("--- # a comment\n{a: [1], b: {}}\n...\n", {"a": [1], "b": {}}),
        ("~\n", None),
        ("a: >\n  folded\n  text\n", {"a": "folded text\n"}),
        ("a: =======\nb: |\n  <<<<<<< x\n", {"a": "=======", "b": "<<<<<<< x\n"}),
    ],
)
@pytest.mark.usefixtures("parser")
def test_plain_values_follow_yaml_1_2(text: str, value: Any) -> None:
    assert canonical(decode(text.encode())) == canonical(value)


@pytest.mark.parametrize(
    ("text", "mending"),
    [
        ("0123", 'write "0123" if it is text, 123 if it is a number'),
        ("-08", 'write "-08" if it is text, -8 if it is a number'),
        ("0o17", 'write "0o17" if it is text, 15 if it is a number'),
        ("12e4", 'write "12e4" if it is text, 120000.0 if it is a number'),
        ("-.5", 'write "-.5" if it is text, -0.5 if it is a number'),
        ("1.5e3", 'write "1.5e3" if it is text, 1500.0 if it is a number'),
        (".inf", "quote"),
        (".NaN", "quote"),
        ("1.0e+999", "quote"),
        ("9" * 5000, "quote"),
        ("0x" + "f" * 900, "quote"),
    ],
)
def test_numbers_that_readers_disagree_on_are_refused(text: str, mending: str) -> None:
    problem = refusal(f"a: 1\nb:\n  - {text}\n".encode())
    assert (problem.line, problem.field) == (3, "b.0")
    assert mending in problem.hint


@pytest.mark.parametrize(
    ("text", "line", "field", "message"),
    [
        ("a: 1\nb:\n  c: 1\n  c: 1\n", 4, "b.c", "stands twice"),
        ("a: [x, &b y]\n", 1, "a.1", "anchor &b"),
        ("a: 1\nb: *c\n", 2, "b", "alias *c"),
        ("a: &a [x]\nb: [*a, *a, *a]\n", 1, "a", "anchor"),
        ("? *a\n: 1\n", 1, "", "alias"),
        ("a: !!python/object/apply:os.abort []\n", 1, "a", "python/object"),
        ("a: ! x\n", 1, "a", "tag"),
        ("!x b: 1\n", 1, "", "tag"),
        ("<<: {a: 1}\n", 1, "", "merge key"),
        ("a: 1\n7: 1\n", 2, "", "the key 7 is not text"),
        ("True: 1\n", 1, "", "the key True is not text"),
        ("? \n: 1\n", 1, "", "is not text"),
        ("? [a]\n: 1\n", 1, "", "as a key"),
        ("a: 1\n---\nb: 1\n", 2, "", "second document"),
        ("%YAML 1.1\n---\na: no\n", 1, "", "directive"),
        ("", 1, "", "empty"),
        ("# nothing\n", 1, "", "empty"),
        ("a:\n\t- b\n", 2, "", "tab"),
        ("a:\n  b: 1\n\tc: 1\n", 3, "", "tab"),
        ("a: |\n\tb\n", 2, "", "tab"),
        ("a: x\0\n", 1, "", "U+0000"),
        ("a: 1\nb: \x1b[2J\n", 2, "", "U+001B"),
        ("a: x\u2028y\n", 1, "", "U+2028"),
        ("a: 1\n\ufeffb: 1\n", 2, "", "U+FEFF"),
        ("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n", 2, "", "unresolved merge"),
        ("a: [\n1,\n=======\n2]\n", 3, "", "unresolved merge"),
        ("||||||| base\na: 1\n", 1, "", "unresolved merge"),
        ("a: 1\nb: @x\nc: 1\n", 2, "", "cannot be read"),
        ("a: b: c\n", 1, "", "cannot be read"),
        ('a: "\\ud83d\\ude00"\n', 1, "", "cannot be read"),
        ('a: "\\UFFFFFFFF"\n', 1, "", "cannot be read"),
    ],
)
@pytest.mark.usefixtures("parser")
def test_hostile_text_is_refused_with_its_place(
    text: str, line: int, field: str, message: str
) -> None:
    problem = refusal(text.encode())
    assert message in problem.message
    assert (problem.line, problem.field) == (line, field)


@pytest.mark.parametrize(
    "text", ['a: 1\nb: "half\na', "a: 1\nb: [1, 2", "a: 1\nb\n", "a: 1\nb: {c"]
)
@pytest.mark.usefixtures("parser")
def test_text_that_was_cut_off_is_said_to_be(text: str) -> None:
    problem = refusal(text.encode())
    assert problem.line == 2
    assert "cut off" in problem.hint


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("a: 1\n".encode("utf-16"), 1),
        ("a: 1\n".encode("utf-16-be"), 1),
        ("a: 1\n".encode("utf-32"), 1),
        ("a: 1\nb: café\n".encode("latin-1"), 2),
        ("a: é".encode()[:-1], 1),
    ],
)
def test_other_encodings_are_refused(data: bytes, line: int) -> None:
    problem = refusal(data)
    assert problem.line == line
    assert "UTF-8" in problem.hint or "U+0000" in problem.message


def test_a_byte_order_mark_is_dropped_and_line_ends_of_any_kind_are_lf() -> None:
    assert decode(b"\xef\xbb\xbfa: 1\n") == {"a": 1}
    assert decode(b"a: |\r\n  x\r\n  y\r\nb: z\r\n") == {"a": "x\ny\n", "b": "z"}
    assert decode(b"a: 1\rb: 2\r") == {"a": 1, "b": 2}


TOKENS = [
    *[
        "a",
        "b",
        "1",
        "0x",
        "e",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "\n  ",
        "\n- ",
        ": ",
        ":",
        "- ",
        "-",
    ],
    *["[", "]", "{", "}", ",", "&a ", "*a", "!t ", "!!str ", "|\n", ">-\n", "'", '"', "\\", "\\u"],
    *["#", "---\n", "...\n", "%YAML 1.1\n", "? ", "<<: ", "<<<<<<< a\n", "\ufeff", "\x85", "d800"],
]


@pytest.mark.parametrize("fast", [True, False])
@settings(max_examples=300, deadline=None)
@given(
    data=st.lists(st.sampled_from(TOKENS), max_size=12).map("".join).map(str.encode) | st.binary()
)
def test_anything_at_all_is_read_or_refused_with_a_reason(fast: bool, data: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml, "__with_libyaml__", fast)
        try:
            value = decode(data, name="x")
        except Invalid as error:
            (problem,) = error.problems
            mended = bool(problem.message and problem.hint)
        else:
            mended = canonical(decode(encode(value))) == canonical(value)
    assert mended


def nest(levels: int) -> Any:
    value: Any = []
    for level in range(levels - 1):
        value = {"k": value} if level % 3 else [value]
    return value


@pytest.mark.usefixtures("parser")
def test_64_levels_are_the_most() -> None:
    assert decode(encode(nest(64))) == nest(64)
    with pytest.raises(Invalid, match="more than 64 levels"):
        encode(nest(65))
    assert decode(b"[" * 64 + b"]" * 64) == decode(b"- " * 63 + b"[]")
    for data in (b"[" * 65 + b"]" * 65, b"- " * 64 + b"[]", b"{a: " * 65 + b"}" * 65):
        assert "more than 64 levels" in refusal(data).message


@pytest.mark.usefixtures("parser")
def test_endless_nesting_and_size_cost_little() -> None:
    tracemalloc.start()
    try:
        for data in (b"[" * 3000, b"- " * 500_000, b"{a: " * 3000, b"[" * (1 << 20)):
            assert "more than 64 levels" in refusal(data).message
        assert "1,048,576" in refusal(b"a: 1\n" * (1 << 20)).message
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 64 << 20


def test_the_largest_file_that_may_be_written_can_be_read() -> None:
    text = "x" * ((1 << 20) - len("a: \n"))
    assert decode(encode({"a": text})) == {"a": text}
    with pytest.raises(Invalid, match="1,048,576"):
        encode({"a": text + "x"})
