"""Where each unit of a record comes from, in histories made of a few versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.merge import merge
from gittask.core.stamp import Stamp, stamps
from gittask.core.units import ABSENT
from gittask.views.blame import Origin, Version, units
from tests.memory import START, at, task
from tests.views.versions import RULES, Graph


@pytest.fixture
def graph() -> Graph:
    made = Graph()
    made.add("a")
    return made


# -- units --------------------------------------------------------------------------------------


def found(**fields: Any) -> Mapping[str, Version]:
    return units(RULES, task("a", **fields).data)


def test_the_units_of_a_record() -> None:
    stamp = Stamp(2, "bob", at(5))
    changed = {"title": str(stamp), "labels.gone": str(stamp), "acceptance.a1.met": str(stamp)}
    item = {"id": "a1", "text": "it works", "met": True, "evidence": None}
    every = found(labels=["v1.2", "b"], acceptance=[item], changed=changed)
    assert every["title"] == Version("Task a", stamp)
    assert every["priority"] == Version(2, None)
    assert every["depends_on"] == Version([], None)
    assert [unit for unit in every if unit.startswith(("labels", "acceptance"))] == [
        *("labels.v1.2", "labels.b", "labels.gone"),
        *("acceptance.a1", "acceptance.a1.text", "acceptance.a1.met", "acceptance.a1.evidence"),
    ]
    assert every["labels.gone"] == Version(ABSENT, stamp)
    assert every["acceptance.a1.met"] == Version(True, stamp)
    assert not every.keys() & {"id", "created", "changed"}


def test_what_an_item_says_is_as_old_as_the_item_unless_it_was_changed() -> None:
    came, met = Stamp(1, "ann", at(1)), Stamp(2, "bob", at(2))
    item = {"id": "a1", "text": "it works", "met": True, "evidence": None}
    changed = {"acceptance.a1": str(came), "acceptance.a1.met": str(met)}
    every = found(acceptance=[item], changed=changed)
    assert (every["acceptance.a1.text"].stamp, every["acceptance.a1.met"].stamp) == (came, met)


def test_a_list_from_which_all_was_removed_is_what_was_removed() -> None:
    every = found(labels=[], changed={"labels.x": f"1 {START} bob"})
    assert [unit for unit in every if unit.startswith("labels")] == ["labels.x"]


# -- where they come from -----------------------------------------------------------------------


def test_what_nobody_changed_comes_from_the_creation(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="Other")
    assert graph.of("b", "priority") == Origin("a")
    assert graph.of("b", "title") == Origin("b")


def test_the_last_who_set_the_same_value_again_counts(graph: Graph) -> None:
    graph.add("b", "a", "bob", provider="codex")
    graph.add("c", "b", "ann", provider=None)
    graph.add("d", "c", "eve", provider="codex")
    assert graph.of("d", "provider") == Origin("d")
    assert graph.of("c", "provider") == Origin("c")


def test_merges_are_passed_through(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="Other")
    graph.add("c", "a", "ann", priority=0)
    merged = {**(graph.versions["b"] or {}), "priority": 0}
    both = {**merged["changed"], "priority": (graph.versions["c"] or {})["changed"]["priority"]}
    for name, parents in [("m", "bc"), ("n", "cb"), ("o", "mn")]:  # crossed, and met again
        graph.put(name, parents, {**merged, "changed": both})
    for tip in "mno":
        assert graph.of(tip, "title") == Origin("b")
        assert graph.of(tip, "priority") == Origin("c")
        assert graph.of(tip, "responsible") == Origin("a")


def test_a_value_that_a_merge_made_comes_from_the_merge(graph: Graph) -> None:
    graph.add("b", "a", "bob", why="one")
    graph.add("c", "a", "ann", why="two")
    both = {**(graph.versions["b"] or {}), "why": "one\ntwo", "changed": {"why": f"2 {START} bob"}}
    graph.put("m", "bc", both)
    assert graph.of("m", "why") == Origin("m")


def test_beside_a_squash_the_original_is_named_and_alone_the_squash(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="Other")
    graph.add("c", "b", "ann", priority=0)
    graph.put("s", "a", graph.versions["c"])
    assert graph.of("s", "title") == graph.of("s", "priority") == Origin("s")
    graph.put("m", "sc", graph.versions["c"])
    assert graph.of("m", "title") == Origin("b")


def test_the_edge_of_history_is_named(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="Other")
    graph.add("c", "b", "ann", priority=0)
    graph.above["b"] = []
    assert graph.of("c", "title") == graph.of("c", "responsible") == Origin("b")


def test_an_edit_by_hand(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="Other")
    graph.add("c", "b", title="By hand", labels=["x"], priority=1)
    assert graph.of("c", "title") == Origin("c", by_hand=True)
    assert graph.of("c", "labels.x") == Origin("c", by_hand=True)
    assert graph.of("c", "priority") == Origin("c", by_hand=True)
    assert graph.of("c", "why") == Origin("a")


def test_an_edit_by_hand_that_was_stamped_later(graph: Graph) -> None:
    graph.add("b", "a", title="By hand")
    graph.add("c", "b", "bob", priority=0)
    after = graph.versions["c"] or {}
    stamp = str(Stamp(2, "hand", at(1)))
    graph.put("d", "c", {**after, "changed": {**after["changed"], "title": stamp}})
    graph.add("e", "d", "bob", priority=1)
    assert graph.of("e", "title") == Origin("b", by_hand=True, stamped="d")


def test_a_stamp_that_a_squash_renewed_is_no_edit_by_hand(graph: Graph) -> None:
    """Set by bob; then, in what was squashed, taken back and set again by ann."""
    graph.add("b", "a", "bob", provider="codex")
    after = graph.versions["b"] or {}
    graph.put("s", "b", {**after, "changed": {"provider": str(Stamp(3, "ann", at(9)))}})
    assert graph.of("s", "provider") == Origin("s")


def test_a_stamp_that_went_back_is_an_edit_by_hand(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="Other")
    graph.add("c", "b", "ann", title="Third")
    graph.put("d", "c", graph.versions["b"])  # as git revert does it
    assert graph.of("d", "title") == Origin("d", by_hand=True)


def test_what_was_removed_comes_from_the_removal(graph: Graph) -> None:
    graph.add("b", "a", "bob", labels=["x", "y"])
    graph.add("c", "b", "ann", labels=["y"])
    graph.add("d", "c", "ann", title="Other")
    assert graph.of("d", "labels.x") == Origin("c")
    assert graph.of("d", "labels.y") == Origin("b")


def test_a_field_of_an_item_comes_from_its_own_change(graph: Graph) -> None:
    item = {"id": "a1", "text": "it works", "met": False, "evidence": None}
    graph.add("b", "a", "bob", acceptance=[item])
    graph.add("c", "b", "ann", acceptance=[{**item, "met": True}])
    assert graph.of("c", "acceptance.a1") == graph.of("c", "acceptance.a1.text") == Origin("b")
    assert graph.of("c", "acceptance.a1.met") == Origin("c")


def test_versions_that_cannot_be_read_are_looked_through(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="Other")
    graph.put("x", "b", None)
    graph.put("y", "x", None)
    graph.put("c", "y", graph.versions["b"])
    graph.put("d", "y", {**(graph.versions["b"] or {}), "priority": 0})
    assert graph.of("c", "title") == Origin("b")
    assert graph.of("d", "priority") == Origin("d", by_hand=True)


def test_what_came_before_is_not_opened(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="Other")
    graph.add("c", "b", "bob", title="Third")
    graph.add("d", "c", "bob", priority=0)
    graph.of("d", "title")
    assert set(graph.opened) == {"d", "c", "b"}


VALUES: dict[str, list[Any]] = {
    "title": ["x", "y"],
    "provider": ["x", None],
    "labels": [[], ["x"], ["x", "y"]],
}
EDIT = st.sampled_from(sorted(VALUES)).flatmap(
    lambda field: st.tuples(
        st.integers(0, 2), st.just(field), st.sampled_from(VALUES[field]), st.sampled_from("pq")
    )
)
MERGE = st.tuples(st.integers(0, 2), st.integers(0, 2))


@given(st.lists(EDIT | MERGE, max_size=12))
def test_whatever_was_merged_each_value_comes_from_the_edit_that_stamped_it(
    moves: list[tuple[Any, ...]],
) -> None:
    """Three lines of history that edit and merge as they like, merging by the program's rules."""
    graph = Graph()
    graph.add("0")
    tips = ["0", "0", "0"]
    made: dict[Stamp, str] = {}
    for number, move in enumerate(moves, 1):
        name, mine = chr(ord("0") + number), move[0]
        ours = graph.versions[tips[mine]] or {}
        if len(move) == 2:
            theirs = graph.versions[tips[move[1]]] or {}
            graph.put(name, tips[mine] + tips[move[1]], merge(RULES, None, ours, theirs).value)
        else:
            _, field, value, by = move
            graph.add(name, tips[mine], by, **{field: value})
            after = stamps(graph.versions[name] or {})
            made |= {stamp: name for stamp in after.values() if stamp not in made}
        tips[mine] = name
    for tip in set(tips):
        for unit, version in units(RULES, graph.versions[tip] or {}).items():
            expected = "0" if version.stamp is None else made[version.stamp]
            assert graph.of(tip, unit) == Origin(expected), unit
