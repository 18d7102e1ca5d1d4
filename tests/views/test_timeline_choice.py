"""Choosing from a timeline: by kind, actor, execution and time; and how many there are."""

from __future__ import annotations

import pytest

from gittask.views.timeline import EVERYTHING, Choice
from tests.memory import MemoryReader, at, event, task
from tests.views.telling import chosen, timeline

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
