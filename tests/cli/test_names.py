"""Ids across calls and clones: never twice, and named by any unique beginning."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.core.codec import encode
from tests.conftest import Git
from tests.memory import task
from tests.program import Program, path_of

IDS = ["abcd", "abce", "abcef"]


@pytest.fixture
def similar(gittask: Program) -> list[str]:
    gittask("actor", "add", "alice", "--kind", "person")
    records = [task(name) for name in IDS]
    gittask.push({path_of(record.id): encode(record.data) for record in records})
    return [record.id for record in records]


@pytest.mark.parametrize("command", ["show", "set", "start", "note", "dep list", "timeline"])
def test_a_prefix_that_fits_two(gittask: Program, similar: list[str], command: str) -> None:
    more = {"set": ["priority=1"], "note": ["x"]}.get(command, [])
    error = gittask(*command.split(), "abce", *more, "--json", code=3).error
    assert error["code"] == "ambiguous"
    assert error["details"]["candidates"] == similar[1:]
    plain = gittask(*command.split(), "abce", *more, code=3)
    assert all(id in plain.err for id in similar[1:])
    assert "hint: give more characters" in plain.err


def test_a_prefix_that_fits_one(gittask: Program, similar: list[str]) -> None:
    for typed, id in (("abcd", 0), ("ABCE0", 1), ("aBcEf", 2), (similar[2].upper(), 2)):
        gittask("set", typed, f"labels+={typed.lower()}")
        assert typed.lower() in gittask.task(similar[id])["labels"]
    assert "at least 4 characters" in gittask("note", "abc", "x", code=3).err


def test_short_ids_are_shown_and_understood(gittask: Program, similar: list[str]) -> None:
    shown = [line.split()[0] for line in gittask("list").out.splitlines()]
    assert [gittask.task(id)["id"] for id in shown] == similar


def test_an_id_is_never_given_again(gittask: Program) -> None:
    first = [gittask.new() for _ in range(3)]
    gittask("cancel", first[-1], "--reason", "r")
    gittask("set", first[0], f"parent={first[-1]}")
    assert gittask.new() not in first
    assert gittask.task(first[0])["parent"] == first[-1]


def test_containers_that_are_alike(clones: Callable[[int], list[Path]], git: Git) -> None:
    """Two clones of the same seed, offline, make records, children and notes of one parent."""
    one, two = (Program(folder) for folder in clones(2))
    one("init")
    parent = one.new("Parent")
    one("sync")
    two("init")
    for program in (one, two):
        random.seed(7)
        for number in range(8):
            program("new", f"Child {number}", "--parent", parent)
        program("note", parent, "from here")
    for program in (one, two, one):
        program("sync")
    for program in (one, two):
        tasks = program.json("list", "--all")["tasks"]
        assert len({each["id"].casefold() for each in tasks}) == len(tasks) == 17
        assert len(program.records("note")) == 2
    paths = git(one.folder, "ls-tree", "-r", "--name-only", "gittask").splitlines()
    assert len({path.casefold() for path in paths}) == len(paths)


def test_actors_that_differ_by_case_only(gittask: Program) -> None:
    gittask("new", "x", "--as", "ana")
    assert gittask("new", "x", "--as", "Ana", "--json", code=2).error["hint"].endswith("ana")
    gittask("actor", "add", "Ana", code=5)
    assert gittask.task(gittask("new", "x", "--responsible", "ANA").id)["responsible"] == "ana"
