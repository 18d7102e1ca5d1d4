from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gittask.core.record import Record
from gittask.errors import Usage
from gittask.views.brief import item as items
from gittask.views.brief import shown as shown_items
from gittask.views.brief import tokens
from gittask.views.brief.compose import Brief, brief
from gittask.views.brief.tokens import estimate
from tests.memory import START, event, project, store, task
from tests.views.briefs import (
    GONE,
    HEAD,
    OLD,
    SAME,
    about,
    commands,
    labels,
    made,
    part,
    text,
    texts,
)
from tests.views.hostile import LINES, ORDER, escaped, outside

TASK = task("abcd", "active", holder="20261130t100100z-000001", epoch=2, since=START)
MINE = Record(
    "execution",
    "20261130t100100z-000001",
    {**event("execution", "abcd", 1, epoch=2).data, "id": "20261130t100100z-000001"},
)


def handoff(minute: int, **fields: Any) -> Record:
    return event("handoff", "abcd", minute, **{"execution": MINE.id, "epoch": 2, **fields})


def check(claim: str, **fields: Any) -> dict[str, Any]:
    return {"claim": claim, "command": "pytest", "exit_code": 0, **fields}


# -- the budget -------------------------------------------------------------------------------

words = st.sampled_from(["short", "word " * 60, "line\n" * 90, "# x <b>", "é漢" * 200])


def some(kind: str, minute: int, body: str) -> Record:
    """A record of a kind that says something."""
    if kind == "decision":
        return event(kind, "abcd", minute, outcome=body)
    if kind == "handoff":
        return handoff(minute, contingencies=[body[:290].replace("\n", " ").strip()])
    return event(
        kind, "abcd", minute, body=body, kind=_NOTES[minute % 3] if kind == "note" else "comment"
    )


_NOTES = ("constraint", "observation", "hypothesis")
said = st.lists(
    st.tuples(st.sampled_from(["decision", "note", "message", "handoff"]), words), max_size=25
).map(lambda pairs: [some(kind, place, body) for place, (kind, body) in enumerate(pairs, 2)])


def shown(found: Brief) -> dict[tuple[str, str], int]:
    """How much is shown of each item."""
    return {
        (section["name"], f"{place} {item['label']}"): len(item.get("text", ""))
        for section in found.as_json()["sections"]
        for place, item in enumerate(section["items"])
    }


@settings(deadline=None, max_examples=50)
@given(said, st.integers(400, 3000), st.integers(0, 3000))
def test_more_budget_never_shows_less(records: list[Record], budget: int, more: int) -> None:
    reads = about(TASK, MINE, *records, under=MINE)
    least = needs(reads)
    less, greater = brief(reads, least + budget), brief(reads, least + budget + more)
    for item, length in shown(less).items():
        assert shown(greater)[item] >= length


@settings(deadline=None, max_examples=50)
@given(said, st.integers(0, 3000))
def test_a_brief_keeps_to_its_budget(records: list[Record], more: int) -> None:
    reads = about(TASK, MINE, *records, under=MINE)
    budget = needs(reads) + more
    found = brief(reads, budget)
    assert found.as_json()["tokens"] == estimate("\n".join(found.lines)) <= budget


@settings(deadline=None, max_examples=50)
@given(said)
def test_a_budget_that_is_too_small_names_the_one_that_does(records: list[Record]) -> None:
    reads = about(TASK, MINE, *records, under=MINE)
    least = needs(reads)
    assert estimate("\n".join(brief(reads, least).lines)) == least
    with pytest.raises(Usage, match=f"needs {least} tokens, 1 more than the budget of {least - 1}"):
        brief(reads, least - 1)


def needs(reads: Any) -> int:
    """What a brief needs at least, as its refusal says."""
    with pytest.raises(Usage) as refused:
        brief(reads, 1)
    needed: int = refused.value.details["needs"]
    assert refused.value.details["over"] == needed - 1
    assert f"--budget {needed}" in refused.value.hint
    return needed


def test_twice_as_many_items_are_twice_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0

    def of_lines(lines: Iterable[str]) -> int:
        nonlocal counted
        found = list(lines)
        counted += sum(map(len, found))
        return tokens.of_lines(found)

    for module in (items, shown_items):
        monkeypatch.setattr(module, "of_lines", of_lines)
    work = []
    for number in (100, 200):
        notes = [
            some("note", minute % 120, f"{minute} " + "word " * 100) for minute in range(number)
        ]
        counted = 0
        made(TASK, *notes, budget=10**6)
        work.append(counted)
    assert work[1] < 2.2 * work[0]


