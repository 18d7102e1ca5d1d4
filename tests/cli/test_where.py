"""``where``: a handoff's commits after all that git does to commits, in real repositories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.acting import HANDOFF
from tests.conftest import Git
from tests.program import Program

PARTS = (*HANDOFF[:4], *HANDOFF[6:])


class Code:
    """A task that is worked on, on the branch ``topic``; each commit is handed off by ``hand``."""

    def __init__(self, program: Program, git: Git) -> None:
        self.program = program
        self._git = git
        self.git("switch", "-q", "-c", "topic")
        self.task = program.new("Fix routing")
        self.execution: str = program.json("start", self.task)["execution"]["id"]
        self._seconds = 1_796_000_000

    def git(self, *args: str) -> str:
        return self._git(self.program.folder, *args)

    def date(self) -> str:
        """Dates one minute after another: commits within one second cannot be told by them."""
        self._seconds += 60
        return f"{self._seconds} +0000"

    def commit(self, name: str, text: str, subject: str) -> str:
        """Commit a file by ``gittask commit``; returns the commit."""
        (self.program.folder / name).write_text(text)
        self.git("add", name)
        self.program("commit", self.task, "-m", subject, "--", "--date", self.date())
        return self.git("rev-parse", "HEAD")

    def plain(self, name: str, text: str, subject: str, *args: str) -> str:
        """Commit a file by git alone."""
        (self.program.folder / name).write_text(text)
        self.git("add", name)
        self.git("commit", "-q", "-m", subject, "--date", self.date(), *args)
        return self.git("rev-parse", "HEAD")

    def hand(self) -> str:
        """Hand off what was committed since the start; returns the handoff."""
        return self.program("handoff", self.task, "--kind", "progress", *PARTS).id

    def main(self) -> None:
        """Go to ``main``, on which something else was committed meanwhile."""
        self.git("switch", "-q", "main")
        self.plain("main.txt", "meanwhile", "Meanwhile")

    def squashed(self, message: str) -> str:
        """Squash ``topic`` onto ``main`` as a host does, and drop the branch."""
        self.main()
        self.git("merge", "-q", "--squash", "topic")
        self.git("commit", "-q", "-m", message, "--date", self.date())
        self.git("branch", "-q", "-D", "topic")
        return self.git("rev-parse", "HEAD")

    def forget(self) -> None:
        """Let git drop every object that no branch or tag holds."""
        self.git("reflog", "expire", "--expire=now", "--all")
        self.git("gc", "-q", "--prune=now")

    def where(self, record: str | None = None) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.program.json("where", record or self.task)["where"][
            "commits"
        ]
        return found


@pytest.fixture
def code(gittask: Program, git: Git) -> Code:
    return Code(gittask, git)


def now(found: dict[str, Any]) -> tuple[str, list[str], list[str]]:
    """The state of a commit, by what it is known, and what stands for it."""
    return found["state"], found["how"], [seen["sha"] for seen in found["new"]]


def two(code: Code) -> tuple[str, str]:
    """Two commits, which are handed off."""
    commits = code.commit("a.txt", "one", "First"), code.commit("b.txt", "two", "Second")
    code.hand()
    return commits


class TestHere:
    def test_where_it_was(self, code: Code) -> None:
        first, second = two(code)
        one, other = code.where()
        assert now(one) == now(other) == ("here", ["id"], [])
        assert (one["sha"], other["sha"]) == (first, second)
        assert one["branches"] == ["topic"]
        assert one["execution"] == code.execution

    def test_on_several_branches_and_tags(self, code: Code) -> None:
        two(code)
        code.git("tag", "v1")
        code.git("switch", "-q", "main")
        code.git("merge", "-q", "topic")
        assert set(code.where()[0]["branches"]) == {"main", "topic", "v1"}

    def test_on_a_detached_head_only(self, code: Code) -> None:
        two(code)
        code.git("checkout", "-q", "--detach")
        code.git("branch", "-q", "-D", "topic")
        (one, _) = code.where()
        assert (one["state"], one["branches"]) == ("here", [])
        assert "here, on a detached HEAD" in code.program("where", code.task).out

    def test_taken_back(self, code: Code) -> None:
        two(code)
        code.git("revert", "--no-edit", "HEAD")
        revert = code.git("rev-parse", "HEAD")
        one, other = code.where()
        assert (one["reverted_by"], other["reverted_by"]) == ([], [revert])
        assert f"taken back by {revert[:12]}" in code.program("where", code.task).out
        code.git("revert", "--no-edit", "HEAD")
        assert code.where()[1]["reverted_by"] == []

    def test_named_by_several_handoffs(self, code: Code) -> None:
        first, _ = two(code)
        last = code.hand()
        assert [one["sha"] for one in code.where()].count(first) == 1
        assert len(code.where(last)) == 2

    def test_a_copy_elsewhere(self, code: Code) -> None:
        two(code)
        code.main()
        code.git("cherry-pick", "topic")
        copy = code.git("rev-parse", "HEAD")
        one, other = code.where()
        assert (now(one)[2], now(other)[2]) == ([], [copy])
        assert other["new"][0]["branches"] == ["main"]


class TestMoved:
    def test_amended_message(self, code: Code) -> None:
        first = code.commit("a.txt", "one", "First")
        code.hand()
        code.git("commit", "-q", "--amend", "-m", "No trailers any more")
        (one,) = code.where()
        assert now(one) == ("moved", ["patch"], [code.git("rev-parse", "HEAD")])
        assert one["sha"] == first

    def test_amended_content(self, code: Code) -> None:
        code.commit("a.txt", "one", "First")
        code.hand()
        (code.program.folder / "a.txt").write_text("changed")
        code.git("commit", "-qa", "--amend", "--no-edit")
        assert now(code.where()[0]) == (
            *("moved", ["trailer", "date"]),
            [code.git("rev-parse", "HEAD")],
        )

    def test_rebased(self, code: Code) -> None:
        two(code)
        code.main()
        code.git("rebase", "-q", "main", "topic")
        code.forget()
        new = code.git("rev-list", "--reverse", "main..topic").split()
        assert [now(one) for one in code.where()] == [
            ("moved", ["patch", "trailer", "date"], [sha]) for sha in new
        ]

    def test_rebased_with_conflicts(self, code: Code) -> None:
        code.commit("code.txt", "ours", "First")
        code.hand()
        code.git("switch", "-q", "main")
        code.plain("code.txt", "theirs", "Theirs")
        code.git("switch", "-q", "topic")
        code.git("rebase", "-q", "-X", "theirs", "main")
        assert now(code.where()[0]) == (
            *("moved", ["trailer", "date"]),
            [code.git("rev-parse", "HEAD")],
        )

    @pytest.mark.parametrize("options", [[], ["-x"]])
    def test_cherry_picked_without_trailers(self, code: Code, options: list[str]) -> None:
        first = code.plain("a.txt", "one", "First")
        code.hand()
        code.main()
        code.git("cherry-pick", *options, first)
        code.git("branch", "-q", "-D", "topic")
        how = ["patch", "message"] if options else ["patch"]
        assert now(code.where()[0]) == ("moved", how, [code.git("rev-parse", "HEAD")])


class TestSquashed:
    def test_by_git(self, code: Code) -> None:
        two(code)
        code.main()
        code.git("merge", "-q", "--squash", "topic")
        code.git("commit", "-q", "--no-edit")
        code.git("branch", "-q", "-D", "topic")
        code.forget()
        squash = code.git("rev-parse", "HEAD")
        assert [now(one) for one in code.where()] == [("squashed", ["patch of all"], [squash])] * 2

    def test_by_git_with_more_in_it(self, code: Code) -> None:
        two(code)
        code.plain("c.txt", "three", "Third")
        code.main()
        code.git("merge", "-q", "--squash", "topic")
        code.git("commit", "-q", "--no-edit")
        code.git("branch", "-q", "-D", "topic")
        squash = code.git("rev-parse", "HEAD")
        assert [now(one) for one in code.where()] == [("squashed", ["message"], [squash])] * 2

    def test_by_a_host_that_keeps_the_messages(self, code: Code) -> None:
        two(code)
        code.plain("c.txt", "three", "Third")
        trailers = f"Task: {code.task}\nExecution: {code.execution}"
        message = f"Routing (#12)\n\n* First\n\n{trailers}\n\n* Second\n\n{trailers}\n\n* Third"
        squash = code.squashed(message)
        assert [now(one) for one in code.where()] == [
            ("squashed", ["trailer", "subject"], [squash])
        ] * 2

    def test_by_a_host_that_keeps_the_title_only(self, code: Code) -> None:
        two(code)
        squash = code.squashed("Routing (#12)")
        code.forget()
        assert [now(one) for one in code.where()] == [("squashed", ["patch of all"], [squash])] * 2

    def test_one_commit_under_its_title(self, code: Code) -> None:
        code.commit("a.txt", "one", "First")
        code.hand()
        assert now(code.where()[0])[0] == "here"
        squash = code.squashed("First (#12)")
        assert now(code.where()[0]) == ("moved", ["patch"], [squash])

    def test_by_an_interactive_rebase(self, code: Code, monkeypatch: pytest.MonkeyPatch) -> None:
        two(code)
        monkeypatch.setenv("GIT_SEQUENCE_EDITOR", "sed -i.x '2s/^pick/squash/'")
        monkeypatch.setenv("GIT_EDITOR", "true")
        code.git("rebase", "-q", "-i", "main")
        new = code.git("rev-parse", "HEAD")
        found = code.where()
        assert [(one["state"], now(one)[2]) for one in found] == [("squashed", [new])] * 2


class TestGone:
    """What cannot be known is said to be gone, never guessed."""

    def gone(self, code: Code) -> list[dict[str, Any]]:
        found = code.where()
        assert [now(one) for one in found] == [("gone", [], [])] * len(found)
        return found

    def test_dropped(self, code: Code) -> None:
        first, _ = two(code)
        code.git("switch", "-q", "main")
        code.git("branch", "-q", "-D", "topic")
        one, _ = self.gone(code)
        assert (one["kept"], one["tips"]) == (True, {})
        said = code.program("where", code.task).out
        assert f"{first[:12]} First\n  gone: on no branch here" in said
        assert "its branch topic is gone too" in said
        assert f"git show {first[:12]}" in said
        code.forget()
        assert self.gone(code)[0]["kept"] is False
        assert "git show" not in code.program("where", code.task).out

    def test_its_branch_was_set_to_something_else(self, code: Code) -> None:
        two(code)
        code.git("reset", "-q", "--hard", "main")
        one, _ = self.gone(code)
        assert one["tips"] == {"topic": code.git("rev-parse", "main")}

    def test_another_commit_with_the_same_subject(self, code: Code) -> None:
        code.commit("a.txt", "one", "First")
        code.hand()
        code.git("reset", "-q", "--hard", "main")
        code.plain("other.txt", "something else", "First")
        self.gone(code)

    def test_another_commit_of_the_same_execution(self, code: Code) -> None:
        code.commit("a.txt", "one", "First")
        code.hand()
        code.git("reset", "-q", "--hard", "main")
        other = code.commit("other.txt", "something else", "First")
        (one,) = self.gone(code)
        assert [seen["sha"] for seen in one["others"]] == [other]
        assert f"its execution also committed {other[:12]}" in code.program("where", code.task).out

    def test_the_other_commit_of_the_same_handoff(self, code: Code) -> None:
        first, second = two(code)
        code.git("rebase", "-q", "--onto", "main", first)
        one, other = code.where()
        assert now(one) == ("gone", [], [])
        assert now(other)[0] == "moved"
        assert other["sha"] == second

    def test_empty_commits_are_not_alike(self, code: Code) -> None:
        code.program("commit", "-m", "Empty", "--", "--allow-empty", "--date", code.date())
        code.hand()
        code.git("reset", "-q", "--hard", "main")
        code.git("commit", "-q", "--allow-empty", "-m", "Another empty one", "--date", code.date())
        self.gone(code)

    def test_binary_files_are_not_alike(self, code: Code) -> None:
        code.commit("a.bin", "\0one", "First")
        code.hand()
        code.git("reset", "-q", "--hard", "main")
        code.plain("a.bin", "\0two", "Second")
        self.gone(code)

    def test_the_data_branch_under_another_name_is_no_code(self, code: Code) -> None:
        two(code)
        code.git("branch", "-q", "copy", "gittask")
        code.git("tag", "copied", "gittask")
        code.git("reset", "-q", "--hard", "main")
        assert all(one["others"] == [] for one in self.gone(code))


def test_in_a_fresh_clone(
    clones: Callable[[int], list[Path]], git: Git, bare: Path, tmp_path: Path
) -> None:
    (folder,) = clones(1)
    one = Program(folder)
    one("init")
    one("sync")
    code = Code(one, git)
    first, _ = two(code)
    git(folder, "push", "-q", "origin", "topic")
    squash = code.squashed("Routing (#12)")
    git(folder, "push", "-q", "origin", "main", ":topic")
    one("sync")
    git(bare, "gc", "-q", "--prune=now")
    git(tmp_path, "clone", "-q", f"file://{bare}", "fresh")
    fresh = Program(tmp_path / "fresh")
    found = fresh.json("where", code.task)["where"]
    assert [now(each) for each in found["commits"]] == [
        ("squashed", ["patch of all"], [squash])
    ] * 2
    assert found["commits"][0]["new"][0]["branches"] == ["main", "origin/main"]
    assert found["searched"]["complete"]
    assert git(tmp_path / "fresh", "cat-file", "-t", first, check=False) == ""


def test_a_shallow_clone_says_that_it_cannot_see_all(
    clones: Callable[[int], list[Path]], git: Git, bare: Path, tmp_path: Path
) -> None:
    (folder,) = clones(1)
    one = Program(folder)
    one("init")
    code = Code(one, git)
    two(code)
    code.main()
    code.git("merge", "-q", "--no-edit", "topic")
    code.plain("later.txt", "later", "Later")
    git(folder, "push", "-q", "origin", "main", "gittask")
    git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", f"file://{bare}", "fresh")
    fresh = Program(tmp_path / "fresh")
    found = fresh.json("where", code.task)["where"]
    assert found["searched"]["complete"] is False
    assert {each["state"] for each in found["commits"]} == {"gone"}
    assert "not all was searched" in fresh("where", code.task).out


def test_handoffs_of_before_dates_were_kept(code: Code) -> None:
    code.commit("a.txt", "one", "First")
    handoff = code.hand()
    path = f"tasks/{code.task[-2:]}/{code.task}/handoffs/{handoff}.yaml"
    (commit,) = code.program.records("handoff")[0]["commits"]
    del commit["at"]
    code.program.change(path, commits=[commit], patch_id=None)
    (code.program.folder / "a.txt").write_text("changed")
    code.git("commit", "-qa", "--amend", "--no-edit", "--reset-author")
    assert now(code.where()[0])[:2] == ("moved", ["trailer", "subject"])


def test_what_has_no_commits(code: Code) -> None:
    assert code.where() == []
    assert "names a commit" in code.program("where", code.task).err
    note = code.program("note", code.task, "x").id
    assert "is of kind note" in code.program("where", note, "--json", code=2).error["message"]
