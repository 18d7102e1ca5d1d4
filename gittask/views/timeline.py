"""Everything that happened to one task, from its own records only, in order of time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gittask.core.record import Data, Reader, Record
from gittask.core.stamp import Stamp, creation, stamps
from gittask.kinds import kind
from gittask.views import words
from gittask.views.late import overtaken


@dataclass(frozen=True)
class Entry:
    """One thing that happened.

    ``kind`` is the plainest word for it: created, changed, state, claim, takeover, ended, report,
    note, question, answer, comment, instruction, decision, handoff, wait, approval, review,
    conflict.
    ``record`` and ``id`` name the record that shows it, and ``details`` is that record's data, or
    for a change within a record the part that changed. ``late`` says that its execution no
    longer held the task.
    """

    at: str
    by: str
    kind: str
    record: str
    id: str
    text: str
    execution: str | None
    late: bool
    details: Data

    def as_json(self) -> dict[str, Any]:
        """The entry as ``--json`` shows it."""
        return dict(self.__dict__)

    @property
    def more(self) -> list[str]:
        """What there is to see below the text, in lines for people."""
        if self.kind == "handoff":
            return words.handoff(self.details)
        if self.record == "note":
            return words.note(self.details)
        return []


KINDS = (
    "execution",
    "note",
    "message",
    "decision",
    "handoff",
    "wait",
    "approval",
    "review",
    "conflict",
)
"""The kinds of record that a task's timeline is made of, beside the task itself."""

_WORDS = "task created changed state claim takeover ended report"
_SAID = "question answer comment instruction"
NAMES = frozenset((*KINDS, *_WORDS.split(), *_SAID.split()))
"""What entries can be chosen by: their own kind, or the kind of their record."""


def timeline(reader: Reader, task: Record) -> Iterator[Entry]:
    """The entries of a task in order of time, then id. Opens no other task's files."""
    found = list(_of_task(task))
    executions = list(reader.all("execution", task=task.id))
    lost = overtaken(task, executions)
    for name in KINDS:
        records = executions if name == "execution" else reader.all(name, task=task.id)
        for record in records:
            found += _of_record(record, lost)
    yield from sorted(found, key=lambda entry: (entry.at, entry.id))


# -- the task itself --------------------------------------------------------------------------


def _of_task(task: Record) -> Iterator[Entry]:
    data = task.data
    made = creation(data)

    def entry(kind: str, stamp: Stamp, text: str, details: Data) -> Entry:
        return Entry(stamp.at, stamp.by, kind, "task", task.id, text, None, False, details)

    yield entry("created", made, data["title"], {"created": data["created"]})
    together: dict[tuple[str, str], list[str]] = defaultdict(list)
    for unit, stamp in stamps(data).items():
        if unit != "state":
            together[stamp.at, stamp.by].append(unit)
        elif data["state"]["status"] not in ("active", "review"):  # a claim or handoff shows those
            yield entry("state", stamp, _state(data["state"]), {"state": data["state"]})
    for (at, by), units in together.items():
        yield entry("changed", Stamp(0, by, at), ", ".join(units), {"units": units})


def _state(state: Data) -> str:
    said = state["outcome"] if state["status"] == "done" else state["reason"]
    return f"{state['status']}: {said}" if said else str(state["status"])


# -- the other records ------------------------------------------------------------------------


def _of_record(record: Record, lost: dict[str, str]) -> Iterator[Entry]:
    data = record.data
    execution = record.id if record.kind == "execution" else data.get("execution")

    def entry(kind: str, at: str, by: str | None, text: str, details: Data) -> Entry:
        late = execution in lost and at > lost[execution]
        return Entry(at, by or "", kind, record.kind, record.id, text, execution, late, details)

    created = data["created"]
    name, text = _told(record)
    yield entry(name, data.get("at") or created["at"], created["by"], text, data)
    state = data.get("state")
    if state and state["status"] not in _NOT_YET and state["at"] >= created["at"]:
        kind = "ended" if record.kind == "execution" else record.kind
        by = state["by"] if "by" in state else data["actor"]
        reason = f": {state['reason']}" if state["reason"] else ""
        yield entry(kind, state["at"], by, f"{state['status']}{reason}", {"state": state})
    spent = data.get("spent")
    if spent:
        yield entry(record.kind, spent["at"], spent["by"], "used", {"spent": spent})


_NOT_YET = ("claimed", "running", "reported", "open", "requested")
"""States that the record's own making, or another record, already shows."""


def _told(record: Record) -> tuple[str, str]:
    """The kind and the text of the entry that a record's making is."""
    data = record.data
    if record.kind in _TEXTS:
        return _TEXTS[record.kind](data)
    return record.kind, kind(record.kind).summary(data)


def _claim(data: Data) -> tuple[str, str]:
    summary = kind("execution").summary(data)
    if data.get("takeover"):
        return "takeover", f"{summary}\nbecause {data['takeover']}"
    return "claim", summary


def _note(data: Data) -> tuple[str, str]:
    if data["kind"] == "progress" and data.get("execution"):
        return "report", data["body"]
    return "note", f"{data['kind']}: {data['body']}"


def _message(data: Data) -> tuple[str, str]:
    to = f"to {data['to']}: " if data.get("to") else ""
    return data["kind"], f"{to}{data['body']}"


def _decision(data: Data) -> tuple[str, str]:
    return "decision", f"{data['title']}: {data['outcome']}"


def _review(data: Data) -> tuple[str, str]:
    said = [data.get("synthesis"), *(data.get("findings") or []), *(data.get("questions") or [])]
    verdict = str(data["verdict"]).replace("_", " ")
    return "review", "\n".join([verdict, *(text for text in said if text)])


def _approval(data: Data) -> tuple[str, str]:
    return "approval", f"asks for approval ({data['scope']}): {data['action']}"


_TEXTS: dict[str, Callable[[Data], tuple[str, str]]] = {
    "execution": _claim,
    "note": _note,
    "message": _message,
    "decision": _decision,
    "review": _review,
    "approval": _approval,
}
"""Where an entry says more than the record's summary, or goes by another name."""
