"""A task and its five records, as work leaves them: made up, valid, and the same for one seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from gittask.core import ids
from gittask.core.record import Data, Record
from tests.benchmarks.words import phrase, text

PEOPLE = ("ann", "bruno", "chen", "dara", "emil", "fatou", "gwen", "hiro")
AGENTS = ("claude-1", "claude-2", "codex-1", "codex-2", "gemini-1", "local-1")
PROJECTS = ("routing", "billing", "mobile", "search", "platform", "website", "warehouse", "data")
LABELS = ("urgent", "flaky", "cleanup", "customer", "security", "docs", "speed", "design")
ACTION = "git push origin main"
"""What every approval asks for."""

STORIES: dict[str, tuple[tuple[str, ...], ...]] = {
    "done": (
        ("execution", "note", "handoff", "review", "note"),
        ("execution", "note", "decision", "note", "handoff"),
        ("execution", "question", "answer", "note", "handoff"),
        ("execution", "approval", "note", "note", "handoff"),
        ("execution", "wait", "note", "handoff", "note"),
    ),
    "open": (
        ("note", "note", "comment", "decision", "note"),
        ("note", "question", "answer", "note", "note"),
    ),
    "active": (
        ("execution", "note", "approval", "note", "note"),
        ("execution", "note", "note", "question", "note"),
        ("execution", "note", "wait", "note", "note"),
        ("execution", "note", "note", "decision", "note"),
    ),
    "review": (("execution", "note", "note", "note", "handoff"),),
    "cancelled": (("note", "comment", "note", "decision", "note"),),
}
"""For each status of a task, what it may have beside it. Every story has a note."""


def moment(time: datetime) -> str:
    """A time as records say it: 2026-11-30T10:04:11.123Z."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03}Z"


