"""Tasks in columns, by what can be done with them."""

from __future__ import annotations

from gittask.views.board import board, card
from gittask.views.words import short
from tests.memory import NOW, MemoryReader, at, event, task, task_id

CLAIM = event("execution", "c", 1)
READER = MemoryReader(
    task("a"),
    task("b", depends_on=["a", "f", "x"], due="2026-11-29", priority=0),
    task("c", "active", holder=CLAIM.id, epoch=1),
    task("d", "review"),
    task("e"),
    task("f", "done"),
    task("g", "cancelled"),
    task("h", depends_on=["g"]),
    CLAIM,
    event("wait", "e", 1, on="time", until=at(200), responder=None),
    event("wait", "e", 2, on="task", subject=task_id("a"), responder=None),
    event("wait", "c", 1, responder="bob"),
    event("wait", "g", 1, responder="bob"),
)


def columns(*, closed: bool) -> dict[str, str]:
    found = board(READER, READER.all("task"), NOW, closed=closed)
    return {each.name: "".join(task.id[0] for task in each.tasks) for each in found}


def test_open_tasks_are_split_by_whether_they_can_be_started() -> None:
    unfinished = {"ready": "ah", "not ready": "be", "active": "c", "review": "d"}
    assert columns(closed=False) == unfinished
    assert columns(closed=True) == {**unfinished, "closed": "fg"}


def test_a_column_as_json_has_the_first_and_how_many_there_are() -> None:
    first, *_ = board(READER, READER.all("task"), NOW, closed=False)
    shown = first.as_json(1)
    assert (shown["name"], shown["total"]) == ("ready", 2)
    assert [one["id"] for one in shown["tasks"]] == [task_id("a")]
    assert len(first.as_json(None)["tasks"]) == 2


def obstacle(name: str) -> str:
    return card(READER, READER.records["task", task_id(name)], NOW).obstacle


def test_a_card_says_what_is_in_the_way() -> None:
    a = short(READER, task_id("a"))
    assert obstacle("a") == obstacle("g") == ""
    assert obstacle("b") == f"needs {a}"
    assert obstacle("c") == "waits for bob"
    assert obstacle("e") == f"waits until 2026-11-30 13:20 UTC, waits for {a}"


def test_a_card_says_who_has_the_task_and_until_when() -> None:
    held = card(READER, READER.records["task", task_id("c")], NOW)
    assert held.about[1:] == ("P2", "codex-1")
    late = card(READER, READER.records["task", task_id("b")], NOW)
    assert (*late.about[1:], late.due) == ("P0", "(alice)", "due 2026-11-29")
