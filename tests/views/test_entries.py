"""What one record tells in a timeline."""

from __future__ import annotations

import json
import sys
from types import ModuleType

import pytest

from gittask.core.record import Record
from gittask.core.schema import Schemas
from gittask.kinds import Kind
from gittask.kinds.execution import FINAL
from gittask.store.packaged import schema_texts, schemas
from gittask.views.entries import kept
from gittask.views.show.lookup import find
from gittask.views.timeline import Timeline, choices
from tests.memory import MemoryReader, at, event, task, task_id
from tests.views.telling import chosen, entries, told


@pytest.mark.parametrize("kind", kept(schemas()))
def test_each_kind_of_record_is_an_entry(kind: str) -> None:
    record = event(kind, "a", 7)
    entry = entries(task("a"), record)[-1]
    assert (entry.at, entry.by, entry.id) == (at(7), "codex-1", record.id)
    assert entry.record == kind
    assert entry.details == record.data
    assert entry.names <= set(choices(schemas()))
    assert entry.text


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("execution", {}, ("claim", "codex-1 as editor: make it work")),
        (
            "execution",
            {"takeover": "It is silent"},
            ("takeover", "codex-1 as editor: make it work\nbecause It is silent"),
        ),
        ("note", {"body": "a\nb"}, ("observation", "a\nb")),
        ("note", {"kind": "progress", "body": "a\nb"}, ("progress", "a\nb")),
        ("message", {"kind": "question", "to": "alice"}, ("question", "to alice: said")),
        ("message", {}, ("comment", "said")),
        ("handoff", {}, ("handoff", "green: half of it")),
        ("decision", {}, ("decision", "t: o")),
        ("wait", {}, ("wait", "waits for person: approve `drop index`")),
        ("approval", {}, ("approval", "asks for approval (once): drop index")),
        (
            "review",
            {"verdict": "changes_requested", "synthesis": "s", "findings": ["f"]},
            ("review", "changes requested\ns\nf"),
        ),
    ],
)
def test_the_text_of_an_entry(
    kind: str, fields: dict[str, object], expected: tuple[str, str]
) -> None:
    assert told(task("a"), event(kind, "a", 1, **fields)) == [expected]


def test_a_progress_note_of_an_execution_is_a_report() -> None:
    claim = event("execution", "a", 1)
    said = event("note", "a", 2, kind="progress", body="half", execution=claim.id)
    entry = entries(task("a"), claim, said)[-1]
    assert (entry.kind, entry.text, entry.execution) == ("report", "half", claim.id)


@pytest.mark.parametrize("status", FINAL)
def test_the_end_of_an_execution_is_an_entry(status: str) -> None:
    ended = event("execution", "a", 1, state={"status": status, "at": at(8), "reason": "so"})
    entry = entries(task("a"), event("note", "a", 3), ended)[-1]
    assert (entry.at, entry.kind, entry.text, entry.by) == (
        at(8),
        "ended",
        f"{status}: so",
        "codex-1",
    )


@pytest.mark.parametrize(
    ("kind", "status"),
    [("wait", "met"), ("approval", "granted"), ("approval", "denied"), ("conflict", "resolved")],
)
def test_settling_is_an_entry(kind: str, status: str) -> None:
    settled = event(kind, "a", 1, state={"status": status, "at": at(8), "by": "bob"})
    entry = entries(task("a"), settled)[-1]
    assert (entry.at, entry.kind, entry.text, entry.by) == (at(8), kind, status, "bob")


def test_what_there_is_to_see_of_a_command_and_of_a_handoff() -> None:
    command = {"argv": ["pytest", "-q"], "exit_code": 1, "tail": "1 failed\n"}
    files = [{"path": "a.py", "what": "it fails"}]
    ran = event("note", "a", 1, kind="command", command=command, files=files)
    report = event(
        "handoff",
        "a",
        2,
        commits=[{"sha": "ab" * 20, "subject": "Mend it"}, {"sha": "cd" * 20}],
        verified=[
            {"claim": "tests pass", "command": "pytest", "exit_code": 0, "tail": "2 passed\n"},
            {"claim": "seen", "commit": "ab" * 20, "dirty": True},
        ],
        uncertain=[{"question": "why?", "impact": "all", "who": None}],
    )
    first, second = entries(task("a"), ran, report)[1:]
    assert first.more == ["$ pytest -q", "  1 failed", "exit code 1", "- a.py: it fails"]
    assert second.more == [
        "changed: none",
        "commits:",
        "  - abababababab Mend it",
        "  - cdcdcdcdcdcd",
        "verified:",
        "  - tests pass, `pytest`, exit code 0",
        "  - seen, at abababababab with changes",
        "not verified: none",
        "uncertain:",
        "  - why? (matters for: all)",
        "next: the other half (by editor)",
        "$ pytest",
        "  2 passed",
    ]


# -- a kind of one's own ------------------------------------------------------------------------


def test_a_new_kind_needs_a_schema_and_a_module_only(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = {name: json.loads(text) for name, text in schema_texts().items()}
    note = documents["note.schema.json"]
    risk = {**note, "title": "risk", "x-folder": ["tasks/{task:shard}/{task}/risks"]}
    module = ModuleType("gittask.kinds.risk")
    module.KIND = Kind("risk", summary=lambda data: f"risk: {data['body']}")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gittask.kinds.risk", module)
    known = Schemas({**documents, "risk.schema.json": risk})
    record = Record("risk", "20261130t100500z-zzzzzz", event("note", "a", 5).data)
    reader = MemoryReader(task("a"), record)
    held = reader.records["task", task_id("a")]
    assert "risk" in choices(known)
    (entry,) = Timeline(reader, known, held, chosen("risk")).entries()
    assert (entry.kind, entry.id, entry.text) == ("risk", record.id, "risk: seen")
    assert find(reader, known, "zzzzzz") == record
