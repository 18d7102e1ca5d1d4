"""One record in full, and how it is named."""

from __future__ import annotations

import pytest

from gittask.core.record import Record
from gittask.errors import Ambiguous, Invalid, NotFound
from gittask.store.packaged import schemas
from gittask.views.show.lookup import find
from gittask.views.show.task import computed, text
from tests.memory import NOW, MemoryReader, actor, at, event, project, task, task_id

NOTE = event("note", "abcd", 1)
RECORDS = (task("abcd"), task("abce"), task("bee"), actor("alice"), project("shop"), NOTE)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (task_id("abcd"), ("task", task_id("abcd"))),
        ("ABCD", ("task", task_id("abcd"))),
        (" abce0 ", ("task", task_id("abce"))),
        ("alice", ("actor", "alice")),
        ("shop", ("project", "shop")),
        (NOTE.id, ("note", NOTE.id)),
        (NOTE.id[:10], ("note", NOTE.id)),
        (NOTE.id.partition("-")[2], ("note", NOTE.id)),
        ("actors/alice.yaml", ("actor", "alice")),
        ("tasks/00/abcd00000000/task.yaml", ("task", task_id("abcd"))),
        (f"tasks/00/abcd00000000/notes/{NOTE.id}.yaml", ("note", NOTE.id)),
    ],
)
def test_a_record_is_found_by_what_names_it(wanted: str, expected: tuple[str, str]) -> None:
    found = find(MemoryReader(*RECORDS), schemas(), wanted)
    assert (found.kind, found.id) == expected


@pytest.mark.parametrize("wanted", ["", "abc", "nobody", "0000", "actors/x.yaml", "../etc/passwd"])
def test_what_names_nothing_is_not_found(wanted: str) -> None:
    with pytest.raises(NotFound):
        find(MemoryReader(*RECORDS), schemas(), wanted)


def test_what_names_several_is_refused_with_the_candidates() -> None:
    reader = MemoryReader(task("abcde"), task("abcdf"), actor("abcd"))
    with pytest.raises(Ambiguous) as refused:
        find(reader, schemas(), "abcd")
    assert refused.value.details == {"candidates": ["abcd", task_id("abcde"), task_id("abcdf")]}


def test_a_bad_record_is_an_error() -> None:
    with pytest.raises(Invalid):
        find(MemoryReader(*RECORDS, bad=["alice"]), schemas(), "alice")


def of_a(*records: Record) -> dict[str, object]:
    reader = MemoryReader(*records)
    return computed(reader, reader.records["task", task_id("a")], NOW)


def test_a_task_alone() -> None:
    assert of_a(task("a", changed={"title": f"1 {at(9)} bob", "why": f"2 {at(3)} bob"})) == {
        "status": "ready: nobody has held it since 2026-11-30 10:00 UTC",
        "ready": True,
        "updated": at(3),
        "holder": None,
        "depends_on": [],
        "blocked_by": [],
        "missing": [],
        "dependents": [],
        "children": [],
        "circles": [],
        "waits": [],
        "executions": [],
        "last_handoff": None,
        "last_review": None,
        "answers": [],
        "decisions": [],
        "open_questions": [],
        "conflicts": [],
    }


def test_what_was_answered_decided_and_reviewed() -> None:
    decision = event("decision", "a", 1, title="Cache", outcome="In the client")
    asked = event("message", "a", 2, kind="question")
    answers = [
        event("message", "a", n, kind="answer", in_reply_to=asked.id, body=f"No {n}")
        for n in (3, 4, 5, 6)
    ]
    reviews = [
        event("review", "a", n, verdict="changes_requested", findings=[f"f{n}"]) for n in (7, 8)
    ]
    reader = MemoryReader(task("a"), decision, asked, *answers, *reviews)
    the_task = reader.records["task", task_id("a")]
    shown = "\n".join(text(the_task, computed(reader, the_task, NOW)))
    assert f"decisions\n  {decision.id} Cache: In the client" in shown
    assert "No 3" not in shown
    assert shown.index("No 4") < shown.index("No 6")
    assert f"last review {reviews[1].id}" in shown
    assert "f8" in shown
    assert "f7" not in shown


