"""A remote whose data branch takes no pushes, only merge requests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.program import Program

HOOK = """#!/bin/sh
while read old new ref; do
    if test "$ref" = refs/heads/gittask; then
        echo "You are not allowed to push code to protected branches on this project." >&2
        exit 1
    fi
done
"""


@pytest.fixture
def pair(clones: Callable[[int], list[Path]], bare: Path) -> list[Program]:
    """Two clones of a remote that has a store, and protects it."""
    found = [Program(folder) for folder in clones(2)]
    for each in found:
        each("init")
        each("sync")
    hook = bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK)
    hook.chmod(0o755)
    return found


def merge_request(git: Git, bare: Path, branch: str) -> None:
    """What a host does when a request is accepted: a merge commit, made over there."""
    who = ("-c", "user.name=Host", "-c", "user.email=host@example.org")
    tree = git(bare, "rev-parse", f"{branch}^{{tree}}")
    parents = ("-p", "gittask", "-p", branch)
    made = git(bare, *who, "commit-tree", tree, *parents, "-m", f"Merge branch {branch}")
    git(bare, "update-ref", "refs/heads/gittask", made)
    git(bare, "branch", "-q", "-D", branch)


def test_a_refused_push_says_which_way_is_open(pair: list[Program]) -> None:
    one, _ = pair
    one.new()
    error = one("sync", "--json", code=6).error
    assert "protected branches" in error["message"]
    assert "gittask sync --to NAME" in error["hint"]


def test_what_is_new_goes_to_another_branch_and_comes_back_merged(
    pair: list[Program], bare: Path, git: Git
) -> None:
    one, two = pair
    task = one.new()
    stood = git(bare, "rev-parse", "gittask")
    tracking = git(one.folder, "rev-parse", "origin/gittask")
    done = one("sync", "--to", "from-one")
    assert done.out.startswith(
        "pushed to origin/from-one: 0 pulled, 1 pushed; next: have it merged"
    )
    assert git(bare, "rev-parse", "from-one") == git(one.folder, "rev-parse", "gittask")
    assert git(bare, "rev-parse", "gittask") == stood
    assert git(one.folder, "rev-parse", "origin/gittask") == tracking
    one("set", task, "priority=0")
    assert one.json("sync", "--to", "from-one")["sync"]["proposed"] == "from-one"
    merge_request(git, bare, "from-one")
    two("sync")
    assert two.task(task)["priority"] == 0
    assert one.json("sync", "--to", "from-one")["sync"]["proposed"] is None
    assert one("sync").out == "up to date with origin\n"
    assert git(one.folder, "rev-parse", "gittask") == git(bare, "rev-parse", "gittask")
    assert git(bare, "branch", "--list", "from-one") == ""


def test_a_claim_is_provisional_until_it_is_merged(
    pair: list[Program], bare: Path, git: Git
) -> None:
    one, _ = pair
    task = one.new()
    one("start", task, "--offline")
    proposed = one("sync", "--to", "from-one", "--json").document
    assert [claim["confirmed"] for claim in proposed["sync"]["claims"]] == [False]
    assert "provisional" in one("status", task).out
    merge_request(git, bare, "from-one")
    assert "is confirmed" in one("sync").err
    assert "provisional" not in one("status", task).out


def test_anothers_branch_is_not_written_over(pair: list[Program], bare: Path, git: Git) -> None:
    one, two = pair
    one.new()
    one("sync", "--to", "tasks")
    stands = git(bare, "rev-parse", "tasks")
    two.new()
    error = two("sync", "--to", "tasks", "--json", code=6).error
    assert "origin/tasks holds what is not here" in error["message"]
    assert not error["retryable"]
    assert "is not here" in two("sync", "--to", "main", code=6).err
    assert git(bare, "rev-parse", "tasks") == stands


@pytest.mark.parametrize("name", ["gittask", "-f", "a..b", "refs/heads/x", "", "HEAD"])
def test_a_name_that_cannot_take_it(pair: list[Program], name: str) -> None:
    one, _ = pair
    one.new()
    one("sync", f"--to={name}", code=2)