def test_with_room_for_everything_nothing_is_left_out() -> None:
    records = [some("note", minute, "word " * 100) for minute in range(2, 9)]
    found = made(TASK, MINE, *records, under=MINE, budget=100_000)
    assert [each["what"] for each in found.as_json()["left_out"]] == ["Everything"]


def test_what_was_left_out_is_named_with_how_to_see_it() -> None:
    notes = [some("note", minute, "word " * 100) for minute in (2, 3, 5, 6, 8, 9)]
    reads = about(TASK, MINE, *notes, under=MINE)
    whole, least = brief(reads, 100_000), needs(reads)
    found = brief(reads, least + 200)
    document = found.as_json()
    missing = {each["what"]: each["see"] for each in document["left_out"]}
    cut = [item for each in document["sections"] for item in each["items"] if item.get("shortened")]
    assert cut
    assert missing["Shortened"] == [item["see"] for item in cut]
    (left,) = [what for what in missing if what.startswith("Discussion")]
    present, total = (len(part(each, "discussion")) for each in (found, whole))
    assert left == f"Discussion, {total - present} of {total}"
    assert f"gittask timeline {TASK.id} --all --kind note" in missing[left]


def test_decisions_come_before_constraints_before_discussion() -> None:
    records = [
        event("message", "abcd", 9, body="latest " * 30),
        event("note", "abcd", 3, kind="constraint", body="bound " * 30),
        event("decision", "abcd", 2, title="chosen", outcome="so " * 30),
    ]
    reads = about(TASK, MINE, *records, under=MINE)
    least = needs(reads)
    seen = [
        [name for name in ("decisions", "constraints", "discussion") if part(brief(reads, b), name)]
        for b in range(least, least + 300, 5)
    ]
    order = ["decisions", "constraints", "discussion"]
    assert [len(names) for names in seen] == sorted(len(names) for names in seen)
    assert all(names == order[: len(names)] for names in seen)
    assert seen[0] == []
    assert seen[-1] == order


def test_what_is_never_dropped() -> None:
    """All of it is there under the least budget, however much else there is."""
    instructed = {"instructions": "Keep to AGENTS.md#testing."}
    wanted = task(
        "abcd",
        "active",
        holder=MINE.id,
        epoch=2,
        since=START,
        project="shop",
        why="Orders are late",
        acceptance=[
            {"id": "a1", "text": "None is late", "met": False, "evidence": None},
            {"id": "a2", "text": "A test fails first", "met": True, "evidence": "it did"},
        ],
        **instructed,
    )
    uncertain = [{"question": "Is it the lock?", "impact": "the remedy", "who": "bob"}]
    records = [
        *(MINE, project("shop", instructions="Never by hand."), store(instructions="Be brief.")),
        handoff(3, condition="watch", summary="Half", uncertain=uncertain),
        event("note", "abcd", 4, kind="progress", execution=MINE.id, body="Nearly there"),
        event("message", "abcd", 5, kind="question", to="alice", body="May I?"),
        event("wait", "abcd", 6, on="event", condition="The fix is out", otherwise="Use the old"),
        event("conflict", "abcd", 7, field="why", record=f"tasks/00/{TASK.id}/task.yaml"),
        event(
            "approval",
            "abcd",
            8,
            action="drop index",
            scope="task",
            expires="2026-12-24T00:00:00.000Z",
            state={"status": "granted", "by": "alice", "reason": None},
        ),
        *(some("note", minute, "word " * 100) for minute in range(20, 60)),
    ]
    found = brief(about(wanted, *records, under=MINE), needs(about(wanted, *records, under=MINE)))
    assert part(found, "discussion") == []
    who = labels(found, "who")
    assert "You are codex-1 (agent)" in who
    assert MINE.id in who
    assert "role editor, lane edit, epoch 2" in who
    assert "You hold the task" in who
    assert "for the task, until 2026-12-24 00:00 UTC, granted by alice" in who
    assert "drop index" in texts(found, "who")
    assert {"Task abcd", "Orders are late"} <= set(texts(found, "goal"))
    assert texts(found, "acceptance") == ["None is late", "A test fails first", "it did"]
    assert labels(found, "acceptance").splitlines() == ["a1, not met", "a2, met", "a2, evidence"]
    assert "watch" in labels(found, "report")
    assert texts(found, "report") == [
        "Half",
        "Is it the lock? (matters for: the remedy; bob could say)",
        "the other half (by editor)",
        "Nearly there",
    ]
    assert texts(found, "open") == ["May I?", "The fix is out; otherwise: Use the old"]
    assert len(part(found, "conflicts")) == 1
    assert texts(found, "instructions") == [
        *("Keep to AGENTS.md#testing.", "Never by hand.", "Be brief.", "AGENTS.md#testing"),
    ]
    assert len(commands(found)) > 8


