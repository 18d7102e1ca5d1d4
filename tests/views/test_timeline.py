"""What happened to a task, in order."""

from __future__ import annotations

import json
import sys
from itertools import islice
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.record import Data, Record
from gittask.core.schema import Schemas
from gittask.kinds import Kind
from gittask.kinds.execution import FINAL
from gittask.store.packaged import schema_texts, schemas
from gittask.views.entries import Entry, Merge, kept
from gittask.views.show.lookup import find
from gittask.views.timeline import EVERYTHING, Choice, Timeline, choices
from tests.memory import START, MemoryReader, at, event, task, task_id


def timeline(reader: MemoryReader, choice: Choice = EVERYTHING, *merges: Merge) -> Timeline:
    return Timeline(reader, schemas(), reader.records["task", task_id("a")], choice, merges)


def entries(*records: Record, choice: Choice = EVERYTHING) -> list[Entry]:
    return list(timeline(MemoryReader(*records), choice).entries())


def chosen(*names: str) -> Choice:
    return Choice(frozenset(names))


def told(*records: Record) -> list[tuple[str, str]]:
    """Kind and text of what follows the making of the task."""
    return [(entry.kind, entry.text) for entry in entries(*records)[1:]]


def test_it_begins_with_the_task() -> None:
    (first,) = entries(task("a"))
    assert (first.at, first.by, first.kind, first.text) == (START, "alice", "created", "Task a")


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
    assert [entry.text for entry in found if entry.late] == ["late 1", "late 2"]


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
    list(timeline(reader).entries())
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


# -- merges -------------------------------------------------------------------------------------


def test_a_merge_is_an_entry() -> None:
    merge = Merge("ab" * 20, ("cd" * 20, "ef" * 20), at(3), "bob", "merge: 2 records of origin")
    reader = MemoryReader(task("a"), event("note", "a", 2), event("note", "a", 4))
    assert [entry.kind for entry in timeline(reader, EVERYTHING, merge).entries()] == [
        *("created", "observation", "merge", "observation"),
    ]
    (entry,) = timeline(reader, chosen("merge"), merge).entries()
    assert (entry.at, entry.by, entry.record, entry.id) == (at(3), "bob", "commit", "ab" * 20)
    assert entry.text == "merge: 2 records of origin\nof cdcdcdcdcdcd and efefefefefef"
    assert entry.details["parents"] == ["cd" * 20, "ef" * 20]


# -- choosing -----------------------------------------------------------------------------------

COMMAND = {"argv": ["pytest"], "exit_code": 0, "tail": ""}
CLAIM = event("execution", "a", 1)
MANY = (
    task("a", labels=[], changed={"labels.x": f"1 {at(2)} alice"}),
    CLAIM,
    event("note", "a", 3, kind="command", command=COMMAND, execution=CLAIM.id),
    event("note", "a", 4, kind="event"),
    event("note", "a", 5, kind="result", created_by="bob"),
    event("note", "a", 6, kind="files", files=[{"path": "p", "what": "w"}]),
    event("note", "a", 7, kind="progress", execution=CLAIM.id),
    event("message", "a", 8, kind="question"),
    event("handoff", "a", 9, changed=[{"path": "p", "what": "w"}], execution=CLAIM.id),
    event("handoff", "a", 10, verified=[{"claim": "c", "command": "make", "exit_code": 0}]),
    event("review", "a", 11),
    event("wait", "a", 12, state={"status": "met", "at": at(13), "by": "bob"}),
)


@pytest.mark.parametrize(
    ("choice", "minutes"),
    [
        (chosen("command"), [3, 10]),
        (chosen("event"), [4]),
        (chosen("result"), [5]),
        (chosen("files"), [6, 9]),
        (chosen("report"), [7]),
        (chosen("progress"), [7, 9, 10]),
        (chosen("note"), [3, 4, 5, 6, 7]),
        (chosen("message", "review"), [8, 11]),
        (chosen("question"), [8]),
        (chosen("execution"), [1]),
        (chosen("claim", "created"), [0, 1]),
        (chosen("task"), [0, 2]),
        (chosen("changed"), [2]),
        (chosen("wait"), [12, 13]),
        (Choice(by="bob"), [5, 13]),
        (Choice(by="alice", kinds=frozenset(["task", "note"])), [0, 2]),
        (Choice(execution=CLAIM.id), [1, 3, 7, 9]),
        (Choice(since=at(11)), [11, 12, 13]),
        (Choice(until=at(3)), [0, 1, 2]),
        (Choice(since=at(3), until=at(5)), [3, 4]),
        (Choice(since=at(3)[:-4] + "001Z", until=at(5)[:-4] + "001Z"), [4, 5]),
    ],
)
def test_what_is_chosen(choice: Choice, minutes: list[int]) -> None:
    found = timeline(MemoryReader(*MANY), choice)
    assert [entry.at for entry in found.entries()] == [at(minute) for minute in minutes]
    assert found.total() in (None, len(minutes))


