"""A circle that changes may have closed is told from them alone, and never missed."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from gittask.core.record import Record
from gittask.judging.circling import may_circle
from gittask.views.graph import circles
from tests.memory import MemoryReader

IDS = ("a", "b", "c", "d")
TASK = st.tuples(st.frozensets(st.sampled_from(IDS), max_size=2), st.sampled_from([None, *IDS]))
Task = tuple[frozenset[str], str | None]
STORE = st.dictionaries(st.sampled_from(IDS), TASK)


def reader(store: Mapping[str, Task]) -> MemoryReader:
    return MemoryReader(
        *(
            Record("task", id, {"id": id, "depends_on": sorted(needs), "parent": parent})
            for id, (needs, parent) in store.items()
        )
    )


def edges_of(found: MemoryReader) -> set[tuple[str, ...]]:
    return {circle.ids for circle in circles(found.all("task"))}


@given(before=STORE, after=STORE)
def test_no_new_circle_is_missed(
    before: dict[str, Task],
    after: dict[str, Task],
) -> None:
    before = {
        id: (needs & before.keys(), parent if parent in before else None)
        for id, (needs, parent) in before.items()
    }
    whole = {**before, **after}  # tasks are not removed
    changed = {id for id in whole if whole[id] != before.get(id)}
    was, now = reader(before), reader(whole)
    if edges_of(now) - edges_of(was):
        assert may_circle(was, now, changed)
    if edges_of(now):
        assert may_circle(None, now, whole)


def test_what_can_be_told_without_the_store() -> None:
    before: dict[str, Task] = {"a": (frozenset("b"), None), "b": (frozenset[str](), None)}
    for added in ((frozenset("a"), None), (frozenset[str](), "a")):
        assert not may_circle(reader(before), reader({**before, "c": added}), {"c"})
    needed = {**before, "b": (frozenset("a"), None)}
    assert may_circle(reader(before), reader(needed), {"b"})
    assert not may_circle(reader(needed), reader(needed), {"b"})
