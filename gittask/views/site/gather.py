"""What lists, the board and the search say of each task, read once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gittask.core.dataclass import dataclass
from gittask.core.queue import CLOSED, rank
from gittask.core.record import Data, Reader, Record
from gittask.core.stamp import latest
from gittask.core.text import shorten
from gittask.kinds.handoff import last_handoff
from gittask.views import graph
from gittask.views.board import column
from gittask.views.work import holding_actor

WORDS = 240
"""So many characters of a task's why can be searched."""


class Row(NamedTuple):
    """A task as lists show it. ``stands`` is how it does, as the board says it; ``holder`` is the
    actor who works on it. ``why`` and ``report`` are the beginning of the one, and the summary of
    the last handoff."""

    id: str
    title: str
    stands: str
    priority: int
    due: str
    responsible: str
    holder: str
    project: str
    labels: tuple[str, ...]
    updated: str
    rank: str
    why: str
    report: str

    @property
    def closed(self) -> bool:
        """Whether nothing remains to be done."""
        return self.stands in CLOSED


@dataclass(frozen=True)
class Gathered:
    """The tasks of a store, and what the page of each rests on beside its own records.

    ``rows`` are in order of urgency; ``around`` are for each task the others that its page speaks
    of; ``timely`` what of its records is over by now, as it is told by a clock only.
    """

    rows: list[Row]
    around: Mapping[str, frozenset[str]]
    timely: Mapping[str, tuple[str, ...]]
    circles: list[graph.Circle]


def gather(reader: Reader, now: str) -> Gathered:
    """Read what all pages share."""
    rows = []
    around: dict[str, set[str]] = defaultdict(set)
    for task in reader.all("task"):
        rows.append(_row(reader, task, now))
        for other in _others(task.data):
            around[task.id].add(other)
            around[other].add(task.id)
    timely: dict[str, list[str]] = defaultdict(list)
    for kind in ("wait", "approval"):
        for record in reader.all(kind):
            subject = record.data.get("subject")
            if kind == "wait" and record.data["on"] == "task" and subject:
                around[str(record.task)].add(subject)
            over = _over(record, now)
            if over:
                timely[record.task or f"projects/{record.data.get('project')}"] += over
    return Gathered(
        sorted(rows, key=lambda row: row.rank),
        {id: frozenset(others) for id, others in around.items()},
        {id: tuple(over) for id, over in timely.items()},
        graph.all_circles(reader, now),
    )


def _others(data: Data) -> Iterator[str]:
    """The tasks that a task names, and whose pages therefore speak of it."""
    yield from data.get("depends_on") or ()
    if data.get("parent"):
        yield data["parent"]
    yield from (each["target"] for each in data.get("links") or () if "/" not in each["target"])


def _over(record: Record, now: str) -> list[str]:
    times = [record.data.get(name) for name in ("until", "expires")]
    return [f"{record.id} {time}" for time in times if time and time <= now]


def _row(reader: Reader, task: Record, now: str) -> Row:
    data = task.data
    begun = data["state"]["epoch"] > 0
    report = last_handoff(reader, task.id) if begun else None
    return Row(
        task.id,
        data["title"],
        column(reader, task, now),
        data.get("priority", 2),
        data.get("due") or "",
        data["responsible"],
        (holding_actor(reader, task) or "") if data["state"]["holder"] else "",
        data.get("project") or "",
        tuple(data.get("labels") or ()),
        latest(data).at,
        rank(data),
        shorten(" ".join((data.get("why") or "").split()), WORDS),
        report.data["summary"] if report else "",
    )
