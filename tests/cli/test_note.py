"""``note``: commands that were run, and files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.acting import Actor
from tests.program import Program, controls


@pytest.fixture
def task(gittask: Program) -> str:
    return gittask.new("Fix routing")


def note(gittask: Program, task: str, *args: str) -> dict[str, Any]:
    made: dict[str, Any] = gittask.json("note", task, *args)["note"]
    return made


class TestCommands:
    """``--run``: what was run, what it printed last, and how it ended."""

    def test_what_it_came_to(self, gittask: Program, task: str) -> None:
        made = note(gittask, task, "--run", "echo seen; echo no >&2; exit 3")
        assert (made["kind"], made["body"]) == ("command", "echo seen; echo no >&2; exit 3")
        assert made["command"] == {
            "argv": ["sh", "-c", "echo seen; echo no >&2; exit 3"],
            "exit_code": 3,
            "tail": "seen\nno\n",
        }

    def test_its_text_may_say_more(self, gittask: Program, task: str, tmp_path: Path) -> None:
        (tmp_path / "text.md").write_text("Before\nany change\n")
        for args, body in (
            (["Before"], "Before"),
            (["-F", str(tmp_path / "text.md")], "Before\nany change"),
        ):
            made = note(gittask, task, *args, "--run", "true")
            assert (made["body"], made["command"]["exit_code"]) == (body, 0)

    def test_it_succeeds_whatever_the_command_did(self, gittask: Program, task: str) -> None:
        result = gittask("note", task, "--run", "echo seen; exit 3")
        assert result.id == gittask.records("note")[0]["id"]
        assert result.err == f"seen\nnoted on {task}, exit code 3\n"
        assert gittask("note", task, "--run", "echo seen", "--json").err == ""

    def test_it_runs_where_the_code_is_and_without_standard_input(
        self, gittask: Program, task: str
    ) -> None:
        made = note(gittask, task, "--run", "cat; ls")
        assert made["command"]["tail"] == "code.txt\n"

    def test_its_output_controls_nothing(self, gittask: Program, task: str) -> None:
        result = gittask("note", task, "--run", r"printf '\033[31mred\033]0;x\007\n'")
        (made,) = gittask.records("note")
        assert controls(result.err) == controls(made["command"]["tail"]) == set()

    def test_by_whom_and_under_what(self, gittask: Program, codex: Actor, task: str) -> None:
        execution = codex("start", task).id
        codex("note", task, "--run", "true")
        (made,) = gittask.records("note")
        assert (made["created"]["by"], made["execution"]) == ("codex-1", execution)

    def test_how_it_is_shown(self, gittask: Program, task: str) -> None:
        made = note(gittask, task, "Before", "--run", "echo 'a  b'")
        for command in (["show", made["id"]], ["timeline", task]):
            shown = gittask(*command).out
            assert "$ echo 'a  b'\n" in shown
            assert "a  b\n" in shown
            assert "exit code 0" in shown
            assert "sh -c" not in shown

    def test_a_repeated_call_runs_nothing_again(
        self, gittask: Program, task: str, tmp_path: Path
    ) -> None:
        call = ("note", task, "--run", f"echo x >> {tmp_path / 'ran'}", "--idempotency-key", "k")
        assert gittask(*call).id == gittask(*call).id
        assert (tmp_path / "ran").read_text() == "x\n"

    @pytest.mark.parametrize(
        ("args", "code"),
        [
            (["--kind", "result"], 2),
            (["x" * 100_001], 5),
            ([" "], 5),
            (["--path", "a" * 1001], 5),
            (["--as", "not a name"], 2),
            (["--execution", "20261130t100411z-k3m9q2"], 3),
        ],
    )
    def test_nothing_is_run_that_could_not_be_kept(
        self, gittask: Program, task: str, tmp_path: Path, args: list[str], code: int
    ) -> None:
        gittask("note", task, *args, "--run", f"touch {tmp_path / 'ran'}", code=code)
        gittask("note", "zzzz", "--run", f"touch {tmp_path / 'ran'}", code=3)
        assert not (tmp_path / "ran").exists()
        assert gittask.records("note") == []

    def test_it_was_made_when_the_command_had_ended(self, gittask: Program, task: str) -> None:
        """So that it stands after what was noted meanwhile."""
        note(gittask, task, "--run", f"'{sys.executable}' -m gittask note {task} meanwhile")
        outer, meanwhile = sorted(gittask.records("note"), key=lambda one: str(one["kind"]))
        assert outer["command"]["exit_code"] == 0, outer
        assert meanwhile["created"]["at"] < outer["created"]["at"]


def test_files_and_what_about_them(gittask: Program, task: str) -> None:
    made = note(
        *(gittask, task, "Where it happens", "--kind", "files"),
        *("--path", "src/route.py::the table", "--path", "b.py :: the test", "--path", "c.py"),
    )
    assert made["kind"] == "files"
    assert made["files"] == [
        {"path": "src/route.py", "what": "the table"},
        {"path": "b.py", "what": "the test"},
        {"path": "c.py", "what": "named by the note"},
    ]
    assert "- src/route.py: the table\n" in gittask("show", made["id"]).out
