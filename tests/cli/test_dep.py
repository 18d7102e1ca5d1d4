"""Dependencies: named in any way, stored in one, and never in a circle."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from gittask.store.packaged import schemas
from tests.program import Program


@pytest.fixture
def three(gittask: Program) -> list[str]:
    return [gittask.new(title) for title in ("One", "Two", "Three")]


def needs(gittask: Program, task: str) -> list[str]:
    return [row["id"] for row in gittask.json("dep", "list", task)["depends_on"]]


def needed_by(gittask: Program, task: str) -> list[str]:
    return [row["id"] for row in gittask.json("dep", "list", task)["needed_by"]]


@pytest.mark.parametrize(
    "spell", [str, str.upper, lambda text: text[:5], lambda text: f" {text[:7]} "]
)
def test_any_spelling_means_the_same_edge(
    gittask: Program, three: list[str], spell: Callable[[str], str]
) -> None:
    one, two, three_ = three
    gittask("dep", "add", spell(one), spell(two))
    gittask("dep", "add", one, three_)
    assert needs(gittask, one) == sorted([two, three_])
    assert needed_by(gittask, two) == [one]
    assert gittask.task(one)["depends_on"] == sorted([two, three_])
    gittask("dep", "remove", one, spell(two))
    assert needs(gittask, one) == [three_]
    assert needed_by(gittask, two) == []


def test_new_takes_any_spelling(gittask: Program, three: list[str]) -> None:
    one, two, _ = three
    task = gittask.new("x", "--depends-on", one[:6].upper(), "--depends-on", f" {two} ")
    assert needs(gittask, task) == sorted([one, two])


def test_an_unknown_task(gittask: Program, three: list[str]) -> None:
    one, two, _ = three
    for args in (["dep", "add", one, "zzzzzz"], ["dep", "remove", one, "zzzzzz"]):
        assert gittask(*args, "--json", code=3).error["code"] == "not_found"
    error = gittask("dep", "remove", one, two, "--json", code=3).error
    assert error["message"] == f"it does not depend on {two}"
    assert needs(gittask, one) == []


def test_a_circle_is_refused_and_named(gittask: Program, three: list[str]) -> None:
    one, two, three_ = three
    gittask("dep", "add", one, two)
    gittask("dep", "add", two, three_)
    for args in (["dep", "add", three_, one], ["set", three_, f"depends_on+={one}"]):
        result = gittask(*args, "--json", code=5)
        circle = f"would close a circle: {three_} -> {one} -> {two} -> {three_}"
        assert result.problems == {"depends_on": circle}
    assert needs(gittask, three_) == []


def test_a_task_that_needs_itself(gittask: Program, three: list[str]) -> None:
    one, *_ = three
    assert f"{one} -> {one}" in gittask("dep", "add", one, one, code=5).err
    result = gittask("set", one, f"parent={one}", "--json", code=5)
    assert result.problems == {"parent": f"would close a circle: {one} -> {one}"}


def test_a_part_that_needs_the_whole(gittask: Program, three: list[str]) -> None:
    """The whole is done after its parts, so that a part cannot wait for it, in either order."""
    one, two, three_ = three
    gittask("set", two, f"parent={one}")
    gittask("set", three_, f"parent={two}")
    for part in (two, three_):
        assert "cannot be done before its parts" in gittask("dep", "add", part, one, code=5).err
    gittask("dep", "add", one, three_)  # the other way round is as it should be
    other = gittask.new("Other")
    gittask("dep", "add", other, one)
    result = gittask("set", other, f"parent={three_}", "--json", code=5)
    assert result.problems.keys() == {"parent"}


def test_a_circle_of_parents(gittask: Program, three: list[str]) -> None:
    one, two, three_ = three
    gittask("set", two, f"parent={one}")
    gittask("set", three_, f"parent={two}")
    result = gittask("set", one, f"parent={three_}", "--json", code=5)
    assert result.problems["parent"].startswith("would close a circle: ")


def test_what_is_done_no_longer_blocks(gittask: Program, three: list[str]) -> None:
    one, two, _ = three
    gittask("dep", "add", one, two)
    assert gittask("dep", "list", one).out == f"needs {two} (open)\n"
    assert one not in gittask("ready").out
    gittask("close", two)
    assert gittask("dep", "list", one).out == f"needs {two} (done)\n"
    assert one in [row["id"] for row in gittask.json("ready")["tasks"]]
    assert gittask("dep", "list", two).out == f"needed by {one} (open)\n"


def test_adding_twice_writes_once(gittask: Program, three: list[str]) -> None:
    one, two, _ = three
    assert gittask.json("dep", "add", one, two)["commit"]
    assert gittask.json("dep", "add", one, two[:6])["commit"] is None


def test_what_is_around_a_task_in_pages(gittask: Program, three: list[str]) -> None:
    one, two, last = three
    gittask("dep", "add", two, one)
    gittask("dep", "add", last, two)
    rows = [
        {"relation": "needs", "id": one, "status": "open"},
        {"relation": "needed by", "id": last, "status": "open"},
    ]
    lines = gittask("dep", "list", two, "--jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == rows
    first = gittask.json("dep", "list", two, "--limit", "1")
    assert first == {
        "depends_on": [{"id": one, "status": "open"}],
        "needed_by": [],
        "total": 2,
        "next": one,
    }
    then = gittask.json("dep", "list", two, "--limit", "1", "--after", first["next"][:5])
    assert (then["depends_on"], [row["id"] for row in then["needed_by"]]) == ([], [last])
    assert "next" not in then
    assert gittask("dep", "list", two, "--after", two, code=3).out == ""


def test_pages_end_where_two_tasks_need_each_other(gittask: Program, three: list[str]) -> None:
    """No command makes such a circle, but a merge may."""
    one, two, last = sorted(three)
    gittask("dep", "add", last, one, two)
    path = schemas().path("task", one)
    needed = f"depends_on:\n  - {last}\n".encode()
    gittask.push({path: gittask.stored(path).replace(b"depends_on: []\n", needed)})
    gittask.new("Four", "--depends-on", last)
    whole = gittask("dep", "list", last, "--jsonl").out
    pages, after = "", list[str]()
    for _ in range(4):
        pages += gittask("dep", "list", last, "--jsonl", "--limit", "1", *after).out
        more = gittask.json("dep", "list", last, "--limit", "1", *after).get("next")
        after = ["--after", more] if more else []
    assert pages == whole
    assert pages.count(one) == 2
    assert after == []
