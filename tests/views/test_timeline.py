"""What happened to a task, in order."""

from __future__ import annotations

import pytest

from gittask.core.record import Record
from gittask.kinds.execution import FINAL
from gittask.views.timeline import KINDS, NAMES, Entry, timeline
from tests.memory import START, MemoryReader, at, event, task, task_id


def entries(*records: Record) -> list[Entry]:
    reader = MemoryReader(*records)
    return list(timeline(reader, reader.records["task", task_id("a")]))


def told(*records: Record) -> list[tuple[str, str]]:
    """Kind and text of what follows the making of the task."""
    return [(entry.kind, entry.text) for entry in entries(*records)[1:]]


def test_it_begins_with_the_task() -> None:
    (first,) = entries(task("a"))
    assert (first.at, first.by, first.kind, first.text) == (START, "alice", "created", "Task a")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_record_is_an_entry(kind: str) -> None:
    record = event(kind, "a", 7)
    entry = entries(task("a"), record)[-1]
    assert (entry.at, entry.by, entry.id) == (at(7), "codex-1", record.id)
    assert entry.record == kind
    assert entry.details == record.data
    assert {entry.kind, entry.record} <= NAMES
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
        ("note", {"body": "a\nb"}, ("note", "observation: a\nb")),
        ("note", {"kind": "progress", "body": "a\nb"}, ("note", "progress: a\nb")),
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


@pytest.mark.parametrize(
    ("status", "fields", "text"),
    [
        ("done", {"outcome": "it works"}, "done: it works"),
        ("cancelled", {"reason": "too late"}, "cancelled: too late"),
        ("open", {"reason": "again"}, "open: again"),
    ],
)
def test_the_last_change_of_state_is_an_entry(
    status: str, fields: dict[str, str], text: str
) -> None:
    changed = {"state": f"3 {at(9)} bob"}
    assert told(task("a", status, changed=changed, **fields)) == [("state", text)]


@pytest.mark.parametrize("status", ["active", "review"])
def test_a_claim_or_handoff_is_not_told_twice(status: str) -> None:
    assert told(task("a", status, changed={"state": f"3 {at(9)} bob"})) == []


def test_fields_that_were_set_together_are_one_entry() -> None:
    changed = {
        "title": f"1 {at(2)} bob",
        "labels.x": f"1 {at(2)} bob",
        "priority": f"1 {at(2)} alice",
        "due": f"2 {at(3)} bob",
    }
    assert sorted(told(task("a", changed=changed))) == [
        ("changed", "due"),
        ("changed", "priority"),
        ("changed", "title, removed label x"),
    ]


def test_an_element_that_is_there_was_not_removed() -> None:
    changed = {"labels.x": f"1 {at(2)} bob", "depends_on.b": f"2 {at(3)} bob"}
    there = task("a", labels=["x"], depends_on=[], changed=changed)
    assert told(there) == [("changed", "labels.x"), ("changed", "removed dependency b")]


def test_a_title_that_was_changed_is_not_told_as_the_first() -> None:
    first, _ = entries(task("a", changed={"title": f"1 {at(2)} bob"}))
    assert (first.kind, first.text) == ("created", "the task")


def test_a_conflict_stands_after_what_it_came_of() -> None:
    sides = {"kept_by": side(3, "bob"), "lost_by": side(8, "alice")}
    conflict = event("conflict", "a", 3, **sides)
    changed = {"priority": f"1 {at(3)} bob", "due": f"1 {at(8)} alice"}
    found = [entry.kind for entry in entries(task("a", changed=changed), conflict)]
    assert found == ["created", "changed", "changed", "conflict"]


def side(minute: int, by: str) -> dict[str, object]:
    return {"counter": 1, "at": at(minute), "by": by}


def test_order_is_time_then_id() -> None:
    records = [event("note", "a", minute) for minute in (9, 3, 5)]
    same_time = [event("note", "a", 5, body=body) for body in "xyz"]
    found = entries(task("a"), *records, *same_time)
    assert [(entry.at, entry.id) for entry in found] == sorted((e.at, e.id) for e in found)
    assert len(found) == 7


# -- late ---------------------------------------------------------------------------------------


def test_what_a_stale_execution_adds_after_the_newer_claim_is_late() -> None:
    stale = event("execution", "a", 1, epoch=1)
    newer = event("execution", "a", 10, epoch=2, actor="codex-2")
    newest = event("execution", "a", 20, epoch=3, actor="codex-3")
    notes = [
        event("note", "a", minute, body=body, execution=execution.id)
        for minute, body, execution in [
            (5, "in time", stale),
            (10, "at once", stale),
            (11, "late 1", stale),
            (15, "in time", newer),
            (25, "late 2", newer),
            (26, "in time", newest),
        ]
    ]
    free = event("note", "a", 27, body="of nobody")
    found = entries(task("a", epoch=3, holder=newest.id), stale, newer, newest, *notes, free)
    assert [entry.text for entry in found if entry.late] == [
        "observation: late 1",
        "observation: late 2",
    ]


def test_reviewers_are_never_late() -> None:
    looking = event("execution", "a", 1, epoch=1, lane="review")
    newer = event("execution", "a", 10, epoch=2)
    note = event("note", "a", 20, execution=looking.id)
    assert not any(entry.late for entry in entries(task("a", epoch=2), looking, newer, note))


def test_a_claim_that_did_not_win_makes_nothing_late() -> None:
    holds = event("execution", "a", 1, epoch=1)
    lost = event("execution", "a", 2, epoch=2)
    note = event("note", "a", 20, execution=holds.id)
    assert not any(entry.late for entry in entries(task("a", epoch=1), holds, lost, note))


def test_no_other_task_is_opened() -> None:
    others = [task("b"), event("note", "b", 1), event("execution", "b", 1)]
    reader = MemoryReader(task("a", depends_on=["b"], parent="b"), event("note", "a", 1), *others)
    reader.opened.clear()
    list(timeline(reader, reader.records["task", task_id("a")]))
    own = {record.id for record in reader.records.values() if record.task == task_id("a")}
    assert {id for _, id in reader.opened} <= own


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
            {"claim": "tests pass", "command": "pytest", "exit_code": 0},
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
    ]
