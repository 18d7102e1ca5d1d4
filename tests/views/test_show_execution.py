"""An execution in full: how the work went, and what speaks for it."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.record import Data, Record
from gittask.store.packaged import schemas
from gittask.views.show.execution import computed, text
from tests.memory import NOW, MemoryReader, actor, at, event, store, task, task_id

RUNTIMES = [
    {
        "id": id,
        "provider": "codex",
        "model": model,
        "session": f"s-{id}",
        "host": "vm",
        "pid": 7,
        "resume": f"codex resume s-{id}",
        "started": at(started),
        "ended": ended and at(ended),
        "ended_reason": ended and "killed",
    }
    for id, model, started, ended in (("r1", "big", 20, None), ("r2", "small", 10, 15))
]
FIRST = event(
    "execution", "a", 1, actor="codex-0", state={"status": "failed", "reason": "no access"}
)
RUNS = event(
    *("execution", "a", 5),
    state={"status": "running"},
    provider="codex",
    runtimes=RUNTIMES,
    epoch=2,
    retry_of=FIRST.id,
    workspace={"branch": "fix", "head": "a" * 40},
    overtakes={"execution": FIRST.id, "reports": 0},
    takeover="it was silent",
)
HELD = task("a", "active", holder=RUNS.id, epoch=2, since=at(5))
CHECK = {"claim": "pytest passes", "command": "pytest -q", "exit_code": 0, "commit": "b" * 40}
DONE = event(
    *("handoff", "a", 30),
    execution=RUNS.id,
    epoch=2,
    verified=[CHECK],
    summary="all of it",
    not_verified=[{"claim": "Load", "why": "no data"}],
)


def found(execution: Record, *records: Record, held: Record = HELD) -> Data:
    reader = MemoryReader(held, execution, *records)
    return computed(reader, execution, held, NOW)


def shown(execution: Record, *records: Record, held: Record = HELD) -> str:
    names = list(schemas().fields("execution"))
    return "\n".join(text(execution, found(execution, *records, held=held), names))


def test_what_stands_around_it() -> None:
    retry = event("execution", "a", 50, retry_of=RUNS.id)
    follows = event("handoff", "a", 2, execution=FIRST.id)
    started = Record("execution", RUNS.id, {**RUNS.data, "follows": follows.id})
    beside = found(started, FIRST, retry, follows)
    assert beside["task"] == {"id": HELD.id, "title": "Task a", "status": "active"}
    assert beside["liveness"]["state"] == "running"
    assert beside["follows"] == follows.data
    assert beside["retry_of"] == beside["overtakes"] == FIRST.data
    assert beside["retried_by"] == [retry.data]


def test_what_it_names_and_cannot_be_read_is_still_named() -> None:
    beside = found(RUNS)
    assert (beside["retry_of"], beside["overtakes"], beside["follows"]) == (None, None, None)
    assert f"retries      {FIRST.id}" in shown(RUNS)


def test_what_it_wrote_and_nobody_elses() -> None:
    mine, others = (
        [event(kind, "a", minute, execution=id) for kind in ("note", "decision", "handoff")]
        for id, minute in ((RUNS.id, 20), (FIRST.id, 21))
    )
    judged, not_mine = (event("review", "a", 40, handoff=each[2].id) for each in (mine, others))
    beside = found(RUNS, FIRST, *mine, *others, judged, not_mine)
    assert [beside[name] for name in ("notes", "decisions", "handoffs", "reviews")] == [
        [mine[0].data],
        [mine[1].data],
        [mine[2].data],
        [judged.data],
    ]
    assert beside["late"] == []


def test_what_came_late() -> None:
    newer = event("execution", "a", 40, epoch=3, overtakes={"execution": RUNS.id, "reports": 1})
    held = task("a", "active", holder=newer.id, epoch=3, since=at(40))
    notes = [event("note", "a", minute, execution=RUNS.id) for minute in (30, 50)]
    beside = found(RUNS, newer, *notes, held=held)
    assert beside["late"] == [notes[1].id]
    assert beside["liveness"]["state"] == "superseded"
    told = shown(RUNS, newer, *notes, held=held)
    assert "codex-1 as editor: superseded since 2026-11-30 10:40 UTC (overtaken by epoch 3)" in told
    assert f"observation {notes[1].id.partition('-')[2]} (late)" in told
    assert told.count("(late)") == 1


@pytest.mark.parametrize(
    ("fields", "standing"),
    [
        ({"execution": RUNS.id}, "requested"),
        ({"execution": RUNS.id, "state": {"status": "denied", "by": "alice"}}, "denied"),
        ({"scope": "task", "state": {"status": "granted", "by": "alice"}}, "granted"),
        ({"scope": "task"}, None),
        ({"scope": "execution", "execution": FIRST.id}, None),
        ({"scope": "task", "state": {"status": "denied", "by": "alice"}}, None),
    ],
)
def test_the_approvals_that_it_asked_for_or_that_hold_for_it(
    fields: dict[str, Any], standing: str | None
) -> None:
    approval = event("approval", "a", 20, **fields)
    beside = found(RUNS, approval, actor("alice"), store())
    assert [one["standing"] for one in beside["approvals"]] == ([standing] if standing else [])


def test_for_people_the_runtimes_stand_one_after_another() -> None:
    told = shown(RUNS)
    lines = told.splitlines()
    place = lines.index("runtimes")
    assert lines[place + 1 : place + 7] == [
        "  r2 codex small, session s-r2, host vm, pid 7",
        "      started 2026-11-30 10:10 UTC, ended 2026-11-30 10:15 UTC: killed",
        "      resume: codex resume s-r2",
        "  r1 codex big, session s-r1, host vm, pid 7",
        "      started 2026-11-30 10:20 UTC",
        "      resume: codex resume s-r1",
    ]


def test_for_people_everything_that_is_there_is_said() -> None:
    note = event(
        *("note", "a", 20),
        execution=RUNS.id,
        kind="command",
        body="before",
        command={"argv": ["sh", "-c", "make -k"], "exit_code": 2, "tail": "boom\n"},
    )
    decision = event("decision", "a", 21, execution=RUNS.id, title="Cache", outcome="no")
    approval = event("approval", "a", 22, execution=RUNS.id)
    review = event("review", "a", 31, handoff=DONE.id, verdict="approved", created_by="bob")
    told = shown(RUNS, FIRST, DONE, note, decision, approval, review)
    for part in (
        f"execution {RUNS.id} of task {task_id('a')}\ncodex-1 as editor: running since ",
        "objective\n  make it work",
        f"task         {HELD.id} Task a (active)",
        *("edit, epoch 2", "provider     codex", "2026-11-30 10:05 UTC by codex-1"),
        f"retries      {FIRST.id} codex-0 (failed, no access)",
        f"after        {FIRST.id} codex-0",
        "took over because\n  it was silent",
        "branch fix, head aaaaaaaaaaaa",
        f"handoff {DONE.id}, 2026-11-30 10:30 UTC, progress\n  green: all of it",
        "- pytest passes, `pytest -q`, exit code 0, at bbbbbbbbbbbb",
        *("- Load, because no data", "approved, 2026-11-30 10:31 UTC by bob"),
        *("$ make -k", "boom", "exit code 2", "Cache: no"),
        f"{approval.id} requested (once): drop index",
    ):
        assert part in told, part


def test_of_one_that_ended_it_is_said_how_and_why() -> None:
    told = shown(FIRST)
    assert "codex-0 as editor: failed since 2026-11-30 10:01 UTC\n" in told
    assert "reason\n  no access" in told


def test_a_field_of_a_newer_program_is_not_lost() -> None:
    newer = Record("execution", RUNS.id, {**RUNS.data, "mood": "good"})
    assert "mood         good" in shown(newer)


def test_for_people_nothing_is_said_of_what_is_not_there() -> None:
    claim = event("execution", "a", 1)
    told = shown(claim, held=task("a", "active", holder=claim.id, epoch=1))
    assert [line for line in told.splitlines() if line and line[0] != " "] == [
        f"execution {claim.id} of task {claim.task}",
        "codex-1 as editor: claimed since 2026-11-30 10:01 UTC",
        "objective",
        f"task         {claim.task} Task a (active)",
        "lane         edit, epoch 1",
        "created      2026-11-30 10:01 UTC by codex-1",
    ]
