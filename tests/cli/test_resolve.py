"""Settling the conflicts of a merge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.acting import Actor
from tests.program import Program

Pair = tuple[Program, Program]


@pytest.fixture
def pair(clones: Callable[[int], list[Path]]) -> Pair:
    """Two clones that share a store."""
    one, two = (Program(folder) for folder in clones(2))
    one("init")
    one("sync")
    two("sync")
    return one, two


def diverged(pair: Pair, first: list[str], second: list[str], *made: str) -> str:
    """A task of which both clones set the same, and which both have merged since.

    The second clone's values stand: for stamps with one counter the actor's name decides.
    """
    one, two = pair
    task = one.new("Fix it", *made)
    one("sync")
    two("sync")
    one("set", task, *first)
    two("set", task, *second)
    for program in (one, two, one):
        program("sync")
    return task


def conflicts(program: Program) -> dict[str, dict[str, Any]]:
    return {conflict["field"]: conflict for conflict in program.records("conflict")}


@pytest.mark.parametrize(
    ("keep", "stands"),
    [("kept", 0), ("late", 0), ("lost", 1), ("early", 1), ("4", 4)],
)
def test_the_value_that_was_chosen_stands_everywhere(pair: Pair, keep: str, stands: int) -> None:
    one, two = pair
    task = diverged(pair, ["priority=1"], ["priority=0"])
    ann = Actor(one, "clone0")
    (item,) = ann.inbox()
    assert item["kind"] == "conflict"
    assert item["text"] == "priority: 0 by clone1 stands, 1 by clone0 does not; or: --keep lost"
    before = len(one.records("conflict"))
    document = one.json("resolve", task, "--keep", keep, "--reason", "It is so")
    state = document["conflict"]["state"]
    assert (state["status"], state["by"], state["reason"]) == ("resolved", "clone0", "It is so")
    assert one.task(task)["priority"] == stands
    one("sync")
    two("sync")
    assert two.task(task)["priority"] == stands
    assert ann.inbox() == []
    assert len(two.records("conflict")) == before == 1
    two("verify")


def test_the_choice_is_stamped_as_any_other(pair: Pair) -> None:
    one, _ = pair
    task = diverged(pair, ["title=A"], ["title=B"])
    one("resolve", task, "--keep", "lost")
    changed = one.task(task)["changed"]["title"]
    assert changed.split()[0] == "2"
    assert changed.split()[2] == "clone0"
    (conflict,) = one.records("conflict")
    assert conflict["state"]["reason"] == "kept the lost"
    error = one("resolve", task, "--keep", "lost", "--json", code=3).error
    assert "no open conflict" in error["message"]
    error = one("resolve", conflict["id"], "--keep", "lost", "--json", code=4).error
    assert "is settled already, by clone0" in error["message"]


def test_one_of_several_is_named(pair: Pair) -> None:
    one, _ = pair
    task = diverged(pair, ["title=A", "due=2026-12-01"], ["title=B", "due=2026-12-02"])
    known = conflicts(one)
    error = one("resolve", task, "--keep", "kept", "--json", code=3).error
    assert error["details"]["candidates"] == sorted(c["id"] for c in known.values())
    one("resolve", known["due"]["id"][-12:], "--keep", "lost")
    assert one.task(task)["due"] == "2026-12-01"
    one("resolve", task, "--keep", "C")
    assert one.task(task)["title"] == "C"


def test_a_value_must_be_valid(pair: Pair) -> None:
    one, _ = pair
    task = diverged(pair, ["due=2026-12-01"], ["due=2026-12-02"])
    assert one("resolve", task, "--keep", "soon", "--json", code=5).problems.keys() == {"due"}
    assert one.task(task)["due"] == "2026-12-02"
    assert Actor(one, "clone0").kinds() == ["conflict"]


def test_a_part_of_an_item(pair: Pair) -> None:
    one, _ = pair
    made = ("--accept", "It works")
    task = one.new("Other", *made)
    one("sync")
    item = one.task(task)["acceptance"][0]["id"]
    for program, text in zip(pair, ("A", "B"), strict=True):
        program("sync")
        program("set", task, f"acceptance.{item}.evidence={text}")
    for program in (*pair, one):
        program("sync")
    assert conflicts(one).keys() == {f"acceptance.{item}.evidence"}
    one("resolve", task, "--keep", "early")
    (after,) = one.task(task)["acceptance"]
    assert (after["evidence"], after["text"]) == ("A", "It works")


@pytest.mark.parametrize(("keep", "stands"), [("early", 0), ("late", 1)])
def test_early_and_late_go_by_the_time_that_people_see(pair: Pair, keep: str, stands: int) -> None:
    one, two = pair
    task = one.new("Fix it")
    for program in pair:
        program("sync")
    two("set", task, "priority=0")  # stands, for of one counter the greater name does
    one("set", task, "priority=1")
    for program in (one, two, one):
        program("sync")
    assert one.task(task)["priority"] == 0
    one("resolve", task, "--keep", keep)
    assert one.task(task)["priority"] == stands


def test_sync_and_status_name_the_task_and_the_command(pair: Pair) -> None:
    one, two = pair
    task = one.new("Fix it")
    for program in pair:
        program("sync")
    one("set", task, "priority=1")
    two("set", task, "priority=0")
    one("sync")
    said = two("sync").err
    (conflict,) = two.records("conflict")
    about = f"priority of {task[:4]} Fix it"
    stands = "0 by clone1 stands, 1 by clone0 does not"
    command = f"gittask resolve {conflict['id']} --keep kept"
    assert f"conflict: {about}: {stands}; settle it: {command}" in said
    lines = two("status").out.splitlines()
    place = lines.index("Conflicts (1)")
    assert lines[place + 1 : place + 3] == [f"  {about}: {stands}", f"    {command}"]
    two("set", task, "priority=3")
    now = "now 3 by clone1; 0 by clone1 stood, 1 by clone0 did not"
    assert f"  {about}: {now}" in two("status").out.splitlines()
    (item,) = Actor(two, "clone0").inbox()
    assert item["text"] == f"priority: {now}"
    two("sync")
    (shown,) = two.json("status")["status"]["conflicts"]
    assert (shown["text"], shown["command"]) == (f"{about}: {now}", command)


def test_what_was_set_since_is_not_set_back(pair: Pair) -> None:
    one, _ = pair
    task = diverged(pair, ["priority=1"], ["priority=0"])
    one("set", task, "priority=3")
    error = one("resolve", task, "--keep", "lost", "--json", code=4).error
    assert "was set anew since: 3" in error["message"]
    assert error["details"] == {"value": 3}
    one("resolve", task, "--keep", "kept")
    assert one.task(task)["priority"] == 3


def test_the_state_is_not_chosen(pair: Pair) -> None:
    """Of two claims the earlier stands; who lost acts on the task as it is."""
    one, two = pair
    task = one.new()
    one("sync")
    two("sync")
    one("start", task, "--as", "codex-1", "--offline")
    two("start", task, "--as", "codex-2", "--offline")
    for program in (one, two, one):
        program("sync", "--as", "clone0")
    assert conflicts(one).keys() == {"state"}
    person = Actor(one, "clone0")
    for keep in ("lost", "open"):
        error = person.error("resolve", task, "--keep", keep, code=4)
        assert "can only be settled by what stands" in error["message"]
    before = one.task(task)["state"]
    person("resolve", task, "--keep", "kept")
    assert one.task(task)["state"] == before


def test_who_may_settle_it(pair: Pair) -> None:
    one, _ = pair
    task = diverged(pair, ["priority=1"], ["priority=0"])
    codex = Actor(one, "codex-1")
    error = codex.error("resolve", task, "--keep", "lost", code=4)
    assert "is for clone0 to settle" in error["message"]
    assert one.task(task)["priority"] == 0
    codex("note", task, "here")
    one("set", task, "responsible=codex-1")
    codex("resolve", task, "--keep", "lost")
    assert one.task(task)["priority"] == 1


def test_a_record_of_no_task(pair: Pair) -> None:
    one, two = pair
    one("project", "add", "shop")
    one("sync")
    two("sync")
    one("project", "set", "shop", "name=A")
    two("project", "set", "shop", "name=B")
    for program in (one, two, one):
        program("sync")
    (conflict,) = one.records("conflict")
    assert "task" not in conflict
    one("resolve", conflict["id"], "--keep", "lost")
    assert one.records("project")[0]["name"] == "A"


def test_what_is_no_conflict(pair: Pair) -> None:
    one, _ = pair
    assert one("resolve", "zzzz", "--keep", "kept", code=3)
    assert one("resolve", one.new(), "--keep", "kept", code=3)


def again(pair: Pair, task: str, first: str, second: str) -> None:
    """Set the same field once more on both sides, and exchange it."""
    one, two = pair
    one("set", task, first)
    two("set", task, second)
    for program in (one, two, one):
        program("sync")


def unsettled(program: Program) -> list[str]:
    """The fields about which a conflict is open."""
    found = program.records("conflict")
    return [each["field"] for each in found if each["state"]["status"] == "open"]


def test_what_was_overtaken_is_settled_with_it(pair: Pair) -> None:
    one, two = pair
    task = diverged(pair, ["title=A"], ["title=B"])
    again(pair, task, "title=C", "title=D")
    again(pair, task, "priority=1", "priority=0")
    lost = {each["lost"]: each for each in one.records("conflict")}
    old, new = lost["A"], lost["C"]
    said = one("resolve", new["id"], "--keep", "lost").err
    assert f"settled with it {old['id']}: title: now " in said
    assert '"C" by clone0; "B" by clone1 stood, "A" by clone0 did not' in said
    states = {each["id"]: each["state"] for each in one.records("conflict")}
    assert states[old["id"]]["reason"] == f"settled with {new['id']}"
    assert unsettled(one) == ["priority"]
    for program in (one, two):
        program("sync")
    assert two.task(task)["title"] == "C"
    two("verify")


def test_an_older_one_settles_nothing_newer(pair: Pair) -> None:
    one, _ = pair
    task = diverged(pair, ["title=A"], ["title=B"])
    again(pair, task, "title=C", "title=D")
    (old,) = [each for each in one.records("conflict") if each["lost"] == "A"]
    one("resolve", old["id"], "--keep", "kept")
    assert unsettled(one) == ["title"]
    assert one.task(task)["title"] == "D"