def test_the_same_store_gives_the_same_text() -> None:
    records = [
        some(kind, minute, "word " * 80) for minute, kind in enumerate(["note", "decision"] * 9, 2)
    ]
    one, other = (
        text(about(TASK, MINE, *order, under=MINE), 1500) for order in (records, records[::-1])
    )
    assert one == other


LAPSES = "2026-11-30T13:00:00.000Z"


@pytest.mark.parametrize("kind", ["nothing", "approval", "wait for a time", "wait that expires"])
def test_at_another_time_only_what_has_lapsed_since_differs(kind: str) -> None:
    granted = {"status": "granted", "by": "alice", "reason": None}
    records = {
        "approval": [event("approval", "abcd", 3, expires=LAPSES, state=granted)],
        "wait for a time": [event("wait", "abcd", 3, on="time", until=LAPSES, responder=None)],
        "wait that expires": [event("wait", "abcd", 3, expires=LAPSES)],
    }.get(kind, [])
    notes = [some("note", minute, "word " * 80) for minute in range(20, 30)]
    before, later, after = (
        text(about(TASK, MINE, *records, *notes, under=MINE, at=f"2026-11-30T{at}:00.000Z"), 1500)
        for at in ("12:00", "12:59", "13:00")
    )
    assert before == later
    assert (after == before) is (not records)


# -- hostile texts ----------------------------------------------------------------------------

one_line = st.sampled_from(
    [line for line in LINES if line.strip() and not set(line) & {"\n", "\t"} and len(line) < 300]
)
many = st.lists(st.sampled_from(LINES), min_size=1, max_size=4).map("\n".join).filter(str.strip)


@settings(deadline=None, max_examples=100)
@given(one_line, many)
def test_no_text_of_a_record_stands_outside_a_quote(line: str, body: str) -> None:
    line, body = f"{line} {ORDER}", f"{body[:900]}\n{ORDER}"
    wanted = task(
        "abcd",
        "active",
        holder=MINE.id,
        epoch=2,
        since=START,
        reason=body,
        project="shop",
        title=line,
        why=body,
        instructions=f"{body} a.md#b",
        acceptance=[{"id": "a1", "text": body, "met": True, "evidence": body}],
        links=[{"id": "l1", "rel": "instructions", "target": line, "title": line}],
        allowed=[body],
    )
    mine = Record(
        "execution", MINE.id, {**MINE.data, "objective": body, "workspace": {"branch": line}}
    )
    granted = {"status": "granted", "by": "alice", "reason": body}
    checked = check(line, command=line, commit=OLD)
    records = [
        *(mine, project("shop", instructions=body)),
        handoff(
            3,
            summary=line,
            changed=[{"path": line, "what": line}],
            commits=[{"sha": OLD, "subject": line, "branch": line}],
            verified=[checked],
            not_verified=[{"claim": line, "why": line}],
            uncertain=[{"question": line, "impact": line, "who": line}],
            next_action={"do": line, "by": line},
            contingencies=[line],
        ),
        handoff(2, summary=line, next_action={"do": line, "by": line}),
        event("note", "abcd", 4, kind="progress", execution=MINE.id, body=body),
        event("note", "abcd", 4, kind="constraint", body=body),
        event("message", "abcd", 5, kind="question", to="alice", body=body),
        event("message", "abcd", 6, kind="instruction", body=body),
        event("wait", "abcd", 7, on="event", condition=body, otherwise=body, subject=line),
        event("approval", "abcd", 8, action=body, scope="task", state=granted),
        event("approval", "abcd", 9, action=body, state={**granted, "status": "denied"}),
        event("decision", "abcd", 10, title=line, outcome=body, context=body, options=[body]),
        event(
            "conflict",
            "abcd",
            11,
            field=f"why {line}",
            record=f"tasks/{line}",
            kept=body,
            lost=line,
            lost_by={"counter": 1, "at": line[:40], "by": ORDER},
        ),
    ]
    for role in ("editor", "reviewer"):
        found = text(
            about(wanted, *records, under=mine, role=role, files={"a.md": f"# b\n{body}"}), 10**6
        )
        assert escaped(found) == []
        assert ORDER not in outside(found)
        assert "evil" not in outside(found)
        assert found.count("\n## Commands\n") == 1


