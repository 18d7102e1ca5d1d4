"""What a handoff names as the work of its execution, where others' commits came in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.acting import HANDOFF
from tests.conftest import Git
from tests.program import Program

PARTS = (*HANDOFF[:4], *HANDOFF[6:], "--kind", "progress")
LONG_AGO = "2026-01-02T03:04:05Z"


class Shared:
    """A branch ``main`` on which an agent works here, under its user's name, and others there.

    Whatever is done there is by the same user too: no name tells it from what the agent does.
    """

    def __init__(self, here: Program, there: Path, git: Git) -> None:
        self.program = here
        self.there = there
        self._git = git
        self._seconds = 1_797_000_000
        for name in ("user.name", "user.email"):
            git(there, "config", name, self.git("config", name))
        here("init")
        self.task = here.new("Fix routing")
        self.execution: str = here.json("start", self.task)["execution"]["id"]

    def git(self, *args: str, check: bool = True) -> str:
        return self._git(self.program.folder, *args, check=check)

    def commit(self, name: str, *args: str, text: str = "") -> str:
        """Commit a file here by git alone; its subject is its name."""
        return self._commit(self.program.folder, name, text, *args)

    def others(self, *names: str, text: str = "") -> None:
        """Others commit and push files."""
        for name in names:
            self._commit(self.there, name, text)
        self._git(self.there, "push", "-q")

    def _commit(self, folder: Path, name: str, text: str, *args: str) -> str:
        self._seconds += 60
        (folder / name).write_text(text or name)
        self._git(folder, "add", name)
        date = f"{self._seconds} +0000"
        self._git(folder, "commit", "-q", "--date", date, "-m", name, *args)
        return self._git(folder, "rev-parse", "HEAD")

    def handoff(self) -> dict[str, Any]:
        made: dict[str, Any] = self.program.json("handoff", self.task, *PARTS)["handoff"]
        return made

    def named(self) -> tuple[list[str], dict[str, str]]:
        """The subjects and files that a handoff names now."""
        made = self.handoff()
        files = {one["path"]: one["what"] for one in made["changed"]}
        return [one["subject"] for one in made["commits"]], files

    def where(self) -> dict[str, str]:
        found = self.program.json("where", self.task)["where"]["commits"]
        return {one["subject"]: one["state"] for one in found}


@pytest.fixture
def shared(clones: Callable[[int], list[Path]], git: Git) -> Shared:
    here, there = clones(2)
    return Shared(Program(here), there, git)


MINE = (["mine", "too"], {"mine": "added", "too": "added"})


def pull_rebase(shared: Shared) -> None:
    shared.git("pull", "-q", "--rebase")


def pull_merge(shared: Shared) -> None:
    shared.git("pull", "-q", "--no-rebase", "--no-edit")


def cherry_pick(shared: Shared) -> None:
    shared.git("fetch", "-q")
    shared.git("switch", "-q", "-c", "fresh", "--no-track", "origin/main")
    shared.git("cherry-pick", "main~1", "main")


def squash_and_split(shared: Shared) -> None:
    """All is made one commit on top of the others', and then two."""
    shared.git("fetch", "-q")
    shared.git("switch", "-q", "-c", "fresh", "--no-track", "origin/main")
    shared.git("merge", "-q", "--squash", "main")
    shared.git("reset", "-q")
    for name in ("mine", "too"):
        shared.git("add", name)
        shared.git("commit", "-qm", name)


def rebase_interactively(shared: Shared) -> None:
    shared.commit("mine", "--fixup", "HEAD~1", text="better")
    shared.git("fetch", "-q")
    shared.git("-c", "sequence.editor=:", "rebase", "-q", "-i", "--autosquash", "origin/main")


@pytest.mark.parametrize(
    "how", [pull_rebase, pull_merge, cherry_pick, squash_and_split, rebase_interactively]
)
@pytest.mark.parametrize("pushed", [False, True], ids=["", "pushed"])
def test_only_its_own_work(shared: Shared, how: Callable[[Shared], None], pushed: bool) -> None:
    shared.commit("mine")
    shared.commit("too")
    shared.others("theirs", "more")
    how(shared)
    if pushed:
        shared.git("push", "-q", "origin", "HEAD")
    assert shared.named() == MINE
    assert shared.where() == {"mine": "here", "too": "here"}


def test_what_is_not_named_is_said(shared: Shared) -> None:
    shared.commit("mine")
    shared.others("theirs", "more")
    pull_rebase(shared)
    said = shared.program("handoff", shared.task, *PARTS).err
    assert "commits of others since the start: 2; of those named, 1 only by a guess" in said


def test_an_amended_one_after_a_rebase(shared: Shared) -> None:
    shared.commit("mine")
    shared.others("theirs")
    pull_rebase(shared)
    shared.git("commit", "-q", "--amend", "-m", "better")
    shared.others("more")
    pull_rebase(shared)
    assert shared.named() == (["better"], {"mine": "added"})


def test_a_rebase_with_conflicts(shared: Shared) -> None:
    shared.commit("code.txt", text="mine")
    shared.others("code.txt", "theirs", text="theirs")
    shared.git("pull", "-q", "--rebase", check=False)
    shared.program.folder.joinpath("code.txt").write_text("both")
    shared.git("add", "code.txt")
    shared.git("-c", "core.editor=:", "rebase", "--continue")
    assert shared.named() == (["code.txt"], {"code.txt": "changed"})


