"""The hook that says the task in plain ``git commit``: put in, at work, and taken out again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gittask.store.hooks import Hooks, Wanted
from gittask.store.repo import Repo
from tests.conftest import Git
from tests.program import Program

Env = dict[str, str]
NAME = "prepare-commit-msg"
INSTALL = ("hook", "install", NAME)
UNINSTALL = ("hook", "uninstall", NAME)


class Plain:
    """A repository with the hook, whose current execution holds ``task``; git is called alone."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.folder = program.folder
        self.task = program.new()
        self.execution: str = program.json("start", self.task)["execution"]["id"]

    @property
    def trailers(self) -> str:
        return f"Task: {self.task}\nExecution: {self.execution}"

    def git(
        self, *args: str, code: int = 0, folder: Path | None = None, env: Env | None = None
    ) -> str:
        command = ["git", "-C", str(folder or self.folder), *args]
        environment = {**os.environ, **(env or {})}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == code, done.stderr
        return done.stdout.strip() + done.stderr.strip()

    def commit(
        self, *args: str, code: int = 0, folder: Path | None = None, env: Env | None = None
    ) -> str:
        """Commit, and return the message of the last commit."""
        self.git("commit", "-q", "--allow-empty", *args, code=code, folder=folder, env=env)
        return self.git("log", "-1", "--format=%B", folder=folder)


@pytest.fixture
def plain(gittask: Program) -> Plain:
    gittask(*INSTALL)
    return Plain(gittask)


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def state(folder: Path) -> dict[str, tuple[bytes | str, int]]:
    """All files of a folder: what they hold, and their modes."""
    return {
        path.name: (str(path.readlink()), 0)
        if path.is_symlink()
        else (path.read_bytes(), path.stat().st_mode)
        for path in folder.iterdir()
    }


class TestMessages:
    def test_a_message(self, plain: Plain) -> None:
        assert plain.commit("-m", "One") == f"One\n\n{plain.trailers}"
        assert plain.commit("-m", "One", "--no-verify") == f"One\n\n{plain.trailers}"

    @pytest.mark.parametrize("subject", ["Task: fix it", "Execution: faster", "Task: a1"])
    def test_a_subject_that_looks_like_a_trailer(self, plain: Plain, subject: str) -> None:
        assert plain.commit("-m", subject) == f"{subject}\n\n{plain.trailers}"
        assert plain.commit("--amend", "--no-edit") == f"{subject}\n\n{plain.trailers}"

    def test_beside_other_trailers(self, plain: Plain) -> None:
        said = plain.commit("-s", "-m", "One", "-m", "Co-authored-by: B <b@e.org>")
        lines = said.split("\n\n")[-1].splitlines()
        assert set(lines) >= {"Co-authored-by: B <b@e.org>", *plain.trailers.splitlines()}

    def test_amended_it_says_them_once(self, plain: Plain) -> None:
        plain.commit("-m", "One")
        assert plain.commit("--amend", "--no-edit") == f"One\n\n{plain.trailers}"
        assert plain.commit("--amend", "-m", "Two") == f"Two\n\n{plain.trailers}"
        assert plain.commit("-C", "HEAD") == f"Two\n\n{plain.trailers}"

    def test_by_gittask_it_says_them_once(self, plain: Plain) -> None:
        plain.program("commit", "-m", "One", "--", "--allow-empty")
        assert plain.git("log", "-1", "--format=%B") == f"One\n\n{plain.trailers}"

    @pytest.mark.parametrize("char", ["#", ";", "auto"])
    @pytest.mark.parametrize("verbose", [True, False])
    def test_in_an_editor(self, plain: Plain, tmp_path: Path, char: str, verbose: bool) -> None:
        plain.git("config", "core.commentChar", char)
        editor = str(script(tmp_path / "editor", 'sed -i.x "1s/^/Written/" "$1"'))
        (plain.folder / "code.txt").write_text("Task: in the diff\n")
        options = ["-v", "--cleanup=scissors"] if verbose else []
        said = plain.commit("-a", *options, env={"GIT_EDITOR": editor})
        assert said == f"Written\n\n{plain.trailers}"

    @pytest.mark.parametrize("char", ["#", ";"])
    def test_an_editor_left_without_a_word(self, plain: Plain, char: str) -> None:
        plain.git("config", "core.commentChar", char)
        (plain.folder / "code.txt").write_text("two\n")
        for options in ([], ["-v"], ["-s"]):
            plain.commit("-a", *options, code=1, env={"GIT_EDITOR": "true"})
        assert plain.git("log", "-1", "--format=%s") == "first"

    def test_text_below_the_trailers_goes_above(self, plain: Plain, tmp_path: Path) -> None:
        editor = str(script(tmp_path / "editor", 'echo "Below" >> "$1"'))
        assert plain.commit(env={"GIT_EDITOR": editor}) == f"Below\n\n{plain.trailers}"

    def test_a_template(self, plain: Plain, tmp_path: Path) -> None:
        (tmp_path / "template").write_text("# How to write\nTitle:\n")
        plain.git("config", "commit.template", str(tmp_path / "template"))
        editor = str(script(tmp_path / "editor", 'sed -i.x "s/^Title:/Title: x/" "$1"'))
        assert plain.commit(env={"GIT_EDITOR": editor}) == f"Title: x\n\n{plain.trailers}"

    def test_an_empty_message_stays_one(self, plain: Plain) -> None:
        plain.commit("-m", "", code=1)
        assert plain.commit("--allow-empty-message", "-m", "") == ""


