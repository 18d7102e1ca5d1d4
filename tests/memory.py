"""Records and a Reader without a repository, for tests of what is pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gittask.core.ids import derived, event_id
from gittask.core.queue import Scanning
from gittask.core.record import Data, Record, canonical
from gittask.errors import Invalid, Problem
from gittask.store.packaged import schemas

NOW = "2026-11-30T12:00:00.000Z"
START = "2026-11-30T10:00:00.000Z"


def at(minute: int) -> str:
    """A time so many minutes (0 to 119) after ``START``."""
    return f"2026-11-30T{10 + minute // 60:02d}:{minute % 60:02d}:00.000Z"


class MemoryReader(Scanning):
    """A Reader over given records. ``bad`` are ids whose files cannot be read.

    ``opened`` lists each record that was looked into, so that a test can say what was not.
    """

    def __init__(self, *records: Record, bad: Iterable[str] = ()) -> None:
        self.records = {(record.kind, record.id): record for record in records}
        self.bad = set(bad)
        self.opened: list[tuple[str, str]] = []
        self._found_bad: set[str] = set()

    @property
    def problems(self) -> list[Problem]:
        return [Problem(id, "", "cannot be read") for id in sorted(self._found_bad)]

    def get(
        self, kind: str, id: str, *, task: str | None = None, project: str | None = None
    ) -> Record | None:
        if kind == "store":  # there is one, whatever it is called by
            id = next(iter(self.ids(kind)), id)
        if id not in self.ids(kind, task=task, project=project):
            return None
        self.opened.append((kind, id))
        if id in self.bad:
            self._found_bad.add(id)
            raise Invalid([Problem(id, "", "cannot be read")])
        return self.records[kind, id]

    def ids(self, kind: str, *, task: str | None = None, project: str | None = None) -> list[str]:
        owned = kind not in ("task", "project", "actor", "store")
        return sorted(
            id
            for (name, id), record in self.records.items()
            if name == kind
            and (not owned or task is None or record.data.get("task") == task)
            and (not owned or project is None or record.data.get("project") == project)
        )

    def all(
        self, kind: str, *, task: str | None = None, project: str | None = None
    ) -> Iterator[Record]:
        for id in self.ids(kind, task=task, project=project):
            try:
                record = self.get(kind, id, task=task, project=project)
            except Invalid:
                continue
            if record:
                yield record

    def owner(self, kind: str, id: str) -> str | None:
        record = self.records.get((kind, id))
        return record.data.get("task") if record else None  # a task itself is kept under none


# -- records, each valid by its schema ---------------------------------------------------------


def _record(kind: str, data: Data) -> Record:
    complete = schemas().complete(kind, data)
    problems = schemas().check(kind, complete)
    assert not problems, problems
    return Record(kind, data["id"], complete)


def task_id(name: str) -> str:
    """The id of the task that a test calls by a few letters (no i, l, o, u): ``a00000000000``."""
    return f"{name}{'0' * 12}"[:12]


def task(name: str, status: str = "open", **fields: Any) -> Record:
    """A task; ``epoch``, ``holder``, ``outcome`` and ``reason`` go into its state."""
    state: Data = {"status": status, "epoch": 0, "holder": None, "since": None}
    state |= {"outcome": None, "reason": None}
    state |= {part: fields.pop(part) for part in list(fields) if part in state}
    data = {"id": task_id(name), "title": f"Task {name}", "why": "it is needed", "state": state}
    data |= {"created": {"at": START, "by": "alice"}, "responsible": "alice"}
    if fields.get("depends_on"):
        fields["depends_on"] = [task_id(other) for other in fields["depends_on"]]
    if fields.get("parent"):
        fields["parent"] = task_id(fields["parent"])
    return _record("task", {**data, **fields})


def event(name: str, of: str, minute: int, /, **fields: Any) -> Record:
    """A record of kind ``name`` of task ``of``, made at a minute by ``created_by``.

    What its kind needs is filled in if not said.
    """
    id = event_id(at(minute), derived(name, of, str(minute), canonical(fields)))
    made_by = fields.pop("created_by", "codex-1")
    defaults = dict(_DEFAULTS[name])
    if "state" in defaults:
        fields["state"] = {**defaults["state"], "at": at(minute), **fields.pop("state", {})}
    if name == "handoff":
        defaults["at"] = at(minute)
    if name == "message":
        defaults["thread"] = fields.get("in_reply_to") or id
    data = {"id": id, "task": task_id(of), "created": {"at": at(minute), "by": made_by}}
    return _record(name, {**data, **defaults, **fields})


_DEFAULTS: dict[str, Data] = {
    "execution": {
        "actor": "codex-1",
        "role": "editor",
        "lane": "edit",
        "epoch": 1,
        "objective": "make it work",
        "state": {"status": "claimed", "reason": None},
    },
    "note": {"kind": "observation", "body": "seen"},
    "message": {"kind": "comment", "from": "codex-1", "channel": "cli", "body": "said"},
    "decision": {"title": "t", "scope": "task", "outcome": "o", "deciders": ["alice"]},
    "wait": {
        "on": "person",
        "responder": "alice",
        "condition": "approve `drop index`",
        "state": {"status": "open", "by": None, "reason": None},
    },
    "approval": {
        "action": "drop index",
        "scope": "once",
        "requested_by": "codex-1",
        "state": {"status": "requested", "by": None, "reason": None},
    },
    "review": {"handoff": "20261130t100000z-000000", "verdict": "acknowledged"},
    "conflict": {
        "record": "tasks/00/a00000000000/task.yaml",
        "field": "title",
        "base": "b",
        "kept": "k",
        "lost": "l",
        "kept_by": {"counter": 1, "at": START, "by": "alice"},
        "lost_by": {"counter": 1, "at": START, "by": "bob"},
        "state": {"status": "open", "by": None, "reason": None},
    },
    "handoff": {
        "execution": "20261130t100000z-000000",
        "epoch": 1,
        "actor": "codex-1",
        "kind": "progress",
        "condition": "green",
        "summary": "half of it",
        "changed": [],
        "verified": [],
        "not_verified": [],
        "uncertain": [],
        "next_action": {"do": "the other half", "by": "editor"},
    },
}


def actor(id: str, kind: str = "person", **fields: Any) -> Record:
    """A person, agent or service."""
    data = {"id": id, "kind": kind, "name": id.title(), "created": {"at": START, "by": id}}
    return _record("actor", {**data, "email": f"{id}@example.org", **fields})


def project(id: str, **fields: Any) -> Record:
    """A project."""
    created = {"at": START, "by": "alice"}
    return _record("project", {"id": id, "name": id.title(), "created": created, **fields})


def store(**fields: Any) -> Record:
    """The store itself."""
    created = {"at": START, "by": "alice"}
    data = {"format": 1, "id": "s00000000000", "name": "Store", "created": created}
    return _record("store", {**data, **fields})
