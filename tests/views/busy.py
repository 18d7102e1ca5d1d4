"""A store of 200 tasks as a small company may have, for tests of what is found in it.

It is Monday, 2026-11-30, noon in UTC. 44 tasks have a story that tests rely on; the others are
13 chores in each of 12 services, so that whoever names only the chore, or the service, means many.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256

from gittask.core import ids
from gittask.core.beat import Signs
from gittask.core.record import Data, Record
from tests.memory import MemoryReader, actor, event, project, task

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)

PROVIDERS = {
    "codex-1": "codex",
    "codex-2": "codex",
    "claude-1": "claude-code",
    "gemini-1": "gemini",
}
PEOPLE = ("alice", "bob", "carol")

STORIES = """
Fix routing of returned orders | shop routing,bug | alice | 11-20
  11-27T09:00 codex-1 starts
  11-30T10:40 alice notes Returns from Austria still go to the wrong warehouse
Routing table for the EU warehouses | shop routing | bob | 11-18
Retry failed uploads | files bug | carol | 11-19
  11-28T08:00 gemini-1 starts
  11-28T09:00 gemini-1 failed no access to the bucket
Resume interrupted downloads | files - | bob | 11-19
Import customer addresses from the old shop | data import | alice | 11-17
  11-30T08:00 claude-1 starts
  11-30T09:30 claude-1 failed the dump is truncated
Drop the old index on orders | data db | bob | 11-16
  11-27T08:00 codex-2 starts
  11-29T09:00 codex-2 hands The index is unused, ready to drop
Weekly sales report as PDF | reports - | alice | 11-20
  11-28T08:00 claude-1 starts
  11-29T15:00 claude-1 hands The PDF has all twelve tables
  11-29T16:10 alice notes Page numbers are missing
Login page flickers on Safari | web bug,ui | bob | 11-21
  11-29T10:00 bob notes Happens on every second reload
Rate limit for the public API | api - | bob | 11-22
  11-29T13:00 bob notes Sixty calls a minute should do
Translate the checkout into French | web i18n | carol | 11-10
Translate the checkout into Polish | web i18n | carol | 11-10
Billing export loses cents | billing bug | alice | 11-15
  11-25T08:00 claude-1 starts
  11-26T10:00 claude-1 reports Amounts are decimals now
Billing export to DATEV | billing - | carol | 11-12
Rotate signing keys | ops security | bob | 11-09
  11-19T08:00 bob starts
  11-20T08:00 bob done
Move sessions to Redis | web - | alice | 11-11
  11-24T08:00 codex-2 starts
Dark mode for the settings page | web ui | carol | 11-13
Search ignores umlauts | search bug | bob | 11-23
  11-28T11:00 bob starts
  11-28T12:00 bob notes Müller and Mueller have to be found alike
Nightly backup fails on full disk | ops bug | bob | 11-14
  11-27T02:00 codex-1 starts
  11-27T04:00 codex-1 failed no space left on the device
Webhook signatures are not checked | api security | alice | 11-21
  11-28T08:00 codex-1 starts
  11-30T07:10 codex-1 reports Unsigned calls are refused
Cursor jumps to the end in the note editor | web bug | carol | 11-05
Copilot suggestions for commit messages | tools - | bob | 11-04
Status page for customers | ops - | carol | 11-03
Review process for translations | web i18n | carol | 11-02
Continue button stays grey in the wizard | web bug | bob | 11-06
New task form loses its draft | web bug | carol | 11-07
Postgres 17 upgrade | data db | carol | 11-08
  11-26T08:00 carol starts
  11-27T15:00 carol notes The extension is not built for 17 yet
Memory leak in the image resizer | files bug | bob | 11-09
  11-18T09:00 bob notes The heap grows by 40 MB an hour with webp
Invoice numbers skip after a crash | billing bug | carol | 11-10
Flaky test in the payment suite | billing tests | bob | 11-12
  11-26T08:00 gemini-1 starts
  11-26T11:00 gemini-1 notes Fails one time in thirty
GDPR deletion of accounts | legal - | carol | 11-13
Deploy preview for pull requests | tools - | bob | 11-01
  11-23T08:00 codex-2 starts
  11-24T08:00 codex-2 done
Onboarding mail for new customers | mail - | alice | 11-14
  11-24T09:00 claude-1 starts
Shipping labels print twice | shop bug | bob | 11-15
  11-20T09:00 bob notes Orders arrive as duplicates from the queue
Two-factor login with passkeys | web security | carol | 11-16
  11-25T09:00 codex-1 starts
  11-26T09:00 bob looks
Cache headers for product images | shop - | bob | 11-03
Currency rounding in the cart | shop bug | carol | 11-04
  11-24T09:00 codex-1 starts
  11-25T09:00 codex-1 failed rounds the wrong way
  11-25T12:00 codex-2 starts
  11-26T12:00 codex-2 done