class TestReplays:
    """What was committed before, or elsewhere, says what it said."""

    def other(self, plain: Plain) -> str:
        """A branch ``other`` with a commit that says no task; the current one has one that does."""
        plain.git("switch", "-q", "-c", "other")
        (plain.folder / "other.txt").write_text("x")
        plain.git("add", "other.txt")
        plain.git("-c", f"core.hooksPath={os.devnull}", "commit", "-qm", "Theirs")
        plain.git("switch", "-q", "main")
        (plain.folder / "code.txt").write_text("two\n")
        return plain.commit("-am", "Ours")

    def test_a_rebase(self, plain: Plain) -> None:
        ours = self.other(plain)
        plain.git("switch", "-q", "other")
        plain.git("rebase", "-q", "main")
        assert plain.git("log", "-2", "--format=%B").split("\n\n", 1)[0] == "Theirs"
        assert plain.git("log", "-1", "--format=%B") == "Theirs"
        plain.git("rebase", "-q", "-f", "--root")
        assert plain.git("log", "-1", "--format=%B", "HEAD~1") == ours

    def test_a_cherry_pick(self, plain: Plain) -> None:
        self.other(plain)
        plain.git("cherry-pick", "other")
        assert plain.git("log", "-1", "--format=%B") == "Theirs"

    def test_a_merge(self, plain: Plain) -> None:
        self.other(plain)
        plain.git("merge", "-q", "--no-edit", "other")
        assert "Task:" not in plain.git("log", "-1", "--format=%B")

    def test_a_squash(self, plain: Plain) -> None:
        self.other(plain)
        plain.git("switch", "-q", "other")
        plain.git("merge", "-q", "--squash", "main")
        said = plain.commit("--no-edit")
        assert said.count("Execution:") == 1

    def test_a_revert_is_new_work(self, plain: Plain) -> None:
        self.other(plain)
        plain.git("revert", "--no-edit", "HEAD")
        assert plain.git("log", "-1", "--format=%B").endswith(plain.trailers)


