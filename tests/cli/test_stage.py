"""The stage of the demonstration: what runs there is cut off, shown as typed, and checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gittask.cli.stage import WIDEST, Stage
from gittask.errors import GittaskError


@pytest.fixture
def shown() -> list[str]:
    return []


@pytest.fixture
def stage(tmp_path: Path, shown: list[str]) -> Stage:
    (tmp_path / "agent").mkdir()
    return Stage(tmp_path, shown.append, {"agent": "codex-1"})


def test_a_command_is_shown_with_what_it_printed(stage: Stage, shown: list[str]) -> None:
    output = stage.run("agent", "gittask", "--version", shows=["gittask"])
    assert shown == ["[agent] $ gittask --version", output]
    assert stage.as_json() == {
        "steps": [
            {"folder": "agent", "command": "gittask --version", "exit_code": 0, "output": output}
        ],
        "total": 1,
    }


def test_an_unexpected_exit_code_ends_it(stage: Stage) -> None:
    with pytest.raises(GittaskError, match="ended with exit code 1, not 0") as raised:
        stage.run(".", "git", "config", "no.such")
    assert raised.value.exit == 1
    with pytest.raises(GittaskError, match="ended with exit code 0, not 4"):
        stage.run(".", "git", "--version", exit_code=4)


def test_output_that_lacks_something_ends_it(stage: Stage) -> None:
    with pytest.raises(GittaskError, match="does not show 'subversion'"):
        stage.run(".", "git", "--version", shows=["git", "subversion"])


def test_what_is_prepared_is_not_shown_but_checked(stage: Stage, shown: list[str]) -> None:
    stage.prepare(".", "git", "--version")
    assert (shown, stage.steps) == ([], [])
    with pytest.raises(GittaskError):
        stage.prepare(".", "git", "config", "no.such")


def test_nothing_of_the_user_is_seen(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".gitconfig").write_text("[user]\n\tname = Somebody\n")
    monkeypatch.setenv("GIT_DIR", str(home))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.name")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "Somebody")
    stage = Stage(tmp_path, lambda _: None)
    stage.prepare(".", "git", "init", "--quiet", "here")
    assert (tmp_path / "here" / ".git").is_dir()
    assert stage.run("here", "git", "config", "user.name") == "Alice"


def test_an_actor_is_named_by_the_environment(stage: Stage) -> None:
    stage.prepare(".", "git", "init", "--quiet", "agent")
    stage.prepare("agent", "gittask", "init")
    made = stage.run("agent", "gittask", "new", "Fix routing", "--json")
    assert json.loads(made)["task"]["created"]["by"] == "codex-1"


def test_a_long_command_goes_on_before_an_option(stage: Stage, shown: list[str]) -> None:
    stage.run(".", "git", "log", *["--grep", "some words"] * 8, exit_code=128)
    lines = stage.steps[0].command.splitlines()
    assert len(lines) == 3
    assert max(map(len, shown[0].splitlines())) <= WIDEST
    assert all(line.startswith("    --grep") for line in lines[1:])
    assert stage.steps[0].command.count('--grep "some words"') == 8


def test_long_output_is_broken_on_the_screen_only(stage: Stage, shown: list[str]) -> None:
    text = "  " + "word " * 40 + "end"
    stage.run(".", "git", "-c", f"alias.say=!echo '{text}'", "say")
    assert stage.steps[0].output == text
    lines = shown[-1].splitlines()
    assert len(lines) == 3
    assert max(map(len, lines)) <= WIDEST
    assert " ".join(shown[-1].split()) == text.strip()
