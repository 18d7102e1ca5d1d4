"""A stale holder's word that comes back by git alone: found, whichever way it came."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Git
from tests.forging import CLAUDE, CODEX, findings, told
from tests.program import Program


class Parted:
    """Two lines of one branch: a stale holder closed a task that another had taken over.

    ``newer`` and ``stale`` are the two tips; ``tree`` is where the branch is checked out.
    """

    def __init__(self, program: Program, git: Git) -> None:
        self.gittask = program
        self.folder = program.folder
        self.tree = program.folder.parent / "tree"
        self._git = git
        self.task = program.new()
        program("start", self.task, *CODEX)
        self.base = self.tip()
        program("close", self.task, "--outcome", "It works", *CODEX)
        self.stale = self.tip()
        self.set(self.base)
        program("takeover", self.task, "--reason", "It is silent", *CLAUDE)
        self.newer = self.tip()

    def tip(self) -> str:
        return self._git(self.folder, "rev-parse", "gittask")

    def set(self, commit: str) -> None:
        self._git(self.folder, "update-ref", "refs/heads/gittask", commit)

    def at(self, commit: str, *, driver: bool = False) -> None:
        """Check the branch out at a commit, to work with git alone, perhaps with our driver."""
        self.set(commit)
        self._git(self.folder, "worktree", "add", "-q", str(self.tree), "gittask")
        if not driver:
            self._git(self.folder, "config", "--remove-section", "merge.gittask")

    def git(self, *args: str, check: bool = True) -> str:
        return self._git(self.tree, *args, check=check)


@pytest.fixture
def parted(repo: Path, git: Git) -> Parted:
    program = Program(repo)
    program("init")
    return Parted(program, git)


@pytest.mark.parametrize(
    ("onto", "other", "how"),
    [
        ("newer", "stale", ("-X", "theirs")),
        ("stale", "newer", ("-X", "ours")),
        ("stale", "newer", ("-s", "ours")),
    ],
)
def test_by_a_plain_merge(parted: Parted, onto: str, other: str, how: tuple[str, ...]) -> None:
    parted.at(getattr(parted, onto))
    parted.git("merge", "-q", "--no-edit", *how, getattr(parted, other))
    found = [each for each in told(parted.folder, f"{parted.newer}..") if "merge: " in each]
    assert len(found) == 1
    assert found[0].startswith(
        "merge: state: is (done, epoch 1, held by nobody), but of what its parents have, "
        "(active, epoch 2, held by "
    )


def test_by_settling_a_text_conflict_wrongly(parted: Parted) -> None:
    parted.at(parted.stale)
    parted.git("merge", "-q", parted.newer, check=False)
    (file,) = parted.tree.glob("tasks/*/*/task.yaml")
    assert "<<<<<<<" in file.read_text("utf-8")
    parted.git("checkout", "--ours", str(file))
    file.write_text(file.read_text("utf-8").replace("epoch: 1", "epoch: 2"), "utf-8")
    parted.git("commit", "-qam", "settled")
    (found,) = told(parted.folder, f"{parted.newer}..")
    assert found.startswith("merge: state: is (done, epoch 2, held by nobody), but")


def test_by_rebase(parted: Parted) -> None:
    parted.at(parted.stale)
    parted.git("rebase", "-q", "-X", "theirs", parted.newer)
    found = told(parted.folder, f"{parted.newer}..")
    assert "allowed: state.epoch: goes from 2 to 1; it grows by one, with a claim" in found


def test_by_cherry_pick(parted: Parted) -> None:
    parted.at(parted.newer)
    parted.git("cherry-pick", "-X", "theirs", parted.stale)
    found = told(parted.folder, f"{parted.newer}..")
    assert "allowed: state.epoch: goes from 2 to 1; it grows by one, with a claim" in found


@pytest.mark.parametrize("swap", [False, True])
def test_by_a_merge_commit_made_by_hand(parted: Parted, swap: bool) -> None:
    parents = [parted.newer, parted.stale][:: -1 if swap else 1]
    options = [word for parent in parents for word in ("-p", parent)]
    parted.at(parted.newer)
    made = parted.git("commit-tree", f"{parted.stale}^{{tree}}", *options, "-m", "merge")
    rules = {each.partition(":")[0] for each in told(parted.folder, f"{parted.newer}..{made}")}
    assert rules == {"merge", "removed"}  # the newer execution is gone too


def test_an_ended_execution_does_not_come_back_by_a_merge(parted: Parted) -> None:
    parted.at(parted.newer)
    parted.git("merge", "-q", "--no-commit", "-X", "ours", parted.stale)
    parted.git("checkout", parted.base, "--", "tasks/*/*/executions/*")
    parted.git("commit", "-qam", "merge")
    (found,) = told(parted.folder, f"{parted.newer}..")
    assert found == "merge: state: is (claimed), but of what its parents have, (done) stands"


def test_who_merges_may_choose_what_describes(parted: Parted) -> None:
    parted.set(parted.base)
    parted.gittask("set", parted.task, "title=One", "--as", "ann")
    one = parted.tip()
    parted.set(parted.base)
    parted.gittask("set", parted.task, "title=Two", "--as", "ann")
    parted.gittask("set", parted.task, "title=Three", "--as", "ann")
    parted.at(parted.tip())
    parted.git("merge", "-q", "--no-edit", "-X", "theirs", one)
    parted.git(
        "-c", "user.email=x@y.example", "commit", "-q", "--amend", "--reset-author", "-m", "x"
    )
    assert parted.gittask.task(parted.task)["title"] == "One"
    assert findings(parted.folder) == []


def test_a_merge_is_no_way_to_add_what_nobody_may(parted: Parted) -> None:
    parted.at(parted.newer)
    parted.git("merge", "-q", "--no-commit", "-X", "ours", parted.stale)
    (file,) = parted.tree.glob("tasks/*/*/task.yaml")
    text = file.read_text("utf-8")
    file.write_text(text.replace("responsible: ann", "responsible: codex-1"), "utf-8")
    parted.git("-c", "user.email=x@y.example", "commit", "-qam", "merge")
    (found,) = told(parted.folder, f"{parted.newer}..")
    assert found == "author: : its author Ann <x@y.example> is no actor of this store"


def test_by_our_driver_it_comes_together_right(parted: Parted) -> None:
    parted.at(parted.stale, driver=True)
    parted.git("merge", "-q", "--no-edit", parted.newer)
    assert findings(parted.folder) == []
    assert parted.gittask.task(parted.task)["state"]["epoch"] == 2


def test_an_older_state_of_the_same_claim_is_only_remarked_on(parted: Parted) -> None:
    parted.set(parted.base)
    parted.gittask("note", parted.task, "Seen", *CODEX)
    parted.at(parted.tip())
    parted.git("merge", "-q", "--no-commit", parted.stale)
    parted.git("checkout", parted.base, "--", "tasks/*/*/task.yaml")
    parted.git("commit", "-qam", "merge")
    (found,) = findings(parted.folder, f"{parted.stale}..")
    assert (found.rule, found.error, found.problem.field) == ("older", False, "state")