class TestWhose:
    def test_none_is_current(self, plain: Plain) -> None:
        plain.program("release", plain.task)
        assert plain.commit("-m", "One") == "One"

    def test_by_the_environment(self, plain: Plain) -> None:
        other = plain.program.new()
        started = plain.program.json("start", other, "--as", "codex-1")["execution"]["id"]
        plain.program("release", other, "--as", "codex-1", "--execution", started)
        assert plain.commit("-m", "One", env={"GITTASK_EXECUTION": started}) == "One"
        said = plain.commit("-m", "One", env={"GITTASK_EXECUTION": plain.execution})
        assert said == f"One\n\n{plain.trailers}"
        assert plain.commit("-m", "One", env={"GITTASK_EXECUTION": "nonsense"}) == "One"
        plain.git("worktree", "add", "-q", "-b", "topic", str(plain.folder.parent / "tree"))
        for id in (plain.execution, plain.execution.partition("-")[2]):
            env = {"GITTASK_EXECUTION": id}
            said = plain.commit("-m", "One", folder=plain.folder.parent / "tree", env=env)
            assert said == f"One\n\n{plain.trailers}"

    def test_a_linked_work_tree_has_its_own(self, plain: Plain, tmp_path: Path) -> None:
        tree = tmp_path / "tree"
        plain.git("worktree", "add", "-q", "-b", "topic", str(tree))
        assert plain.commit("-m", "One", folder=tree) == "One"
        task = plain.program.new()
        execution = Program(tree).json("start", task)["execution"]["id"]
        said = plain.commit("-am", "Two", folder=tree)
        assert said == f"Two\n\nTask: {task}\nExecution: {execution}"
        assert plain.commit("-m", "Three").endswith(plain.trailers)

    def test_a_commit_of_records_by_hand(self, plain: Plain, tmp_path: Path) -> None:
        plain.git("worktree", "add", "-q", str(tmp_path / "data"), "gittask")
        started = {"GITTASK_EXECUTION": plain.execution}
        assert plain.commit("-m", "x", folder=tmp_path / "data", env=started) == "x"

    def test_another_repository_that_git_is_pointed_to(self, plain: Plain, tmp_path: Path) -> None:
        bare = tmp_path / "dotfiles"
        plain.git("init", "-q", "--bare", str(bare))
        shutil.copytree(plain.folder / ".git" / "hooks", bare / "hooks", dirs_exist_ok=True)
        env = {"GIT_DIR": str(bare), "GIT_WORK_TREE": str(plain.folder)}
        who = ("-c", "user.name=A", "-c", "user.email=a@e.org")
        plain.git(*who, "commit", "-q", "--allow-empty", "-m", "Dots", env=env)
        assert plain.git("log", "-1", "--format=%B", env=env) == "Dots"


class TestNeverInTheWay:
    def test_without_a_store(self, plain: Plain) -> None:
        plain.git("update-ref", "-d", "refs/heads/gittask")
        assert plain.commit("-m", "One") == "One"

    def test_with_a_store_that_cannot_be_read(self, plain: Plain) -> None:
        shard = plain.task[-2:]
        path = f"tasks/{shard}/{plain.task}/executions/{plain.execution}.yaml"
        plain.program.push({path: b"\xff"})
        assert plain.commit("-m", "One") == "One"

    def test_without_the_program(self, plain: Plain) -> None:
        for hook in (NAME, "commit-msg"):
            path = plain.folder / ".git" / "hooks" / hook
            path.write_text(path.read_text().replace(sys.executable, "/nowhere/python"))
        assert plain.commit("-m", "One") == "One"

    def test_with_a_program_that_is_broken(self, plain: Plain, tmp_path: Path) -> None:
        broken = script(tmp_path / "python", "echo Traceback >&2; exit 1")
        for hook in (NAME, "commit-msg"):
            path = plain.folder / ".git" / "hooks" / hook
            path.write_text(path.read_text().replace(sys.executable, str(broken)))
        assert plain.git("commit", "-q", "--allow-empty", "-m", "One") == ""

    def test_a_state_of_the_work_tree_that_is_broken(self, plain: Plain) -> None:
        (plain.folder / ".git" / "gittask" / "current.json").write_text('{"execution": 7}')
        assert plain.commit("-m", "One") == "One"


