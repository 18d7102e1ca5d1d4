"""What is carried out before the commands are loaded is what the commands would do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.cli import ahead, syncing
from tests.conftest import Git
from tests.program import Program

Said = tuple[int, str, str]
PROBE = """
import sys
from gittask.cli import main
code = main(sys.argv[1:])
print("click" in sys.modules, file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture
def synced(gittask: Program, bare: Path, git: Git) -> Program:
    """A store that has been synced with its remote."""
    git(gittask.folder, "remote", "add", "origin", str(bare))
    gittask.new("Fix routing")
    gittask("sync")
    return gittask


@pytest.fixture
def said(synced: Program) -> Callable[..., tuple[Said, bool]]:
    """How a process ended, what it wrote, and whether it loaded the commands."""

    def said(*args: str) -> tuple[Said, bool]:
        argv = [sys.executable, "-c", PROBE, *args]
        done = subprocess.run(argv, cwd=synced.folder, capture_output=True, text=True)
        *errors, loaded = done.stderr.splitlines()
        return (done.returncode, done.stdout, "\n".join(errors)), loaded == "True"

    return said


def asked(folder: Path, tmp_path: Path, git: Git) -> Path:
    """A file to which each connection to the remote adds a line."""
    file = tmp_path / "asked"
    answering = tmp_path / "upload-pack"
    answering.write_text(f'#!/bin/sh\necho >>"{file}"\nexec git-upload-pack "$@"\n')
    answering.chmod(0o755)
    git(folder, "config", "remote.origin.uploadpack", str(answering))
    return file


def test_a_sync_with_nothing_to_do_says_what_the_command_says(
    said: Callable[..., tuple[Said, bool]],
) -> None:
    for args in ([], ["--json"]):
        ahead_of_it, loaded = said("sync", *args)
        by_command, loads = said("sync", *args, "--exact")
        assert ahead_of_it == by_command
        assert (loaded, loads) == (False, True)
    assert said("--json", "sync")[1] is False


def test_what_is_to_be_done_is_done_with_the_answer_that_is_there(
    synced: Program, said: Callable[..., tuple[Said, bool]], tmp_path: Path, git: Git
) -> None:
    file = asked(synced.folder, tmp_path, git)
    synced.new("Fix the queue")
    (code, out, _), loaded = said("sync")
    assert (code, out, loaded) == (0, "synced with origin: 0 pulled, 1 pushed\n", True)
    assert file.read_text() == "\n"
    assert said("sync")[0][1] == "up to date with origin\n"


def test_a_remote_that_does_not_answer_is_asked_no_more_than_by_the_command(
    synced: Program, said: Callable[..., tuple[Said, bool]], tmp_path: Path, git: Git
) -> None:
    file = tmp_path / "asked"
    failing = tmp_path / "upload-pack"
    failing.write_text(f'#!/bin/sh\necho >>"{file}"\nexit 1\n')
    failing.chmod(0o755)
    git(synced.folder, "config", "remote.origin.uploadpack", str(failing))
    (code, _, errors), loaded = said("sync")
    assert (code, loaded) == (6, True)
    assert "could not be reached" in errors
    assert file.read_text() == "\n\n"  # the fetch, and the listing that tells why


def test_an_interrupt_ends_it_as_any_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(syncing, "answer", interrupted)
    assert ahead.answer(["sync"]) == ahead.INTERRUPTED


def test_other_calls_are_left_to_the_commands() -> None:
    for call in ([], ["sync", "--to", "x"], ["list"], ["merge-driver", "a"], ["--json"]):
        assert ahead.answer(call) is None
    assert ahead.answer(["merge-driver", "a", "b", "c", "README.md"]) is None  # no such files
    assert ahead.answer(["merge-driver", "--json", "b", "c", "README.md"]) is None
