"""What somebody did without authority is found in every commit of a range, however it got there."""

from __future__ import annotations

from pathlib import Path

import pytest

from gittask.core.record import Record
from tests.forging import (
    ANN,
    CLAUDE,
    CODEX,
    GITTASK,
    MALLORY,
    Edits,
    Story,
    agent,
    findings,
    told,
)
from tests.memory import NOW, event, task
from tests.program import Program

STEPS = ("start", "take_over", "look", "note", "finish", "describe", "grant")
BY_CLAUDE = {"at": NOW, "by": "claude-1"}


@pytest.fixture
def story(repo: Path) -> Story:
    program = Program(repo)
    program("init")
    program("actor", "add", "claude-1")
    return Story(program)


@pytest.mark.parametrize("step", STEPS)
def test_each_step_is_honest(story: Story, step: str) -> None:
    getattr(story, step)()
    assert findings(story.folder) == []
    story.again()
    assert findings(story.folder) == []


# -- honest commits that were made anew, with something changed -----------------------------------


@pytest.mark.parametrize(
    ("step", "edits", "found"),
    [
        ("take_over", {"task": {"state": {"reason": None}}}, "allowed: state.reason: is missing"),
        ("take_over", {"task": {"state": {"epoch": 3}}}, "allowed: state.epoch: goes from 1 to 3"),
        ("take_over", {"task": {"state": {"epoch": 0}}}, "allowed: state.epoch: goes from 1 to 0"),
        ("take_over", {"task": {"state": {"epoch": 1}}}, "allowed: state.holder: changes without"),
        (
            "take_over",
            {"task": {"state": {"holder": None}}},
            "allowed: state.epoch: goes from 1 to 2",
        ),
        ("take_over", {"execution": {"epoch": 3}}, "claim: state.holder: is an execution of ep"),
        ("take_over", {"execution": {"lane": "review"}}, "claim: state.holder: is an execution of"),
        ("take_over", {"execution": {"actor": "codex-1"}}, "claim: state.holder: is codex-1's"),
        ("take_over", {"execution": None}, ": state.holder: names the execution"),
        ("start", {"task": {"state": {"holder": None, "epoch": 0}}}, "claim: epoch: is 1, but"),
        ("look", {"execution": {"actor": "codex-1"}}, "claim: actor: is codex-1, for whom only"),
        ("note", {"note": {"created": BY_CLAUDE}}, "names: created.by: is claude-1, but"),
        ("describe", {"task": {"created": BY_CLAUDE}}, "fixed: created: was altered"),
        ("describe", {"task": {"changed": {"title": f"9 {NOW} claude-1"}}}, "names: changed.title"),
        ("finish", {"execution": {"epoch": 2}}, "fixed: epoch: was altered"),
        ("finish", {"execution": {"actor": "claude-1"}}, "fixed: actor: was altered"),
        ("grant", {"approval": {"requested_by": "ann"}}, "fixed: requested_by: was altered"),
        ("grant", {"approval": {"state": {"by": "codex-1"}}}, "names: state.by: is codex-1, but"),
        ("grant", {"approval": {"state": {"status": "revoked"}}}, "allowed: : approval"),
    ],
)
def test_other_records(story: Story, step: str, edits: Edits, found: str) -> None:
    getattr(story, step)()
    story.again(edits)
    assert [each for each in told(story.folder) if found in each] != []


@pytest.mark.parametrize("step", STEPS)
def test_another_author(story: Story, step: str) -> None:
    getattr(story, step)()
    story.again(author=MALLORY)
    (found,) = told(story.folder)
    assert found.startswith("author: : its author Mallory <mallory@else.example> is not ")


@pytest.mark.parametrize("step", STEPS)
def test_another_actor_of_the_store_as_author(story: Story, step: str) -> None:
    getattr(story, step)()
    story.again(author=agent("codex-1" if step in ("take_over", "look") else "claude-1"))
    assert [each for each in told(story.folder) if each.startswith("author: ")] != []


@pytest.mark.parametrize(
    ("step", "said", "instead", "found"),
    [
        ("note", "Actor: codex-1", "Actor: nobody", "author: : names the actor 'nobody', which"),
        ("note", "Actor: codex-1", "Actor: claude-1", "author: : its author codex-1"),
        ("start", "Epoch: 1", "Epoch: 2", "execution: : names epoch 2, but execution"),
        ("note", "Execution: 2", "Execution: 1", "execution: : names the execution '1"),
        ("start", "\nActor: codex-1", "", "by_hand: state: was set by hand"),
    ],
)
def test_another_message(story: Story, step: str, said: str, instead: str, found: str) -> None:
    getattr(story, step)()
    story.again(message=lambda text: text.replace(said, instead))
    assert [each for each in told(story.folder) if found in each] != []


