"""The pager that people chose, and that lines are shown as they come: real pipes and programs."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from unittest import mock

import pytest

from gittask.cli.output import Output
from gittask.cli.pager import chosen_pager, through
from tests.cli.filled import RECORDS
from tests.conftest import Git
from tests.program import Program
from tests.stored import write
from tests.terminal import AtTerminal, read

MARK = "sed s/^/paged:/"
"""A pager by whose work it is known."""


@pytest.fixture
def terminal(repo: Path) -> AtTerminal:
    """A small store, at a terminal."""
    write(repo, *RECORDS)
    return AtTerminal(repo)


def fifo(folder: Path) -> tuple[Path, int]:
    """A pipe that has a name, and the number by which it is read without waiting for a writer."""
    path = folder / "fifo"
    os.mkfifo(path)
    return path, os.open(path, os.O_RDWR)


# -- which pager ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "config", "chosen"),
    [
        ({"GITTASK_PAGER": MARK, "GIT_PAGER": "cat"}, "cat", MARK),
        ({"GIT_PAGER": MARK, "PAGER": "cat"}, "cat", MARK),
        ({"PAGER": "cat"}, MARK, MARK),
        ({"PAGER": MARK}, None, MARK),
        ({"GITTASK_PAGER": "", "PAGER": MARK}, None, None),
        ({"GITTASK_PAGER": "cat", "PAGER": MARK}, None, None),
        ({"GIT_PAGER": ""}, MARK, None),
        ({"PAGER": "LESS=FRX less"}, None, "LESS=FRX less"),
    ],
)
def test_the_pager_is_ours_or_what_git_would_take(
    repo: Path,
    git: Git,
    monkeypatch: pytest.MonkeyPatch,
    env: dict[str, str],
    config: str | None,
    chosen: str | None,
) -> None:
    if config is not None:
        git(repo, "config", "core.pager", config)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert chosen_pager(repo) == chosen


@pytest.mark.parametrize(
    ("args", "paged"),
    [
        (["show", "abcd"], True),
        (["list", "--all"], True),
        (["list", "--board"], True),
        (["tree"], True),
        (["log", "--patch"], True),
        (["inbox", "--all"], True),
        (["list"], False),
        (["status"], True),
        (["brief", "abcd", "--as", "codex-1"], True),
        (["status", "abcd"], False),
        (["show", "abcd", "--no-pager"], False),
        (["--no-pager", "tree"], False),
        (["--json", "show", "abcd"], False),
    ],
)
def test_what_is_paged(terminal: AtTerminal, args: list[str], paged: bool) -> None:
    seen = terminal(*args, GITTASK_PAGER=MARK)
    assert seen.lines[0].startswith("paged:") == paged
    assert "paged:" not in terminal(*args, GITTASK_PAGER=MARK, TERM="dumb").text


def test_a_pipe_is_not_paged(terminal: AtTerminal) -> None:
    done = Program(terminal.folder).process("tree", env={"GITTASK_PAGER": MARK})
    assert b"paged:" not in done.stdout


def test_the_folder_is_that_of_the_call(terminal: AtTerminal, git: Git, tmp_path: Path) -> None:
    git(terminal.folder, "config", "core.pager", MARK)
    seen = AtTerminal(tmp_path)("-C", str(terminal.folder), "tree", GITTASK_PAGER=None)
    assert seen.lines[0].startswith("paged:")


# -- how it is used ---------------------------------------------------------------------------


def test_a_line_is_at_the_pager_before_the_next_is_made(tmp_path: Path) -> None:
    path, shown = fifo(tmp_path)

    def lines() -> Iterator[str]:
        yield "first"
        assert os.read(shown, 100) == b"first\n"
        yield "second"

    through(f"cat > '{path}'", lines())
    assert os.read(shown, 100) == b"second\n"
    os.close(shown)


def test_a_pager_that_is_left_early_ends_the_lines(tmp_path: Path) -> None:
    out = tmp_path / "out"
    through(f"head -n 1 > '{out}'", (f"{number}" for number in count()))
    assert out.read_text() == "0\n"


def test_a_pager_that_is_left_early_is_no_error(terminal: AtTerminal) -> None:
    assert terminal("show", "abcd", GITTASK_PAGER="head -n 1").lines == ["abcd00000000  Task abcd"]
    assert terminal("show", "abcd", GITTASK_PAGER="true").text == ""


def test_an_interrupt_while_lines_are_made_leaves_what_is_shown(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def lines() -> Iterator[str]:
        yield "first"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        through(f"cat > '{out}'", lines())
    assert out.read_text() == "first\n"


def test_an_interrupt_of_the_pager_is_its_own(terminal: AtTerminal) -> None:
    """Once all is handed over, Ctrl-C does not end the program under the pager's feet."""
    pager = "sh -c 'trap \"\" INT; cat; echo shown; read answer < /dev/tty; echo left'"
    with terminal.started("tree", GITTASK_PAGER=pager) as (process, ours):
        got = read(ours)
        seen = ""
        while "shown" not in seen:
            seen += next(got)
        os.write(ours, b"\x03")
        os.write(ours, b"\n")
        seen += "".join(got)
        assert process.wait() == 0
    assert seen.rstrip().endswith("left")


