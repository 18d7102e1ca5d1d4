"""Tasks with their parts and with what they need."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gittask.core.record import Record
from gittask.views.tree import DEEPEST, Node, rows, tree
from tests.memory import NOW, MemoryReader, task, task_id


def drawn(*records: Record, of: str | None = None, bad: str = "", **wanted: Any) -> list[str]:
    """The lines of a tree, each task called by its letter."""
    reader = MemoryReader(*records, bad=[task_id(bad)] if bad else [])
    top = reader.records["task", task_id(of)] if of else None
    found = tree(reader, NOW, top, **{"closed": False, "depth": 20, **wanted})
    lines = ["  ".join(filter(None, row)) for row in rows(reader, found)]
    return [line.replace("000", "").replace("Task ", "") for line in lines]


def test_parts_stand_below_their_parent_by_urgency() -> None:
    records = [task("a"), task("b", parent="a"), task("c", parent="a", priority=0), task("d")]
    assert drawn(*records) == ["a  ready  a", "├─ c  ready  c", "└─ b  ready  b", "d  ready  d"]


def test_what_a_task_needs_stands_below_it() -> None:
    records = [task("a"), task("b", depends_on=["a"]), task("c", depends_on=["b"])]
    assert drawn(*records) == [
        "c  blocked  c",
        "└─ needs b  blocked  b",
        "   └─ needs a  ready  a",
    ]


def test_what_was_shown_is_referred_to() -> None:
    shared = [task("c", depends_on=["d"]), task("d")]
    records = [task("a", depends_on=["c"]), task("b", depends_on=["c", "d"]), *shared]
    assert drawn(*records) == [
        "a  blocked  a",
        "└─ needs c  blocked  c",
        "   └─ needs d  ready  d",
        "b  blocked  b",
        "├─ needs c  blocked  c  (above)",
        "└─ needs d  ready  d",
    ]


def test_a_circle_ends_and_is_said() -> None:
    records = [task("a", depends_on=["b"]), task("b", depends_on=["a"]), task("c", parent="b")]
    assert drawn(*records) == [
        "a  blocked  a",
        "└─ needs b  blocked  b",
        "   ├─ c  ready  c",
        "   └─ needs a  blocked  a  (circle)",
    ]


def test_a_task_that_needs_itself() -> None:
    assert drawn(task("a", depends_on=["a"])) == [
        "a  blocked  a",
        "└─ needs a  blocked  a  (circle)",
    ]


def test_what_stands_below_a_circle_is_shown_there() -> None:
    records = [task("a"), task("b", depends_on=["a", "c"]), task("c", depends_on=["b"])]
    assert drawn(*records) == [
        "b  blocked  b",
        "├─ needs a  ready  a",
        "└─ needs c  blocked  c",
        "   └─ needs b  blocked  b  (circle)",
    ]


def test_missing_and_unreadable_tasks_are_said() -> None:
    records = [task("a", depends_on=["x", "b"]), task("b"), task("c", parent="y")]
    assert drawn(*records, bad="b") == [
        "a  blocked  a",
        f"├─ needs {task_id('x')}  missing".replace("000", ""),
        "└─ needs b  unreadable",
        "c  ready  c",
        f"└─ part of {task_id('y')}  missing".replace("000", ""),
    ]


def test_what_is_closed_is_left_out_unless_asked_for() -> None:
    records = [
        *(task("a", depends_on=["d"]), task("b", "done", parent="a"), task("d", "cancelled")),
        *(task("e", "done"), task("f", parent="e")),
    ]
    assert drawn(*records) == ["a  ready  a", "f  ready  f"]
    assert drawn(*records, closed=True) == [
        "a  ready  a",
        "├─ b  done  b",
        "└─ needs d  cancelled  d",
        "e  done  e",
        "└─ f  ready  f",
    ]
    assert drawn(*records, of="e") == ["e  done  e", "└─ f  ready  f"]


def test_around_one_task_stands_also_what_is_above_it() -> None:
    records = [
        *(task("a"), task("b", parent="a"), task("c", depends_on=["b"]), task("d", parent="b")),
        *(task("e", depends_on=["c"]), task("f", parent="c"), task("g", parent="a")),
    ]
    assert drawn(*records, of="b") == [
        "b  ready  b",
        "├─ d  ready  d",
        "├─ part of a  ready  a",
        "└─ needed by c  blocked  c",
        "   └─ needed by e  blocked  e",
    ]


def test_deeper_levels_are_counted() -> None:
    records = [task("a"), task("b", parent="a"), task("c", parent="b"), task("d", parent="b")]
    assert drawn(*records, depth=2) == ["a  ready  a", "└─ b  ready  b  (2 below)"]
    assert drawn(*records, depth=1) == ["a  ready  a  (1 below)"]


def test_json_is_nested() -> None:
    reader = MemoryReader(task("a"), task("b", "review", parent="a"))
    (found,) = tree(reader, NOW, closed=False, depth=5)
    below = {"id": task_id("b"), "relation": "part", "standing": "review", "title": "Task b"}
    end: dict[str, Any] = {"again": None, "more": 0, "below": []}
    assert found.as_json() == {
        "id": task_id("a"),
        "relation": None,
        "standing": "ready",
        "title": "Task a",
        **end,
        "below": [{**below, **end}],
    }


NAMES = "abcd"
GRAPHS = st.fixed_dictionaries(
    {
        name: st.tuples(st.sampled_from([None, *NAMES, "x"]), st.sets(st.sampled_from(NAMES + "x")))
        for name in NAMES
    }
)


@given(GRAPHS)
def test_any_graph_ends_and_shows_each_task_in_full_once(
    graph: dict[str, tuple[str | None, set[str]]],
) -> None:
    records = [
        task(name, parent=parent, depends_on=sorted(needs))
        for name, (parent, needs) in graph.items()
    ]

    def all_below(node: Node) -> list[Node]:
        return [node, *(each for below in node.below for each in all_below(below))]

    reader = MemoryReader(*records)
    nodes = [node for top in tree(reader, NOW, closed=False, depth=20) for node in all_below(top)]
    assert {node.id for node in nodes} >= {record.id for record in records}
    for name in NAMES:
        opened = [node for node in nodes if node.id == task_id(name) and node.below]
        assert len(opened) <= 1
        asked = tree(reader, NOW, reader.records["task", task_id(name)], closed=True, depth=20)
        assert next(asked).id == task_id(name)


def test_a_long_chain_is_no_deeper_than_was_asked_for() -> None:
    names = [f"{first}{second}" for first in "abcdefghjkmnpqrstvw" for second in "abcdefghjk"]
    chain = [task(a, depends_on=[b]) for a, b in pairwise(names)]
    assert len(drawn(*chain, depth=DEEPEST)) == DEEPEST
