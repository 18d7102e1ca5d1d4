"""Long lines at a terminal: broken between words, set in below, and with their meanings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.cli.output import Output
from gittask.cli.table import cells
from gittask.cli.terminal import Terminal, wrapped
from gittask.core.meaning import joined, meant, parts, within
from tests.cli.filled import RECORDS
from tests.memory import event, task
from tests.program import Program
from tests.stored import write
from tests.terminal import AtTerminal

LONG = "the orders of one day arrive at the depot that was named last"
TEXT = st.text("ab  -日e\u0301👩\t", max_size=60)


def lines(text: str, width: int, hang: int = 2) -> list[str]:
    return list(wrapped(text, width, hang))


def test_what_is_broken_off_stands_further_in_than_its_line() -> None:
    assert lines(f"  - {LONG}", 24) == [
        "  - the orders of one",
        "    day arrive at the",
        "    depot that was named",
        "    last",
    ]
    assert lines("a bb ccc", 4, hang=0) == ["a bb", "ccc"]
    assert lines("short\n\n  lines", 40) == ["short", "", "  lines"]


def test_only_a_word_that_is_longer_than_a_line_is_broken() -> None:
    assert lines("see 0123456789abcdef now", 10) == ["see", "  01234567", "  89abcdef", "  now"]
    assert lines("問 日本語日本語", 7, hang=0) == ["問", "日本語", "日本語"]
    assert lines("e\u0301" * 5, 3, hang=0) == ["e\u0301" * 3, "e\u0301" * 2]


def test_a_deep_indent_leaves_half_of_the_line() -> None:
    assert lines(" " * 30 + "a bb", 6) == ["   a", "   bb"]


@given(TEXT, st.integers(6, 30), st.integers(0, 3))
def test_no_line_is_too_wide_and_nothing_is_lost(text: str, width: int, hang: int) -> None:
    found = lines(text, width, hang)
    assert all(cells(line) <= width for line in found)
    assert "".join("".join(found).split()) == "".join(text.split())


@given(st.lists(st.tuples(TEXT, st.sampled_from(["id", "warning", None])), max_size=5))
def test_meanings_are_kept(pieces: list[tuple[str, str | None]]) -> None:
    text = joined(*(meant(piece, meaning) for piece, meaning in pieces))  # type: ignore[arg-type]

    def letters(texts: list[str]) -> list[tuple[str, str | None]]:
        all_parts = (part for each in texts for part in parts(each))
        return [(char, meaning) for part, meaning in all_parts for char in part if char > " "]

    assert letters(lines(text, 7)) == letters([text])


@given(TEXT, TEXT, st.integers(0, 130), st.integers(0, 130))
def test_a_piece_of_a_text_with_meanings(one: str, other: str, start: int, end: int) -> None:
    text = joined(meant(one, "id"), other)
    piece = within(text, start, end)
    assert piece == text[start:end]
    assert [part for part, meaning in parts(piece) if meaning] == [one[start:end]] * (
        one[start:end] != ""
    )


def test_what_is_verbatim_is_never_broken() -> None:
    text = joined("    ", meant(f'gittask answer k3m9 "{LONG}"', "verbatim"))
    assert lines(f"{text}", 20) != [text]
    assert lines(text, 20) == [text]
    assert lines(meant(f"{LONG}\n\t{LONG}", "verbatim"), 20) == [LONG, f"\t{LONG}"]


# -- at a terminal ----------------------------------------------------------------------------


@pytest.fixture
def terminal(repo: Path) -> AtTerminal:
    """A store in which all that can be long is long, at a terminal."""
    write(repo, *RECORDS, task("gggg", title=LONG, why=f"{LONG}\n- {LONG}", priority=0))
    asked = event("message", "gggg", 4, kind="question", to="alice", body=f"{LONG} 日本語日本語")
    waits = event("wait", "gggg", 4, subject=asked.id)
    write(repo, asked, waits, event("note", "gggg", 5, body=f"{LONG}\n{LONG}"))
    write(repo, event("handoff", "gggg", 6, summary=LONG, created_by="codex-1"))
    return AtTerminal(repo)


READING = [
    ["status", "gggg"],
    ["status", "--as", "alice"],
    ["show", "gggg"],
    ["timeline", "gggg", "--all"],
    ["log", "gggg", "--patch"],
    ["discussion", "gggg"],
    ["blame", "gggg"],
    ["show", "gggg", "--effective", "--as", "codex-1"],
]


@pytest.mark.parametrize("args", READING, ids=" ".join)
@pytest.mark.parametrize("columns", [40, 64])
def test_no_line_is_wider_than_the_terminal(
    terminal: AtTerminal, args: list[str], columns: int
) -> None:
    """And no word is broken: all that a wide terminal shows stands there too."""
    seen = terminal(*args, columns=columns)
    assert max(map(cells, seen.lines)) <= columns
    if args[0] != "blame":  # a table is cut
        assert seen.text.split() == terminal(*args, columns=1000).text.split()


@pytest.mark.parametrize("args", READING, ids=" ".join)
def test_a_pipe_gets_lines_as_they_are(terminal: AtTerminal, args: list[str]) -> None:
    program = Program(terminal.folder)
    plain = program.process(*args, env={"COLUMNS": "40"}).stdout.decode()
    assert plain == program(*args).out


def test_commands_and_yaml_are_for_copying(terminal: AtTerminal) -> None:
    program = Program(terminal.folder)
    shown = terminal("inbox", "--as", "alice", columns=40).lines
    commands = [line for line in shown if line.lstrip().startswith("gittask ")]
    plain = program("inbox", "--as", "alice").out.splitlines()
    assert commands == [line for line in plain if line.startswith("    gittask ")]
    assert any(len(line) > 40 for line in commands)
    for args in (["show", "gggg", "--raw"], ["completion", "bash"], ["schema", "task"]):
        assert terminal(*args, columns=40).text == program(*args).out
    brief = terminal("brief", "gggg", "--as", "codex-1", columns=40).text
    assert brief == program("brief", "gggg", "--as", "codex-1").out


def test_lines_are_broken_as_they_come() -> None:
    made: list[str] = []

    def each() -> Iterator[str]:
        for name in "ab":
            made.append(name)
            yield f"{name} {LONG}"

    written: list[tuple[str, int]] = []
    with mock.patch("click.echo", lambda text, **_: written.append((text, len(made)))):
        output = Output(json=False)
        output.terminal = Terminal(width=40)
        output.result({}, each())
    assert [(text[0], count) for text, count in written] == [("a", 1), (" ", 1), ("b", 2), (" ", 2)]


def test_tabs_count_as_they_are_shown() -> None:
    assert lines(f"\t{LONG}", 30)[0] == " " * 8 + "the orders of one day"
