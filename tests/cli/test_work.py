"""Claiming, reporting, letting go, ending: what is allowed when, and what a refusal says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.program import Program

SAID = (
    *("--condition", "watch", "--summary", "s", "--changed", "none", "--verified", "none"),
    *("--not-verified", "none", "--uncertain", "none", "--next", "look", "--next-by", "ann"),
)
KNOWN = ("--no-ack", "I wrote the plan myself")
ONE, TWO = ("--as", "codex-1"), ("--as", "codex-2")


@pytest.fixture
def task(gittask: Program) -> str:
    return gittask.new("Fix routing")


def state(gittask: Program, task: str) -> dict[str, Any]:
    found: dict[str, Any] = gittask.task(task)["state"]
    return found


def execution(gittask: Program, id: str) -> dict[str, Any]:
    return next(one for one in gittask.records("execution") if one["id"] == id)


def status(gittask: Program, id: str) -> str:
    found: str = execution(gittask, id)["state"]["status"]
    return found


def test_start(gittask: Program, task: str) -> None:
    call = ("start", task, *ONE, "--provider", "codex", "--session", "s1", "--pid", "7")
    made = gittask.json(*call, "--objective", "Find the cause")["execution"]
    held = state(gittask, task)
    assert (held["status"], held["epoch"], held["holder"]) == ("active", 1, made["id"])
    assert held["since"] == made["created"]["at"]
    assert (made["role"], made["lane"], made["epoch"]) == ("editor", "edit", 1)
    assert (made["objective"], made["provider"]) == ("Find the cause", "codex")
    (runtime,) = made["runtimes"]
    assert (runtime["provider"], runtime["session"], runtime["pid"]) == ("codex", "s1", 7)
    assert made["workspace"]["branch"] == "main"
    assert len(made["workspace"]["head"]) == 40


def test_no_work_without_a_why(gittask: Program) -> None:
    task = gittask("new", "x").id
    result = gittask("start", task, "--json", code=5)
    assert result.problems == {"why": "is missing, and no work starts without it"}
    assert f'gittask set {task} why="..."' in result.error["hint"]
    assert gittask.records("execution") == []
    gittask("start", task, "--why", "It is needed")
    assert gittask.task(task)["why"] == "It is needed"


def test_a_why_that_is_there_stays(gittask: Program, task: str) -> None:
    error = gittask("start", task, "--why", "Another", "--json", code=2).error
    assert f"gittask set {task} why=" in error["hint"]
    assert state(gittask, task)["status"] == "open"


def test_a_held_task(gittask: Program, task: str) -> None:
    holder = gittask("start", task, *ONE).id
    since = state(gittask, task)["since"]
    error = gittask("start", task, *TWO, "--json", code=4).error
    assert error["code"] == "refused"
    assert error["retryable"] is False
    said = f"task {task} is held by codex-1 since {since} under execution {holder}"
    assert error["message"] == said
    assert error["details"] == {"holder": holder, "actor": "codex-1", "since": since, "epoch": 1}
    assert f"gittask start {task} --lane review" in error["hint"]
    own = gittask("start", task, *ONE, "--json", code=4).error
    assert f"gittask report {task}" in own["hint"]


def test_others_cannot_change_a_held_task(gittask: Program, task: str) -> None:
    holder = gittask("start", task, *ONE).id
    for args in (["close"], ["release"], ["cancel", "--reason", "r"]):
        error = gittask(args[0], task, *args[1:], *TWO, "--json", code=4).error
        assert f"held by codex-1 since {state(gittask, task)['since']}" in error["message"]
        assert "--execution" in error["hint"]
        assert error["details"]["holder"] == holder
    gittask("set", task, "labels+=seen", *TWO)  # what describes it is everybody's
    gittask("note", task, "beside", *TWO)
    assert state(gittask, task)["holder"] == holder


def test_review_stands_beside(gittask: Program, task: str) -> None:
    holder = gittask("start", task, *ONE).id
    beside = gittask.json("start", task, "--lane", "review", *TWO)["execution"]
    assert (beside["role"], beside["epoch"]) == ("reviewer", 1)
    assert state(gittask, task)["holder"] == holder
    assert gittask.json("note", task, "x", *TWO)["note"]["execution"] == beside["id"]
    error = gittask("close", task, *TWO, "--json", code=4).error
    assert "may not change the task" in error["message"]
    assert gittask("start", task, "--lane", "review", "--why", "w", code=2).out == ""
    gittask("start", task, "--lane", "review", "--as", "ann")
    gittask("close", task)  # a person may settle it all the same
    assert state(gittask, task)["status"] == "done"


def test_report(gittask: Program, task: str) -> None:
    error = gittask("report", task, "x", *ONE, "--json", code=3).error
    assert error["message"] == f"codex-1 has no execution of task {task}"
    id = gittask("start", task, *ONE).id
    note = gittask.json("report", task, "half way", *ONE)["note"]
    assert (note["kind"], note["execution"], note["body"]) == ("progress", id, "half way")
    assert status(gittask, id) == "running"
    at = execution(gittask, id)["state"]["at"]
    gittask("report", task, "nearly", *ONE)
    assert execution(gittask, id)["state"]["at"] == at


@pytest.mark.parametrize(("reported", "ended"), [(False, "declined"), (True, "cancelled")])
def test_release(gittask: Program, task: str, reported: bool, ended: str) -> None:
    id = gittask("start", task, *ONE).id
    if reported:
        gittask("report", task, "x", *ONE)
    gittask("release", task, "--reason", "No access", *ONE)
    assert status(gittask, id) == ended
    free = state(gittask, task)
    assert (free["status"], free["holder"], free["epoch"]) == ("open", None, 1)
    assert free["reason"] == "No access"
    assert "held by nobody" in gittask("release", task, code=4).err
    gittask("start", task, *TWO)
    assert (state(gittask, task)["epoch"], state(gittask, task)["reason"]) == (2, None)


def test_a_person_releases_what_an_agent_left(gittask: Program, task: str) -> None:
    id = gittask("start", task, *ONE).id
    gittask("release", task, "--as", "ann")
    assert state(gittask, task)["holder"] is None
    assert status(gittask, id) == "claimed"


def test_takeover(gittask: Program, task: str) -> None:
    old = gittask("start", task, *ONE).id
    assert gittask("takeover", task, *TWO, code=2).out == ""
    assert gittask("takeover", task, "--reason", " ", *TWO, code=5).out == ""
    new = gittask("takeover", task, "--reason", "Silent since yesterday", *TWO).id
    held = state(gittask, task)
    assert (held["holder"], held["epoch"]) == (new, 2)
    assert held["reason"] == "Silent since yesterday"
    assert status(gittask, old) == "claimed"


class TestStale:
    """An execution that lost the task: it may report, and change nothing else."""

    @pytest.fixture
    def old(self, gittask: Program, task: str) -> str:
        old = gittask("start", task, *ONE).id
        gittask("takeover", task, "--reason", "Silent", *TWO)
        return old

    @pytest.mark.parametrize("args", [["set", "title=x"], ["close"], ["cancel", "--reason", "r"]])
    def test_refused(self, gittask: Program, task: str, old: str, args: list[str]) -> None:
        before = gittask.task(task)
        error = gittask(args[0], task, *args[1:], *ONE, "--json", code=4).error
        assert f"execution {old} (epoch 1) no longer holds task {task} (epoch 2" in error["message"]
        assert "held by codex-2 since" in error["message"]
        assert f"gittask handoff {task}" in error["hint"]
        assert error["hint"].endswith(f"to work on: gittask takeover {task} --reason ...")
        assert gittask.task(task) == before

    @pytest.mark.parametrize(
        ("then", "hint"),
        [(["release"], "start {}"), (["close"], "reopen {} --reason ...")],
    )
    def test_how_to_work_on_fits(
        self, gittask: Program, task: str, old: str, then: list[str], hint: str
    ) -> None:
        gittask(then[0], task, *TWO)
        error = gittask("set", task, "title=x", *ONE, "--execution", old, "--json", code=4).error
        assert error["hint"].endswith(f"to work on: gittask {hint.format(task)}")

    def test_accepted_as_late(self, gittask: Program, task: str, old: str) -> None:
        before = gittask.task(task)
        assert gittask.json("note", task, "x", *ONE)["note"]["execution"] == old
        assert gittask.json("report", task, "x", *ONE)["note"]["execution"] == old
        handoff = gittask.json("handoff", task, *SAID, *ONE)["handoff"]
        told = gittask("handoff", task, *SAID, *ONE).err
        assert told.startswith(f"kept as late: {task} is held by codex-2 since ")
        assert (handoff["execution"], handoff["epoch"]) == (old, 1)
        assert gittask.task(task) == before
        late = [entry for entry in gittask.json("timeline", task)["entries"] if entry.get("late")]
        assert len(late) == 4

    def test_letting_go_ends_only_itself(self, gittask: Program, task: str, old: str) -> None:
        before = gittask.task(task)
        told = gittask("release", task, *ONE).err
        assert told == f"ended execution {old}, which does not hold {task}\n"
        assert status(gittask, old) == "cancelled"
        assert gittask.task(task) == before

    def test_late_and_closing(self, gittask: Program, task: str, old: str) -> None:
        del old
        document = gittask.json("handoff", task, *SAID, "--close", "All of it", *ONE)
        assert "does not close" in document["warnings"][0]
        assert state(gittask, task)["status"] == "active"

    def test_a_person_is_not_bound_by_it(self, gittask: Program, task: str) -> None:
        gittask("start", task)
        gittask("takeover", task, "--reason", "Silent", *ONE)
        gittask("close", task, "--outcome", "Settled", "--as", "ann")
        assert state(gittask, task)["status"] == "done"


@pytest.mark.parametrize(
    ("kind", "execution_is", "task_is", "held"),
    [
        ("progress", "running", "active", True),
        ("auto", "claimed", "active", True),
        ("review_request", "reported", "review", True),
        ("deliverable", "reported", "review", True),
        ("final", "done", "review", True),
        ("retry_context", "failed", "open", False),
    ],
)
def test_what_follows_from_a_handoff(
    gittask: Program, task: str, kind: str, execution_is: str, task_is: str, held: bool
) -> None:
    id = gittask("start", task, *ONE).id
    gittask("handoff", task, "--kind", kind, *SAID, *ONE)
    assert status(gittask, id) == execution_is
    after = state(gittask, task)
    assert (after["status"], after["holder"]) == (task_is, id if held else None)
    free = execution_is not in ("running", "claimed")
    gittask("start", task, *TWO, *KNOWN, code=0 if free else 4)


@pytest.mark.parametrize("kind", ["deliverable", "final"])
def test_a_handoff_that_closes(gittask: Program, task: str, kind: str) -> None:
    id = gittask("start", task, *ONE).id
    gittask("handoff", task, "--kind", kind, *SAID, "--close", "It works", *ONE)
    after = state(gittask, task)
    assert (after["status"], after["outcome"], after["holder"]) == ("done", "It works", None)
    assert status(gittask, id) == "done"


def test_only_an_ending_handoff_closes(gittask: Program, task: str) -> None:
    gittask("start", task, *ONE)
    call = ("handoff", task, "--kind", "progress", *SAID, "--close", "x", *ONE)
    assert "--kind final" in gittask(*call, "--json", code=2).error["hint"]


def test_what_has_ended_stays_ended(gittask: Program, task: str) -> None:
    id = gittask("start", task, *ONE).id
    gittask("handoff", task, "--kind", "final", *SAID, *ONE)
    for args in (["handoff", task, *SAID], ["report", task, "x"]):
        gittask(*args, *ONE, "--execution", id)
        assert status(gittask, id) == "done"


def test_a_new_attempt_follows_the_last_report(gittask: Program, task: str) -> None:
    gittask("start", task, *ONE)
    handoff = gittask("handoff", task, *SAID, *ONE).id
    gittask("handoff", task, "--kind", "auto", *SAID, *ONE)
    second = gittask.json("start", task, *TWO, *KNOWN)["execution"]
    assert (second["follows"], second["objective"]) == (handoff, "look")


def test_close_and_reopen(gittask: Program, task: str) -> None:
    id = gittask("start", task, *ONE).id
    gittask("close", task, "--outcome", "It works", *ONE)
    assert state(gittask, task)["outcome"] == "It works"
    assert status(gittask, id) == "done"
    for args in (["close", task], ["cancel", task, "--reason", "r"]):
        error = gittask(*args, "--json", code=4).error
        assert "is done already" in error["message"]
        assert f"gittask reopen {task} --reason" in error["hint"]
    assert "gittask reopen" in gittask("start", task, code=4).err
    assert "gittask reopen" in gittask("takeover", task, "--reason", "r", code=4).err
    assert gittask("reopen", task, code=2).out == ""
    gittask("reopen", task, "--reason", "It came back")
    after = state(gittask, task)
    assert (after["status"], after["outcome"], after["reason"]) == ("open", None, "It came back")
    assert "not closed" in gittask("reopen", task, "--reason", "r", code=4).err
    gittask("start", task, *TWO)
    assert state(gittask, task)["epoch"] == 2


def test_cancel(gittask: Program, task: str) -> None:
    id = gittask("start", task, *ONE).id
    gittask("cancel", task, "--reason", "No longer needed", *ONE)
    after = state(gittask, task)
    assert (after["status"], after["reason"]) == ("cancelled", "No longer needed")
    assert status(gittask, id) == "cancelled"


def test_closing_what_is_not_met_says_so(gittask: Program, task: str) -> None:
    gittask("set", task, "acceptance+=Orders arrive")
    assert "Orders arrive" in gittask.json("close", task)["warnings"][0]
    gittask("reopen", task, "--reason", "r")
    assert "warning: closed although not marked as met" in gittask("close", task).err


def test_closing_what_waits_says_so(gittask: Program, task: str) -> None:
    gittask("start", task, *ONE)
    asked = gittask("ask", task, "May I?", "--to", "ann", *ONE).id
    wait = ("--on", "event", "--for", "Rain", "--responder", "ann")
    waits = gittask("wait", task, *wait, *ONE).id
    assert gittask.json("close", task, *ONE)["warnings"] == [
        f"closed although codex-1 asks ann: May I? ({asked})",
        f"closed although it waits for event: Rain ({waits})",
    ]


def test_a_report_after_the_end_is_kept(gittask: Program, task: str) -> None:
    gittask("start", task, *ONE)
    gittask("close", task, "--as", "ann")
    told = gittask("handoff", task, *SAID, *ONE).err
    assert told.startswith(f"kept, and changed nothing: {task} is held by nobody, done: ")
    assert state(gittask, task)["status"] == "done"
    assert len(gittask.records("handoff")) == 1


@pytest.mark.parametrize("command", [["start"], ["takeover", "--reason", "r"]])
def test_claiming_what_is_not_ready(gittask: Program, task: str, command: list[str]) -> None:
    needed = gittask.new("First")
    gittask("dep", "add", task, needed)
    wait = ("--on", "event", "--for", "Rain", "--responder", "ann")
    waits = gittask("wait", task, *wait).id
    result = gittask(command[0], task, *command[1:])
    assert f"warning: {task} needs {needed}, which is open\n" in result.err
    assert f"warning: {task} waits for event ann: Rain ({waits})\n" in result.err


def test_claiming_what_is_ready_warns_of_nothing(gittask: Program, task: str) -> None:
    assert "warning" not in gittask("start", task).err


def test_closing_without_an_outcome_stores_none(gittask: Program, task: str) -> None:
    gittask("close", task)
    assert gittask.task(task)["state"]["outcome"] is None
    line = gittask.json("status", task)["status"]["line"]
    assert line.startswith("done by ann at ")
    assert line.endswith(f": {gittask.task(task)['title']}")
