"""Dependencies, waits and circles."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.record import Record
from gittask.views.graph import (
    all_circles,
    blocked_by,
    circles,
    dependencies,
    is_ready,
    waiting_for,
    waits,
)
from tests.memory import NOW, MemoryReader, at, event, project, task, task_id

IN_TIME = at(130)
"""A time after ``NOW``."""


def named(records: list[Record]) -> str:
    return "".join(record.id.rstrip("0") for record in records)


def ready(reader: MemoryReader, now: str) -> list[Record]:
    return [task for task in reader.all("task") if is_ready(reader, task, now)]


@pytest.mark.parametrize("status", ["active", "review", "done", "cancelled"])
def test_only_open_tasks_are_ready(status: str) -> None:
    assert named(ready(MemoryReader(task("a"), task("b", status)), NOW)) == "a"


def test_a_held_task_is_not_ready() -> None:
    assert ready(MemoryReader(task("a", holder="20261130t100000z-000000")), NOW) == []


@pytest.mark.parametrize(
    ("status", "blocks"),
    [("open", True), ("active", True), ("review", True), ("done", False), ("cancelled", False)],
)
def test_a_dependency_blocks_until_it_is_closed(status: str, blocks: bool) -> None:
    needing = task("a", depends_on=["b", "c"])
    reader = MemoryReader(needing, task("b", status), task("c", "done"))
    assert [each.id for each in blocked_by(reader, needing)] == [task_id("b")] * blocks
    assert (needing in ready(reader, NOW)) is not blocks


def test_a_missing_dependency_is_seen_and_blocks_nothing() -> None:
    needing = task("a", depends_on=["b"])
    reader = MemoryReader(needing)
    assert dependencies(reader, needing) == [(task_id("b"), "missing")]
    assert blocked_by(reader, needing) == []
    assert ready(reader, NOW) == [needing]


def test_an_unreadable_dependency_blocks() -> None:
    needing = task("a", depends_on=["b"])
    reader = MemoryReader(needing, task("b", "done"), bad=[task_id("b")])
    assert blocked_by(reader, needing) == [(task_id("b"), "unreadable")]
    assert ready(reader, NOW) == []


# -- waits --------------------------------------------------------------------------------------


def ends(*records: Record) -> list[str | None]:
    """The computed end of each open wait of task ``a``."""
    reader = MemoryReader(task("a"), *records)
    found = waits(reader, task_id("a"), NOW)
    lasting = [each.wait for each in found if each.end is None]
    assert waiting_for(reader, task_id("a"), NOW) == lasting
    assert (ready(reader, NOW) == []) is bool(lasting) or any(r.kind == "task" for r in records)
    return [each.end for each in found]


def test_a_wait_for_an_answer_lasts_until_the_question_is_answered() -> None:
    question = event("message", "a", 1, kind="question", to="alice")
    other = event("message", "a", 2, kind="question", to="alice")
    waiting = event("wait", "a", 1, subject=question.id)

    def reply(kind: str, to: Record) -> Record:
        return event("message", "a", 3, kind=kind, in_reply_to=to.id)

    assert ends(question, waiting) == [None]
    assert ends(question, other, waiting, reply("answer", other)) == [None]
    assert ends(question, waiting, reply("comment", question)) == [None]
    assert ends(question, waiting, reply("answer", question)) == ["met"]


@pytest.mark.parametrize(
    ("status", "end"),
    [("requested", None), ("granted", "met"), ("denied", "met"), ("revoked", "met")],
)
@pytest.mark.parametrize("of_project", [False, True])
def test_a_wait_for_an_approval_lasts_until_it_is_settled(
    status: str, end: str | None, of_project: bool
) -> None:
    asked = event("approval", "a", 1, state={"status": status})
    if of_project:
        data = {key: value for key, value in asked.data.items() if key != "task"}
        asked = Record("approval", asked.id, {**data, "project": "p", "scope": "project"})
    waiting = event("wait", "a", 1, on="approval", subject=asked.id)
    reader = MemoryReader(task("a", project="p"), project("p"), asked, waiting)
    assert [each.end for each in waits(reader, task_id("a"), NOW)] == [end]


@pytest.mark.parametrize(
    ("status", "end"), [("open", None), ("review", None), ("done", "met"), ("cancelled", "met")]
)
def test_a_wait_for_a_task_lasts_until_that_is_closed(status: str, end: str | None) -> None:
    assert ends(task("b", status), event("wait", "a", 1, on="task", subject=task_id("b"))) == [end]


def test_a_wait_for_a_task_that_does_not_exist_lasts() -> None:
    assert ends(event("wait", "a", 1, on="task", subject=task_id("b"))) == [None]


@pytest.mark.parametrize(("until", "end"), [(at(119), "met"), (NOW, "met"), (IN_TIME, None)])
def test_a_wait_for_a_time_lasts_until_it_has_come(until: str, end: str | None) -> None:
    assert ends(event("wait", "a", 1, on="time", until=until)) == [end]


@pytest.mark.parametrize("on", ["person", "approval", "task", "time", "event"])
@pytest.mark.parametrize(("expires", "end"), [(NOW, "expired"), (IN_TIME, None)])
def test_any_wait_expires(on: str, expires: str, end: str | None) -> None:
    assert ends(event("wait", "a", 1, on=on, expires=expires)) == [end]


def test_what_is_met_does_not_expire() -> None:
    assert ends(event("wait", "a", 1, on="time", until=at(5), expires=at(9))) == ["met"]


@pytest.mark.parametrize("status", ["met", "expired", "cancelled"])
def test_a_settled_wait_is_over(status: str) -> None:
    assert ends(event("wait", "a", 1, state={"status": status})) == []


# -- circles ------------------------------------------------------------------------------------


def circled(*tasks: Record) -> list[str]:
    return ["".join(id.rstrip("0") for id in circle.ids) for circle in circles(tasks)]


def test_no_circle() -> None:
    assert circled(task("a", depends_on=["b", "c"]), task("b", depends_on=["c"]), task("c")) == []


def test_a_circle_begins_with_the_smallest_and_is_named_once() -> None:
    ring = [task("c", depends_on=["a"]), task("a", depends_on=["b"]), task("b", depends_on=["c"])]
    assert circled(*ring, task("d", depends_on=["a"])) == ["abc"]


def test_a_task_that_needs_itself() -> None:
    assert circled(task("a", depends_on=["a"])) == ["a"]


def test_parents_in_a_circle() -> None:
    assert circled(task("a", parent="b"), task("b", parent="c"), task("c", parent="a")) == ["acb"]


def test_a_part_that_needs_its_whole_over_another_task() -> None:
    assert circled(task("a"), task("b", parent="a", depends_on=["c"]), task("c", depends_on=["a"]))


def test_a_whole_may_need_its_part() -> None:
    assert circled(task("a", depends_on=["b"]), task("b", parent="a")) == []


def test_two_circles_that_share_a_task_are_both_named() -> None:
    tasks = [task("a", depends_on=["b"]), task("b", depends_on=["a", "c"])]
    assert circled(*tasks, task("c", depends_on=["b"])) == ["ab", "bc"]


def test_what_does_not_exist_closes_no_circle() -> None:
    assert circled(task("a", depends_on=["x"], parent="y")) == []


def test_the_remedy_takes_away_the_newest_edge() -> None:
    a, b = task_id("a"), task_id("b")
    newest = {f"depends_on.{a}": f"1 {at(9)} alice", "parent": f"2 {at(99)} alice"}
    older = {f"depends_on.{b}": f"7 {at(3)} bob"}
    found = circles(
        [task("a", depends_on=["b"], changed=older), task("b", depends_on=["a"], changed=newest)]
    )
    assert [circle.remedy for circle in found] == [f"gittask dep remove {b} {a}"]
    assert str(found[0]) == f"{a} -> {b} -> {a}"


def test_the_remedy_for_parents() -> None:
    stamp = {"parent": f"1 {at(3)} bob"}
    found = circles([task("a", parent="b"), task("b", parent="a", changed=stamp)])
    assert [circle.remedy for circle in found] == [f"gittask set {task_id('b')} parent=none"]


NAMES = "abcde"
graphs = st.fixed_dictionaries(
    {
        name: st.tuples(
            st.lists(st.sampled_from(NAMES), max_size=3, unique=True),
            st.none() | st.sampled_from(NAMES),
        )
        for name in NAMES
    }
)


@given(graphs)
def test_circles_of_any_graph(graph: dict[str, tuple[list[str], str | None]]) -> None:
    tasks = [task(name, depends_on=needs, parent=up) for name, (needs, up) in graph.items()]
    edges = {name: set(needs) for name, (needs, _) in graph.items()}
    for name, (_, up) in graph.items():
        if up:
            edges[up].add(name)
    found = circled(*tasks)
    for circle in found:
        assert circle[0] == min(circle)
        assert len(set(circle)) == len(circle)
        assert all(b in edges[a] for a, b in zip(circle, circle[1:] + circle[0], strict=True))
    assert len(set(found)) == len(found)
    assert set("".join(found)) == {name for name in NAMES if name in reached(edges, name)}
    assert circled(*reversed(tasks)) == found
    assert all_circles(MemoryReader(*tasks), NOW) == circles(tasks)


def test_the_circles_of_a_store_are_found_without_opening_all_tasks_for_each() -> None:
    names = [f"t{number:02}" for number in range(40)]
    line = [task(a, depends_on=[b]) for a, b in pairwise(names)]
    reader = MemoryReader(*line, task(names[-1]))
    assert all_circles(reader, NOW) == []
    assert len(reader.opened) < 10 * len(names)


def test_a_circle_of_waits() -> None:
    wait = event("wait", "a", 1, on="task", subject=task_id("b"))
    found = all_circles(MemoryReader(task("a"), task("b", depends_on=["a"]), wait), NOW)
    assert [circle.ids for circle in found] == [(task_id("a"), task_id("b"))]


def reached(edges: dict[str, set[str]], start: str) -> set[str]:
    """What can be come to from a task, by one edge or more."""
    seen: set[str] = set()
    todo = list(edges[start])
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += edges[name]
    return seen
