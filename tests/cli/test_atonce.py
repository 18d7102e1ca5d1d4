"""What is said at once is what the commands say, to the byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import click
import pytest

from gittask.cli import atonce
from gittask.cli.app import program
from tests.program import Program


def paths(command: click.Command = program, *path: str) -> Iterator[tuple[str, ...]]:
    """The path of each command, the outermost first: ``("approve", "check")``."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from paths(inner, *path, name)


PATHS = list(paths())


def test_help_is_what_each_command_says_of_itself(
    gittask: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for path in PATHS:
        for call in ([*path, "--help"], ["--json", *path, "-h"], ["help", *path]):
            said = atonce._said(call)
            assert said is not None
            assert said + "\n" == gittask(*call).out, call


@pytest.mark.parametrize("call", [["--version"], ["-V", "--json"], ["--json", "--version"], []])
def test_so_are_version_and_the_help_of_no_words(
    gittask: Program, monkeypatch: pytest.MonkeyPatch, call: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert f"{atonce._said(call)}\n" == gittask(*call).out


@pytest.mark.parametrize(
    "call",
    [
        *(["--json"], ["x", "--help"], ["show", "x", "--help"], ["", "--help"], ["show"]),
        *(["approve check", "--help"], ["--help", "show"], ["--version", "show"], ["help", "x"]),
        *(["--as", "x", "--help"], ["--version", "--help"], ["help", "--as", "x"]),
        *(["--", "--help"], ["@", "--help"], ["show\n", "--help"], ["-C", "--help"]),
    ],
)
def test_any_other_call_is_left_to_the_commands(call: list[str]) -> None:
    assert atonce._said(call) is None


WORDS = [
    *([*path, typed] for path, typed in product(PATHS, ("", "-", "--", "--js", "s", "re"))),
    *(["show", "x", "--"], ["show", "x", "y", "-"], ["nonesuch", ""], ["nonesuch", "-"], ["li"]),
    *(["approve", "nonesuch", ""], ["--json", ""], ["new", "--title=a"], ["list", "--", "-"]),
    *(["new", "a", "--why", "-"], ["approve", "check", "-", "--"], ["@"], ["_"], ["éa"]),
]
"""Calls of which the last word is being typed."""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_those_of_the_commands(
    gittask: Program, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    answered = 0
    for words in WORDS:
        monkeypatch.setenv("_GITTASK_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(("gittask", *words)))
        monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words)))
        said = atonce._completed(f"{shell}_complete")
        if said is not None:
            answered += 1
            assert f"{said}\n" == gittask("ignored").out, words
    assert answered > 2 * len(PATHS)


def run(*args: str, env: dict[str, str] | None = None, stdout: int = subprocess.PIPE) -> str:
    """The program as a process; its output, or its exit code where that goes elsewhere."""
    done = subprocess.run(
        [sys.executable, "-m", "gittask", *args],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | (env or {}),
    )
    return done.stdout if stdout == subprocess.PIPE else f"{done.returncode} {done.stderr}"


def test_a_process_answers_so() -> None:
    assert run("--version") == f"{atonce._said(['--version'])}\n"
    assert json.loads(run("note", "--json", "--help"))["help"] == atonce._said(["note", "--help"])
    env = {"_GITTASK_COMPLETE": "bash_complete", "COMP_WORDS": "gittask sho", "COMP_CWORD": "1"}
    assert run(env=env) == "plain,show\n"


def test_what_is_narrow_or_in_colour_is_left_to_the_commands() -> None:
    assert run("note", "--help", env={"COLUMNS": "200"}) == run("note", "--help")
    wide, narrow = run("note", "--help"), run("note", "--help", env={"COLUMNS": "60"})
    assert (wide != narrow, wide.split()) == (True, narrow.split())
    assert run("--help", env={"FORCE_COLOR": "1"}) == run("--help")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="nothing here is always full")
def test_what_cannot_be_written_is_told_as_ever() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        assert run("--version", stdout=full.fileno()).startswith("1 error: ")
    left, written = os.pipe()
    os.close(left)
    try:
        assert run("--version", stdout=written) == "141 "
    finally:
        os.close(written)