# -- in plain words ---------------------------------------------------------------------------


def test_quotes_say_who_did_what() -> None:
    granted = {"status": "granted", "by": "bob", "reason": None}
    approval = event("approval", "abcd", 3, state=granted, requested_by="claude-1")
    asked = event("approval", "abcd", 4, action="restart", requested_by="claude-1")
    denied = event("approval", "abcd", 5, state={**granted, "status": "denied"})
    decision = event("decision", "abcd", 6, deciders=["alice", "bob"], created_by="claude-1")
    ended = task("abcd", "cancelled", reason="It is not needed")
    found = text(about(ended, approval, asked, denied, decision))
    assert f"Approval {approval.id}, for one use, granted by bob, asked for by claude-1:" in found
    assert f"Approval {asked.id} is open, for one use, asked for by claude-1:" in found
    assert "Denied by bob, 2026-11-30 10:05 UTC, asked for by codex-1:" in found
    assert f"Decision {decision.id} of alice and bob, written down by claude-1:" in found
    assert "Why it is cancelled, by alice:\n> It is not needed" in found


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"on": "person", "responder": "bob"}, "for bob"),
        ({"on": "approval", "responder": "bob"}, "for approval by bob"),
        ({"on": "event", "responder": "bob"}, "for something to happen that bob can tell of"),
        (
            {"on": "time", "responder": None, "until": "2026-12-24T00:00:00.000Z"},
            "for a time, until 2026-12-24 00:00 UTC",
        ),
    ],
)
def test_what_is_waited_for(fields: dict[str, Any], said: str) -> None:
    wait = event("wait", "abcd", 3, **fields)
    assert labels(made(TASK, MINE, wait), "open") == f"Wait {wait.id} {said}"


def test_a_wait_that_is_met_is_open_no_more() -> None:
    asked = event("message", "abcd", 3, kind="question", to="alice", body="May I?")
    wait = event("wait", "abcd", 3, subject=asked.id)
    reply = {"kind": "answer", "in_reply_to": asked.id, "thread": asked.id, "from": "alice"}
    answer = event("message", "abcd", 4, body="You may", created_by="alice", **reply)
    assert "the task waits for the answer" in labels(made(TASK, asked, wait), "open")
    assert labels(made(TASK, asked, wait, answer), "open") == "None"


def test_an_approval_that_is_asked_for_is_open() -> None:
    asked = event("approval", "abcd", 3)
    assert labels(made(TASK, asked), "open").startswith(f"Approval {asked.id} is open")
    lapsed = event("approval", "abcd", 3, expires="2026-11-30T11:00:00.000Z")
    assert labels(made(TASK, lapsed), "open") == "None"


def test_one_is_not_many() -> None:
    commit = {"sha": OLD, "subject": "s", "branch": None}
    changed = [{"path": "a", "what": "added"}, {"path": "b", "what": "added"}]
    one = made(TASK, MINE, handoff(3, changed=changed[:1], commits=[commit]))
    assert labels(one, "evidence").splitlines() == ["Changed, 1 file", "1 commit"]
    two = made(TASK, MINE, handoff(3, changed=changed, commits=[commit, commit]))
    assert labels(two, "evidence").splitlines() == ["Changed, 2 files", "2 commits"]


# -- decisions, evidence, lateness ------------------------------------------------------------


def test_a_superseded_decision_is_not_shown_as_accepted() -> None:
    old = event("decision", "abcd", 2, title="Redis")
    new = event("decision", "abcd", 3, title="No cache", supersedes=old.id)
    assert texts(made(TASK, old, new), "decisions") == ["No cache: o"]


def decided(owner: str, minute: int, title: str, **fields: Any) -> Record:
    """A decision of a project."""
    data = event("decision", "abcd", minute, title=title, **fields).data
    kept = {name: value for name, value in data.items() if name != "task"}
    return Record("decision", data["id"], {**kept, "project": owner, "scope": "project"})


