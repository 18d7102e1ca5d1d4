"""Nothing is allowed by what came with commits that failed verification, until a person looked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.acting import Actor
from tests.cli.approving import DROP, allowed, path
from tests.conftest import Git
from tests.program import Program, path_of


class Shared:
    """A store in two clones: somebody pushes with plain git from one, and work is in the other."""

    def __init__(self, mallory: Program, here: Program, git: Git) -> None:
        self.mallory = mallory
        self.here = here
        self.git = git
        mallory("init")
        self.task = mallory.new("Clean up")
        mallory("project", "add", "depot")
        self.codex = Actor(mallory, "codex-1")
        self.codex("note", self.task, "here")
        mallory("sync")
        here("init")
        self.codex = Actor(here, "codex-1")

    def pushed(self, file: str, **fields: object) -> None:
        """Set fields of a record by hand, and push that."""
        self.mallory.change(file, **fields)
        self.git(self.mallory.folder, "push", "-q", "origin", "gittask")

    def command(self) -> list[str]:
        """What the inbox says is to be done about it."""
        items = self.here.json("inbox", "--all")["inbox"]
        (command,) = (one["command"] for one in items if one["kind"] == "verification")
        return str(command).split()[1:]


@pytest.fixture
def shared(clones: Callable[[int], list[Path]], git: Git) -> Shared:
    mallory, here = clones(2)
    return Shared(Program(mallory), Program(here), git)


@pytest.mark.parametrize("level", ["store", "actor", "task", "project"])
def test_a_policy_that_was_pushed_by_hand(shared: Shared, level: str) -> None:
    if level == "project":
        shared.mallory("set", shared.task, "project=depot")
    file = {
        "store": "gittask.yaml",
        "actor": "actors/codex-1.yaml",
        "task": path_of(shared.task),
        "project": "projects/depot/project.yaml",
    }
    shared.pushed(file[level], allowed=[DROP])
    shared.here("sync")
    error = shared.codex.error("approve", "check", shared.task, DROP, code=4)
    assert f"that rests on {file[level]}, which came by commits that failed" in error["message"]
    assert error["details"]["status"] == "doubtful"
    assert f"gittask verify {error['details']['commits']}" in error["hint"]
    shared.codex(*shared.command(), code=5)
    assert not allowed(shared.codex, shared.task)  # no agent makes itself rely on it
    shared.here(*shared.command(), code=5)
    assert allowed(shared.codex, shared.task)


def test_a_grant_that_was_pushed_by_hand(shared: Shared) -> None:
    codex = Actor(shared.mallory, "codex-1")
    codex("approve", "request", shared.task, DROP)
    (approval,) = shared.mallory.records("approval")
    person = shared.mallory.records("actor")[0]["id"]
    state = {**approval["state"], "status": "granted", "by": person}
    shared.pushed(path(approval), state=state)
    shared.here("sync")
    error = shared.codex.error("approve", "check", shared.task, DROP, "--use", code=4)
    assert error["details"]["approval"] == approval["id"]
    assert [one.get("spent") for one in shared.here.records("approval")] == [None]


def test_what_the_answer_does_not_rest_on(shared: Shared) -> None:
    other = shared.mallory.new("Another")
    shared.here("store", "set", f"allowed={DROP}")
    shared.here("sync")
    shared.mallory("sync")
    shared.pushed(path_of(other), allowed=["rm"])
    shared.here("sync")
    assert shared.command()
    assert allowed(shared.codex, shared.task)
    assert not allowed(shared.codex, other)


def test_what_is_asked_for_needs_no_trust(shared: Shared) -> None:
    shared.pushed("actors/codex-1.yaml", name="Codex")
    shared.here("sync")
    args = ("approve", "check", shared.task, DROP, "--request")
    assert shared.codex.error(*args, code=4)["details"]["status"] == "requested"


def test_it_is_judged_too_where_a_claim_brought_it(shared: Shared) -> None:
    shared.pushed("gittask.yaml", allowed=[DROP])
    assert "came, but failed verification" in shared.codex("start", shared.task).err
    assert not allowed(shared.codex, shared.task)


def test_it_is_judged_too_where_the_sync_then_failed(shared: Shared, bare: Path) -> None:
    shared.pushed("gittask.yaml", allowed=[DROP])
    hook = bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    shared.here.new("To be pushed")
    assert "came, but failed verification" in shared.here("sync", code=6).err
    assert not allowed(shared.codex, shared.task)


def test_too_much_to_tell_is_all_in_doubt(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gittask.judging.verify._MOST_CHANGED", 0)
    shared.here("store", "set", f"allowed={DROP}")
    shared.here("sync")
    shared.mallory("sync")
    shared.pushed(path_of(shared.mallory.new("Another")), allowed=["rm"])
    shared.here("sync")
    assert not allowed(shared.codex, shared.task)
