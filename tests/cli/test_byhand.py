"""What people do with plain git, and how remotes are set up, as seen through the program."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program

Pair = tuple[Program, Program]


@pytest.fixture
def pair(clones: Callable[[int], list[Path]]) -> Pair:
    """Two clones that share a store."""
    first, second = (Program(folder) for folder in clones(2))
    first("init")
    first("sync")
    second("sync")
    return first, second


def test_no_fetch_of_ours_moves_the_branch(pair: Pair, git: Git) -> None:
    program, _ = pair
    git(program.folder, "config", "--add", "remote.origin.fetch", "+refs/heads/*:refs/heads/*")
    task = program.new("Only here")
    program("sync")
    assert program.task(task)["title"] == "Only here"
    other = program.new("Only here too")
    program("start", task)
    assert program.task(other)["title"] == "Only here too"


@pytest.mark.parametrize("busy", [False, True])
def test_what_is_removed_by_hand_comes_back(pair: Pair, git: Git, busy: bool) -> None:
    first, second = pair
    task = first.new("Kept")
    note = first("note", task, "Important").id
    first("sync")
    second("sync")
    tip = git(first.folder, "rev-parse", "gittask")
    tree = git(first.folder, "mktree", input="")
    gone = git(first.folder, "commit-tree", "-p", tip, "-m", "tidy", tree)
    git(first.folder, "push", "-q", "origin", f"{gone}:gittask")
    if busy:
        second.new("Made meanwhile")
    synced = second.json("sync")
    assert f"tasks/{task[-2:]}/{task}/task.yaml" in synced["sync"]["restored"]
    assert any("brought back" in warning for warning in synced["warnings"])
    assert second.task(task)["title"] == "Kept"
    assert note in [one["id"] for one in second.records("note")]
    first("sync")
    assert first.task(task)["title"] == "Kept"
    assert second.json("sync")["sync"]["restored"] == []
    second("verify")


def test_what_is_write_once_stays_as_it_was(pair: Pair, git: Git) -> None:
    first, second = pair
    task = first.new()
    note = first("note", task, "important").id
    first("sync")
    path = f"tasks/{task[-2:]}/{task}/notes/{note}.yaml"
    written = first.stored(path)
    first.push({path: written.replace(b"important", b"forged")})
    git(first.folder, "push", "-q", "origin", "gittask")
    assert second.json("sync")["sync"]["restored"] == [path]
    assert second.stored(path) == written


def test_a_commit_that_was_written_badly_stops_nobody(pair: Pair, git: Git) -> None:
    first, second = pair
    tip, tree = (git(first.folder, "rev-parse", f"gittask{end}") for end in ("", "^{tree}"))
    text = (
        f"tree {tree}\nparent {tip}\nauthor H <h@x> 99999999999999999999999 +0000\n"
        "committer H <h@x> -5 +0000\n\nx\n"
    )
    bad = git(
        first.folder, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", input=text
    )
    git(first.folder, "push", "-q", "origin", f"{bad}:gittask")
    first("sync")
    task = first.new("After it")
    second("new", "Beside it")
    second("sync")
    first("sync")
    assert second("sync").out.startswith("up to date") or second.task(task)


def test_a_lock_that_nobody_moves_is_named(
    pair: Pair, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    first, _ = pair
    task = first.new()
    (bare / "refs" / "heads" / "gittask.lock").touch()
    refused = first("sync", "--json", code=7)
    assert "is held, and nobody moves it" in refused.error["message"]
    assert "a lock was left over" in refused.error["hint"]
    assert first.task(task)


def test_a_push_that_goes_elsewhere_is_not_success(
    pair: Pair, bare: Path, git: Git, tmp_path: Path
) -> None:
    first, _ = pair
    elsewhere = tmp_path / "elsewhere.git"
    git(tmp_path, "clone", "-q", "--bare", str(bare), str(elsewhere))
    git(first.folder, "remote", "set-url", "--push", "origin", str(elsewhere))
    first.new()
    refused = first("sync", "--json", code=6)
    assert "pushurl" in refused.error["message"]


@pytest.mark.parametrize("args", [("list",), ("status", "--json"), ("sync",), ("new", "Task")])
def test_closed_streams_are_like_the_null_device(pair: Pair, args: tuple[str, ...]) -> None:
    program, _ = pair
    call = " ".join(f"'{word}'" for word in (sys.executable, "-m", "gittask", *args))
    done = subprocess.run(["sh", "-c", f"{call} >&- 2>&-"], cwd=program.folder, check=False)
    assert done.returncode == 0


def test_a_bad_file_about_oneself_stops_nobody(pair: Pair) -> None:
    program, _ = pair
    task = program.new()
    program.push({"actors/clone0.yaml": b"task: garbage\n"})
    assert task[:4] in program("status").out
    program("inbox")
    assert program("note", task, "Goes on").id
    program("start", task)
    program("sync")
    assert program.stored("actors/clone0.yaml") == b"task: garbage\n"


def test_what_this_machine_cannot_keep_is_a_warning(pair: Pair) -> None:
    program, _ = pair
    task = program.new()
    kept = program.folder / ".git" / "gittask" / "current.json"
    kept.mkdir(parents=True)
    done = program("start", task)
    assert "it was done, but this machine could not keep note of it" in done.err
    assert program.task(task)["state"]["holder"] == done.id


def test_a_command_that_reads_writes_nothing_to_git(pair: Pair, git: Git) -> None:
    program, _ = pair
    task = program.new()
    program("start", task)

    def state() -> list[str]:
        asked = (
            "for-each-ref",
            "count-objects -v",
            "config --list",
            "status --porcelain",
            "stash list",
        )
        return [git(program.folder, *words.split()) for words in asked]

    before = state()
    for words in ("list", "ready", f"show {task}", "status", f"status {task}", f"timeline {task}"):
        program(*words.split())
    for words in ("inbox --all", "verify", "schema task", f"dep list {task}", "approve list"):
        program(*words.split())
    assert state() == before


def test_who_changes_a_state_by_hand_is_found_out_by_the_next_sync(pair: Pair, git: Git) -> None:
    first, second = pair
    task = first.new()
    first("start", task)
    second("sync")
    path = f"tasks/{task[-2:]}/{task}/task.yaml"
    first.push({path: first.stored(path).replace(b"status: active", b"status: done")})
    git(first.folder, "push", "-q", "origin", "gittask")
    (said,) = second.json("sync")["warnings"]
    assert "came, but failed verification" in said
    (item,) = [
        one for one in second.json("inbox", "--all")["inbox"] if one["kind"] == "verification"
    ]
    assert item["command"] in said
    second(*item["command"].split()[1:], code=5)
    kinds = [one["kind"] for one in second.json("inbox", "--all")["inbox"]]
    assert "verification" not in kinds
