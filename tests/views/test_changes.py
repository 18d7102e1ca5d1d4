"""What was set of a task: from its stamps alone, and from the versions that history has."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.merge import merge
from gittask.core.record import Data, Record
from gittask.core.stamp import stamps
from gittask.core.units import value_of
from gittask.views.changes import AHEAD
from gittask.views.entries import Entry
from gittask.views.timeline import EVERYTHING
from gittask.views.versions import Maker
from tests.memory import START, MemoryReader, at, event, task, task_id
from tests.views.telling import entries, timeline, told
from tests.views.versions import RULES, Graph


@pytest.fixture
def graph() -> Graph:
    made = Graph()
    made.add("a")
    return made


def reader(graph: Graph, tip: str, *records: Record) -> MemoryReader:
    return MemoryReader(Record("task", task_id("a"), graph.versions[tip] or {}), *records)


def seen(graph: Graph, tip: str, *records: Record, reverse: bool = False) -> list[Entry]:
    """What a timeline tells of the task itself, once it was made."""
    view = timeline(reader(graph, tip, *records), EVERYTHING, history=graph)
    return [
        entry
        for entry in view.entries(reverse=reverse)
        if entry.record == "task" and entry.kind != "created"
    ]


def texts(graph: Graph, tip: str, *records: Record) -> list[tuple[str, str, str]]:
    """When, by whom and what."""
    return [(entry.at, entry.by, entry.text) for entry in seen(graph, tip, *records)]


# -- from stamps alone --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "fields", "text"),
    [
        ("done", {"outcome": "it works"}, "done: it works"),
        ("cancelled", {"reason": "too late"}, "cancelled: too late"),
        ("open", {"reason": "again"}, "open: again"),
    ],
)
def test_the_last_change_of_state_is_an_entry(
    status: str, fields: dict[str, str], text: str
) -> None:
    changed = {"state": f"3 {at(9)} bob"}
    assert told(task("a", status, changed=changed, **fields)) == [("state", text)]


@pytest.mark.parametrize("status", ["active", "review"])
def test_a_claim_or_handoff_is_not_told_twice(status: str) -> None:
    assert told(task("a", status, changed={"state": f"3 {at(9)} bob"})) == []


def test_fields_that_were_set_together_are_one_entry() -> None:
    changed = {
        "title": f"1 {at(2)} bob",
        "labels.x": f"1 {at(2)} bob",
        "priority": f"1 {at(2)} alice",
        "due": f"2 {at(3)} bob",
    }
    assert told(task("a", changed=changed)) == [
        ("changed", "priority: 2"),
        ("changed", 'label removed: x, title: "Task a"'),
        ("changed", "due: none"),
    ]


def test_an_element_that_is_there_was_not_removed() -> None:
    changed = {"labels.x": f"1 {at(2)} bob", "depends_on.b": f"2 {at(3)} bob"}
    there = task("a", labels=["x"], depends_on=[], changed=changed)
    assert told(there) == [("changed", "label added: x"), ("changed", "dependency removed: b")]


def test_a_title_that_was_changed_is_not_told_as_the_first() -> None:
    first, second = entries(task("a", changed={"title": f"1 {at(2)} bob"}))
    assert (first.kind, first.text) == ("created", "the task")
    assert second.details["changes"] == [{"field": "title", "new": "Task a"}]


# -- from history -------------------------------------------------------------------------------


def test_what_was_overwritten_is_told_with_both_values(graph: Graph) -> None:
    graph.add("b", "a", "bob", priority=0, title="B")
    graph.add("c", "b", "ann", title="C", labels=["urgent"], due="2026-12-24")
    graph.add("d", "c", "ann", title="D", labels=[], due=None)
    assert texts(graph, "d") == [
        (at(1), "bob", 'priority: 2 -> 0, title: "Task a" -> "B"'),
        (at(2), "ann", 'due: none -> "2026-12-24", label added: urgent, title: "B" -> "C"'),
        (at(3), "ann", 'due: "2026-12-24" -> none, label removed: urgent, title: "C" -> "D"'),
    ]
    first = seen(graph, "d")[0]
    assert first.details == {
        "changes": [
            {"field": "priority", "old": 2, "new": 0},
            {"field": "title", "old": "Task a", "new": "B"},
        ],
        "commit": "b",
        "by_hand": False,
    }


def test_the_first_title_is_told(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="B")
    first = next(timeline(reader(graph, "b"), history=graph).entries())
    assert (first.at, first.by, first.kind, first.text) == (START, "alice", "created", "Task a")
    assert first.details["commit"] == "a"


def test_items_of_a_list(graph: Graph) -> None:
    item = {"id": "a1", "text": "it works", "met": False, "evidence": None}
    graph.add("b", "a", "bob", acceptance=[item])
    graph.add("c", "b", "bob", acceptance=[{**item, "met": True}])
    graph.add("d", "c", "bob", acceptance=[])
    assert [text for _, _, text in texts(graph, "d")] == [
        "acceptance added: it works",
        "acceptance.a1.met: false -> true",
        "acceptance removed: it works",
    ]


def test_long_values_are_shortened_and_cannot_break_the_line(graph: Graph) -> None:
    graph.add("b", "a", "bob", why="x\ny" + "z" * 900)
    (entry,) = seen(graph, "b")
    assert entry.text.startswith('why: "it is needed" -> "x\\nyz')
    assert len(entry.text) < 80
    assert entry.text.splitlines() == [entry.text]


def test_merges_are_passed_through_to_both_originals(graph: Graph) -> None:
    graph.add("b", "a", "bob", priority=0, title="B")
    graph.add("c", "a", "ann", priority=1)
    both = merge(RULES, graph.versions["a"], graph.versions["b"] or {}, graph.versions["c"] or {})
    graph.put("m", "bc", both.value)
    graph.put("n", "cm", both.value)
    assert [entry.details["commit"] for entry in seen(graph, "n")] == ["b", "c"]
    assert [text for _, _, text in texts(graph, "n")] == [
        'priority: 2 -> 0, title: "Task a" -> "B"',
        "priority: 2 -> 1",
    ]


def test_a_text_that_a_merge_put_together_is_told_of_the_merge(graph: Graph) -> None:
    graph.add("0", "a", "bob", why="1\n2\n3\n4\n")
    graph.add("b", "0", "bob", why="x\n2\n3\n4\n")
    graph.add("c", "0", "ann", why="1\n2\n3\ny\n")
    both = merge(RULES, graph.versions["0"], graph.versions["b"] or {}, graph.versions["c"] or {})
    graph.put("m", "bc", both.value)
    assert [entry.details["commit"] for entry in seen(graph, "m")] == ["0", "b", "m", "c"]


def test_a_squash_tells_each_change_at_its_own_time(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="B")
    graph.add("c", "b", "ann", title="C", priority=0)
    graph.put("s", "a", graph.versions["c"])
    del graph.versions["b"], graph.versions["c"]
    assert texts(graph, "s") == [(at(2), "ann", 'priority: 2 -> 0, title: "Task a" -> "C"')]


def test_a_squash_beside_what_it_was_made_of_is_not_told_twice(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="B")
    graph.add("c", "b", "ann", title="C", priority=0)
    graph.put("s", "a", graph.versions["c"])
    graph.put("m", "sc", graph.versions["c"])
    for reverse in (False, True):
        found = seen(graph, "m", reverse=reverse)
        assert sorted(entry.details["commit"] for entry in found) == ["b", "c"]
    assert [text for _, _, text in texts(graph, "m")] == [
        'title: "Task a" -> "B"',
        'priority: 2 -> 0, title: "B" -> "C"',
    ]


def test_a_rebased_copy_is_not_told_twice(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="B")
    graph.put("c", "a", graph.versions["b"])
    graph.add("d", "c", "ann", priority=0)
    graph.put("m", "bd", graph.versions["d"])
    assert [entry.details["commit"] for entry in seen(graph, "m")] == ["b", "d"]


def test_an_edit_by_hand_is_its_authors_and_told_once_when_it_is_stamped(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="B")
    graph.add("c", "b", title="By hand")
    by_hand = (at(2), "hand", 'title: "B" -> "By hand" (by hand)')
    assert texts(graph, "c")[1:] == [by_hand]
    after = graph.versions["c"] or {}
    graph.put("d", "c", {**after, "changed": {**after["changed"], "title": f"2 {at(2)} hand"}})
    assert texts(graph, "d")[1:] == [by_hand]


def test_what_was_taken_back_by_hand_is_told(graph: Graph) -> None:
    graph.add("b", "a", "bob", labels=["x"])
    graph.put("c", "b", graph.versions["a"])  # as git revert does it
    assert texts(graph, "c")[1:] == [(at(2), "hand", "label removed: x (by hand)")]


def test_what_cannot_be_read_is_looked_through(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="B")
    graph.put("x", "b", None)
    graph.put("c", "x", graph.versions["b"])
    graph.add("d", "c", "bob", title="D")
    assert [text for _, _, text in texts(graph, "d")][1:] == ['title: "B" -> "D"']


def test_where_history_begins_the_stamps_tell(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="B")
    graph.add("c", "b", "ann", priority=0)
    del graph.versions["a"]
    graph.above["b"] = []
    first, *rest = timeline(reader(graph, "c"), history=graph).entries()
    assert [first.text, *(entry.text for entry in rest)] == [
        "the task",
        'title: "B"',
        "priority: 2 -> 0",
    ]


# -- what has a record of its own ---------------------------------------------------------------


def state(status: str, **parts: Any) -> Data:
    empty = {"epoch": 0, "holder": None, "since": None, "outcome": None, "reason": None}
    return {**empty, "status": status, **parts}


def test_closing_and_opening_again_are_told_and_claims_are_not(graph: Graph) -> None:
    graph.add("b", "a", "bob", state=state("active"))
    graph.add("c", "b", "bob", state=state("done", outcome="it works"))
    graph.add("d", "c", "ann", state=state("open", reason="it does not"))
    graph.add("e", "d", "bob", state=state("review"))
    assert [(entry.kind, entry.text) for entry in seen(graph, "e")] == [
        ("state", "done: it works"),
        ("state", "open: it does not"),
    ]


def test_what_an_execution_or_a_report_opened_is_not_told_twice(graph: Graph) -> None:
    graph.add("b", "a", "bob", state=state("active"))
    graph.add("c", "b", "bob", state=state("open", reason="no time"))
    ended = event("execution", "a", 1, state={"status": "cancelled", "at": at(2)})
    assert seen(graph, "c", event("handoff", "a", 2)) == []
    assert seen(graph, "c", event("review", "a", 2)) == []
    assert [entry.text for entry in seen(graph, "c", event("note", "a", 2))] == ["open: no time"]
    ended.data["state"]["at"] = at(2)
    assert seen(graph, "c", ended) == []


def test_a_change_under_an_execution_that_had_lost_the_task_is_late(graph: Graph) -> None:
    stale = event("execution", "a", 0, epoch=1)
    newer = event("execution", "a", 2, epoch=2, actor="codex-2")
    graph.add("b", "a", "codex-1", title="B")
    graph.add("c", "b", "codex-1", title="C")
    graph.add("d", "c", "codex-1", title="D", state=state("active", epoch=2, holder=newer.id))
    graph.makers = {
        "b": Maker("codex-1", at(1), stale.id),
        "d": Maker("codex-1", at(3), stale.id),
    }
    found = seen(graph, "d", stale, newer)
    assert [(entry.execution, entry.late) for entry in found] == [
        (stale.id, False),
        (None, False),
        (stale.id, True),
    ]


# -- as it comes --------------------------------------------------------------------------------


@pytest.fixture
def long(graph: Graph) -> tuple[Graph, str]:
    """A task whose title was set 300 times."""
    above = "a"
    for number in range(300):
        name = chr(0x4E00 + number)
        graph.add(name, above, "bob", title=f"Title {number}")
        above = name
    return graph, above


@pytest.mark.parametrize("reverse", [False, True])
def test_changes_are_told_before_all_versions_are_opened(
    long: tuple[Graph, str], reverse: bool
) -> None:
    graph, tip = long
    found = timeline(reader(graph, tip), history=graph).entries(reverse=reverse)
    next(found)
    assert len(set(graph.opened)) <= AHEAD + 4
    list(islice(found, 20))
    assert len(set(graph.opened)) <= AHEAD + 24
    assert len(list(found)) == 280


def test_many_versions_are_not_opened_only_to_be_counted(long: tuple[Graph, str]) -> None:
    graph, tip = long
    assert timeline(reader(graph, tip), history=graph).total() is None
    assert graph.opened == []


def test_few_are_counted(graph: Graph) -> None:
    graph.add("b", "a", "bob", title="B")
    graph.add("c", "b", "bob", title="C")
    assert timeline(reader(graph, "c"), history=graph).total() == 3


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
def test_every_edit_is_told_once_whatever_was_merged(moves: list[tuple[Any, ...]]) -> None:
    """Three lines of history that edit and merge as they like, merging by the program's rules."""
    graph = Graph()
    graph.add("0")
    tips = ["0", "0", "0"]
    for number, move in enumerate(moves, 1):
        name, mine = chr(ord("0") + number), move[0]
        ours = graph.versions[tips[mine]] or {}
        if len(move) == 2:
            theirs = graph.versions[tips[move[1]]] or {}
            graph.put(name, tips[mine] + tips[move[1]], merge(RULES, None, ours, theirs).value)
        else:
            _, field, value, by = move
            graph.add(name, tips[mine], by, **{field: value})
        tips[mine] = name
    edits = {
        (commit, unit, str(value_of(data, unit)))
        for commit, data in graph.versions.items()
        if data is not None and len(graph.above[commit]) == 1
        for unit in _new(graph, commit, data)
    }
    tip = tips[0]
    found = seen(graph, tip)
    assert [entry.at for entry in found] == sorted(entry.at for entry in found)
    assert [entry.as_json() for entry in seen(graph, tip, reverse=True)] == [
        entry.as_json() for entry in found[::-1]
    ]
    shown = [
        (entry.details["commit"], change["field"], str(change["new"]))
        for entry in found
        for change in entry.details["changes"]
    ]
    assert sorted(shown) == sorted(edits)


def _new(graph: Graph, commit: str, data: Data) -> set[str]:
    """The units that a commit stamped."""
    before = stamps(graph.versions[graph.above[commit][0]] or {})
    return {unit for unit, stamp in stamps(data).items() if before.get(unit) != stamp}
