"""The demonstration: the first thing that anybody runs, so it must work anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from gittask.cli import main

UNFIT = """\
[gittask]
    branch = elsewhere
    actor = nobody
[commit]
    gpgsign = true
[user]
    signingkey = none
[core]
    hooksPath = /nowhere
    autocrlf = true
"""
"""A configuration with which nothing would come out as the story says."""


@dataclass(frozen=True)
class Ran:
    exit_code: int
    output: str
    errors: str
    left: list[str]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """One run, by a user whose environment and configuration are full of traps."""
    home, temporary = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("temporary")
    (home / ".gitconfig").write_text(UNFIT)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "GIT_DIR": str(home / "nothing.git"),
        "GIT_AUTHOR_EMAIL": "nobody@example.org",
        "GITTASK_ACTOR": "nobody",
        "GITTASK_EXECUTION": "20261130t100411z-k3m9q2",
        "EDITOR": "false",
    }
    done = subprocess.run(
        [sys.executable, "-m", "gittask", "demo"], env=environment, cwd=home, capture_output=True
    )
    assert [path.name for path in home.iterdir()] == [".gitconfig"]
    left = [path.name for path in temporary.iterdir()]
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode(), left)


def test_it_comes_out_as_it_should_and_leaves_nothing(ran: Ran) -> None:
    assert (ran.exit_code, ran.errors, ran.left) == (0, "", [])
    assert "nobody" not in ran.output.replace("nobody said what should happen", "")


def test_it_shows_a_refused_write_and_what_to_do_instead(ran: Ran) -> None:
    _, found, after = ran.output.partition("[codex] $ gittask close ")
    refusal = after.partition("\n\n")[0]
    assert found
    assert "no longer holds" in refusal
    assert "hint: " in refusal
    assert "gittask handoff" in refusal
    assert refusal.endswith("(exit code 4)")


def test_it_shows_the_value_that_lost(ran: Ran) -> None:
    assert "kept 1, lost 0" in ran.output
    assert "--keep kept" in ran.output.partition("$ gittask inbox")[2]


def test_it_ends_with_the_timeline(ran: Ran) -> None:
    timeline = ran.output.rpartition("$ gittask timeline ")[2]
    for word in ("created", "claim", "conflict", "handoff", "exit code 0", "(late)", "done"):
        assert word in timeline, word


def test_it_fits_a_screen_and_has_no_colours(ran: Ran) -> None:
    assert "\x1b" not in ran.output
    assert max(map(len, ran.output.splitlines())) <= 80


def test_a_folder_that_is_not_empty_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").write_text("precious")
    assert main(["demo", "--keep", str(tmp_path)]) == 2
    assert "--keep" not in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
