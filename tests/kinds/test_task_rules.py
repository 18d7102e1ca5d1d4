"""What may be done to a task, and by whom: each rule alone, on records in memory."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.record import Record
from gittask.errors import Problem, Refused
from gittask.kinds import Attempt, kind
from gittask.kinds.task import dependencies, describe_holder, find_loop, parents
from tests.memory import MemoryReader, at, event, task, task_id

MINE = event("execution", "abcd", 1, state={"status": "running"})
OLD = event("execution", "abcd", 0, actor="codex-0", epoch=0, created_by="codex-0")
BESIDE = event("execution", "abcd", 2, actor="codex-2", lane="review", role="reviewer")
HELD = task("abcd", "active", holder=MINE.id, epoch=1, since=at(1))
READER = MemoryReader(HELD, MINE, OLD, BESIDE)


def state(**fields: Any) -> dict[str, Any]:
    return {**HELD.data["state"], **fields}


def attempt(
    actor: str = "codex-1",
    execution: Record | None = None,
    *,
    person: bool = False,
    before: Record | None = HELD,
    **fields: Any,
) -> list[Problem]:
    """What is wrong with these changes of the held task."""
    after = Record("task", HELD.id, {**HELD.data, **fields})
    id = execution.id if execution else None
    return list(kind("task").may(Attempt(READER, before, after, actor, person, id)))


DONE = state(status="done", holder=None)


def test_the_holder_may_do_all() -> None:
    assert attempt(execution=MINE, state=DONE) == []
    assert attempt(execution=MINE, title="Other") == []


@pytest.mark.parametrize(
    ("actor", "execution", "fields", "says"),
    [
        ("codex-0", OLD, {"state": DONE}, "no longer holds task"),
        ("codex-0", OLD, {"title": "Other"}, "no longer holds task"),
        ("codex-2", BESIDE, {"state": DONE}, "may not change the task"),
        ("codex-3", None, {"state": DONE}, "is held by codex-1 since"),
    ],
)
def test_others_may_not(
    actor: str, execution: Record | None, fields: dict[str, Any], says: str
) -> None:
    with pytest.raises(Refused, match=says) as caught:
        attempt(actor, execution, **fields)
    assert caught.value.hint


def test_what_describes_a_task_is_everybodys() -> None:
    assert attempt("codex-3", title="Other") == []


def test_who_reviews_only_adds_records() -> None:
    with pytest.raises(Refused, match="may not change the task"):
        attempt("codex-2", BESIDE, title="Other")


def test_people_settle_things() -> None:
    assert attempt("ann", person=True, state=DONE) == []
    assert attempt("ann", BESIDE, person=True, state=DONE) == []


def test_a_claim() -> None:
    claim = state(epoch=2, holder=BESIDE.id, since=at(5))
    (problem,) = attempt("codex-2", BESIDE, state=claim)
    assert (problem.field, problem.hint) == (
        "state.reason",
        "say it: gittask takeover TASK --reason ...",
    )
    assert attempt("codex-2", BESIDE, state={**claim, "reason": "silent"}) == []


@pytest.mark.parametrize("status", ["reported", "done", "failed", "cancelled", "declined"])
def test_who_works_no_longer_leaves_the_task_to_the_next(status: str) -> None:
    ended = Record("execution", MINE.id, {**MINE.data, "state": {"status": status}})
    claim = state(epoch=2, holder=BESIDE.id)
    after = Record("task", HELD.id, {**HELD.data, "state": claim})
    reader = MemoryReader(HELD, ended, BESIDE)
    assert list(kind("task").may(Attempt(reader, HELD, after, "codex-2", False, BESIDE.id))) == []


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"epoch": 3}, "state.epoch"),
        ({"epoch": 0}, "state.epoch"),
        ({"holder": OLD.id}, "state.holder"),
    ],
)
def test_the_epoch_grows_by_one_and_only_with_a_claim(fields: dict[str, Any], field: str) -> None:
    found = attempt("ann", person=True, state=state(**fields))
    assert field in [problem.field for problem in found]


def test_no_work_without_a_why() -> None:
    (problem,) = attempt(execution=MINE, why=None)
    assert problem.field == "why"
    assert attempt(execution=MINE, why=None, state=DONE) == []
    assert attempt(before=None, why=None, state=state(status="open", holder=None)) == []


def test_the_holder_in_words() -> None:
    words = describe_holder(READER, HELD.id, HELD.data["state"])
    assert words == f"held by codex-1 since {at(1)} under execution {MINE.id}"
    assert describe_holder(READER, HELD.id, state(holder=None)) == "held by nobody, active"
    unknown = describe_holder(READER, HELD.id, state(holder="20261130t100411z-zzzzzz"))
    assert unknown.startswith("held by an unknown actor since")


# -- circles -----------------------------------------------------------------------------------

NAMES = ["aaaa", "bbbb", "cccc", "dddd"]
edges = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([*NAMES, "gggg"])), max_size=8)


@given(edges, st.sets(st.sampled_from(NAMES), max_size=1))
def test_a_circle_is_found_exactly_where_there_is_one(
    pairs: list[tuple[str, str]], bad: set[str]
) -> None:
    """On any graph, with ends that lead nowhere and files that cannot be read."""
    needs = {name: sorted({to for origin, to in pairs if origin == name}) for name in NAMES}
    records = {name: task(name, depends_on=needs[name]) for name in NAMES}
    reader = MemoryReader(*records.values(), bad=[task_id(name) for name in bad])
    for name in NAMES:
        reached, todo = set(), list(needs[name])
        while todo:
            here = todo.pop()
            if here not in reached:
                reached.add(here)
                todo += [] if here in bad else needs.get(here, [])
        path = find_loop(reader, records[name].data, dependencies)
        assert (path is not None) == (name in reached)
        if path:
            assert path[0] == path[-1] == task_id(name)
            assert len(set(path)) == len(path) - 1
            assert all((origin[:4], to[:4]) in pairs for origin, to in pairwise(path))


def test_a_long_chain_ends() -> None:
    names = [f"a{number:03d}" for number in range(900)]
    records = [task(n, parent=p) for n, p in zip(names, names[1:] + names[:1], strict=True)]
    path = find_loop(MemoryReader(*records), records[0].data, parents)
    assert path is not None
    assert len(path) == len(names) + 1
