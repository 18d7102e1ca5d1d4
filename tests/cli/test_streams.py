"""Pipes that close, streams that are missing, terminals that are not there: real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import pytest

from tests.program import Program

COMMAND = [sys.executable, "-m", "gittask"]


def closed_at_once(folder: Path, args: Sequence[str], **env: str) -> tuple[int, str]:
    """Exit code and standard error of a call whose reader is gone before it writes."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*COMMAND, *args],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.PIPE,
            env={**os.environ, **env},
            text=True,
        )
    finally:
        os.close(writing)
    return done.returncode, done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "args",
    [
        ["schema"],
        ["--json", "schema", "task"],
        ["--help"],
        ["list", "--json"],
        ["show", "zzzz", "--json"],
    ],
    ids=" ".join,
)
def test_a_reader_that_left(gittask: Program, args: list[str], unbuffered: str) -> None:
    done = closed_at_once(gittask.folder, args, PYTHONUNBUFFERED=unbuffered)
    assert done == (141, "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early(gittask: Program, unbuffered: str) -> None:
    """More than a pipe holds, of which the reader takes a few bytes."""
    for _ in range(8):
        gittask.new("A title", "--instructions", "x" * 20_000)
    process = subprocess.Popen(
        [*COMMAND, "list", "--json"],
        cwd=gittask.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


def test_a_reader_of_messages_that_left(gittask: Program) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, "show", "zzzz"], cwd=gittask.folder, stdin=subprocess.DEVNULL, stderr=writing
    )
    os.close(writing)
    assert done.returncode == 141


def on_a_full_disk(folder: Path, args: Sequence[str], **env: str) -> tuple[int, str]:
    """Exit code and standard error of a call whose result cannot be written."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *args],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, **env},
            text=True,
        )
    return done.returncode, done.stderr


FULL = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="has no device that is always full"
)


@FULL
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "args",
    [
        *(["schema"], ["schema", "--json"], ["--help"], ["--version"], ["new", "-h"]),
        *(["list"], ["status"], ["show", "{}"], ["find", "title"], ["list", "--json"]),
    ],
    ids=" ".join,
)
def test_a_full_disk(gittask: Program, args: list[str], unbuffered: str) -> None:
    """Also where a result is more than is written at once."""
    task = gittask.new("A title", "--instructions", "x" * 20_000)
    args = [each.format(task) for each in args]
    code, said = on_a_full_disk(gittask.folder, args, PYTHONUNBUFFERED=unbuffered)
    assert code == 1
    assert said == (
        "error: it was done, but the output cannot be written: No space left on device\n"
    )


@FULL
def test_what_was_done_although_the_disk_is_full(gittask: Program) -> None:
    code, said = on_a_full_disk(gittask.folder, ["new", "A title", "--why", "x"])
    assert (code, said.count("error: "), said.count("hint: ")) == (1, 1, 0)
    assert "it was done" in said
    assert gittask.json("list")["total"] == 1


@FULL
def test_what_was_not_done(gittask: Program) -> None:
    code, said = on_a_full_disk(gittask.folder, ["show", "zzzz", "--json"])
    assert (code, said) == (1, "error: the output cannot be written: No space left on device\n")
    code, said = on_a_full_disk(gittask.folder, ["show", "zzzz"])
    assert (code, said.count("error: "), "written" in said) == (3, 1, False)


@FULL
@pytest.mark.parametrize(
    ("args", "code"),
    [(["show", "zzzz"], 3), (["nope"], 2), (["find", "title", "--limit", "1"], 0)],
)
def test_messages_that_cannot_be_written(gittask: Program, args: list[str], code: int) -> None:
    """The result is there, and the exit code is that of what was done."""
    tasks = [gittask.new("A title"), gittask.new("Another title")]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *args],
            cwd=gittask.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
        )
    assert done.returncode == code
    assert any(task[:4] in done.stdout for task in tasks) == (code == 0)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream(gittask: Program, closed: str) -> None:
    call = f'"{sys.executable}" -m gittask new "A title" {closed}'
    assert subprocess.run(["sh", "-c", call], cwd=gittask.folder).returncode == 0
    assert gittask.json("list")["total"] == 1


def test_no_standard_input_to_read_from(gittask: Program) -> None:
    call = f'"{sys.executable}" -m gittask note {gittask.new()} -F - --json <&-'
    done = subprocess.run(["sh", "-c", call], cwd=gittask.folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert "standard input is closed" in done.stdout


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8", "tr_TR.UTF-8"])
def test_any_locale(gittask: Program, locale: str) -> None:
    env = {"LC_ALL": locale, "LANG": locale, "PYTHONIOENCODING": ""}
    made = gittask.process("new", "Zoë 漢字 🧭", env=env)
    assert (made.returncode, "Zoë 漢字 🧭" in made.stderr.decode()) == (0, True)
    id = made.stdout.decode().strip()
    shown = gittask.process("show", id, env=env)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert "Zoë 漢字 🧭" in shown.stdout.decode()
    assert (
        gittask.process("list", "--json", env={**env, "PYTHONIOENCODING": "ascii"}).returncode == 0
    )


def test_nothing_waits_for_a_person(gittask: Program) -> None:
    """Without a terminal no command asks for anything: it does its work, or ends with an error."""
    task = gittask.new()
    edit = gittask.process("edit", task, "--json")
    assert edit.returncode == 2
    assert b"no editor is set and there is no terminal" in edit.stdout
    assert gittask.process("cancel", task).returncode == 2
    assert gittask.process("handoff", task).returncode == 3


class PanicError(BaseException):
    """What a compiled module raises: no Exception, and nothing that one could catch by name."""


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (RuntimeError("no words"), 1, "error: a fault in gittask: RuntimeError: no words\n"),
        (PanicError("index out of bounds"), 1, "fault in gittask: PanicError: index out of bounds"),
        (PanicError("PyErr { type: <class 'KeyboardInterrupt'> }"), 130, ""),
        (KeyboardInterrupt(), 130, ""),
    ],
    ids=["fault", "panic", "interrupted panic", "interrupt"],
)
def test_what_goes_wrong_while_an_error_is_told(
    gittask: Program, monkeypatch: pytest.MonkeyPatch, fault: BaseException, code: int, said: str
) -> None:
    monkeypatch.setattr("gittask.cli.output.Output.error", mock.Mock(side_effect=fault))
    result = gittask("show", "zzzz", code=code)
    assert result.out == ""
    assert said in result.err if said else result.err == ""