Gift cards | shop - | alice | 11-05
Sitemap for the blog | web seo | carol | 11-06
Accessible colours in charts | reports ui | carol | 11-07
Import products from CSV | data import | bob | 11-08
Voice search | search - | carol | 11-09
Stock levels drift over night | inventory bug | bob | 11-10
Refunds take two days to show up | billing bug | alice | 11-12
Cookie banner blocks the menu on phones | web bug,ui | carol | 11-11
"""

SERVICES = "orders billing search catalog mail gateway auth files reports inventory pricing support"
CHORES = """
Add tracing to the {} service
Upgrade the {} service to Python 3.13
Alert when the {} queue grows
Load test for the {} service
Document the {} API
Remove dead code from the {} service
Split the {} configuration
Structured logs in the {} service
Health check for the {} service
Dashboard for {} latency
Pin the dependencies of the {} service
Retry policy for {} calls
Timeouts for {} clients
""".strip().splitlines()


def id_of(title: str) -> str:
    """The id of the task of this title."""
    return ids.task_id(ids.derived(title))


def _number(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big")


def _time(text: str) -> str:
    """A time of November from ``11-27T09:00``, or the morning of a day from ``11-27``."""
    return f"2026-{text if 'T' in text else text + 'T07:00'}:00.000Z"


class _Story:
    """One task and its records, as they come about."""

    def __init__(self, title: str, project: str, labels: str, responsible: str, day: str) -> None:
        self.id = id_of(title)
        self.title = title
        self.fields: Data = {
            "title": title,
            "project": project,
            "labels": [] if labels == "-" else labels.split(","),
            "responsible": responsible,
            "created": {"at": _time(day), "by": responsible},
        }
        self.state: Data = {}
        self.records: list[Record] = []
        self.executions: dict[str, Record] = {}

    def happens(self, when: str, who: str, what: str, text: str) -> None:
        at = _time(when)
        if what in ("starts", "looks"):
            self._starts(at, who, "edit" if what == "starts" else "review")
        elif what == "notes":
            self._adds("note", at, created_by=who, body=text)
        else:
            self._ends(at, who, what, text)

    def _starts(self, at: str, who: str, lane: str) -> None:
        edits = lane == "edit"
        self.executions[who] = self._adds(
            "execution",
            at,
            created_by=who,
            actor=who,
            role="editor" if edits else "reviewer",
            lane=lane,
            provider=PROVIDERS.get(who),
            objective=self.title,
            state={"status": "running", "at": at},
        )
        if edits:
            held = {"status": "active", "holder": self.executions[who].id}
            self.state = {**held, "epoch": 1, "since": at}

    def _ends(self, at: str, who: str, what: str, text: str) -> None:
        execution = self.executions[who]
        if what in ("hands", "reports"):
            self._adds(
                "handoff", at, created_by=who, actor=who, execution=execution.id, summary=text
            )
            self.state |= {"status": "active" if what == "hands" else "review"}
            return
        ended = {**execution.data, "state": {"status": what, "at": at, "reason": text or None}}
        place = self.records.index(execution)
        self.executions[who] = self.records[place] = Record("execution", execution.id, ended)
        self.state = {"status": "done", "outcome": "It works"} if what == "done" else {}

    def _adds(self, kind: str, at: str, **fields: object) -> Record:
        made = event(kind, self.id, 0, **fields)
        by = made.data["created"]["by"]
        id = ids.event_id(at, ids.derived(kind, self.id, at))
        times = {"created": {"at": at, "by": by}} | ({"at": at} if kind == "handoff" else {})
        made = Record(kind, id, {**made.data, "id": id, **times})
        self.records.append(made)
        return made

    def told(self) -> list[Record]:
        return [task(self.id, **{**self.fields, **self.state}), *self.records]


def _stories() -> list[_Story]:
    stories: list[_Story] = []
    for line in STORIES.strip().splitlines():
        if line.startswith("  "):
            when, who, what, *text = line.split(maxsplit=3)
            stories[-1].happens(when, who, what, "".join(text))
        else:
            title, place, responsible, day = (part.strip() for part in line.split("|"))
            project, labels = place.split()
            stories.append(_Story(title, project, labels, responsible, day))
    return stories


def _chores() -> list[_Story]:
    """The chores, each in one of several states; nothing happened to them since the 20th."""
    stories = []
    for service in SERVICES.split():
        for chore in CHORES:
            title = chore.format(service)
            number = _number(title)
            day = f"11-{number % 9 + 1:02d}"
            story = _Story(title, service, "chore", PEOPLE[number % 3], day)
            who = [*PROVIDERS, *PEOPLE][number // 7 % 7]
            if number // 3 % 2:
                story.happens(f"11-{number % 9 + 11}T08:00", who, "starts", "")
                end = ("done", "failed", "reports", "")[number // 5 % 4]
                if end:
                    said = "As it was asked for"
                    story.happens(f"11-{number % 9 + 11}T{number % 9 + 10}:00", who, end, said)
            stories.append(story)
    return stories


def records() -> list[Record]:
    """All records of the store."""
    told = [record for story in (*_stories(), *_chores()) for record in story.told()]
    projects = sorted({r.data["project"] for r in told if r.kind == "task"})
    agents = [actor(id, "agent") for id in PROVIDERS]
    return [*map(actor, PEOPLE), *agents, *map(project, projects), *told]


class Reader(MemoryReader):
    """A reader that looks once for each list of ids: nothing is ever added."""

    def __init__(self, *records: Record, bad: Iterable[str] = ()) -> None:
        super().__init__(*records, bad=bad)
        self._known: dict[tuple[str | None, ...], list[str]] = {}

    def ids(self, kind: str, *, task: str | None = None, project: str | None = None) -> list[str]:
        key = (kind, task, project)
        if key not in self._known:
            self._known[key] = super().ids(kind, task=task, project=project)
        return self._known[key]


LOST = "Move sessions to Redis"


def heard(reader: MemoryReader) -> dict[str, Signs]:
    """What an observer knows: the process that works on ``LOST`` is gone for five days."""
    return {
        one.id: Signs(silence=5 * 86400.0, gone="its process is gone")
        for one in reader.all("execution", task=id_of(LOST))
    }
