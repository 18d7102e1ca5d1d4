"""``commit``: git's own commit with trailers, the handoff beside it, and both pushed at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.acting import HANDOFF
from tests.conftest import Git
from tests.program import Program


class Work:
    """A repository whose current execution holds ``task``."""

    def __init__(self, program: Program, git: Git) -> None:
        self.program = program
        self.git = git
        self.task = program.new("Fix routing")
        self.execution: str = program.json("start", self.task)["execution"]["id"]

    def edit(self, text: str) -> None:
        (self.program.folder / "code.txt").write_text(text)

    def run(self, *args: str) -> str:
        return self.git(self.program.folder, *args)

    @property
    def head(self) -> str:
        return self.run("rev-parse", "HEAD")

    @property
    def message(self) -> str:
        return self.run("log", "-1", "--format=%B")

    @property
    def trailers(self) -> str:
        return f"Task: {self.task}\nExecution: {self.execution}"


@pytest.fixture
def work(gittask: Program, git: Git) -> Work:
    return Work(gittask, git)


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_trailers(work: Work) -> None:
    work.edit("two")
    made = work.program("commit", work.task[:6], "-am", "Leave out closed depots", "-m", "Why")
    assert made.id == work.head
    assert work.message == f"Leave out closed depots\n\nWhy\n\n{work.trailers}"
    assert work.program.records("handoff") == []


def test_a_subject_that_looks_like_a_trailer(work: Work) -> None:
    work.edit("two")
    work.program("commit", "-am", "Task: fix it")
    assert work.message == f"Task: fix it\n\n{work.trailers}"


def test_the_task_is_that_of_the_current_execution(work: Work) -> None:
    work.edit("two")
    code = work.program.json("commit", "-am", "x")["code"]
    assert code == {"sha": work.head, "branch": "main", "task": work.task}


def test_amended_twice_it_says_each_trailer_once(work: Work) -> None:
    work.edit("two")
    work.program("commit", "-am", "one")
    work.program("commit", "--", "--amend", "--no-edit")
    work.program("commit", "-m", "two\n\nCo-authored-by: A <a@e.org>", "--", "--amend")
    assert work.message == f"two\n\nCo-authored-by: A <a@e.org>\n{work.trailers}"


def test_what_the_user_configured_of_trailers_changes_nothing(work: Work) -> None:
    work.run("config", "trailer.task.key", "Task #")
    work.run("config", "trailer.ifexists", "doNothing")
    work.edit("two")
    work.program("commit", "-am", "x\n\nTask: other")
    assert work.message == f"x\n\nTask: other\n{work.trailers}"


def test_everything_after_the_dashes_is_gits(work: Work, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("From a file\n")
    (work.program.folder / "new.txt").write_text("x")
    work.edit("not committed")
    work.run("add", "new.txt")
    date = "2020-01-01T00:00:00Z"
    work.program("commit", "--", "-F", str(tmp_path / "text"), "--date", date, "--signoff")
    assert work.message.startswith("From a file\n\n")
    assert "Signed-off-by: Ann" in work.message
    assert work.trailers in work.message
    assert work.run("log", "-1", "--format=%as") == "2020-01-01"
    assert work.run("status", "--porcelain") == "M code.txt"


def test_a_relative_path_is_relative_to_the_caller(work: Work) -> None:
    folder = work.program.folder / "sub"
    folder.mkdir()
    (folder / "a.txt").write_text("x")
    work.run("add", ".")
    work.edit("staged too")
    work.run("add", ".")
    Program(folder)("commit", "-m", "only a", "--", "--", "a.txt")
    assert work.run("show", "--name-only", "--format=") == "sub/a.txt"


def test_the_repository_is_the_one_around_whatever_a_hook_exports(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.run("init", "-q", str(tmp_path / "other"))
    work.edit("two")
    with monkeypatch.context() as exported:
        exported.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
        exported.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
        exported.setenv("GIT_INDEX_FILE", str(tmp_path / "other" / "index"))
        made = work.program("commit", "-am", "x")
    assert made.id == work.head
    assert work.run("status", "--porcelain") == ""
    assert work.run("-C", str(tmp_path / "other"), "for-each-ref") == ""


def test_gits_exit_code_and_nothing_recorded(work: Work) -> None:
    before = work.program.records("handoff"), work.head
    error = work.program("commit", "-m", "x", *HANDOFF, "--json", code=1).error
    assert error["code"] == "not_committed"
    assert error["message"] == "git commit ended with exit code 1"
    work.program("commit", "-m", "x", "--", "--no-such-option", code=129)
    assert (work.program.records("handoff"), work.head) == before


def test_the_users_hooks_run_and_may_refuse(work: Work) -> None:
    hooks = work.program.folder / ".git" / "hooks"
    script(hooks / "commit-msg", 'echo "$GITTASK_EXECUTION" > said; cat "$1" >> said; exit 3')
    work.edit("two")
    work.program("commit", "-am", "x", code=1)
    said = (work.program.folder / "said").read_text()
    assert said == f"{work.execution}\nx\n\n{work.trailers}\n"


class TestEditor:
    """Without ``-m`` the user's own editor is called."""

    def write(self, tmp_path: Path, text: str) -> str:
        return str(script(tmp_path / "editor", text))

    def test_a_message(self, work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GIT_EDITOR", self.write(tmp_path, 'sed -i.x "1s/^/Written/" "$1"'))
        work.edit("two")
        work.program("commit", "-a", "--", "-v")
        assert work.message == f"Written\n\n{work.trailers}"

    def test_left_without_a_word(
        self, work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GIT_EDITOR", self.write(tmp_path, "exit 0"))
        work.edit("two")
        before = work.head
        work.program("commit", "-a", code=1)
        assert work.head == before

    def test_that_fails(self, work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GIT_EDITOR", self.write(tmp_path, "exit 5"))
        work.edit("two")
        work.program("commit", "-a", code=1)


def test_an_older_git(work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.environ["PATH"]
    old = (
        'case " $* " in *" --trailer "*) case " $* " in *interpret-trailers*) ;; '
        "*) exit 129 ;; esac ;; esac\n"
        'if [ "$5" = version ]; then echo git version 2.30.2; exit; fi\n'
        f'PATH="{real}" exec git "$@"'
    )
    (tmp_path / "bin").mkdir()
    script(tmp_path / "bin" / "git", old)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{real}")
    work.edit("two")
    work.program("commit", "-am", "x", "-m", "Co-authored-by: A <a@e.org>")
    assert work.message == f"x\n\nCo-authored-by: A <a@e.org>\n{work.trailers}"
    error = work.program("commit", "--json", "--", "--amend", "--no-edit", code=2).error
    assert "git before 2.32" in error["message"]


class TestHandoff:
    """The record of the commit, in the same call."""

    def test_it_names_the_new_commit(self, work: Work) -> None:
        work.edit("two")
        document = work.program.json(
            "commit", work.task, "-am", "Two", *HANDOFF[:4], *HANDOFF[6:], "--run", "git status"
        )
        handoff = document["handoff"]
        (commit,) = handoff["commits"]
        assert (commit["sha"], commit["subject"], commit["branch"]) == (work.head, "Two", "main")
        assert commit["patch_id"] == handoff["patch_id"]
        assert commit["at"] == work.run(
            "log", "-1", "--date=format:%Y-%m-%dT%H:%M:%S.000Z", "--format=%ad"
        )
        assert handoff["workspace"]["head"] == work.head
        assert handoff["verified"][0]["commit"] == work.head
        assert handoff["changed"] == [{"path": "code.txt", "what": "changed"}]
        assert f"Code-Commit: {work.head}" in work.run("log", "-1", "--format=%B", "gittask")

    def test_from_a_file(self, work: Work, tmp_path: Path) -> None:
        file = tmp_path / "handoff.yaml"
        file.write_text(
            "condition: green\nsummary: Done\nverified: []\nnot_verified: []\nuncertain: []\n"
            "next_action: {do: look, by: ann}\n"
        )
        work.edit("two")
        work.program("commit", "-am", "Two", "--handoff", str(file))
        (handoff,) = work.program.records("handoff")
        assert (handoff["summary"], handoff["commits"][0]["sha"]) == ("Done", work.head)

    @pytest.mark.parametrize(
        ("args", "code"),
        [
            (["--condition", "green"], 5),
            ([*HANDOFF, "--decision", "20261130t100411z-k3m9q2"], 5),
            ([*HANDOFF, "--kind", "progress", "--close", "done"], 2),
        ],
    )
    def test_what_would_be_refused_commits_nothing(
        self, work: Work, args: list[str], code: int
    ) -> None:
        work.edit("two")
        before = work.head, work.run("rev-parse", "gittask")
        work.program("commit", "-am", "Two", *args, code=code)
        assert (work.head, work.run("rev-parse", "gittask")) == before

    def test_a_check_that_fails_leaves_the_commit(self, work: Work) -> None:
        work.edit("two")
        call = ["commit", "-am", "Two", *HANDOFF, "--run", "exit 3", "--json"]
        error = work.program(*call, code=5).error
        assert f"the code is committed as {work.head[:12]}" in error["message"]
        assert "the check 'exit 3' ended with exit code 3" in error["message"]
        assert error["hint"].endswith(f"gittask handoff {work.task} ...")
        assert work.message.startswith("Two")
        assert work.program.records("handoff") == []

    def test_a_repeated_call(self, work: Work) -> None:
        work.edit("two")
        call = ["commit", "-am", "Two", *HANDOFF, "--idempotency-key", "k"]
        first = work.program.json(*call)
        again = work.program.json(*call)
        assert again["handoff"] == first["handoff"]
        assert (again["code"], again["commit"]) == (None, None)
        assert first["code"]["sha"] == work.head

    def test_no_commit_no_handoff(self, work: Work) -> None:
        work.edit("two")
        error = work.program("commit", "-a", *HANDOFF, "--json", "--", "--dry-run", code=4).error
        assert "git made no commit" in error["message"]
        assert work.program.json("commit", "-a", "--", "--dry-run")["code"] is None
        assert work.program.records("handoff") == []


def test_who_has_no_execution_commits_nothing(gittask: Program, git: Git) -> None:
    task = gittask.new()
    (gittask.folder / "code.txt").write_text("two")
    before = git(gittask.folder, "rev-parse", "HEAD")
    for call in (["commit", task, "-am", "x"], ["commit", "-am", "x"]):
        assert "gittask start" in gittask(*call, "--json", code=3).error["hint"]
    execution = gittask.json("start", task)["execution"]["id"]
    gittask("release", task)
    call = ["commit", task, "-am", "x", "--execution", execution, "--json"]
    assert "has ended: declined" in gittask(*call, code=4).error["message"]
    assert git(gittask.folder, "rev-parse", "HEAD") == before


def test_whoever_lost_the_task_is_told(work: Work) -> None:
    work.program("takeover", work.task, "--reason", "It is silent", "--as", "codex-1")
    work.edit("two")
    call = ["commit", work.task, "-am", "x", "--as", "ann", "--execution", work.execution]
    said = work.program(*call)
    assert f"no longer holds task {work.task}" in said.err
    assert work.trailers in work.message


def test_the_record_is_the_agents_and_the_code_is_whose_git_it_is(work: Work) -> None:
    work.program("takeover", work.task, "--reason", "Its turn", "--as", "codex-1")
    work.edit("two")
    work.program("commit", work.task, "-am", "Two", *HANDOFF, "--as", "codex-1")
    assert work.run("log", "-1", "--format=%an <%ae>") == "Ann <ann@example.org>"
    assert work.run("log", "-1", "--format=%an %cn", "gittask") == "codex-1 Ann"
    (handoff,) = work.program.records("handoff")
    assert handoff["actor"] == "codex-1"
    assert f"Execution: {handoff['execution']}" in work.message


class TestPush:
    """``--push``: the code and the tasks arrive together, or neither does."""

    @pytest.fixture
    def pair(self, clones: Callable[[int], list[Path]], git: Git) -> tuple[Work, Program]:
        one, two = (Program(folder) for folder in clones(2))
        one("init")
        one("sync")
        two("init")
        work = Work(one, git)
        work.edit("two")
        return work, two

    def tips(self, git: Git, bare: Path) -> str:
        return git(bare, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")

    def both(self, work: Work) -> str:
        refs = ("refs/heads/gittask", "refs/heads/main")
        return "\n".join(f"{ref} {work.run('rev-parse', ref)}" for ref in refs)

    def test_both(self, pair: tuple[Work, Program], git: Git, bare: Path) -> None:
        work, two = pair
        pushed = work.program.json("commit", "-am", "Two", *HANDOFF, "--push")["pushed"]
        assert (pushed["remote"], pushed["ref"]) == ("origin", "refs/heads/main")
        assert (pushed["code"], pushed["tip"]) == (work.head, work.run("rev-parse", "gittask"))
        assert self.tips(git, bare) == self.both(work)
        assert work.run("rev-parse", "origin/gittask", "origin/main").split() == [
            *(pushed["tip"], pushed["code"])
        ]
        two("sync")
        assert two.records("handoff")[0]["commits"][0]["sha"] == work.head
        assert work.program("sync").out.startswith("up to date")

    def test_after_tasks_that_others_pushed(
        self, pair: tuple[Work, Program], git: Git, bare: Path
    ) -> None:
        work, two = pair
        other = two.new("Other")
        two("sync")
        work.program("commit", "-am", "Two", "--push")
        assert self.tips(git, bare) == self.both(work)
        assert work.program.task(other)["title"] == "Other"

    def test_others_who_come_first_every_time(
        self, pair: tuple[Work, Program], git: Git, bare: Path
    ) -> None:
        work, two = pair
        two.new("First")
        two("sync")
        hook = work.program.folder / ".git" / "hooks" / "pre-push"
        race = (
            f'test -f "{bare}/raced" || {{ touch "{bare}/raced"; '
            f'git -C "{two.folder}" push -q origin gittask; }}'
        )
        two.new("Second")
        script(hook, race)
        work.program("commit", "-am", "Two", *HANDOFF, "--push")
        assert (bare / "raced").exists()
        assert self.tips(git, bare) == self.both(work)
        assert {one["title"] for one in work.program.records("task")} == {
            *("First", "Second", "Fix routing")
        }

    def test_code_that_is_behind(self, pair: tuple[Work, Program], git: Git, bare: Path) -> None:
        work, two = pair
        git(two.folder, "commit", "-q", "--allow-empty", "-m", "theirs")
        git(two.folder, "push", "-q", "origin", "main")
        before = self.tips(git, bare)
        error = work.program("commit", "-am", "Two", *HANDOFF, "--push", "--json", code=6).error
        assert "refs/heads/main of 'origin' has commits that are not here" in error["message"]
        assert "the handoff" in error["message"]
        assert "git pull" in error["hint"]
        assert error["retryable"] is False
        assert self.tips(git, bare) == before
        assert len(work.program.records("handoff")) == 1

    def test_a_pre_push_hook_refuses_both(
        self, pair: tuple[Work, Program], git: Git, bare: Path
    ) -> None:
        work, _ = pair
        hook = work.program.folder / ".git" / "hooks" / "pre-push"
        script(hook, "cat > pushed; echo not today >&2; exit 1")
        before = self.tips(git, bare)
        error = work.program("commit", "-am", "Two", *HANDOFF, "--push", "--json", code=6).error
        assert "not today" in error["message"]
        assert self.tips(git, bare) == before
        pushed = (work.program.folder / "pushed").read_text()
        assert {line.split()[2] for line in pushed.splitlines()} == {
            *("refs/heads/main", "refs/heads/gittask")
        }

    def test_a_remote_that_cannot(self, pair: tuple[Work, Program], git: Git, bare: Path) -> None:
        work, _ = pair
        git(bare, "config", "receive.advertiseAtomic", "false")
        before = self.tips(git, bare)
        error = work.program("commit", "-am", "Two", "--push", "--json", code=6).error
        assert "cannot take two branches at once" in error["message"]
        assert "one after the other: git push origin" in error["hint"]
        assert self.tips(git, bare) == before

    def test_the_remote_refuses_one_of_them(
        self, pair: tuple[Work, Program], git: Git, bare: Path
    ) -> None:
        work, _ = pair
        script(bare / "hooks" / "update", '[ "$1" != refs/heads/gittask ]')
        before = self.tips(git, bare)
        work.program("commit", "-am", "Two", *HANDOFF, "--push", code=6)
        assert self.tips(git, bare) == before

    def test_a_store_that_the_remote_does_not_have_yet(
        self, clones: Callable[[int], list[Path]], git: Git, bare: Path
    ) -> None:
        one = Program(clones(1)[0])
        one("init")
        task = one.new()
        one("start", task, "--offline")
        one("commit", "-m", "Two", "--push", "--", "--allow-empty")
        assert git(bare, "rev-parse", "gittask") == git(one.folder, "rev-parse", "gittask")
        assert git(bare, "rev-parse", "main") == git(one.folder, "rev-parse", "main")

    def test_an_empty_remote(self, work: Work, tmp_path: Path) -> None:
        empty = tmp_path / "empty.git"
        work.run("init", "-q", "--bare", str(empty))
        work.run("remote", "add", "origin", str(empty))
        call = ["commit", "-m", "Two", "--push", "--json", "--", "--allow-empty"]
        error = work.program(*call, code=6).error
        assert f"the code is committed as {work.head[:12]}" in error["message"]
        assert "push your code first" in error["hint"]

    @pytest.mark.parametrize("key", ["branch.main.pushRemote", "remote.pushDefault"])
    def test_two_remotes(self, pair: tuple[Work, Program], key: str, bare: Path) -> None:
        work, _ = pair
        before = work.head
        work.run("remote", "add", "fork", str(bare))
        work.run("config", key, "fork")
        error = work.program("commit", "-am", "Two", "--push", "--json", code=4).error
        assert "is pushed to 'fork' and the tasks to 'origin'" in error["message"]
        assert work.head == before

    def test_no_branch_is_checked_out(self, pair: tuple[Work, Program]) -> None:
        work, _ = pair
        work.run("checkout", "-q", "--detach")
        before = work.head
        work.program("commit", "-am", "Two", "--push", code=4)
        assert work.head == before

    def test_a_new_branch_and_one_of_another_name(
        self, pair: tuple[Work, Program], git: Git, bare: Path
    ) -> None:
        work, _ = pair
        work.run("switch", "-q", "-c", "topic")
        work.program("commit", "-am", "Two", "--push")
        assert git(bare, "rev-parse", "topic") == work.head
        work.run("config", "push.default", "upstream")
        work.run("branch", "-q", "--set-upstream-to=origin/main")
        work.edit("three")
        work.program("commit", "-am", "Three", "--push")
        assert git(bare, "rev-parse", "main") == work.head != git(bare, "rev-parse", "topic")


def test_no_remote(work: Work) -> None:
    work.edit("two")
    before = work.head
    assert (
        "no remote"
        in work.program("commit", "-am", "x", "--push", "--json", code=6).error["message"]
    )
    assert work.head == before