def test_what_stands_around_a_task() -> None:
    found = of_a(
        task("a", depends_on=["b", "c", "x"]),
        task("b"),
        task("c", "done"),
        task("d", depends_on=["a"]),
        task("e", "active", parent="a"),
    )
    assert found["depends_on"] == [
        {"id": task_id("b"), "status": "open", "title": "Task b"},
        {"id": task_id("c"), "status": "done", "title": "Task c"},
        {"id": task_id("x"), "status": "missing", "title": None},
    ]
    assert found["blocked_by"] == [task_id("b")]
    assert found["missing"] == [task_id("x")]
    assert found["dependents"] == [{"id": task_id("d"), "status": "open", "title": "Task d"}]
    assert found["children"] == [{"id": task_id("e"), "status": "active", "title": "Task e"}]
    assert found["ready"] is False


def test_the_circles_of_a_task_are_its_own() -> None:
    rings = [task("a", depends_on=["b"]), task("b", depends_on=["a"])]
    rings += [task("c", depends_on=["d"]), task("d", depends_on=["c"])]
    (circle,) = of_a(*rings)["circles"]  # type: ignore[misc]
    assert circle["tasks"] == [task_id("a"), task_id("b")]  # type: ignore[has-type]


def test_a_circle_over_a_wait() -> None:
    wait = event("wait", "b", 1, on="task", subject=task_id("a"))
    (circle,) = of_a(task("a", depends_on=["b"]), task("b"), wait)["circles"]  # type: ignore[misc]
    assert circle["remedy"].startswith(f"gittask wait {task_id('b')} --cancel")  # type: ignore[has-type]


def test_the_work_on_a_task() -> None:
    stale = event("execution", "a", 1, epoch=1, state={"status": "running"})
    ended = event("execution", "a", 2, epoch=1, state={"status": "failed"})
    holds = event("execution", "a", 3, epoch=2, actor="codex-2")
    report = event("handoff", "a", 4)
    asked = event("message", "a", 5, kind="question", to="alice")
    lost = event("conflict", "a", 6)
    found = of_a(
        task("a", "active", epoch=2, holder=holds.id, since=at(3)),
        *(stale, ended, holds, report, asked, lost),
        event("wait", "a", 7, expires=at(8)),
    )
    assert found["holder"] == {"execution": holds.id, "actor": "codex-2", "since": at(3)}
    statuses = [one["status"] for one in found["executions"]]  # type: ignore[attr-defined]
    assert statuses == ["superseded", "failed", "claimed"]
    assert found["last_handoff"] == report.data
    assert found["open_questions"] == [asked.data]
    assert found["conflicts"] == [lost.data]
    assert [one["end"] for one in found["waits"]] == ["expired"]  # type: ignore[attr-defined]


def test_for_people_everything_that_is_there_is_said() -> None:
    claim = event("execution", "a", 3)
    records = [
        task(
            "a",
            "active",
            holder=claim.id,
            labels=["urgent"],
            due="2026-12-01",
            instructions="be careful",
            acceptance=[{"id": "x1", "text": "it works", "met": True, "evidence": "seen"}],
            links=[{"id": "x2", "rel": "see", "target": "https://example.org", "title": None}],
            depends_on=["b"],
        ),
        *(task("b"), task("c", depends_on=["a"]), task("d", parent="a"), claim),
        event("handoff", "a", 4, uncertain=[{"question": "q?", "impact": "i", "who": "bob"}]),
        event("message", "a", 5, kind="question", body="May I?"),
        event("conflict", "a", 6),
        event("wait", "a", 7),
    ]
    reader = MemoryReader(*records)
    found = reader.records["task", task_id("a")]
    shown = "\n".join(text(found, computed(reader, found, NOW)))
    for part in (
        *(found.id, "Task a", "codex-1", "urgent", "2026-12-01", "be careful", "it is needed"),
        *("[x] x1 it works (seen)", "see https://example.org", "Task b", "Task c", "Task d"),
        *("half of it", "q?", "May I?", 'title: kept "k", lost "l"', "approve `drop index`"),
    ):
        assert part in shown


def test_for_people_nothing_is_said_of_what_is_not_there() -> None:
    found = task("a")
    shown = text(found, computed(MemoryReader(found), found, NOW))
    assert [line for line in shown if line and not line.startswith(" ")] == [
        f"{found.id}  Task a",
        "ready: nobody has held it since 2026-11-30 10:00 UTC",
        "why",
        "status       open (epoch 0)",
        "priority     2",
        "type         task",
        "responsible  alice",
        "created      2026-11-30 10:00 UTC by alice",
        "updated      2026-11-30 10:00 UTC",
    ]
