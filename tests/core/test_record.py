"""What every layer shares of records."""

from __future__ import annotations

from gittask.core.record import Record, age


def made(id: str, at: str) -> Record:
    return Record("note", id, {"id": id, "created": {"at": at, "by": "alice"}})


def test_age_is_the_time_of_making_and_then_the_id() -> None:
    records = [made("a", "2"), made("c", "1"), made("b", "1")]
    assert [record.id for record in sorted(records, key=age)] == ["b", "c", "a"]