@dataclass
class Story:
    """One task as its makers tell it. ``records`` may be called once."""

    chance: Random
    id: str
    status: str
    began: datetime
    kinds: tuple[str, ...]
    project: str
    type: str = "task"
    parent: str | None = None
    depends_on: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._now = self.began
        self._person = self.chance.choice(PEOPLE)
        self._agent = self.chance.choice(AGENTS)
        self._last: dict[str, str] = {}

    @property
    def closed(self) -> bool:
        """Whether nothing is left to do, so that nothing in it is still open."""
        return self.status in ("done", "cancelled")

    def records(self) -> Iterator[Record]:
        """The task's own records in the order of their making, and at the end the task."""
        title, created = phrase(self.chance, 4, 8), self._created(self._person)
        for kind in self.kinds:
            self._now += timedelta(seconds=self.chance.randint(600, 90_000), milliseconds=7)
            make: Callable[[str], Record] = getattr(self, f"_{kind}")
            id = ids.event_id(moment(self._now), self.chance.randbytes(8))
            self._last[kind] = id
            yield make(id)
        yield self._task(title, created)

    def _task(self, title: str, created: Data) -> Record:
        held = self.status in ("active", "review")
        claimed = "execution" in self._last
        data = {
            "id": self.id,
            "title": title,
            "created": created,
            "why": text(self.chance, 3),
            "state": {
                "status": self.status,
                "epoch": int(claimed),
                "holder": self._last["execution"] if held else None,
                "since": self._claimed_at if claimed else None,
                "outcome": phrase(self.chance, 5, 12) if self.status == "done" else None,
                "reason": phrase(self.chance, 3, 8) if self.status == "cancelled" else None,
            },
            "project": self.project,
            "parent": self.parent,
            "type": self.type,
            "priority": self.chance.choices(range(5), weights=(1, 4, 10, 5, 2))[0],
            "labels": sorted(self.chance.sample(LABELS, self.chance.choice((0, 0, 1, 1, 2, 3)))),
            "responsible": self._person,
            "depends_on": sorted(self.depends_on),
            "changed": self._stamped("state") if claimed or self.closed else {},
        }
        return Record("task", self.id, data)

    def _created(self, by: str) -> Data:
        return {"at": moment(self._now), "by": by}

    def _stamped(self, unit: str) -> Data:
        return {unit: f"1 {moment(self._now)} {self._person}"}

    def _head(self, id: str, by: str) -> Data:
        """How the records begin that an execution may have produced; people work without one."""
        execution = self._last.get("execution") if by == self._agent else None
        return {"id": id, "task": self.id, "execution": execution, "created": self._created(by)}

    # -- one method a kind --------------------------------------------------------------------

    def _execution(self, id: str) -> Record:
        self._claimed_at = moment(self._now)
        status = {"active": "running", "review": "reported"}.get(self.status, "done")
        data = {
            "id": id,
            "task": self.id,
            "actor": self._agent,
            "created": self._created(self._agent),
            "role": "editor",
            "lane": "edit",
            "epoch": 1,
            "objective": phrase(self.chance, 5, 12),
            "state": {"status": status, "at": moment(self._now), "reason": None},
            "provider": self._agent.partition("-")[0],
            "changed": {"state": f"1 {moment(self._now)} {self._agent}"},
        }
        return Record("execution", id, data)

    def _handoff(self, id: str) -> Record:
        done = self.status == "done"
        data = {
            "id": id,
            "task": self.id,
            "execution": self._last["execution"],
            "epoch": 1,
            "actor": self._agent,
            "at": moment(self._now),
            "created": self._created(self._agent),
            "kind": "final" if done else "review_request",
            "condition": self.chance.choice(("green", "green", "watch")),
            "summary": phrase(self.chance, 6, 14),
            "changed": [self._file() for _ in range(self.chance.randint(1, 4))],
            "commits": [{"sha": self.chance.randbytes(20).hex(), "branch": f"fix/{self.id}"}],
            "verified": [{"claim": phrase(self.chance, 3, 7), "command": "pytest", "exit_code": 0}],
            "not_verified": [{"claim": phrase(self.chance, 2, 5), "why": "no test data"}],
            "uncertain": [],
            "next_action": {"do": "none" if done else "review it", "by": self._person},
        }
        return Record("handoff", id, data)

    def _file(self) -> Data:
        name = phrase(self.chance, 2, 2).lower().replace(" ", "/")
        return {"path": f"src/{name}.py", "what": phrase(self.chance, 3, 8)}

    def _note(self, id: str) -> Record:
        by = self._agent if "execution" in self._last and not self.closed else self._person
        kind = self.chance.choice(("observation", "hypothesis", "constraint", "progress"))
        data = {**self._head(id, by), "kind": kind, "body": text(self.chance, 4)}
        return Record("note", id, data)

    def _decision(self, id: str) -> Record:
        data = {
            **self._head(id, self._person),
            "title": phrase(self.chance, 3, 7),
            "scope": "task",
            "context": text(self.chance, 2),
            "options": [phrase(self.chance, 4, 9) for _ in range(2)],
            "outcome": text(self.chance, 2),
            "deciders": [self._person],
        }
        return Record("decision", id, data)

    def _message(self, id: str, kind: str, by: str, to: str | None, replied: str | None) -> Record:
        data = {
            **self._head(id, by),
            "thread": replied or id,
            "kind": kind,
            "from": by,
            "to": to,
            "channel": "cli",
            "body": text(self.chance, 2),
            "in_reply_to": replied,
        }
        return Record("message", id, data)

    def _question(self, id: str) -> Record:
        return self._message(id, "question", self._agent, self._person, None)

    def _answer(self, id: str) -> Record:
        return self._message(id, "answer", self._person, self._agent, self._last["question"])

    def _comment(self, id: str) -> Record:
        return self._message(id, "comment", self._person, None, None)

    def _wait(self, id: str) -> Record:
        status = "met" if self.closed else "open"
        by = self._person if self.closed else None
        data = {
            **self._head(id, self._agent),
            "on": "person",
            "responder": self._person,
            "condition": phrase(self.chance, 4, 9),
            "state": {"status": status, "at": moment(self._now), "by": by, "reason": None},
            "changed": self._stamped("state") if self.closed else {},
        }
        return Record("wait", id, data)

    def _approval(self, id: str) -> Record:
        status = "granted" if self.closed else "requested"
        by = self._person if self.closed else None
        data = {
            **self._head(id, self._agent),
            "action": ACTION,
            "scope": "task",
            "requested_by": self._agent,
            "state": {"status": status, "by": by, "at": moment(self._now), "reason": None},
            "changed": self._stamped("state") if self.closed else {},
        }
        return Record("approval", id, data)

    def _review(self, id: str) -> Record:
        data = {
            **self._head(id, self._person),
            "handoff": self._last["handoff"],
            "verdict": "approved",
            "synthesis": text(self.chance, 2),
        }
        return Record("review", id, data)
