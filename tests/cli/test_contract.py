"""What every command keeps to: streams, exit codes, and the one shape of an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from gittask.cli.app import SECTIONS, program
from tests.program import Program, Result

CALLS = {
    "init": "",
    "new": "Title",
    "list": "",
    "ready": "",
    "show": "{task}",
    "set": "{task} title=Other",
    "edit": "{task}",
    "close": "{task}",
    "cancel": "{task} --reason r",
    "reopen": "{task} --reason r",
    "dep add": "{task} {task}",
    "dep remove": "{task} {task}",
    "dep list": "{task}",
    "actor add": "bob",
    "actor list": "",
    "actor set": "{task} name=Bob",
    "project add": "shop",
    "project list": "",
    "project set": "{task} name=Shop",
    "store show": "",
    "store set": "name=Shop",
    "start": "{task}",
    "commit": "{task}",
    "report": "{task} text",
    "handoff": "{task}",
    "release": "{task}",
    "takeover": "{task} --reason r",
    "recover": "{task}",
    "retry": "{task}",
    "resume": "{task}",
    "beat": "{task}",
    "note": "{task} text",
    "decide": "{task} title --outcome o",
    "ask": "{task} text",
    "answer": "{task} text",
    "say": "{task} text",
    "wait": "{task} --on time --until 2h",
    "approve check": "{task} action",
    "approve deny": "{task} --reason r",
    "approve grant": "{task}",
    "approve list": "",
    "approve request": "{task} action",
    "approve revoke": "{task} --reason r",
    "review": "{task} --verdict approved",
    "inbox": "",
    "resolve": "{task} --keep late",
    "status": "{task}",
    "brief": "{task}",
    "timeline": "{task}",
    "log": "{task}",
    "route": "about {task}",
    "blame": "{task}",
    "find": "title=Other",
    "tree": "{task}",
    "discussion": "{task}",
    "site build": "folder",
    "where": "{task}",
    "pr render": "--task {task}",
    "pr check": "--task {task}",
    "pr waive": "{task} --uncertain 1 --reason r",
    "sync": "",
    "verify": "",
    "doctor": "",
    "schema": "{task}",
    "merge-driver": "base ours theirs path",
    "textconv": "{task}",
    "hook pre-receive": "",
    "hook install": "prepare-commit-msg",
    "hook uninstall": "prepare-commit-msg",
    "hook status": "",
    "hook run": "prepare-commit-msg file",
    "help": "",
    "demo": "",
    "completion": "bash",
}
"""For each command a call that is right but for the record that it names."""

ANYWHERE = (
    *("schema", "help", "demo", "completion", "merge-driver", "hook pre-receive"),
    "textconv",
    *("hook uninstall", "hook status", "hook run"),
)
"""The commands that need no store."""
UNKNOWN = "zzzzzzzz"

EXITS = {
    "usage": 2,
    "no_identity": 2,
    "no_store": 3,
    "not_found": 3,
    "ambiguous": 3,
    "refused": 4,
    "invalid": 5,
    "remote": 6,
    "contention": 7,
}


def words(name: str) -> list[str]:
    return [*name.split(), *CALLS[name].format(task=UNKNOWN).split()]


def leaves(command: click.Command, ctx: click.Context, name: str = "") -> Iterator[str]:
    """The names of all commands under a group, sub-commands included."""
    if not isinstance(command, click.Group):
        yield name
        return
    for each in command.list_commands(ctx):
        found = command.get_command(ctx, each)
        assert found is not None
        yield from leaves(found, ctx, f"{name} {each}".strip())


def both(program: Program, *args: str) -> Result:
    """The error of a failing call, after seeing that it is said alike in every way of asking."""
    before, after = program("--json", *args, code=None), program(*args, "--json", code=None)
    assert before == after
    error = before.error
    assert before.err == ""
    assert before.code == EXITS[error["code"]], error
    assert error["message"]
    assert error["hint"], error
    assert isinstance(error["retryable"], bool)

    plain = program(*args, code=before.code)
    assert plain.out == ""
    assert plain.err.startswith("error: ")
    assert "Traceback" not in plain.err
    if error["code"] != "invalid":
        assert plain.err == f"error: {error['message']}\nhint: {error['hint']}\n"
    return before


def test_every_command_is_listed_here() -> None:
    assert set(CALLS) == set(leaves(program, click.Context(program)))
    assert {name.split()[0] for name in CALLS} == set(" ".join(SECTIONS.values()).split())


def test_unknown_record(gittask: Program) -> None:
    for name, args in CALLS.items():
        if "{task}" in args:
            assert both(gittask, *words(name)).code == 3, name


def test_unknown_option(gittask: Program) -> None:
    for name in CALLS:
        result = both(gittask, *words(name), "--no-such-option")
        assert result.code == 2, name
        assert "--no-such-option" in result.error["message"]
        assert f"gittask {name} --help" in result.error["hint"]


def test_too_many_arguments(gittask: Program) -> None:
    for name, args in CALLS.items():
        if not args.endswith((" {task}", "=Other", "=Bob", "=Shop")):
            assert both(gittask, *words(name), "one", "two", "three", "four").code == 2, name


def test_no_store(repo: Path) -> None:
    for name in CALLS:
        if name not in (*ANYWHERE, "init", "sync"):  # without a remote, sync says that first
            result = both(Program(repo), *words(name))
            assert result.code == 3, name
            assert "gittask init" in result.error["hint"]


def test_outside_a_repository(tmp_path: Path) -> None:
    for name in CALLS:
        if name not in ANYWHERE:
            result = both(Program(tmp_path), *words(name))
            assert result.code == 3, name
            assert "git init" in result.error["hint"]


@pytest.mark.parametrize(
    ("args", "field"),
    [
        (["new", "x", "--due", "2026-02-30"], "due"),
        (["new", "x", "--label", "two words"], "labels.0"),
        (["new", "x", "--type", "No Slug"], "type"),
        (["set", "{task}", "priority=9"], "priority"),
        (["set", "{task}", "nonsense=1"], "nonsense"),
        (["actor", "add", "Bob"], "id"),
        (["project", "add", "two words"], "id"),
        (["note", "{task}", "bell\a"], "body"),
        (["decide", "{task}", "t", "--outcome", " \n "], "outcome"),
        (["ask", "{task}", "q", "--channel", "No Slug"], "channel"),
        (["start", "{task}", "--role", "No Slug"], "role"),
        (["cancel", "{task}", "--reason", ""], "state.reason"),
    ],
)
def test_invalid_value(gittask: Program, args: list[str], field: str) -> None:
    task = gittask.new()
    result = both(gittask, *(arg.format(task=task) for arg in args))
    assert result.code == 5
    assert field in result.problems
    assert all(problem["hint"] for problem in result.error["details"]["problems"])


def test_all_problems_are_told_at_once(gittask: Program) -> None:
    result = both(
        gittask,
        *["new", "", "--label", "a b", "--label", "ok", "--due", "soon", "--type", "X Y"],
        *["--why", "bell\a", "--accept", ""],
    )
    assert result.problems.keys() == {
        *("title", "labels.0", "due", "type", "why", "acceptance.0.text")
    }
    told = gittask("new", "", "--due", "soon", code=5).err
    assert "title: must not be empty (give some text" in told
    assert "due: " in told


def test_nothing_is_written_by_a_refused_call(gittask: Program) -> None:
    before = gittask.json("list", "--all")
    gittask("new", "", code=5)
    gittask("new", "x", "--depends-on", UNKNOWN, code=3)
    assert gittask.json("list", "--all") == before


def test_help_is_a_result(gittask: Program) -> None:
    for name in CALLS:
        for flag in ("--help", "-h"):
            plain = gittask(*name.split(), flag)
            assert plain.out.startswith(f"Usage: gittask {name} ")
            assert plain.err == ""
            assert gittask.json(*name.split(), flag)["help"] in plain.out


def test_the_program_alone_explains_itself(gittask: Program) -> None:
    assert gittask().out.startswith("Usage: gittask ")
    assert gittask("dep").out.startswith("Usage: gittask dep ")
    assert gittask("--version").out.startswith("gittask ")
    assert gittask.json("--version")["version"] in gittask("-V").out
    both(gittask, "nonsense")


def test_common_options_before_and_after(gittask: Program, tmp_path: Path) -> None:
    folder = str(gittask.folder)
    task = gittask.new()
    elsewhere = Program(tmp_path)
    assert elsewhere("-C", folder, "show", task) == elsewhere("show", task, "-C", folder)
    before = elsewhere.json("-C", folder, "--as", "bob", "note", task, "x")["note"]
    after = elsewhere.json("note", task, "x", "--as", "bob", "-C", folder)["note"]
    assert before["created"]["by"] == after["created"]["by"] == "bob"
    assert both(elsewhere, "-C", "nowhere", "list").code == 2


def test_completion(gittask: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    task, other = gittask.new("Fix routing"), gittask.new("Other")

    def completed(*words: str) -> list[str]:
        monkeypatch.setenv("_GITTASK_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(("gittask", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        found = gittask("ignored").out.split()
        monkeypatch.delenv("_GITTASK_COMPLETE")
        return [each.partition(",")[2] for each in found]

    assert completed("rele") == ["release"]
    assert completed("new", "--prio") == ["--priority"]
    assert completed("show", task[:5]) == [task]
    assert set(completed("show", "")) == {task, other}
    assert completed("actor", "a") == ["add"]
    assert "complete" in gittask("completion", "bash").out
    gittask.folder = gittask.folder.parent
    assert completed("show", "") == []


def test_help_fits_eighty_columns(gittask: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    groups = {name.rpartition(" ")[0] for name in CALLS}
    for name in (*CALLS, *groups):
        for line in gittask(*name.split(), "--help").out.splitlines():
            assert len(line) < 80, (name, line)