class TestPutInAndOut:
    """Everything is as it was, to the byte and to the mode."""

    @pytest.mark.parametrize("mode", [0o755, 0o640, 0o500])
    def test_beside_another(self, gittask: Program, mode: int) -> None:
        hooks = gittask.folder / ".git" / "hooks"
        script(hooks / NAME, "# no final line break, \\r\\n \xe9").chmod(mode)
        script(hooks / "commit-msg", "exit 0")
        before = state(hooks)
        gittask(*INSTALL)
        installed = state(hooks)
        assert installed != before
        assert "installed already" in gittask(*INSTALL).err
        assert state(hooks) == installed
        gittask(*UNINSTALL)
        assert state(hooks) == before
        assert "not installed" in gittask(*UNINSTALL).err
        assert state(hooks) == before

    def test_beside_none(self, gittask: Program) -> None:
        hooks = gittask.folder / ".git" / "hooks"
        before = state(hooks)
        gittask(*INSTALL)
        assert {one["state"] for one in gittask.json("hook", "status")["hook"]["hooks"]} == {
            "installed"
        }
        gittask(*UNINSTALL)
        assert state(hooks) == before

    def test_after_a_kill_in_the_middle(self, gittask: Program) -> None:
        """The other was put aside, and ours had not taken its place yet."""
        hooks = gittask.folder / ".git" / "hooks"
        script(hooks / NAME, 'echo from it >> "$1"')
        before = state(hooks)
        for call in (UNINSTALL, INSTALL):
            (hooks / NAME).rename(hooks / f"{NAME}.before-gittask")
            gittask(*call)
        plain = Plain(gittask)
        assert plain.commit("-m", "One") == f"One\nfrom it\n\n{plain.trailers}"
        gittask(*UNINSTALL)
        assert state(hooks) == before

    def test_a_link(self, gittask: Program, tmp_path: Path) -> None:
        hooks = gittask.folder / ".git" / "hooks"
        real = script(tmp_path / "real", 'echo linked >> "$1"')
        (hooks / NAME).symlink_to(real)
        before = state(hooks)
        gittask(*INSTALL)
        plain = Plain(gittask)
        assert plain.commit("-m", "One").startswith("One\nlinked\n\nTask:")
        gittask(*UNINSTALL)
        assert state(hooks) == before

    def test_the_other_runs_first_as_git_calls_it(self, gittask: Program, tmp_path: Path) -> None:
        said = tmp_path / "said"
        hook = gittask.folder / ".git" / "hooks" / NAME
        script(hook, f'printf "%s|" "$@" > "{said}"; echo from it >> "$1"')
        gittask(*INSTALL)
        plain = Plain(gittask)
        assert plain.commit("-m", "One") == f"One\nfrom it\n\n{plain.trailers}"
        assert said.read_text() == ".git/COMMIT_EDITMSG|message|"

    def test_its_refusal_counts(self, gittask: Program) -> None:
        script(gittask.folder / ".git" / "hooks" / NAME, "exit 3")
        gittask(*INSTALL)
        plain = Plain(gittask)
        plain.commit("-m", "One", code=1)

    def test_one_that_git_would_not_run(self, gittask: Program) -> None:
        script(gittask.folder / ".git" / "hooks" / NAME, "exit 3").chmod(0o644)
        gittask(*INSTALL)
        plain = Plain(gittask)
        assert plain.commit("-m", "One").endswith(plain.trailers)

    def test_one_that_somebody_edited(self, plain: Plain) -> None:
        hook = plain.folder / ".git" / "hooks" / NAME
        hook.write_text(hook.read_text().replace("exit 0\n", "echo mine\nexit 0\n"))
        edited = state(hook.parent)
        for call in (INSTALL, UNINSTALL):
            error = plain.program(*call, "--json", code=4).error
            assert "was edited since gittask made it" in error["message"]
            assert f"{NAME}.before-gittask" in error["hint"]
            assert state(hook.parent) == edited

    def test_one_that_another_program_put_over_it(self, plain: Plain) -> None:
        hook = plain.folder / ".git" / "hooks" / NAME
        hook.rename(hook.with_name(f"{NAME}.legacy"))
        script(hook, f'.git/hooks/{NAME}.legacy "$@"')
        assert plain.commit("-m", "One") == f"One\n\n{plain.trailers}"
        over = hook.read_bytes()
        plain.program(*UNINSTALL)
        assert hook.read_bytes() == over

    def test_one_of_another_installation_is_brought_up_to_date(self, gittask: Program) -> None:
        hooks = gittask.folder / ".git" / "hooks"
        before = state(hooks)
        elsewhere = [Wanted(name, "exit 0") for name in (NAME, "commit-msg")]
        Hooks(Repo.discover(gittask.folder)).install(elsewhere, "/elsewhere", Path("x"), "y")
        assert b"/elsewhere" in (hooks / NAME).read_bytes()
        gittask(*INSTALL)
        assert sys.executable.encode() in (hooks / NAME).read_bytes()
        gittask(*UNINSTALL)
        assert state(hooks) == before

    def test_one_that_was_left_beside_another(self, gittask: Program) -> None:
        hooks = gittask.folder / ".git" / "hooks"
        for name in (NAME, f"{NAME}.before-gittask"):
            script(hooks / name, f"echo {name}")
        before = state(hooks)
        assert "was left beside it" in gittask(*INSTALL, "--json", code=4).error["message"]
        gittask(*UNINSTALL)
        assert state(hooks) == before