# -- commits that no program made -----------------------------------------------------------------

DONE = {"task": {"state": {"status": "done", "holder": None, "outcome": "It works"}}}


def test_a_stale_holder_closes(story: Story) -> None:
    story.take_over()
    under = (f"Task: {story.task}", f"Execution: {story.holder}", "Epoch: 1", "Actor: codex-1")
    story.commit(DONE, agent("codex-1"), *under)
    (found,) = told(story.folder)
    assert found.startswith(f"allowed: : execution {story.holder} (epoch 1) no longer holds task")


def test_somebody_without_an_execution_closes_a_held_task(story: Story) -> None:
    story.start()
    story.commit(DONE, agent("claude-1"), f"Task: {story.task}", "Actor: claude-1")
    (found,) = told(story.folder)
    assert found.startswith(f"allowed: : task {story.task} is held by codex-1")


def test_acting_under_anothers_execution(story: Story) -> None:
    story.start()
    under = (f"Task: {story.task}", f"Execution: {story.holder}", "Actor: claude-1")
    story.commit({"task": {"title": "Mine"}}, agent("claude-1"), *under)
    (found,) = told(story.folder)
    assert found.startswith(f"execution: : claude-1 acts under execution {story.holder}, which is")


def test_people_may_act_under_anothers_execution(story: Story) -> None:
    story.start()
    under = ("--execution", story.holder, "--as", "ann")
    story.gittask("set", story.task, "title=Ours", *under)
    story.gittask("report", story.task, "They told me that it is done", *under)
    assert findings(story.folder) == []


def test_a_record_that_says_it_was_made_under_anothers_execution(story: Story) -> None:
    story.look()
    story.gittask("note", story.task, "Seen", *CLAUDE)
    story.again({"note": {"execution": story.holder}})
    assert told(story.folder) == [
        f"execution: : claude-1 acts under execution {story.holder}, which is codex-1's"
    ]


@pytest.mark.parametrize(("epoch", "holder"), [(3, None), (1, None), (0, "x")])
def test_a_new_task_begins_unclaimed(story: Story, epoch: int, holder: str | None) -> None:
    story.start()
    made = task("a", created={"at": NOW, "by": "ann"}, responsible="ann")
    state = {**made.data["state"], "epoch": epoch, "holder": holder and story.holder}
    commit = story.add(Record("task", made.id, {**made.data, "state": state}), ANN)
    assert f"claim: state.epoch: begins at {epoch}" in told(story.folder, f"{commit}~..")


def test_a_circle_is_told_once(story: Story) -> None:
    story.start()
    made = story.commit({"task": {"depends_on": [story.task]}}, ANN)
    (found,) = told(story.folder, f"{made}~..")
    assert found.startswith(": depends_on: stands in a circle")


def test_an_execution_that_had_ended(story: Story) -> None:
    story.finish()
    under = (f"Task: {story.task}", f"Execution: {story.holder}", "Epoch: 1", "Actor: codex-1")
    story.commit({"task": {"state": {"status": "active"}}}, agent("codex-1"), *under)
    story.commit({"execution": {"state": {"status": "running"}}}, agent("codex-1"), *under)
    assert told(story.folder) == [
        f"allowed: : execution {story.holder} has ended (done), so it may not go on with task "
        f"{story.task}",
        f"allowed: : execution {story.holder} has ended: done",
    ]


def test_an_execution_that_had_ended_may_close_what_it_holds(story: Story) -> None:
    story.finish()
    story.gittask("close", story.task, *CODEX)
    assert findings(story.folder) == []


def test_edits_by_hand_describe_and_decide_nothing(story: Story) -> None:
    story.note()
    story.commit({"task": {"title": "By hand", "priority": 0}}, ANN)
    assert findings(story.folder) == []
    story.commit(DONE, ANN)
    story.commit({"execution": {"state": {"status": "failed"}}}, ANN)
    found = told(story.folder)
    assert [each.partition(" which")[0] for each in found] == [
        "by_hand: state: was set by hand,"
    ] * 2


