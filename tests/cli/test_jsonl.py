"""Every list comes in pages, and as lines of JSON that are the rows of the one document."""

from __future__ import annotations

import json
from typing import Any

import click
import pytest

from gittask.cli.app import program
from tests.cli.test_contract import leaves
from tests.program import Program

LISTS = {
    "list": "tasks",
    "ready": "tasks",
    "tree": "tree",
    "inbox": "inbox",
    "find --kind task --kind note": "hits",
    "timeline {task}": "entries",
    "timeline {task} --reverse": "entries",
    "log": "commits",
    "log {task} --patch": "commits",
    "approve list": "approvals",
    "discussion {task}": "threads",
    "actor list": "actors",
    "project list": "projects",
}
"""The calls that list, and under which name their rows stand in the document."""

NEWEST_LAST = ("timeline {task}", "discussion {task}")
"""Those whose pages go from the end to the beginning."""


@pytest.fixture
def filled(gittask: Program) -> Program:
    """A store in which each list has several rows."""
    first = gittask.new("First")
    for title in ("Second", "Third"):
        gittask.new(title)
    for name in ("shop", "mill"):
        gittask("project", "add", name)
        gittask("actor", "add", f"of-{name}")
        gittask("note", first, f"seen {name}")
        gittask("ask", first, f"what of {name}?", "--to", "ann")
        gittask("approve", "request", first, f"sell {name}", "--as", f"of-{name}")
    (gittask.folder / "task").write_text(first)
    return gittask


def words(program: Program, call: str) -> list[str]:
    return call.format(task=(program.folder / "task").read_text()).split()


def lines(program: Program, *args: str) -> list[Any]:
    result = program(*args, "--jsonl")
    assert result.err == ""
    return [json.loads(line) for line in result.out.splitlines()]


def test_every_list_has_the_options() -> None:
    names = {call.partition(" {")[0].partition(" --")[0] for call in LISTS}
    names.add("dep list")  # whose document has two parts: see test_dep
    found: dict[str, set[str]] = {}
    for name in leaves(program, click.Context(program)):
        command: click.Command = program
        for word in name.split():
            assert isinstance(command, click.Group)
            command = command.get_command(click.Context(program), word) or command
        options = {each for param in command.params for each in param.opts}
        found[name] = options & {"--limit", "--after", "--jsonl"}
    assert {name for name, options in found.items() if options - {"--limit"}} == names
    assert all(len(found[name]) == 3 for name in names)


@pytest.mark.parametrize("call", LISTS)
def test_lines_are_the_rows_and_pages_are_all_of_them(filled: Program, call: str) -> None:
    args = words(filled, call)
    everything = () if call in ("tree", "inbox") else ("--all",)
    rows = filled.json(*args, *everything)[LISTS[call]]
    assert len(rows) > 1
    assert lines(filled, *args) == rows
    assert lines(filled, *args, "--limit", "1") in ([rows[0]], [rows[-1]])

    pages: list[Any] = []
    after: tuple[str, ...] = ()
    while True:
        document = filled.json(*args, "--limit", "2", *after)
        page = document[LISTS[call]]
        assert lines(filled, *args, "--limit", "2", *after) == page
        pages = [*page, *pages] if call in NEWEST_LAST else [*pages, *page]
        if not document.get("next"):
            break
        after = ("--after", document["next"])
    assert pages == rows


def test_a_page_stays_when_rows_are_added_before_it(filled: Program) -> None:
    for call in ("timeline {task} --reverse", "log"):
        args = words(filled, call)
        more = filled.json(*args, "--limit", "2")["next"]
        before = lines(filled, *args, "--after", more)
        filled("note", args[1] if len(args) > 1 else words(filled, "{task}")[0], "new")
        assert lines(filled, *args, "--after", more) == before


def test_lines_have_no_limit_but_one_that_is_given(gittask: Program) -> None:
    for number in range(51):
        gittask("actor", "add", f"a{number}")
    assert len(gittask.json("actor", "list")["actors"]) == 50
    assert len(lines(gittask, "actor", "list")) > 50
    assert len(lines(gittask, "actor", "list", "--limit", "50")) == 50


@pytest.mark.parametrize("args", [["log", "no-such"], ["list", "--after", "zzzzzzzz"]])
def test_errors_are_said_beside_the_rows(gittask: Program, args: list[str]) -> None:
    result = gittask(*args, "--jsonl", code=3)
    assert result.out == ""
    (line,) = result.err.splitlines()
    assert json.loads(line)["error"].items() >= {"code": "not_found", "exit": 3}.items()


def test_a_command_that_lists_nothing_does_not_take_it(gittask: Program) -> None:
    result = gittask("status", "--jsonl", code=2)
    assert (result.out, json.loads(result.err)["error"]["exit"]) == ("", 2)


@pytest.mark.parametrize("call", ["timeline {task}", "discussion {task}", "actor list", "log"])
def test_a_row_that_is_not_there(filled: Program, call: str) -> None:
    result = filled(*words(filled, call), "--after", "nobody", "--json", code=3)
    assert result.error["code"] == "not_found"


def test_what_cannot_be_read_is_told_beside_the_rows(filled: Program) -> None:
    filled.push({"actors/bad.yaml": b"{"})
    result = filled("actor", "list", "--jsonl")
    assert len(result.out.splitlines()) == 3
    (line,) = result.err.splitlines()
    assert "actors/bad.yaml" in json.loads(line)["warning"]
