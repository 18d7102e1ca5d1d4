"""Text from arguments, files and standard input arrives unchanged, or is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.program import Program

TEXTS = [
    "one line",
    "`rm -rf .` $(id) ${HOME} !! && ; | > x",
    '\'single\' "double" \\"escaped\\"',
    "a literal \\n and \\t and \\\\",
    "tab\there\n\n  indented\n\ttabbed",
    "---\n- yaml: {a: [1, 2]}\n# no comment\n...",
    "-F\n--json",
    " leading and trailing ",
    "no",
    "0123",
    "null",
    "Zoë 漢字 🧭 👩‍💻 e\u0301",
]


def body(gittask: Program, *args: str, input: str | bytes = b"") -> Any:
    return gittask.json("note", *args, input=input)["note"]["body"]


@pytest.fixture
def task(gittask: Program) -> str:
    return gittask.new()


@pytest.mark.parametrize("text", TEXTS)
def test_text_arrives_unchanged(gittask: Program, task: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "text.md"
    file.write_text(text, encoding="utf-8")
    assert body(gittask, task, "--", text) == text
    assert body(gittask, task, "-F", str(file)) == text
    assert body(gittask, task, "-F", "-", input=text) == text
    assert gittask.task(task)["why"] == "It is needed"
    gittask("set", task, f"why={text}")
    assert gittask.task(task)["why"] == (None if text == "null" else text)


def test_an_argument_of_a_real_process(gittask: Program, task: str) -> None:
    texts = ["\n".join(TEXTS), "-F\n--json"]
    for text in texts:
        assert gittask.process("note", task, "--", text).returncode == 0
    assert sorted(note["body"] for note in gittask.records("note")) == sorted(texts)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (b"one\n", "one"),
        (b"one\n\n", "one\n"),
        (b"one", "one"),
        (b"one\r\ntwo\r\n", "one\ntwo"),
        (b"\xef\xbb\xbfone\n", "one"),
    ],
)
def test_one_final_line_break_and_carriage_returns(
    gittask: Program, task: str, given: bytes, kept: str
) -> None:
    assert body(gittask, task, "-F", "-", input=given) == kept


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (b"caf\xe9", "not valid UTF-8 at byte 3"),
        (b"\xff\xfea\x00", "not valid UTF-8 at byte 0"),
        (b"\xed\xa0\x80", "not valid UTF-8 at byte 0"),
        (b"x" * 5_000_000, "too large"),
        (b"x" * 200_000, "has 200000 characters, at most 100000"),
        (b"nul\x00", "control character U+0000"),
        (b"over\rwrite", "control character U+000D"),
        (b"", "is empty"),
        (b"\n \n", "is empty"),
    ],
)
def test_what_cannot_be_kept_is_refused(
    gittask: Program, task: str, given: bytes, says: str
) -> None:
    result = gittask("note", task, "-F", "-", "--json", input=given, code=5)
    assert says in result.error["message"]
    assert result.error["hint"]
    assert gittask.records("note") == []


def test_every_command_that_takes_text_takes_a_file(gittask: Program, tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("from a file\n")
    from_file = ("-F", str(file))
    task = gittask("new", "x", *from_file).id
    assert gittask.task(task)["why"] == "from a file"
    gittask("set", task, "instructions", *from_file)
    assert gittask.task(task)["instructions"] == "from a file"
    for command in (["ask", task], ["answer", task], ["say", task]):
        assert gittask.json(*command, *from_file)["message"]["body"] == "from a file"
    assert gittask.json("decide", task, "t", *from_file)["decision"]["outcome"] == "from a file"
    gittask("start", task)
    assert gittask.json("report", task, *from_file)["note"]["body"] == "from a file"
    closed = gittask.json("close", task, *from_file)["task"]
    assert closed["state"]["outcome"] == "from a file"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["text", "-F", "-"], "given twice"),
        ([], "is missing"),
        (["-F", "nowhere"], "cannot read nowhere"),
        (["-F", "."], "cannot read ."),
    ],
)
def test_which_text_is_meant(gittask: Program, task: str, args: list[str], says: str) -> None:
    result = gittask("note", task, *args, "--json", input="x", code=2)
    assert says in result.error["message"]
    assert result.error["hint"]
