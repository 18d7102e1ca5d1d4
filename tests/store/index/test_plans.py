"""How SQLite goes about what is asked at each write: by what is near, not through a whole table."""

from __future__ import annotations

from pathlib import Path

from gittask.store.index import circles, database


def test_what_a_task_needs_is_looked_up(tmp_path: Path) -> None:
    connection = database.connect(tmp_path, "of-a-test", make=True)
    assert connection is not None
    with database.writing(connection):
        database.arrange(connection)
    plan = connection.execute(f"explain query plan {circles._NEEDS}", ["k3m9"]).fetchall()
    connection.close()
    steps = [step for *_, step in plan if step.startswith(("SCAN", "SEARCH"))]
    assert len(steps) == 6
    assert not [step for step in steps if not any(by in step for by in _BY)], steps


_BY = ("(id=?)", "task=?)", "rowid=?", "key=?", "value=?")
"""What tells few rows from all others."""