class TestFolders:
    def test_of_the_configuration(self, gittask: Program, tmp_path: Path, git: Git) -> None:
        git(gittask.folder, "config", "core.hooksPath", str(tmp_path / "mine"))
        said = gittask(*INSTALL)
        assert "those of other repositories" in said.err
        plain = Plain(gittask)
        assert plain.commit("-m", "One").endswith(plain.trailers)
        gittask(*UNINSTALL)
        assert state(tmp_path / "mine") == {}

    def test_in_the_work_tree(self, gittask: Program, git: Git) -> None:
        git(gittask.folder, "config", "core.hooksPath", ".githooks")
        said = gittask.json(*INSTALL)
        assert "part of the work tree" in said["warnings"][0]
        plain = Plain(gittask)
        sub = gittask.folder / "sub"
        sub.mkdir()
        assert plain.commit("-m", "One", folder=sub).endswith(plain.trailers)
        assert (gittask.folder / ".githooks" / NAME).exists()

    def test_hooks_that_go_by_their_name(self, gittask: Program, git: Git) -> None:
        git(gittask.folder, "config", "core.hooksPath", ".husky/_")
        folder = gittask.folder / ".husky" / "_"
        script(folder / "h", 'sh "$(dirname "$(dirname "$0")")/$(basename "$0")" "$@"')
        script(folder / NAME, '. "$(dirname "$0")/h"')
        before = state(folder)
        error = gittask(*INSTALL, "--json", code=4).error
        assert f'gittask hook run {NAME} "$@"' in error["hint"]
        assert state(folder) == before
        own = f'"{sys.executable}" -m gittask hook run {NAME} "$@"'
        script(gittask.folder / ".husky" / NAME, own)
        plain = Plain(gittask)
        assert plain.commit("-m", "One") == f"One\n\n{plain.trailers}"

    def test_switched_off(self, gittask: Program, git: Git) -> None:
        git(gittask.folder, "config", "core.hooksPath", os.devnull)
        assert "switched off" in gittask(*INSTALL, "--json", code=4).error["message"]

    def test_from_a_linked_work_tree(self, gittask: Program, tmp_path: Path, git: Git) -> None:
        git(gittask.folder, "worktree", "add", "-q", "-b", "topic", str(tmp_path / "tree"))
        Program(tmp_path / "tree")(*INSTALL)
        assert Plain(gittask).commit("-m", "One").startswith("One\n\nTask:")


def test_a_record_of_another_shape(plain: Plain) -> None:
    path = f"tasks/{plain.task[-2:]}/{plain.task}/executions/{plain.execution}.yaml"
    plain.program.push({path: b"- a list\n"})
    file = plain.folder / ".git" / "COMMIT_EDITMSG"
    file.write_text("One\n")
    assert "is no execution" in plain.program("hook", "run", NAME, str(file), "message").err
    assert plain.commit("-m", "One") == "One"


def test_run_never_fails(gittask: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITTASK_EXECUTION", "20261130t100411z-k3m9q2")
    (tmp_path / "message").write_text("One\n")
    said = gittask("hook", "run", NAME, str(tmp_path / "message"), "message")
    assert "the commit says no task" in said.err
    assert (tmp_path / "message").read_text() == "One\n"
