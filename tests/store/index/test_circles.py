"""Circles are found again from what changed, with few questions however much that is."""

from __future__ import annotations

import sqlite3

import pytest

from gittask.core.schema import Place
from gittask.store.index.database import _TABLES
from gittask.store.index.rows import Rows
from gittask.store.packaged import schemas
from tests.memory import task, task_id


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("count", [5, 200])
def test_a_chain_that_came_at_once(count: int, closed: bool) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for table in _TABLES:
        connection.execute(table)
    rows = Rows(connection, schemas())
    names = [f"t{number:03}" for number in range(count)]
    for name, needed in zip(names, [names[-1] if closed else None, *names], strict=False):
        found = task(name, depends_on=[needed] if needed else [])
        rows.put(Place("task", task_id(name)), "", found.data)
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    rows.finish()
    connection.set_trace_callback(None)
    assert len(asked) < 10 * count
    circling = {id for (id,) in connection.execute("select id from circling")}
    assert circling == ({task_id(name) for name in names} if closed else set())
    connection.close()
