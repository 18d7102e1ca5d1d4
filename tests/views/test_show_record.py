"""Any record in full, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from gittask.core.record import Record
from gittask.store.packaged import schemas
from gittask.views.show.record import computed, text
from tests.memory import NOW, START, MemoryReader, actor, at, event, project, store

QUESTION = event("message", "a", 1, kind="question", to="alice", body="May I?")
ANSWER = event("message", "a", 2, kind="answer", in_reply_to=QUESTION.id, body="Yes\nof course")
NOTE = event(
    *("note", "a", 1),
    kind="command",
    body="b1\nb2",
    files=[{"path": "a.py", "what": "the table"}],
    command={"argv": ["pytest", "a b"], "exit_code": 3, "tail": "one\ntwo\n"},
)
HANDOFF = event(
    *("handoff", "a", 4),
    changed=[{"path": "a.py", "what": "new"}],
    verified=[{"claim": "it passes", "command": "make", "exit_code": 0, "tail": "ok so far\n"}],
    not_verified=[{"claim": "Load", "why": "no data"}],
    uncertain=[{"question": "Fast?", "impact": "slow pages", "who": "bob"}],
    unanswered={"questions": [QUESTION.id], "reason": "ran out of time"},
    workspace={"branch": "fix", "head": "a" * 40, "dirty": True},
    contingencies=["roll back"],
)
RECORDS = (
    *(QUESTION, ANSWER, NOTE, HANDOFF, store(), actor("alice"), project("shop")),
    event("decision", "a", 1, context="c" * 80, options=["x", "y"], consequences="z"),
    event("wait", "a", 1, expires=at(30), otherwise="go on"),
    event("approval", "a", 1, state={"status": "denied", "by": "bob", "reason": "no"}),
    event("review", "a", 1, synthesis="good", findings=["f1", "f2"], questions=["q1"]),
    event("conflict", "a", 1, kept={"path": "k"}, changed={"state": f"1 {at(3)} bob"}),
)


def shown(record: Record, *others: Record) -> str:
    beside = computed(MemoryReader(record, *others), record, NOW)
    return "\n".join(text(record, list(schemas().fields(record.kind)), beside))


def leaves(value: Any) -> Iterator[str]:
    """Every text in a value, line by line."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from leaves(each)
    elif isinstance(value, str):
        yield from value.splitlines()


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.kind)
def test_every_text_of_a_record_is_shown(record: Record) -> None:
    told = shown(record)
    assert told.startswith(f"{record.kind} {record.id}")
    unsaid = {at(minute) for minute in range(60)} | {START}  # times are told in another form
    for leaf in leaves({name: value for name, value in record.data.items() if name != "changed"}):
        assert leaf in unsaid or leaf[:12] in told, leaf


def test_what_is_empty_is_left_out_and_what_is_long_has_a_heading() -> None:
    record = event("decision", "a", 1, context="c" * 80, options=["x", "y"])
    assert shown(record).splitlines() == [
        f"decision {record.id} of task a00000000000",
        "",
        "created      2026-11-30 10:01 UTC by codex-1",
        "title        t",
        "scope        task",
        "outcome      o",
        "",
        "context",
        f"  {'c' * 80}",
        "",
        "options",
        "  - x",
        "  - y",
        "",
        "deciders",
        "  - alice",
    ]


def test_who_set_what() -> None:
    record = Record(
        "actor", "alice", {**actor("alice").data, "changed": {"name": f"1 {at(3)} bob"}}
    )
    assert "changed\n  name: 2026-11-30 10:03 UTC by bob" in shown(record)


def test_a_field_of_a_newer_program_is_not_lost() -> None:
    record = Record("note", NOTE.id, {**NOTE.data, "mood": {"now": ["good"]}})
    assert 'mood\n  now: ["good"]' in shown(record)


def test_a_message_is_shown_in_its_thread() -> None:
    for record, other in ((QUESTION, ANSWER), (ANSWER, QUESTION)):
        thread = shown(record, other).partition("\nthread\n")[2]
        assert "May I?" in thread
        assert "      Yes\n" in thread
    assert computed(MemoryReader(QUESTION), QUESTION, NOW)["thread"]["open"] is True


def test_how_an_approval_stands() -> None:
    lapsed = event("approval", "a", 1, expires=at(3))
    assert computed(MemoryReader(lapsed), lapsed, NOW) == {"standing": "expired"}
    assert "standing     expired" in shown(lapsed)


@pytest.mark.parametrize(
    ("wait", "end"),
    [
        (event("wait", "a", 1), None),
        (event("wait", "a", 1, expires=at(3)), "expired"),
        (event("wait", "a", 1, subject=QUESTION.id), "met"),
        (event("wait", "a", 1, state={"status": "cancelled", "by": "bob"}), "cancelled"),
    ],
)
def test_how_a_wait_ends(wait: Record, end: str | None) -> None:
    assert computed(MemoryReader(wait, QUESTION, ANSWER), wait, NOW) == {"end": end}


def test_the_output_of_a_check_stands_below_its_handoff() -> None:
    assert shown(HANDOFF).endswith("\n\n$ make\n  ok so far")
