"""What somebody at a terminal sees; and that a pipe gets plain text, the same everywhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gittask.cli.table import cells
from gittask.cli.terminal import styled
from gittask.core.meaning import joined, meant
from tests.cli.filled import RECORDS, TASKS
from tests.memory import event, task
from tests.program import Program, controls
from tests.stored import write
from tests.terminal import AtTerminal

HOSTILE = "[red]mark[/red] [link=https://e.org]l[/link] :smile: \u202egnp"
SHOWN = HOSTILE.replace("\u202e", r"\u202e")
LONG = task("dddd", title="日本語 👩\u200d🔬 e\u0301 " * 12)


@pytest.fixture
def program(repo: Path) -> Program:
    """The program in a small store, for which a pipe stands."""
    write(repo, *RECORDS)
    return Program(repo)


@pytest.fixture
def terminal(program: Program) -> AtTerminal:
    """The same store, at a terminal."""
    return AtTerminal(program.folder)


def test_a_terminal_shows_what_a_pipe_gets_and_meanings_by_colour(
    program: Program, terminal: AtTerminal
) -> None:
    seen = terminal("list")
    assert seen.text == program("list").out
    assert all(seen.styled(text) for text in ("abcd", "active", "P1", "due 2026-03-29"))
    assert not any(seen.styled(text) for text in ("P2", "open", "Task abcd"))


def test_headings_and_states(terminal: AtTerminal) -> None:
    shown = terminal("show", "abcd")
    assert all(shown.styled(text) for text in ("Task abcd", "open questions", "attempts"))
    assert terminal("status", "bbbb").raw.startswith("\x1b[33mblocked by ")


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "0"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({"CLICOLOR": "0"}, False),
        ({"CLICOLOR": "0", "CLICOLOR_FORCE": "1"}, True),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_who_wants_colours(terminal: AtTerminal, env: dict[str, Any], coloured: bool) -> None:
    assert bool(controls(terminal("list", **env).raw)) == coloured


@pytest.mark.parametrize("args", [["list"], ["list", "--board"], ["tree"], ["show", "abcd"]])
def test_a_pipe_gets_plain_text_whatever_its_surroundings(
    program: Program, args: list[str]
) -> None:
    env = {"COLUMNS": "20", "TERM": "xterm-256color", "CI": "1", "COLORTERM": "truecolor"}
    plain = program.process(*args, env=env).stdout.decode()
    assert plain == program(*args).out
    assert not controls(plain)


def test_colours_may_be_forced_into_a_pipe_but_not_into_json(program: Program) -> None:
    forced = program.process("list", env={"FORCE_COLOR": "1"}).stdout.decode()
    assert "\x1b[36mabcd\x1b[0m" in forced
    assert (
        "2026-11-30 10:00 UTC"
        in program.process("show", "abcd", env={"CLICOLOR_FORCE": "1"}).stdout.decode()
    )
    plain = program.process("list", "--json", env={"FORCE_COLOR": "1"}).stdout.decode()
    assert not controls(plain)


def test_json_is_the_same_at_a_terminal(program: Program, terminal: AtTerminal) -> None:
    for args in (["show", "abcd"], ["list"], ["tree"], ["list", "--board"]):
        assert terminal("--json", *args).raw == program("--json", *args).out


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("args", [["list"], ["list", "--board"], ["tree"], ["tree", "dddd"]])
def test_nothing_is_wider_than_the_terminal(
    program: Program, terminal: AtTerminal, args: list[str], columns: int
) -> None:
    parts = (task("eeee", parent="dddd"), task("ffff", parent="eeee", depends_on=["dddd"]))
    write(program.folder, LONG, *parts)
    seen = terminal(*args, columns=columns)
    assert max(map(cells, seen.lines)) <= columns
    assert "dddd" in seen.text
    assert "日本語 👩\u200d🔬 " in seen.text


def test_a_narrow_list_leaves_out_what_matters_less(program: Program, terminal: AtTerminal) -> None:
    write(program.folder, task("abce", title="0123456789" * 5, due="2026-03-29"))
    assert terminal("list", columns=64).lines[1].endswith("  due 2026-03-29  01234567890123456789…")
    assert terminal("list", columns=40).lines == [
        "abcd  active  P1  Task abcd",
        "abce  open    P2  012345678901234567890…",
        "bbbb  open    P2  Task bbbb",
    ]


def test_text_of_others_is_shown_as_it_is(program: Program, terminal: AtTerminal) -> None:
    write(program.folder, task("abce", title=HOSTILE, why=HOSTILE))
    note = event("message", "abce", 5, kind="question", to="alice", body=HOSTILE)
    write(program.folder, note)
    shown = [["show", "abce"], ["inbox", "--all"], ["list"], ["tree"], ["list", "--board"]]
    for args in (*shown, ["status", "--as", "alice"]):
        assert SHOWN in terminal(*args, columns=300).text, args


def test_nothing_in_a_text_with_a_meaning_controls_a_terminal() -> None:
    text = joined(meant("\x1b[2J", "id"), "\x07\x9b", meant("[red]:smile:\x1b]8;;", "urgent"))
    assert styled(text) == "\x1b[36m\\e[2J\x1b[0m\\x07\\x9b\x1b[1;31m[red]:smile:\\e]8;;\x1b[0m"


@pytest.mark.parametrize("columns", [60, 300])
def test_a_board(terminal: AtTerminal, columns: int) -> None:
    seen = terminal("list", "--board", columns=columns)
    heads = ("ready (1)", "not ready (1)", "active (1)", "review (0)")
    assert all(seen.styled(head) for head in heads)
    beside = seen.lines[0].split("  ")
    assert [head for head in heads if head in map(str.strip, beside)] == (
        list(heads) if columns == 300 else ["ready (1)"]
    )
    assert "waits for alice" in seen.text


def test_a_board_takes_the_filters_of_a_list(program: Program) -> None:
    found = program.json("list", "--board", "--closed", "--project", "shop")
    assert found["total"] == 1
    assert {column["name"]: column["total"] for column in found["board"]} == {
        "ready": 1,
        "not ready": 0,
        "active": 0,
        "review": 0,
        "closed": 0,
    }
    assert found["board"][0]["tasks"] == [TASKS[1].data]
    assert program("list", "--board", "--limit", "1", "--responsible", "bob").out.count("(0)") == 4
    write(program.folder, task("dddd"), task("eeee"))
    assert "and 2 more: --all" in program("list", "--board", "--limit", "1").out


def test_a_tree(program: Program, terminal: AtTerminal) -> None:
    write(program.folder, task("bbbb", depends_on=["abce", "xxxx"], parent="abcd"))
    assert program("tree").out == (
        "abcd  active  Task abcd\n"
        "└─ bbbb  blocked  Task bbbb\n"
        "   ├─ needs abce  ready  Task abce\n"
        "   │  └─ needs x00000000000  missing\n"
        "   └─ needs xxxx00000000  missing\n"
    )
    assert terminal("tree").text == program("tree").out
    assert "needed by bbbb" in program("tree", "abce").out
    (top,) = program.json("tree", "--depth", "1")["tree"]
    assert (top["id"], top["more"], top["below"]) == ("abcd00000000", 1, [])


def test_a_tree_of_nothing_says_so(program: Program, terminal: AtTerminal) -> None:
    write(program.folder, *(task(name, "done", outcome="x") for name in ("abcd", "abce", "bbbb")))
    for args in (["tree"], ["list"]):
        shown = program(*args)
        assert (shown.out, shown.err) == ("", "no tasks\n")
    assert terminal("tree", GITTASK_PAGER="sed s/^/paged:/").text == ""


def test_times_are_relative_for_people_and_exact_on_request(
    program: Program, terminal: AtTerminal
) -> None:
    task = program.new("Fresh")
    exact = program("show", task).out
    assert " UTC by ann\n" in exact
    assert "created      just now by ann\n" in terminal("show", task).text
    assert terminal("--exact", "show", task).text == terminal("show", task, "--exact").text == exact
    assert terminal("show", task, NO_COLOR="1", TERM="dumb").text != exact


@pytest.mark.parametrize("args", [["list"], ["tree"], ["show", "abcd"], ["list", "--board"]])
def test_agents_do_not_load_the_library_for_colours(program: Program, args: list[str]) -> None:
    write(program.folder, LONG)
    call = (
        "import sys; from gittask.cli import main; main(sys.argv[1:]); "
        "assert not {name for name in sys.modules if name.partition('.')[0] == 'rich'}"
    )
    done = subprocess.run([sys.executable, "-c", call, *args], cwd=program.folder)
    assert done.returncode == 0
