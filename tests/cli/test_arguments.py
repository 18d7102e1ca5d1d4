"""Arguments that are easily misunderstood: forgotten values, dashes, nothing at all."""

from __future__ import annotations

import pytest

from tests.program import Program


@pytest.mark.parametrize(
    "args",
    [
        ["new", "--why", "--json", "x"],
        ["new", "x", "--why", "--label", "urgent"],
        ["new", "x", "--why", "--label=urgent"],
        ["new", "x", "--why", "-h"],
        ["new", "x", "--why", "-F", "file"],
        ["--as", "--json", "new", "x"],
        ["list", "--limit", "--all"],
        ["dep", "--as", "--json", "list", "x"],
        ["actor", "add", "bob", "--name", "--kind", "person"],
    ],
)
def test_a_forgotten_value(gittask: Program, args: list[str]) -> None:
    for said in (args, [*args, "--json"]):
        result = gittask(*said, code=2)
        assert "needs a value, but" in result.out + result.err
        assert "if you mean the text, write" in result.out + result.err
    assert gittask.json("list")["total"] == 0


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e300", "86401"])
def test_a_time_that_nobody_waits(gittask: Program, seconds: str) -> None:
    assert "--timeout" in gittask("sync", "--timeout", seconds, code=2).err


def test_a_value_that_looks_like_an_option(gittask: Program) -> None:
    task = gittask("new", "x", "--why=--json").id
    assert gittask.task(task)["why"] == "--json"
    task = gittask("new", "x", "--why", "-5 degrees").id
    assert gittask.task(task)["why"] == "-5 degrees"


@pytest.mark.parametrize("title", ["--weird", "-5", "--json", "--help", "-"])
def test_a_title_that_begins_with_a_dash(gittask: Program, title: str) -> None:
    assert gittask.task(gittask("new", "--", title).id)["title"] == title


def test_a_dash_without_separator(gittask: Program) -> None:
    result = gittask("new", "-5", code=2)
    assert "goes after --: gittask new -- ..." in result.err
    assert gittask.json("list")["total"] == 0


def test_text_that_is_an_option(gittask: Program) -> None:
    task = gittask.new()
    assert gittask("note", task, "--help").out.startswith("Usage: gittask note")
    assert gittask("note", task, "--", "--help").code == 0
    (note,) = gittask.records("note")
    assert note["body"] == "--help"


@pytest.mark.parametrize(
    "args",
    [
        *[["note", "TASK", "..."], ["note", "TASK", " ... "], ["new", "..."]],
        *[["new", "x", "--why", "..."], ["new", "x", "--why=..."], ["set", "TASK", "why=..."]],
        *[["set", "TASK", "labels+=..."], ["--as", "codex-1", "ask", "TASK", "..."]],
        ["handoff", "TASK", "--changed", "PATH :: ..."],
    ],
)
def test_what_stands_for_words_to_come_is_not_taken_for_words(
    gittask: Program, args: list[str]
) -> None:
    task = gittask.new()
    args = [task if word == "TASK" else word for word in args]
    assert (
        "is to be replaced by your own words" in gittask(*args, "--json", code=2).error["message"]
    )
    assert gittask.json("list")["total"] == 1
    assert gittask.records("note") == []


@pytest.mark.parametrize("text", ["and so on ...", "...and so on", "a note: ...", "...."])
def test_dots_among_words(gittask: Program, text: str) -> None:
    task = gittask.new()
    gittask("note", task, text)
    gittask("note", task, "--", "...")
    assert sorted(note["body"] for note in gittask.records("note")) == sorted([text, "..."])


@pytest.mark.parametrize("title", ["", " ", "\t", "\n", "\u3000"])
def test_a_title_must_say_something(gittask: Program, title: str) -> None:
    assert gittask("new", title, "--json", code=5).problems.keys() == {"title"}


@pytest.mark.parametrize("option", ["--as", "--execution", "-C"])
def test_an_unset_variable_of_a_script(gittask: Program, option: str) -> None:
    """``--as "$AGENT"`` must not act as somebody else when the variable is empty."""
    assert "is empty" in gittask("new", "x", option, "", code=2).err
    assert "is empty" in gittask(option, "", "new", "x", code=2).err


def test_an_argument_that_is_no_text(gittask: Program) -> None:
    result = gittask.process("new", "caf\udce9", "--json")
    assert result.returncode == 2
    assert b"not valid UTF-8" in result.stdout
    assert b"-F FILE" in result.stdout


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("create", "gittask new"),
        ("add", "gittask new"),
        ("done", "gittask close"),
        ("finish", "gittask close"),
        ("claim", "gittask start"),
        ("update", "gittask set"),
        ("comment", "gittask say"),
        ("delete", "gittask cancel"),
        ("version", "gittask --version"),
        ("view", "gittask show"),
        ("ls", "gittask list"),
        ("timelin", "gittask timeline"),
        ("dep delete", "gittask dep remove"),
        ("actor new", "gittask actor add"),
    ],
)
def test_a_command_that_people_guess(gittask: Program, typed: str, meant: str) -> None:
    error = gittask(*typed.split(), "x", "--json", code=2).error
    assert error["message"].endswith(f"; did you mean: {meant}")


def test_a_command_like_no_other(gittask: Program) -> None:
    assert gittask("qqqq", "--json", code=2).error["message"] == "no command 'qqqq'"


@pytest.mark.parametrize("words", ["", "note", "approve", "approve check"])
def test_help_is_a_command_too(gittask: Program, words: str) -> None:
    assert gittask("help", *words.split()).out == gittask(*words.split(), "--help").out


@pytest.mark.parametrize("words", ["qqqq", "note qqqq"])
def test_help_on_nothing(gittask: Program, words: str) -> None:
    gittask("help", *words.split(), code=2)