def test_a_decision_of_any_project_may_replace_another() -> None:
    task_of_shop = task("abcd", project="shop")
    first = decided("shop", 2, "UTC")
    second = decided("shop", 3, "Local time", supersedes=first.id)
    own = event("decision", "abcd", 4, title="Redis")
    third = decided("depot", 5, "UTC again", supersedes=second.id)
    fourth = decided("depot", 6, "No cache", supersedes=own.id)
    records = [project("shop"), project("depot"), own, first, second]
    found = made(task_of_shop, *records)
    assert texts(found, "project") == ["Local time: o"]
    assert texts(found, "decisions") == ["Redis: o"]
    found = made(task_of_shop, *records, third, fourth)
    assert texts(found, "project") == texts(found, "decisions") == []


@pytest.mark.parametrize(
    ("commit", "said"),
    [
        (HEAD, "passed, exit 0, at aaaaaaaaaaaa"),
        (SAME, "passed, exit 0, at bbbbbbbbbbbb"),
        (OLD, "passed, exit 0, stale, at cccccccccccc"),
        (GONE, "passed, exit 0, unknown whether stale, at dddddddddddd"),
    ],
)
def test_evidence_of_another_commit_is_stale(commit: str, said: str) -> None:
    found = made(TASK, MINE, handoff(3, verified=[check("Tests pass", commit=commit)]))
    assert labels(found, "evidence") == f"Verified: {said}"
    assert texts(found, "evidence") == ["Tests pass (`pytest`)"]


@pytest.mark.parametrize(
    ("commits", "said"),
    [
        ([HEAD, SAME], ""),
        ([HEAD, OLD], ", 1 of 2 checks stale"),
        ([HEAD, GONE], ", 1 of 2 checks unknown whether stale"),
        ([OLD, GONE, GONE], ", 1 of 3 checks stale, 2 of 3 checks unknown whether stale"),
    ],
)
def test_what_is_not_known_of_older_checks_is_said(commits: list[str], said: str) -> None:
    older = handoff(3, verified=[check("Tests pass", commit=commit) for commit in commits])
    (label,) = labels(made(TASK, MINE, older, handoff(4)), "handoffs").splitlines()
    assert label.partition(")")[2] == said


def test_a_failed_check_and_one_that_nobody_ran() -> None:
    ran = check("Load", exit_code=3, commit=HEAD, dirty=True)
    found = made(TASK, MINE, handoff(3, condition="watch", verified=[ran, {"claim": "By eye"}]))
    assert labels(found, "evidence").splitlines() == [
        "Verified: failed, exit 3, at aaaaaaaaaaaa with uncommitted changes",
        "Verified: only said, not run, of no known commit",
    ]


def test_a_late_report_is_marked_and_the_one_before_stands_beside_it() -> None:
    first = event("execution", "abcd", 1, epoch=1)
    second = event("execution", "abcd", 10, epoch=2, actor="claude-1", created_by="claude-1")
    held = task("abcd", "active", holder=second.id, epoch=2, since=START)
    before = event("handoff", "abcd", 5, execution=first.id, summary="in time")
    after = event("handoff", "abcd", 15, execution=first.id, summary="too late")
    found = made(held, first, second, before, after)
    assert texts(found, "report")[0] == "too late"
    assert "late: its execution had lost the task" in part(found, "report")[0]["label"]
    assert "in time" in texts(found, "report")


def test_changes_that_a_review_asked_for_are_told() -> None:
    report = handoff(3)
    review = event(
        "review",
        "abcd",
        4,
        handoff=report.id,
        verdict="changes_requested",
        findings=["No test"],
        created_by="alice",
    )
    found = made(TASK, MINE, report, review, under=MINE)
    assert texts(found, "report")[-1] == "No test"
    assert "Changes requested" in part(found, "report")[-1]["label"]


def test_answers_come_with_their_questions() -> None:
    asked = event("message", "abcd", 3, kind="question", to="alice", body="May I?")
    reply = {"kind": "answer", "in_reply_to": asked.id, "thread": asked.id, "from": "alice"}
    answer = event("message", "abcd", 4, body="You may", created_by="alice", **reply)
    found = made(TASK, asked, answer)
    assert texts(found, "discussion") == ["You may\n\nAsked by codex-1: May I?"]
    assert labels(found, "open") == "None"
