"""The reader that these tests use answers as a real one does."""

from __future__ import annotations

from pathlib import Path

from tests.memory import MemoryReader, event, task, task_id
from tests.stored import session, write


def test_memory_and_store_agree(repo: Path) -> None:
    records = [task("a"), task("b")]
    for kind in ("execution", "note", "conflict", "wait"):
        records += [event(kind, "a", 2), event(kind, "a", 1), event(kind, "b", 3)]
    write(repo, *records)
    stored, memory = session(repo).reader(), MemoryReader(*records)
    for record in records:
        owner = None if record.kind == "task" else record.task
        assert stored.ids(record.kind) == memory.ids(record.kind)
        assert list(stored.all(record.kind)) == list(memory.all(record.kind))
        assert stored.get(record.kind, record.id, task=owner) == record
        assert memory.get(record.kind, record.id, task=owner) == record
        assert stored.owner(record.kind, record.id) == owner
    for kind in ("execution", "note", "conflict", "wait"):
        assert len(memory.ids(kind, task=task_id("a"))) == 2
        for name in ("a", "b", "c"):
            of = task_id(name)
            assert stored.ids(kind, task=of) == memory.ids(kind, task=of)
            assert list(stored.all(kind, task=of)) == list(memory.all(kind, task=of))
