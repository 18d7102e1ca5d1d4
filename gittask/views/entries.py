"""What one record tells: the entries of a timeline that come of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.record import Data, Record
from gittask.core.schema import Schemas
from gittask.core.text import one_line
from gittask.kinds import kind
from gittask.views import words
from gittask.views.late import REPORTS, Late


@dataclass(frozen=True)
class Entry:
    """One thing that happened.

    ``kind`` is the plainest word for it: created, changed, state, claim, takeover, ended, report,
    decision, handoff, wait, approval, review, conflict, merge; for a note or message its own kind
    (observation, command, question, answer ...); for any other record its kind.
    ``record`` and ``id`` name the record that shows it (for a merge: ``commit``, and the commit),
    and ``details`` is that record's data, or for a change within a record the part that changed:
    of a task ``{changes: [{field, old, new}], commit, by_hand}``, without ``old`` where only the
    last who set it is known.
    ``late`` says that its execution no longer held the task.
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
    def cursor(self) -> str:
        """What tells the entry from all others of its task, for good: ``AT/KIND/ID``."""
        return f"{self.at}/{self.kind}/{self.id}"

    @property
    def names(self) -> set[str]:
        """What the entry can be chosen by; those of its kind of record are in ``names_of``.

        A handoff goes by the sort of evidence that it holds as well.
        """
        said = self.details.get("kind")
        found = {self.kind, self.record} | ({said} if isinstance(said, str) else set())
        if self.record in REPORTS:
            files = self.details.get("files") or self.details.get("changed")
            checks = self.details.get("verified") or ()
            found |= {"files"} if files else set()
            found |= {"command"} if any(check.get("command") for check in checks) else set()
        return found

    @property
    def more(self) -> list[str]:
        """What there is to see below the text, in lines for people."""
        if self.kind == "handoff":
            return [*words.handoff(self.details), *_evidence(self.details)]
        if self.record == "note":
            return words.note(self.details)
        return []


@dataclass(frozen=True)
class Merge:
    """A commit of the data branch that brought two versions of a task's records together."""

    commit: str
    parents: tuple[str, ...]
    at: str
    by: str
    subject: str

    def entry(self) -> Entry:
        """The merge as an entry."""
        sides = " and ".join(parent[:12] for parent in self.parents)
        details = {"commit": self.commit, "parents": list(self.parents), "subject": self.subject}
        text = f"{self.subject}\nof {sides}"
        return Entry(self.at, self.by, "merge", "commit", self.commit, text, None, False, details)


# -- the names of entries ---------------------------------------------------------------------


def kept(schemas: Schemas) -> tuple[str, ...]:
    """The kinds of record that are kept under a task, in order of name."""
    folders = {name: schemas.document(name)["x-folder"] for name in schemas.kinds}
    return tuple(name for name in folders if any("{task}" in folder for folder in folders[name]))


def names_of(schemas: Schemas, kind: str) -> frozenset[str]:
    """All that the entries of one kind of record can be chosen by.

    The record's kind, what its schema lists as sorts of it, and what else its entries are called.
    """
    sorts = schemas.document(kind)["properties"].get("kind", {}).get("enum", ())
    return frozenset((kind, *sorts, *_ALSO.get(kind, "").split()))


_ALSO = {
    "task": "created changed state",
    "execution": "claim takeover ended",
    "note": "report",
    "handoff": "files command",
}


# -- what a record tells ------------------------------------------------------------------------


def of_record(record: Record, late: Late) -> Iterator[Entry]:
    """How a record that is kept under a task came about, and what became of it."""
    data = record.data
    execution = record.id if record.kind == "execution" else data.get("execution")

    def entry(kind: str, at: str, by: str | None, text: str, details: Data) -> Entry:
        reports = record.kind in REPORTS
        after = late(record) if reports else at > late.lost.get(str(execution), at)
        return Entry(at, by or "", kind, record.kind, record.id, text, execution, after, details)

    created = data["created"]
    name, text = _told(record)
    yield entry(name, _begun(record), created["by"], text, data)
    state = data.get("state")
    if state and state["status"] not in _NOT_YET and state["at"] >= created["at"]:
        kind = "ended" if record.kind == "execution" else record.kind
        by = state["by"] if "by" in state else data["actor"]
        reason = f": {state['reason']}" if state["reason"] else ""
        yield entry(kind, state["at"], by, f"{state['status']}{reason}", {"state": state})
    spent = data.get("spent")
    if spent:
        yield entry(record.kind, spent["at"], spent["by"], "used", {"spent": spent})


def _begun(record: Record) -> str:
    """When a record came about; a conflict, only once both its sides were there."""
    data = record.data
    if record.kind == "conflict":
        return max(str(data[name]["at"]) for name in ("created", "kept_by", "lost_by"))
    return str(data.get("at") or data["created"]["at"])


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
    reports = data["kind"] == "progress" and data.get("execution")
    return "report" if reports else data["kind"], data["body"]


def _message(data: Data) -> tuple[str, str]:
    to = f"to {data['to']}" if data.get("to") else ""
    by = "" if data["channel"] == "cli" else f"by {data['channel']}"
    way = " ".join(filter(None, (to, by)))
    return data["kind"], f"{way}: {data['body']}" if way else data["body"]


def _decision(data: Data) -> tuple[str, str]:
    return "decision", f"{data['title']}: {data['outcome']}"


def _review(data: Data) -> tuple[str, str]:
    return "review", "\n".join(words.review(data))


def _approval(data: Data) -> tuple[str, str]:
    return "approval", f"asks for approval ({data['scope']}): {data['action']}"


_TEXTS: Mapping[str, Callable[[Data], tuple[str, str]]] = {
    "execution": _claim,
    "note": _note,
    "message": _message,
    "decision": _decision,
    "review": _review,
    "approval": _approval,
}
"""Where an entry says more than the record's summary, or goes by another name."""


def _evidence(handoff: Data) -> Iterator[str]:
    """What the commands that a handoff was verified by had printed last."""
    for check in handoff["verified"]:
        if check.get("command") and check.get("tail"):
            yield f"$ {one_line(check['command'])}"
            yield from words.block(check["tail"])
