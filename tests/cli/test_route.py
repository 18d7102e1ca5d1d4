"""``route``: from words to a task, over the program."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gittask.core.moment import written
from tests.cli.acting import Actor, person
from tests.conftest import Git
from tests.memory import task, task_id
from tests.program import Program, controls
from tests.stored import write


def test_the_way_of_one_task(gittask: Program, ann: Actor, codex: Actor) -> None:
    """The sentences that follow one upon another while a task is worked on."""
    gittask.new("Drop the old index")
    routing = gittask.new("Fix routing")
    begun = ann.json("route", "continue the routing task")["route"]
    assert (begun["task"], begun["intent"], begun["lane"]) == (routing, "continue", None)
    assert begun["command"] == f"gittask start {routing[:4]}"
    codex("start", routing, "--provider", "codex")

    second = codex.json("route", "use cc to review it too")["route"]
    assert (second["task"], second["role"], second["provider"]) == (
        routing,
        "reviewer",
        "claude-code",
    )
    assert second["command"].split()[:2] == ["gittask", "start"]
    claude = Actor(gittask, "claude-1")
    claude(*second["command"].split()[1:])
    assert {one["role"] for one in gittask.records("execution")} == {"editor", "reviewer"}

    state = ann.json("route", "how is the routing going?")["route"]
    assert ann(*state["command"].split()[1:]).out.startswith("codex-1 claimed it")
    failed = ("--kind", "retry_context", "--condition", "blocked", "--summary", "no way")
    none = ("--changed", "none", "--verified", "none", "--not-verified", "none")
    codex(
        "handoff", routing, *failed, *none, "--uncertain", "none", "--next", "x", "--next-by", "ann"
    )
    again = codex.json("route", "retry that")["route"]
    assert (again["task"], again["intent"]) == (routing, "retry")
    codex(*again["command"].split()[1:])
    assert any(one["retry_of"] for one in gittask.records("execution"))


def test_text_for_people(gittask: Program, ann: Actor) -> None:
    id = gittask.new("Fix routing")
    first, said, command = ann("route", "what", "about", "routing?").out.splitlines()
    assert first == f"{id[:4]}  Fix routing"
    assert said.startswith("status (0.")
    assert "title: routing" in said
    assert command == f"gittask status {id[:4]}"


def test_words_may_come_in_three_ways(gittask: Program, ann: Actor) -> None:
    gittask.new("Fix routing")
    one = ann.json("route", "continue the routing task")
    assert ann.json("route", "continue", "the", "routing", "task") == one
    assert (
        gittask.json("--as", "ann", "route", "-F", "-", input="continue the\nrouting task\n") == one
    )
    assert ann.error("route", code=2)["code"] == "usage"
    assert ann.error("route", " ", code=2)["message"] == "the words are empty"
    assert gittask("route", "-F", "-", input=" \n", code=5).err.startswith("error: ")
    assert ann.error("route", "x", "-F", "-", code=2)["code"] == "usage"


def test_a_refusal_for_people_and_programs(gittask: Program, ann: Actor) -> None:
    for title in ("Routing in the north", "Routing in the south"):
        gittask.new(title)
    error = ann.error("route", "continue the routing", code=3)
    assert error["code"] == "ambiguous"
    assert {one["title"] for one in error["details"]["candidates"]} == {
        "Routing in the north",
        "Routing in the south",
    }
    plain = ann("route", "continue the routing", code=3)
    assert plain.out == ""
    assert plain.err.startswith("error: 'continue the routing' could mean 2 tasks\n  ")
    assert "\nhint: say more" in plain.err
    assert ann.error("route", "continue the weather", code=3)["code"] == "not_found"


def test_a_new_task_can_be_made_as_proposed(gittask: Program, ann: Actor) -> None:
    near = gittask.new("Old index of the orders")
    said = ann("route", "new task: -old index- of $HOME").out.splitlines()
    assert said[-1] == "gittask new --why \"...\" -- 'Old index- of $HOME'"
    found = ann.json("route", "new bug: old index of the orders is slow")["route"]
    assert [one["task"] for one in found["candidates"]] == [near]
    assert f"like it: {near[:4]}" in ann("route", "new bug: old index of the orders is slow").out


def test_nothing_is_written(gittask: Program, ann: Actor) -> None:
    gittask.new("Fix routing")
    before = gittask.json("list", "--all"), len(gittask.records("actor"))
    gittask("--as", "newcomer", "route", "continue the routing task")
    ann("route", "new task: something")
    assert (gittask.json("list", "--all"), len(gittask.records("actor"))) == before


def test_who_asks(gittask: Program, ann: Actor) -> None:
    bob = person(gittask, "bob")
    ids = {name: gittask.new(f"Routing for {name}") for name in ("north", "south")}
    bob("note", ids["north"], "looked at it")
    assert bob.json("route", "continue the routing")["route"]["task"] == ids["north"]
    assert (
        ann.json("route", "continue the routing", "--actor", "bob")["route"]["task"]
        == (ids["north"])
    )
    assert ann.error("route", "x", "--actor", "zed", code=3)["code"] == "not_found"


def test_nobody_needs_to_be_known(gittask: Program, git: Git) -> None:
    id = gittask.new("Fix routing")
    git(gittask.folder, "config", "--unset", "user.email")
    assert gittask.json("route", "continue the routing")["route"]["task"] == id
    assert gittask("route", "continue it", "--json", code=3).error["code"] == "not_found"


def test_zones(gittask: Program, ann: Actor) -> None:
    for zone in ("Nowhere/Land", "Europe", "../passwd", "", "/etc/passwd", "a\0b", "x" * 300):
        assert ann.error("route", "x", f"--zone={zone}", code=2)["code"] == "usage"
    id = gittask.new("Fix routing")
    for options in ([], ["--zone", "Asia/Tokyo"], ["--zone", "UTC"]):
        found = ann.json("route", "the routing from the last two hours", *options)["route"]
        assert (found["task"], found["why"][1]) == (id, "last two hours: created by you")


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of the system cannot be set")
def test_the_zone_of_the_machine(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its days have the offset of that day, whatever the offset is now."""
    noted = {"at": "2026-07-01T22:30:00.000Z", "by": "alice"}  # the 2nd, in a Berlin summer
    write(repo, task("aaaa", title="Routing", created=noted))
    program = Program(repo)
    asked = ("route", "the routing from 2026-07-02", "--as", "alice")
    try:
        monkeypatch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        assert program.json(*asked)["route"]["task"] == task_id("aaaa")
        monkeypatch.setenv("TZ", "Etc/GMT-1")  # what Berlin has in winter
        time.tzset()
        assert program("--json", *asked, code=3).error["code"] == "not_found"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_what_records_say_controls_no_terminal(gittask: Program, ann: Actor) -> None:
    gittask.new("Routing")
    for words in ("continue routing \x1b[31m", "new task: \x1b]0;x\x07 y", "\u202e \x9b"):
        result = ann("route", words, code=None)
        assert not controls(result.out + result.err)


def test_bad_files_are_told(gittask: Program, ann: Actor) -> None:
    gittask.new("Routing")
    gittask.push({f"tasks/00/{task_id('bbbb')}/task.yaml": b"title: [\n"})
    document = ann.json("route", "continue the routing")
    assert document["problems"]
    assert document["route"]["intent"] == "continue"


def test_days_are_those_of_the_askers_zone(gittask: Program, ann: Actor) -> None:
    """What was done twelve hours ago was done yesterday in one of two zones twelve hours apart."""
    done = datetime.now(UTC) - timedelta(hours=12)
    created = {"at": written(done), "by": "ann"}
    ann("actor", "set", "ann", "zone=UTC")
    write(gittask.folder, task("aaaa", title="Sort the shelves", created=created))
    codes = set()
    for zone in ("UTC", "Etc/GMT-12"):
        ann("actor", "set", "ann", f"zone={zone}")
        codes.add(ann("route", "what happened to the shelves yesterday", code=None).code)
    assert codes == {0, 3}
    ann("actor", "set", "ann", "zone=No/Where")  # passed over where nobody knows it
    ann("route", "status of the shelves")
    assert list(ann("--json", "actor", "set", "ann", "zone=../etc", code=5).problems) == ["zone"]
