"""The timeline of the task ``a``, over records in memory."""

from __future__ import annotations

from gittask.core.record import Record
from gittask.store.packaged import schemas
from gittask.views.entries import Entry, Merge
from gittask.views.timeline import EVERYTHING, Choice, Timeline
from gittask.views.versions import History
from tests.memory import MemoryReader, task_id


def timeline(
    reader: MemoryReader,
    choice: Choice = EVERYTHING,
    *merges: Merge,
    history: History | None = None,
) -> Timeline:
    held = reader.records["task", task_id("a")]
    return Timeline(reader, schemas(), held, choice, merges, history)


def entries(*records: Record, choice: Choice = EVERYTHING) -> list[Entry]:
    return list(timeline(MemoryReader(*records), choice).entries())


def chosen(*names: str) -> Choice:
    return Choice(frozenset(names))


def told(*records: Record) -> list[tuple[str, str]]:
    """Kind and text of what follows the making of the task."""
    return [(entry.kind, entry.text) for entry in entries(*records)[1:]]