def test_a_kind_that_is_not_wanted_is_not_opened() -> None:
    reader = MemoryReader(*MANY)
    list(timeline(reader, chosen("review", "claim")).entries())
    assert {kind for kind, _ in reader.opened} == {"review", "execution"}


@pytest.mark.parametrize(
    ("choice", "known"),
    [
        (EVERYTHING, True),
        (chosen("note", "state", "message"), True),
        (Choice(since=at(3), until=at(9)), True),
        (chosen("command"), False),
        (Choice(by="bob"), False),
        (Choice(execution=CLAIM.id), False),
        (Choice(since=at(3)[:-4] + "500Z"), False),
    ],
)
def test_the_total_is_known_without_opening_what_is_written_once(
    choice: Choice, known: bool
) -> None:
    reader = MemoryReader(*MANY)
    total = timeline(reader, choice).total()
    assert (total is not None) == known
    assert not {kind for kind, _ in reader.opened} & {"note", "message", "handoff", "review"}


# -- as it comes --------------------------------------------------------------------------------


def noted(count: int, *more: Record) -> MemoryReader:
    """A task with so many notes, two of each minute."""
    return MemoryReader(
        *more, *(event("note", "a", 2 + n // 2, body=f"note {n}") for n in range(count))
    )


@pytest.mark.parametrize("reverse", [False, True])
def test_entries_come_before_the_rest_is_opened(reverse: bool) -> None:
    reader = noted(100, task("a"), CLAIM, event("handoff", "a", 30), event("wait", "a", 3))
    found = timeline(reader).entries(reverse=reverse)
    next(found)
    assert len([id for kind, id in reader.opened if kind == "note"]) <= 2
    list(islice(found, 9))
    assert len([id for kind, id in reader.opened if kind == "note"]) <= 14


def test_who_was_never_overtaken_is_not_looked_through_for_late_reports() -> None:
    newer = event("execution", "a", 40, epoch=2, actor="codex-2")
    claim = event("execution", "a", 1, epoch=1)
    held = task("a", epoch=2, holder=newer.id)
    said = [event("note", "a", 45, body=body, execution=newer.id) for body in "xyz"]
    reader = noted(60, held, claim, newer, *said)
    list(islice(timeline(reader).entries(reverse=True), 3))
    assert len([id for kind, id in reader.opened if kind == "note"]) <= 5


EVENTS = st.builds(
    lambda kind, minute, by, n: event(kind, "a", minute, created_by=by, **_told_apart(kind, n)),
    st.sampled_from(["note", "message", "handoff", "decision", "wait", "execution"]),
    st.integers(0, 3),
    st.sampled_from(["alice", "bob"]),
    st.integers(0, 2),
)
CHOICES = st.builds(
    Choice,
    kinds=st.sets(st.sampled_from(["note", "observation", "task", "wait", "comment"])).map(
        frozenset
    ),
    by=st.sampled_from([None, None, "alice", "bob"]),
    since=st.sampled_from(["", at(1), at(2)]),
    until=st.sampled_from([Choice.until, at(2), at(3)]),
)


def _told_apart(kind: str, number: int) -> Data:
    text = {"note": "body", "message": "body", "handoff": "summary", "decision": "title"}
    return {text.get(kind, "objective" if kind == "execution" else "condition"): f"said {number}"}


@given(st.lists(EVENTS, max_size=12), CHOICES)
def test_both_directions_and_every_choice_agree(records: list[Record], choice: Choice) -> None:
    reader = MemoryReader(task("a"), *records)
    everything = list(timeline(reader).entries())
    assert len(everything) == 1 + len({record.id for record in records})
    assert [(e.at, e.id) for e in everything] == sorted((e.at, e.id) for e in everything)
    found = timeline(reader, choice)
    assert list(found.entries()) == [entry for entry in everything if choice.takes(entry)]
    assert list(found.entries(reverse=True)) == list(found.entries())[::-1]
    assert found.total() in (None, len(list(found.entries())))


def test_what_cannot_be_read_hides_nothing() -> None:
    bad = event("note", "a", 2)
    reader = MemoryReader(task("a"), bad, event("note", "a", 3), bad=[bad.id])
    assert [entry.at for entry in timeline(reader).entries()] == [START, at(3)]
    assert [problem.file for problem in reader.problems] == [bad.id]


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
