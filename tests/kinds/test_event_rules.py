"""What may be written of executions, handoffs and messages beyond their shape."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.record import Record
from gittask.errors import Problem, Refused
from gittask.kinds import Attempt, kind
from gittask.kinds.execution import FINAL
from tests.memory import MemoryReader, actor, event, task

TASK = task("abcd")
EXECUTION = event("execution", "abcd", 1)
HANDOFF = event("handoff", "abcd", 2, execution=EXECUTION.id)
READER = MemoryReader(TASK, EXECUTION)


def may(
    record: Record,
    before: Record | None = None,
    *,
    actor: str = "codex-1",
    person: bool = False,
    reader: MemoryReader = READER,
    **fields: Any,
) -> list[Problem]:
    after = Record(record.kind, record.id, {**record.data, **fields})
    return list(kind(record.kind).may(Attempt(reader, before, after, actor, person, None)))


@pytest.mark.parametrize("status", FINAL)
def test_an_execution_that_ended_stays_ended(status: str) -> None:
    state = {**EXECUTION.data["state"], "status": status}
    ended = Record("execution", EXECUTION.id, {**EXECUTION.data, "state": state})
    for person in (True, False):
        with pytest.raises(Refused, match=f"has ended: {status}"):
            may(ended, ended, person=person, state={**state, "status": "running"})
    assert may(ended, ended, objective="Other words") == []


def test_an_execution_belongs_to_its_actor() -> None:
    assert may(EXECUTION, EXECUTION, objective="x") == []
    assert may(EXECUTION, EXECUTION, actor="ann", person=True, objective="x") == []
    with pytest.raises(Refused, match="belongs to codex-1") as caught:
        may(EXECUTION, EXECUTION, actor="codex-2", objective="x")
    assert "--as codex-1" in caught.value.hint


def test_a_report_is_that_of_its_execution() -> None:
    assert may(HANDOFF) == []
    assert may(HANDOFF, actor="ann", person=True) == []
    with pytest.raises(Refused, match="belongs to codex-1"):
        may(HANDOFF, actor="codex-2")
    assert [problem.field for problem in may(HANDOFF, epoch=7)] == ["epoch"]


def test_green_means_that_every_check_passed() -> None:
    checks = [{"claim": "a passes", "exit_code": 0}, {"claim": "b fails", "exit_code": 2}]
    assert may(HANDOFF, condition="green", verified=checks[:1]) == []
    assert may(HANDOFF, condition="watch", verified=checks) == []
    (problem,) = may(HANDOFF, condition="green", verified=checks)
    assert problem.field == "condition"
    assert "'b fails' ended with exit code 2" in problem.message
    assert problem.hint


def test_an_answer_answers_a_question_in_its_thread() -> None:
    question = event("message", "abcd", 3, kind="question")
    reader = MemoryReader(TASK, question)
    answer = event("message", "abcd", 4, kind="answer", in_reply_to=question.id)
    assert may(answer, reader=reader, thread=question.data["thread"]) == []
    (problem,) = may(answer, reader=reader, thread="20261130t100411z-zzzzzz")
    assert problem.field == "thread"
    (problem,) = may(answer, reader=reader, in_reply_to=None)
    assert problem.field == "in_reply_to"


QUESTION = event("message", "abcd", 3, kind="question", to="codex-1", **{"from": "claude-1"})
EVERYBODY = (
    *(actor(id, "agent") for id in ("codex-1", "codex-2", "claude-1")),
    *(actor(id) for id in ("ann", "bob")),
    actor("chat", "service"),
)


@pytest.mark.parametrize("kind", ["answer", "comment", "question", "instruction"])
@pytest.mark.parametrize(
    ("writer", "speaker", "allowed"),
    [
        ("codex-1", "codex-1", True),
        ("codex-1", "ann", False),
        ("codex-1", "nobody-known", False),
        ("codex-2", "codex-1", False),
        ("nobody-known", "codex-1", False),
        ("ann", "codex-1", True),
        ("ann", "bob", True),
        ("chat", "ann", True),
        ("chat", "codex-1", True),
    ],
)
def test_people_and_services_relay_and_agents_speak_for_themselves(
    kind: str, writer: str, speaker: str, allowed: bool
) -> None:
    said = event("message", "abcd", 4, kind=kind, created_by=writer, in_reply_to=QUESTION.id)
    reader = MemoryReader(TASK, QUESTION, *EVERYBODY)
    fields: dict[str, Any] = {"from": speaker, "thread": QUESTION.id}
    by: dict[str, Any] = {"actor": writer, "person": writer in ("ann", "bob"), "reader": reader}
    if allowed:
        assert may(said, **by, **fields) == []
    else:
        with pytest.raises(Refused, match=f"{writer} may not speak for {speaker}"):
            may(said, **by, **fields)


@pytest.mark.parametrize(
    ("writer", "speaker", "allowed"),
    [
        *[("codex-2", "codex-2", False), ("chat", "chat", False), ("chat", "codex-2", False)],
        *[("codex-1", "codex-1", True), ("claude-1", "claude-1", True), ("chat", "codex-1", True)],
        *[("ann", "ann", True), ("chat", "ann", True), ("ann", "codex-2", True)],
    ],
)
def test_a_question_is_answered_by_whose_words_the_answer_holds(
    writer: str, speaker: str, allowed: bool
) -> None:
    said = event("message", "abcd", 4, kind="answer", created_by=writer, in_reply_to=QUESTION.id)
    reader = MemoryReader(TASK, QUESTION, *EVERYBODY)
    fields: dict[str, Any] = {"from": speaker, "thread": QUESTION.id}
    by: dict[str, Any] = {"actor": writer, "person": writer in ("ann", "bob"), "reader": reader}
    if allowed:
        assert may(said, **by, **fields) == []
    else:
        with pytest.raises(Refused, match=f"not for {speaker} to answer"):
            may(said, **by, **fields)
