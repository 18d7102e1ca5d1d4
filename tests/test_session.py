"""One action, one commit: decided again when the branch moved, refused whole or written whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gittask import session as session_module
from gittask.core.change import Act, Change
from gittask.core.record import Reader, Record
from gittask.errors import Contention, GittaskError, Invalid, Refused
from gittask.session import Outcome, Session, Writer
from gittask.store import lock
from gittask.store.packaged import schemas
from gittask.store.repo import Person, Repo
from tests.conftest import Git
from tests.memory import NOW, actor, event, task
from tests.program import Program, path_of
from tests.stored import write

ANN = Person("Ann", "ann@example.org", 1_800_000_000)
ACT = Act(actor="alice", person=True, at=NOW, entropy=lambda: b"0123456789abcdef")
ONE = task("abcd")

Run = Callable[..., Outcome]
"""``run(*records)``: write these records, by a decision that looks at nothing."""


@pytest.fixture
def filled(repo: Path) -> Session:
    write(repo, ONE, actor("alice"), actor("codex-1"))
    return Session(Repo.discover(repo), schemas())


def run(
    session: Session, *records: Record, act: Act = ACT, newcomer: Record | None = None
) -> Outcome:
    change = Change(records[0], records, "test", "x")
    return session.run(lambda _: change, act, Writer(ANN, ANN, newcomer))


def altered(record: Record, **fields: Any) -> Record:
    return Record(record.kind, record.id, {**record.data, **fields})


def test_one_action_is_one_commit(filled: Session) -> None:
    before = filled.repo.tip()
    outcome = run(filled, altered(ONE, title="Other"), event("note", "abcd", 5))
    assert filled.repo.tip() == outcome.commit
    assert filled.repo.commit_info(outcome.commit or "").parents == (before,)
    assert filled.reader().get("task", ONE.id) == outcome.change.main
    assert outcome.change.main.data["changed"] == {"title": f"1 {NOW} alice"}


def test_what_does_not_change_is_not_written(filled: Session) -> None:
    before = filled.repo.tip()
    assert run(filled, ONE).commit is None
    assert filled.repo.tip() == before


class TestMoved:
    """Somebody else commits between the snapshot and the write."""

    @pytest.fixture(autouse=True)
    def _without_waiting(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lock, "PATIENCE", 0)

    def elsewhere(self, session: Session, git: Git, number: int) -> None:
        """A commit by plain git, past all locks of ours."""
        folder, ref = session.repo.common_dir, session.repo.ref
        tree = git(folder, "rev-parse", f"{ref}^{{tree}}")
        text = git(folder, "commit-tree", tree, "-p", ref, "-m", f"elsewhere {number}")
        git(folder, "update-ref", ref, text)

    def test_it_is_decided_again(self, filled: Session, git: Git) -> None:
        seen: list[str | None] = []

        def decide(reader: Reader) -> Change:
            seen.append(filled.repo.tip())
            if len(seen) < 3:
                self.elsewhere(filled, git, len(seen))
            found = reader.get("task", ONE.id)
            assert found is not None
            title = altered(found, title=f"Decided {len(seen)} times")
            return Change(title, (title,), "test", "x")

        outcome = filled.run(decide, ACT, Writer(ANN, ANN))
        assert len(set(seen)) == len(seen) == 3
        assert outcome.change.main.data["title"] == "Decided 3 times"
        subjects = git(filled.repo.common_dir, "log", "--format=%s", "gittask").splitlines()
        assert subjects[1:3] == ["elsewhere 2", "elsewhere 1"]

    def test_it_may_be_refused_the_second_time(self, filled: Session, git: Git) -> None:
        calls: list[int] = []

        def decide(_: Reader) -> Change:
            calls.append(1)
            if len(calls) > 1:
                raise Refused("no longer")
            self.elsewhere(filled, git, 1)
            note = event("note", "abcd", 5)
            return Change(note, (note,), "test", "x")

        with pytest.raises(Refused):
            filled.run(decide, ACT, Writer(ANN, ANN))
        assert list(filled.reader().all("note")) == []

    def test_it_gives_up_some_time(
        self, filled: Session, git: Git, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(session_module, "ATTEMPTS", 3)
        calls: list[int] = []

        def decide(_: Reader) -> Change:
            calls.append(1)
            self.elsewhere(filled, git, len(calls))
            note = event("note", "abcd", 5)
            return Change(note, (note,), "test", "x")

        with pytest.raises(Contention, match="moved 3 times") as caught:
            filled.run(decide, ACT, Writer(ANN, ANN))
        assert caught.value.exit == 7
        assert len(calls) == 3


def test_all_problems_of_all_records_at_once(filled: Session) -> None:
    before = filled.repo.tip()
    with pytest.raises(Invalid) as caught:
        run(
            filled,
            altered(ONE, title="", priority=9),
            altered(event("note", "abcd", 5), body="\x1b"),
            altered(event("note", "abcd", 6), kind="gossip"),
        )
    fields = [problem.field for problem in caught.value.problems]
    assert fields == ["priority", "title", "body", "kind"]
    path = path_of(ONE.id)
    assert {problem.file for problem in caught.value.problems} == {path, ""}
    assert filled.repo.tip() == before


def test_references_must_lead_somewhere(filled: Session) -> None:
    with pytest.raises(Invalid) as caught:
        run(filled, altered(ONE, responsible="nobody", depends_on=["k3m9q2k3m9ff"]))
    assert {p.field: p.message for p in caught.value.problems} == {
        "responsible": "names the actor 'nobody', which does not exist",
        "depends_on.0": "names the task 'k3m9q2k3m9ff', which does not exist",
    }
    claim = event("execution", "abcd", 5)
    note = event("note", "abcd", 6, execution=claim.id)
    run(filled, claim, note)  # what the change itself adds is there


def test_an_actor_is_introduced_once(filled: Session) -> None:
    first, second = actor("zoe"), altered(actor("zoe"), name="Zoe again")
    act = Act(actor="zoe", person=True, at=NOW, entropy=lambda: b"0123456789abcdef")
    run(filled, altered(ONE, title="a"), act=act, newcomer=first)
    run(filled, altered(ONE, title="b"), act=act, newcomer=second)
    found = filled.reader().get("actor", "zoe")
    assert found is not None
    assert (found.data["name"], found.data["changed"]) == ("Zoe", {})


def test_the_first_write_in_a_fresh_clone(clones: Callable[[int], list[Path]], git: Git) -> None:
    one, two = (Program(folder) for folder in clones(2))
    one("init")
    task = one.new()
    git(one.folder, "push", "-q", "origin", "gittask")
    git(two.folder, "fetch", "-q")
    assert two.json("list")["total"] == 1
    assert git(two.folder, "branch", "--list", "gittask") == ""
    two("set", task, "title=From the clone")
    assert git(two.folder, "rev-parse", "gittask~1") == git(one.folder, "rev-parse", "gittask")


def test_no_write_touches_anything_of_the_user(gittask_in: Program, git: Git) -> None:
    folder = gittask_in.folder
    (folder / "staged.txt").write_text("staged\n")
    git(folder, "add", "staged.txt")
    (folder / "code.txt").write_text("changed\n")

    def theirs() -> list[object]:
        return [
            git(folder, "status", "--porcelain", "--ignored"),
            git(folder, "config", "--list", "--local"),
            git(folder, "rev-parse", "HEAD", "main"),
            git(folder, "reflog", "main"),
            git(folder, "stash", "list"),
            (folder / ".git" / "index").read_bytes(),
            sorted(path.name for path in (folder / ".git" / "hooks").iterdir()),
        ]

    before = theirs()
    task = gittask_in.new()
    for args in (["start"], ["report", "x"], ["release"], ["close"]):
        gittask_in(args[0], task, *args[1:])
    assert theirs() == before


@pytest.fixture
def gittask_in(repo: Path) -> Program:
    program = Program(repo)
    program("init")
    return program


def test_errors_are_of_the_tree() -> None:
    """Every error that a user may see says what, what next, and whether again helps."""
    codes: dict[str, int] = {}
    todo = [GittaskError]
    while todo:
        error = todo.pop()
        todo += error.__subclasses__()
        codes[error.code] = error.exit
        assert isinstance(error.retryable, bool)
    assert set(codes.values()) == set(range(1, 8))