@pytest.mark.parametrize("pager", ["X=1 sed s/^/paged:/", "exec sed s/^/paged:/", f"( {MARK} )"])
def test_the_pager_is_run_by_the_shell_as_git_runs_it(terminal: AtTerminal, pager: str) -> None:
    assert terminal("tree", GITTASK_PAGER=pager).lines[0].startswith("paged:")


@pytest.mark.parametrize("pager", ["no-such-program -x", "X=1 no-such-program", "/"])
@pytest.mark.parametrize("size", [3, 100_000])
def test_a_pager_that_cannot_be_run_takes_no_line(pager: str, size: int) -> None:
    """However many were written before that was known, and none is made twice."""
    lines = iter([f"line {number}" for number in range(size)])
    assert list(through(pager, lines)) == [f"line {number}" for number in range(size)]


def test_without_the_pager_that_is_set_all_is_shown(terminal: AtTerminal) -> None:
    assert terminal("tree", GITTASK_PAGER="no-such-program").text == terminal("tree").text


def test_less_gets_what_git_gives_it(terminal: AtTerminal) -> None:
    shown = terminal("tree", GITTASK_PAGER="cat > /dev/null; echo $LESS $LV").text
    assert shown == "FRX -c\n"
    mine = terminal("tree", GITTASK_PAGER="cat > /dev/null; echo $LESS", LESS="S").text
    assert mine == "S\n"


# -- without a pager --------------------------------------------------------------------------


@contextlib.contextmanager
def standard_output(number: int) -> Iterator[None]:
    with open(number, "w", closefd=False) as stream, mock.patch("sys.stdout", stream):
        yield


@pytest.mark.parametrize("opened", [os.pipe, os.openpty], ids=["pipe", "terminal"])
def test_a_line_is_written_before_the_next_is_made(opened: object) -> None:
    ours, theirs = opened()  # type: ignore[operator]

    def lines() -> Iterator[str]:
        yield "first"
        assert os.read(ours, 100).split() == [b"first"]
        yield "second"

    with standard_output(theirs):
        Output(json=False).result({}, lines())
    assert os.read(ours, 100).split() == [b"second"]
    os.close(ours)
    os.close(theirs)


def test_a_reader_that_leaves_ends_the_lines() -> None:
    call = (
        "import sys, itertools; from gittask.cli.output import Output; "
        "Output(json=False).result({}, map(str, itertools.count()))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", call], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"0\n"
        process.stdout.close()
        assert b"BrokenPipeError" in process.stderr.read()
