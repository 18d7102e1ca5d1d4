"""What a commit is judged against: its parents, what merging them gives, and what came before."""

from __future__ import annotations

from pathlib import Path

import pytest

from gittask.judging.lineage import trailers
from gittask.judging.verify import Finding, verify
from gittask.store.objects import Objects
from gittask.store.packaged import schemas
from gittask.store.repo import Repo
from gittask.store.treemerge import merge_commits
from tests.branch import commit_to
from tests.conftest import Git
from tests.forging import ANN, CLAUDE, CODEX, GITTASK, Story, findings, told
from tests.memory import NOW
from tests.program import Program
from tests.stored import session


@pytest.fixture
def story(repo: Path) -> Story:
    program = Program(repo)
    program("init")
    return Story(program)


class Lines:
    """Lines of history beside each other in one repository, each named by its tip."""

    def __init__(self, story: Story, git: Git) -> None:
        self.story = story
        self.folder = story.folder
        self._git = git

    @property
    def tip(self) -> str:
        return self._git(self.folder, "rev-parse", "gittask")

    def go(self, commit: str) -> None:
        self._git(self.folder, "update-ref", "refs/heads/gittask", commit)

    def set(self, commit: str, *words: str) -> str:
        """Set fields of the task on top of a commit, by the program; returns the commit."""
        self.go(commit)
        self.story.gittask("set", self.story.task, *words)
        return self.tip

    def merged(self, ours: str, theirs: str) -> str:
        """A merge as a sync makes it."""
        repo = Repo.discover(self.folder)
        tree = merge_commits(repo, schemas(), ours, theirs).tree
        return repo.create_commit(tree, [ours, theirs], GITTASK, ANN, "merge: x\n")


WHY = "one\ntwo\nthree\nfour\nfive\nsix\nseven"


@pytest.fixture
def lines(story: Story, git: Git) -> Lines:
    story.gittask("set", story.task, f"why={WHY}")
    return Lines(story, git)


def test_crossed_merges_of_one_text(lines: Lines) -> None:
    base = lines.tip
    one = lines.set(base, "why=" + WHY.replace("one", "ONE"))
    two = lines.set(base, "why=" + WHY.replace("seven", "SEVEN"))
    left, right = lines.merged(one, two), lines.merged(two, one)
    left = lines.set(left, "why=" + WHY.replace("one", "ONE").replace("seven", "SEVEN!"))
    right = lines.set(right, "why=" + WHY.replace("one", "ONE?").replace("seven", "SEVEN"))
    lines.go(lines.merged(left, right))
    assert findings(lines.folder) == []
    assert lines.story.gittask.task(lines.story.task)["why"].startswith("ONE?\ntwo")


def test_a_merge_of_three(lines: Lines, git: Git) -> None:
    base = lines.tip
    tips = [lines.set(base, word) for word in ("title=One", "priority=0", "labels+=x")]
    git(lines.folder, "config", "user.email", "else@example.org")
    third = lines.merged(lines.merged(*tips[:2]), tips[2])
    parents = [word for tip in tips for word in ("-p", tip)]
    made = git(lines.folder, "commit-tree", f"{third}^{{tree}}", *parents, "-m", "merge")
    assert told(lines.folder, f"{base}..{made}") == []
    lost = git(lines.folder, "commit-tree", f"{base}^{{tree}}", *parents, "-m", "merge")
    assert told(lines.folder, f"{base}..{lost}") != []


def broken(lines: Lines) -> str:
    """A merge with the text of a conflict in it, of a claim and a newer one; returns its id."""
    story = lines.story
    story.start()
    base = lines.tip
    story.gittask("close", story.task, *CODEX)
    stale = lines.tip
    lines.go(base)
    story.gittask("takeover", story.task, "--reason", "It is silent", *CLAUDE)
    repo = Repo.discover(lines.folder)
    path = schemas().path("task", story.task)
    whole = merge_commits(repo, schemas(), stale, lines.tip).tree
    tree = repo.write_tree(whole, {path: b"<<<<<<< ours\n"})
    made = repo.create_commit(tree, [stale, lines.tip], ANN, ANN, "merge\n")
    lines.go(made)
    return made


@pytest.mark.parametrize(("status", "epoch", "found"), [("active", 2, 0), ("done", 1, 1)])
def test_mending_a_broken_merge(lines: Lines, status: str, epoch: int, found: int) -> None:
    made = broken(lines)
    repo = Repo.discover(lines.folder)
    path = schemas().path("task", lines.story.task)
    side = {"active": f"{made}^2", "done": f"{made}^1"}[status]
    entry = repo.lookup(repo.resolve(side), path)
    assert entry
    commit_to(repo, made, {path: repo.blob(entry.id)}, ANN, ANN, "mended\n")
    errors = told(lines.folder, f"{made}..")
    assert len(errors) == found
    assert all(f"({status}, epoch {epoch}, " in error for error in errors)
    assert len(told(lines.folder, f"{made}~..{made}")) == 1


def test_a_commit_whose_parents_are_missing_cannot_be_judged(
    lines: Lines, tmp_path: Path, git: Git
) -> None:
    shallow = tmp_path / "shallow"
    url = f"file://{lines.folder}"
    git(tmp_path, "clone", "-q", "--depth=1", "--branch=gittask", url, str(shallow))
    (found,) = verify(session(shallow), "..gittask", NOW).errors
    assert found.problem.message == "cannot be judged: its parents are not here"
    assert "--unshallow" in found.problem.hint
    git(shallow, "fetch", "-q", "--unshallow")
    assert verify(session(shallow), "..gittask", NOW).errors == []


def test_only_what_a_range_changed_is_opened(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        lines.story.gittask.new(f"Task {number}")
    lines.story.note()
    opened: list[str] = []

    def blob(repo: Repo, id: str) -> bytes:
        opened.append(id)
        return Objects.blob(repo, id)

    monkeypatch.setattr(Repo, "blob", blob)
    assert findings(lines.folder, "gittask~1..") == []
    assert 0 < len(set(opened)) < 6  # the note, its actor, task and execution, and the store


def test_findings_name_their_rule(lines: Lines) -> None:
    lines.story.note()
    lines.story.commit({"note": None}, ANN)
    (found,) = findings(lines.folder)
    assert isinstance(found, Finding)
    assert found.as_json()["rule"] == found.rule == "removed"


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("new x: y\n\nTask: x\nActor: ann\n", {"Task": "x", "Actor": "ann"}),
        ("x\n\nActor: ann\nSigned-off-by: B <b@c>\n(cherry picked)\n", {"Actor": "ann"}),
        ("x\n\nActor: ann\n\nSigned-off-by: B <b@c>\n", {}),
        ("Actor: ann", {"Actor": "ann"}),
        ("x\n\nActor: ann\nActor: bob", {"Actor": "bob"}),
        ("", {}),
    ],
)
def test_trailers(message: str, found: dict[str, str]) -> None:
    assert trailers(message) == found
