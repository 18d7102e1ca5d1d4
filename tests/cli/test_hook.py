"""The hook of a server: a real bare repository that refuses what breaks a rule."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program

Pair = tuple[Program, Program]
NOTHING = "0" * 40
PUSH_ALL = ("push", "-q", "origin", "main", "gittask")


def install(bare: Path, *options: str) -> None:
    hook = bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    words = " ".join(["-m", "gittask", "hook", "pre-receive", *options])
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}\n')
    hook.chmod(0o755)


@pytest.fixture
def pair(clones: Callable[[int], list[Path]], bare: Path) -> Pair:
    """Two clones of a server with the hook, which have a store of one task."""
    install(bare)
    one, two = (Program(folder) for folder in clones(2))
    one("init")
    one.new()
    one("sync")
    two("init")
    return one, two


def task(program: Program) -> str:
    (found,) = program.records("task")
    return str(found["id"])


def tip(git: Git, folder: Path) -> str:
    return git(folder, "rev-parse", "gittask")


def push(program: Program, *args: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "-C", str(program.folder), "push", *(args or ("origin", "gittask"))]
    return subprocess.run(command, capture_output=True, text=True)


def receive(program: Program, *moves: str, options: tuple[str, ...] = (), code: int = 0) -> str:
    """What the command says when git calls it with these moves."""
    lines = "".join(f"{move}\n" for move in moves)
    return program("hook", "pre-receive", *options, input=lines, code=code).err


def test_honest_pushes_pass(pair: Pair, bare: Path, git: Git) -> None:
    one, two = pair
    work = task(one)
    one("start", work, "--as", "codex-1")
    two("sync")
    two("takeover", work, "--reason", "It is silent")
    one("report", work, "Late", "--as", "codex-1")
    one("sync")
    two("sync")
    assert tip(git, bare) == tip(git, one.folder) == tip(git, two.folder)
    assert two.records("note")[-1]["body"] == "Late"


def stale(pair: Pair, git: Git) -> str:
    """Let the first clone close a task that the second took over; returns the tip before."""
    one, two = pair
    work = task(one)
    one("start", work, "--as", "codex-1")
    two("sync")
    two("takeover", work, "--reason", "It is silent")
    one("close", work, "--as", "codex-1")
    return tip(git, two.folder)


def test_a_stale_push_is_refused_in_our_words(pair: Pair, bare: Path, git: Git) -> None:
    one, _ = pair
    before = stale(pair, git)
    git(one.folder, "fetch", "-q", "origin")
    tree = one.folder.parent / "tree"
    git(one.folder, "worktree", "add", "-q", str(tree), "gittask")
    git(tree, "merge", "-q", "--no-edit", "-s", "ours", "origin/gittask")
    done = push(one)
    assert done.returncode == 1
    assert "remote: gittask refuses the push to gittask:" in done.stderr
    assert "state: is (done, epoch 1, held by nobody)" in done.stderr
    assert "(active, epoch 2, held by" in done.stderr
    assert "pre-receive hook declined" in done.stderr
    assert tip(git, bare) == before


def test_a_refused_sync_keeps_everything(pair: Pair, git: Git) -> None:
    one, two = pair
    one("note", task(one), "Seen", "--as", "codex-1")
    kept = tip(git, one.folder)
    forged = git(
        one.folder,
        *("-c", "user.name=Mallory", "-c", "user.email=mallory@else.example"),
        *("commit-tree", "gittask^{tree}", "-p", "gittask~1", "-m", "note\n\nActor: codex-1"),
    )
    git(one.folder, "update-ref", "refs/heads/gittask", forged, kept)
    result = one("sync", "--json", code=6)
    assert result.error["code"] == "remote"
    assert "Mallory <mallory@else.example> is not codex-1" in result.error["message"]
    assert "still unpushed" in result.error["message"]
    assert result.error["hint"].endswith("gittask verify origin/gittask..gittask")
    assert tip(git, one.folder) == forged
    two("sync")
    assert two.records("note") == []


def test_what_a_hook_objects_to_is_told_before_what_it_warns_of(pair: Pair, bare: Path) -> None:
    one, _ = pair
    lines = [*(f"warning: w{n}" for n in range(9)), *(f"error: e{n}" for n in range(9))]
    hook = bare / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\n" + "".join(f"echo '{line}' >&2\n" for line in lines) + "exit 1\n")
    one("note", task(one), "Seen")
    for call in (["sync"], ["start", task(one)]):
        error = one(*call, "--json", code=6).error
        assert all(line in error["message"] for line in lines)
        assert error["message"].index("error: e8") < error["message"].index("warning: w0")
        assert error["hint"].endswith("gittask verify origin/gittask..gittask")


def test_removing_and_forcing_are_refused(pair: Pair, bare: Path, git: Git) -> None:
    one, _ = pair
    before = tip(git, bare)
    git(bare, "config", "receive.denyDeletes", "false")
    removed = push(one, "origin", ":gittask")
    assert (removed.returncode, "is not removed by a push" in removed.stderr) == (1, True)
    forced = push(one, "--force", "origin", "gittask~1:gittask")
    assert (forced.returncode, "others pushed would be lost" in forced.stderr) == (1, True)
    assert tip(git, bare) == before


def test_other_branches_are_not_looked_at(pair: Pair, git: Git) -> None:
    one, _ = pair
    git(one.folder, "branch", "gittask-old", "gittask~1")
    assert push(one, "origin", "gittask-old").returncode == 0
    assert push(one, "--force", "origin", "gittask:gittask-old").returncode == 0
    assert push(one, "origin", ":gittask-old").returncode == 0


def test_what_is_no_store_does_not_become_one(
    clones: Callable[[int], list[Path]], bare: Path, git: Git
) -> None:
    install(bare)
    (folder,) = clones(1)
    done = push(Program(folder), "origin", "main:gittask")
    assert done.returncode == 1
    assert "gittask.yaml: is missing" in done.stderr
    assert git(bare, "for-each-ref", "refs/heads/gittask") == ""


def test_the_branch_is_the_configured_one(pair: Pair, bare: Path, git: Git) -> None:
    one, _ = pair
    git(bare, "config", "gittask.branch", "tasks")
    assert push(one, "origin", "gittask:tasks").returncode == 0
    forced = push(one, "--force", "origin", "gittask~1:tasks")
    assert "gittask refuses the push to tasks:" in forced.stderr
    assert push(one, "--force", "origin", "gittask~1:gittask").returncode == 0


def test_warnings_are_told_and_refused_only_if_asked(pair: Pair, bare: Path, git: Git) -> None:
    one, _ = pair
    tree = one.folder.parent / "tree"
    git(one.folder, "worktree", "add", "-q", str(tree), "gittask")
    (tree / "tasks" / "list.txt").write_text("x")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "a list")
    install(bare, "--strict")
    refused = push(one)
    assert (refused.returncode, "is no record of a known kind" in refused.stderr) == (1, True)
    install(bare)
    done = push(one)
    assert done.returncode == 0
    assert "remote: warning: " in done.stderr
    assert tip(git, bare) == tip(git, one.folder)


def test_only_some_of_many_problems_are_told(pair: Pair, git: Git) -> None:
    one, _ = pair
    tree = one.folder.parent / "tree"
    git(one.folder, "worktree", "add", "-q", str(tree), "gittask")
    (tree / "actors").joinpath("a.yaml").write_text("x")
    for number in range(30):
        (tree / "actors" / f"a{number}.yaml").write_text("[]")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "nonsense")
    done = push(one)
    assert done.stderr.count("actors/a") == 20
    assert "more: gittask verify OLD..NEW" in done.stderr


def test_as_git_calls_it(pair: Pair, git: Git) -> None:
    one, _ = pair
    new, old = tip(git, one.folder), git(one.folder, "rev-parse", "gittask~1")
    assert receive(one) == ""
    assert receive(one, f"{NOTHING} {new} refs/heads/gittask") == ""
    assert receive(one, f"{new} {old} refs/heads/other", f"{old} {new} refs/heads/gittask") == ""
    said = receive(one, f"{new} {old} refs/heads/gittask", code=1)
    assert said.startswith("gittask refuses the push to gittask:\nerror: ")
    assert "is not OLD NEW REF" in receive(one, "nonsense", code=2)


def test_its_document(pair: Pair, git: Git) -> None:
    one, _ = pair
    new, old = tip(git, one.folder), git(one.folder, "rev-parse", "gittask~1")
    line = f"{old} {new} refs/heads/gittask\n"
    (checked,) = one.json("hook", "pre-receive", input=line)["hook"]["checked"]
    assert (checked["old"], checked["new"], checked["commits"]) == (old, new, [new])
    gone = f"{new} {NOTHING} refs/heads/gittask\n"
    error = one("hook", "pre-receive", "--json", input=gone, code=1).error
    assert error["code"] == "refused"