def test_others_on_top_of_ones_own(shared: Shared) -> None:
    """Then no two commits have all of it between them: each file is as its own commits say."""
    shared.commit("mine")
    shared.commit("gone")
    shared.git("rm", "-q", "gone")
    shared.git("commit", "-qm", "remove")
    shared.git("push", "-q")
    shared._git(shared.there, "pull", "-q")
    shared.others("theirs")
    pull_rebase(shared)
    shared.commit("too")
    made = shared.handoff()
    assert [one["subject"] for one in made["commits"]] == ["mine", "gone", "remove", "too"]
    assert made["changed"] == [{"path": n, "what": "added"} for n in ("mine", "too")]
    assert made["patch_id"] is None


def test_the_patch_of_all_is_that_of_a_squash_beside_others(shared: Shared) -> None:
    shared.git("switch", "-q", "-c", "topic")
    shared.commit("mine")
    shared.commit("too")
    shared.others("theirs")
    shared.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    assert shared.named() == MINE
    shared.git("switch", "-q", "-c", "landed", "--no-track", "origin/main")
    shared.git("merge", "-q", "--squash", "topic")
    shared.git("commit", "-qm", "All of it")
    shared.git("branch", "-q", "-D", "topic", "main")
    assert shared.where() == {"mine": "squashed", "too": "squashed"}


def test_what_was_there_before_the_start_is_not_its_own(shared: Shared) -> None:
    shared.commit("earlier")
    shared.program("release", shared.task)
    shared.program("start", shared.task)
    shared.commit("mine")
    shared.others("theirs")
    pull_rebase(shared)
    assert shared.named() == (["mine"], {"mine": "added"})


def test_a_commit_of_before_the_start_that_was_amended(shared: Shared) -> None:
    shared.commit("earlier")
    shared.program("release", shared.task)
    shared.program("start", shared.task)
    (shared.program.folder / "mine").write_text("mine")
    shared.git("add", "mine")
    shared.git("commit", "-q", "--amend", "--no-edit")
    assert shared.named()[0] == ["earlier"]


def test_a_branch_of_before_the_start(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", LONG_AGO)
    shared.git("switch", "-q", "-c", "topic")
    shared.commit("earlier")
    shared.git("switch", "-q", "main")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    shared.git("merge", "-q", "--no-ff", "--no-edit", "topic")
    shared.commit("mine")
    assert shared.named() == (["mine"], {"mine": "added"})


def test_a_trailer_says_more_than_a_guess(shared: Shared) -> None:
    """Of another execution, although committed here; of this one, although committed there."""
    trailer = "Execution: 20261130t100411z-k3m9q2"
    shared.commit("not mine", "--trailer", trailer)
    shared._commit(shared.there, "mine", "", "--trailer", f"Execution: {shared.execution}")
    shared._git(shared.there, "push", "-q")
    pull_rebase(shared)
    assert shared.named() == (["mine"], {"mine": "added"})


def test_a_fix_of_others_that_was_brought_here(shared: Shared) -> None:
    shared._git(shared.there, "switch", "-q", "-c", "fix")
    shared._commit(shared.there, "fix", "")
    shared._git(shared.there, "push", "-q", "origin", "fix")
    shared.git("fetch", "-q")
    shared.git("cherry-pick", "origin/fix")
    assert shared.named() == (["fix"], {"fix": "added"})


def test_another_work_tree_of_the_same_repository(shared: Shared, tmp_path: Path) -> None:
    """What another agent commits beside, and what is merged of it, is another's."""
    shared.git("worktree", "add", "-q", "-b", "beside", str(tmp_path / "beside"))
    shared._commit(tmp_path / "beside", "theirs", "")
    shared.commit("mine")
    shared.git("merge", "-q", "--no-edit", "beside")
    assert shared.named() == (["mine"], {"mine": "added"})


class TestWithoutALog:
    """Where git keeps no log of HEAD, or the work was done in another clone."""

    def drop(self, shared: Shared) -> None:
        shared.git("reflog", "expire", "--expire=now", "--all")

    def test_what_no_other_branch_of_a_remote_has(self, shared: Shared) -> None:
        shared.git("switch", "-q", "-c", "topic")
        shared.commit("mine")
        shared.commit("too")
        shared.git("push", "-q", "origin", "topic")
        shared.others("theirs")
        shared.git("pull", "-q", "--rebase", "origin", "main")
        self.drop(shared)
        assert shared.named() == MINE

    def test_what_another_user_wrote(self, shared: Shared) -> None:
        shared.commit("mine")
        shared._git(shared.there, "config", "user.email", "other@example.org")
        shared.others("theirs")
        pull_rebase(shared)
        self.drop(shared)
        assert shared.named() == (["mine"], {"mine": "added"})

    def test_what_a_handoff_named_before(self, shared: Shared) -> None:
        shared.commit("mine")
        shared.handoff()
        shared.others("theirs")
        pull_rebase(shared)
        shared.git("config", "user.email", "another@example.org")
        self.drop(shared)
        assert shared.named() == (["mine"], {"mine": "added"})
