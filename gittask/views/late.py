"""Late records: what an execution wrote after it had lost its task to another claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby

from gittask.core import ids
from gittask.core.record import Reader, Record, age
from gittask.kinds import readable

REPORTS = ("handoff", "note")
"""The kinds of record by which an execution reports."""


def overtaken(task: Record, executions: Iterable[Record]) -> dict[str, str]:
    """For each execution of a task that lost it to another claim, when that claim was made.

    To the first of a higher epoch, or at the same epoch to the one that stands: two clones may
    both claim while neither sees the other.
    """
    state = task.data["state"]
    claims = [
        (one.data["epoch"], one.data["created"]["at"], one.id)
        for one in executions
        if one.data["lane"] == "edit"
    ]
    found = {}
    for mine, _, id in claims:
        others = [
            at
            for epoch, at, other in claims
            if mine < epoch <= state["epoch"]
            or (mine == epoch == state["epoch"] and id != other == state["holder"])
        ]
        if others:
            found[id] = min(others)
    return found


class Late:
    """Which notes and handoffs of a task came late, each told when it is asked for.

    Late is what the next claim had not seen: it says how many there were, and an execution's own
    records are in order of its own clock. Of two claims of one epoch the one that does not stand
    never held the task. Where a claim does not say what it had seen, the times of both decide.

    Where no execution was overtaken nothing is opened, and else no more than the records that
    were made up to the one that is asked for.
    """

    def __init__(self, reader: Reader, task: Record, executions: Collection[Record]) -> None:
        self._reader = reader
        self._task = task
        self.lost = overtaken(task, executions)
        """As ``overtaken`` says it."""
        self._epoch = task.data["state"]["epoch"]
        self._epochs = {one.id: one.data["epoch"] for one in executions}
        self._seen: dict[str, int] = {}
        for one in sorted(executions, key=lambda one: -one.data["epoch"]):
            said = one.data.get("overtakes")
            if said and one.data["epoch"] <= self._epoch:
                self._seen[said["execution"]] = said["reports"]
        self._places: dict[str, int] = {}
        self._counting = self._count()

    def __call__(self, record: Record) -> bool:
        """Whether a note or handoff came late."""
        execution = record.data.get("execution")
        if execution not in self.lost:
            return False
        if self._epochs[execution] == self._epoch:
            return True
        if execution in self._seen:
            return self._place(record) >= self._seen[execution]
        return bool(record.data["created"]["at"] > self.lost[execution])

    def _place(self, record: Record) -> int:
        """How many reports its execution had made before this one."""
        while record.id not in self._places:
            next(self._counting)
        return self._places[record.id]

    def _count(self) -> Iterator[None]:
        """Give the reports of a second their places, second by second."""
        counts: Counter[str | None] = Counter()
        reader, task = self._reader, self._task.id
        known = sorted((id, kind) for kind in REPORTS for id in reader.ids(kind, task=task))
        for _, group in groupby(known, key=lambda each: ids.second(each[0])):
            found = (readable(reader, kind, id, task=task) for id, kind in group)
            for record in sorted(filter(None, found), key=age):
                execution = record.data.get("execution")
                self._places[record.id] = counts[execution]
                counts[execution] += 1
            yield


def late_reports(reader: Reader, task: Record) -> Iterator[Record]:
    """The handoffs and notes of a task that came late and that nobody has reviewed."""
    if len(reader.ids("execution", task=task.id)) < 2:
        return
    late = Late(reader, task, list(reader.all("execution", task=task.id)))
    if not late.lost:
        return
    reviews = [review.data for review in reader.all("review", task=task.id)]
    seen = {review.get("handoff") or review.get("note") for review in reviews}
    for kind in REPORTS:
        for record in reader.all(kind, task=task.id):
            if record.id not in seen and late(record):
                yield record
