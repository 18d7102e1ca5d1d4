"""What is still uncertain about a task, and which of it a person waived.

The last report of the work says what is uncertain, and so does the last one of each reviewer who
reported after that. Automatic reports and late ones displace nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from gittask.core.record import Data, Reader, Record, age
from gittask.kinds import readable
from gittask.views.late import Late


class Uncertain(NamedTuple):
    """One uncertainty: the handoff that says it, its place there from 1, and who waived it."""

    handoff: Record
    place: int
    waiver: Record | None

    @property
    def data(self) -> Data:
        """As the handoff says it: question, impact, who."""
        found: Data = self.handoff.data["uncertain"][self.place - 1]
        return found


def standing(reader: Reader, task: Record) -> list[Record]:
    """The reports that stand, the last one of the work first; empty if there is none."""
    executions = {one.id: one for one in reader.all("execution", task=task.id)}
    late = Late(reader, task, list(executions.values()))
    meant = (one for one in reader.all("handoff", task=task.id) if one.data["kind"] != "auto")
    found = sorted((one for one in meant if not late(one)), key=age)
    work = [one for one in found if not _reviews(executions.get(one.data["execution"]))]
    last = work[-1:]
    after = {
        one.data["execution"]: one
        for one in found
        if _reviews(executions.get(one.data["execution"])) and (not last or age(one) > age(last[0]))
    }
    return [*last, *sorted(after.values(), key=age)]


def _reviews(execution: Record | None) -> bool:
    return execution is not None and execution.data["lane"] == "review"


def uncertainties(reader: Reader, task: Record) -> list[Uncertain]:
    """What the reports that stand call uncertain, in their order."""
    waived = _waivers(reader, task)
    return [
        Uncertain(report, place, waived.get(_words(item)))
        for report in standing(reader, task)
        for place, item in enumerate(report.data["uncertain"], 1)
    ]


def _waivers(reader: Reader, task: Record) -> dict[tuple[str, str], Record]:
    """The decisions by which uncertainties were waived, and that no other one supersedes.

    A waiver holds wherever the same question with the same impact is put again.
    """
    decisions = [one for one in reader.all("decision", task=task.id) if one.data["scope"] == "task"]
    gone = {one.data.get("supersedes") for one in decisions}
    found = {}
    for one in decisions:
        waives = one.data.get("waives")
        if not waives or one.id in gone:
            continue
        handoff = readable(reader, "handoff", waives["handoff"], task=task.id)
        items = handoff.data["uncertain"] if handoff else []
        by = readable(reader, "actor", one.data["created"]["by"], task=None)
        if waives["uncertain"] <= len(items) and by and by.data["kind"] == "person":
            found[_words(items[waives["uncertain"] - 1])] = one
    return found


def _words(item: Data) -> tuple[str, str]:
    return item["question"], item["impact"]