def test_edits_by_somebody_unknown(story: Story) -> None:
    story.note()
    story.commit({"task": {"title": "By hand"}}, MALLORY)
    (found,) = told(story.folder)
    assert found == "author: : its author Mallory <mallory@else.example> is no actor of this store"


def test_an_address_may_change(story: Story) -> None:
    story.gittask("actor", "set", "ann", "email=ann@new.example", "--as", "ann")
    story.gittask("note", story.task, "Seen", "--as", "ann")
    assert findings(story.folder) == []
    story.again(author=ANN)
    (found,) = told(story.folder)
    assert found.startswith("author: : its author Ann <ann@example.org> is not ann, whom")


def test_an_identity_is_an_address_too(story: Story) -> None:
    story.gittask("actor", "set", "ann", f"identities+=email:{MALLORY.email}")
    story.commit({"task": {"title": "By hand"}}, MALLORY)
    assert findings(story.folder) == []


def test_records_that_are_written_once(story: Story) -> None:
    story.note()
    story.commit({"note": {"body": "Something else"}}, agent("codex-1"), "Actor: codex-1")
    assert told(story.folder) == ["altered: : was altered; a note is written once"]
    altered = story.commit({"note": {"body": "Seen"}}, agent("codex-1"), "Actor: codex-1")
    assert told(story.folder, f"{altered}~..gittask") == []  # that mends it


@pytest.mark.parametrize("kind", ["note", "execution", "task", "actor"])
def test_records_are_not_removed(story: Story, kind: str) -> None:
    story.note()
    story.commit({kind: None}, ANN)
    assert "removed: : was removed; records are never removed" in told(story.folder)


def test_the_program_decides_nothing_by_itself(story: Story) -> None:
    story.note()
    before = story.commit({"task": {"title": "By hand"}}, ANN)
    story.commit({"task": {"changed": {"title": f"9 {NOW} ann"}}}, GITTASK)
    assert findings(story.folder, f"{before}..") == []
    forged = story.commit(DONE, GITTASK)
    assert told(story.folder, f"{forged}~..") == [
        "program: state: was set in the program's own name, which decides nothing"
    ]


def test_the_program_may_bring_back_what_was_there(story: Story) -> None:
    story.take_over()
    stands = story.gittask.task(story.task)["state"]
    story.commit({"task": {"state": {"epoch": 1, "status": "open", "holder": None}}}, ANN)
    mended = story.commit({"task": {"state": stands}}, GITTASK)
    assert told(story.folder, f"{mended}~..") == []
    worse = story.commit({"task": {"state": {**stands, "reason": "Another"}}}, GITTASK)
    assert len(told(story.folder, f"{worse}~..")) == 1


def test_work_on_a_rewritten_history_is_remarked_on(story: Story) -> None:
    story.note()
    made = story.commit({"task": {"title": "Anew"}}, GITTASK, subject="reapply: 1 record")
    (found,) = findings(story.folder, f"{made}~..")
    assert (found.error, found.rule) == (False, "reapplied")
    falls = {"task": {"state": {"epoch": 0, "holder": None, "status": "open"}}}
    made = story.commit(falls, GITTASK, subject="reapply: 1 record")
    assert told(story.folder, f"{made}~..") == ["program: state.epoch: falls from 1 to 0"]


def test_a_conflict_is_kept_by_the_program_and_settled_by_somebody(story: Story) -> None:
    story.note()
    lost = event("conflict", "a", 1, created_by="gittask")
    kept = Record("conflict", lost.id, {**lost.data, "task": story.task})
    made = story.add(kept, GITTASK)
    assert told(story.folder, f"{made}~..") == []
    settled = story.commit({"conflict": {"state": {"status": "resolved", "by": "ann"}}}, GITTASK)
    assert told(story.folder, f"{settled}~..") == [
        "program: state: was set in the program's own name, which decides nothing"
    ]
    made = story.add(event("conflict", "a", 2, created_by="gittask"), ANN)
    assert "names: created.by: is gittask, but the commit is ann's" in told(
        story.folder, f"{made}~.."
    )


def test_what_was_used_up_is_not_given_back_by_hand(story: Story) -> None:
    story.grant()
    story.gittask("approve", "check", story.task, "drop index", "--use", *CODEX)
    assert findings(story.folder) == []
    made = story.commit({"approval": {"spent": None}}, ANN)
    assert "by_hand: spent: was set by hand, which decides nothing" in told(
        story.folder, f"{made}~.."
    )
