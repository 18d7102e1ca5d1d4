"""The doctor: what it finds, what it mends, and that it changes nothing unasked."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gittask.core.codec import decode
from tests.conftest import Git
from tests.program import Program, path_of

DRIVER = "merge.gittask.driver"


def found(program: Program, *args: str) -> list[dict[str, Any]]:
    """What the doctor finds."""
    result = program("--json", "doctor", *args, code=None)
    document = result.document
    details = document["error"]["details"] if result.code else document["doctor"]
    findings: list[dict[str, Any]] = details["findings"]
    faults = [one for one in findings if one["severity"] == "fault"]
    assert result.code == (5 if faults and "--dry-run" not in args else 0)
    return findings


def messages(program: Program, *args: str) -> str:
    return "\n".join(one["message"] for one in found(program, *args))


def state(folder: Path, git: Git) -> tuple[str, str, bytes]:
    """Everything that a mere look must not change."""
    refs = git(folder, "for-each-ref")
    return refs, git(folder, "status", "--porcelain"), (folder / ".git/config").read_bytes()


def test_a_sound_store_is_well(gittask: Program) -> None:
    gittask.new()
    assert found(gittask) == []
    assert gittask("doctor").out == "all is well\n"


def test_a_driver_that_is_not_registered(gittask: Program, git: Git) -> None:
    git(gittask.folder, "config", "--unset", DRIVER)
    (one,) = found(gittask)
    assert (one["area"], one["severity"], one["can_be_mended"]) == ("setup", "advice", True)
    assert one["message"] == "the merge driver is not registered here"
    assert found(gittask, "--fix") == []
    assert "merge-driver" in git(gittask.folder, "config", DRIVER)


def test_what_shows_records_in_a_diff_that_is_not_set(gittask: Program, git: Git) -> None:
    before = git(gittask.folder, "config", "diff.gittask.textconv")
    git(gittask.folder, "config", "diff.gittask.textconv", "cat")
    (one,) = found(gittask)
    assert (one["area"], one["can_be_mended"]) == ("setup", True)
    assert one["message"] == "diff.gittask.textconv is not set here"
    assert found(gittask, "--fix") == []
    assert git(gittask.folder, "config", "diff.gittask.textconv") == before


def test_a_record_that_was_removed(gittask: Program, git: Git) -> None:
    task = gittask.new("One")
    gittask.push({path_of(task): None})
    assert f"{path_of(task)} is not as its history says" in messages(gittask)
    assert found(gittask, "--fix") == []
    assert gittask.task(task)["title"] == "One"
    assert git(gittask.folder, "log", "-1", "--format=%an %s", "gittask").startswith("gittask ")


def test_a_write_once_record_that_was_altered(gittask: Program) -> None:
    task = gittask.new()
    gittask("note", task, "as it was")
    (note,) = gittask.records("note")
    gittask.change(f"tasks/{task[-2:]}/{task}/notes/{note['id']}.yaml", body="forged")
    assert found(gittask, "--fix") == []
    assert gittask.records("note")[0]["body"] == "as it was"


def test_a_broken_record_is_as_before_and_the_broken_text_is_kept(gittask: Program) -> None:
    task = gittask.new("One")
    gittask.push({path_of(task): b"title: [\n"})
    assert found(gittask, "--fix") == []
    assert gittask.task(task)["title"] == "One"
    (kept,) = gittask.records("conflict")
    assert kept["lost"] == "title: [\n"


def test_conflict_markers(gittask: Program) -> None:
    task = gittask.new("One")
    text = gittask.stored(path_of(task)).decode()
    marked = text.replace("title: One", "<<<<<<< a\ntitle: One\n=======\ntitle: Two\n>>>>>>> b")
    gittask.push({path_of(task): marked.encode()})
    assert found(gittask, "--fix") == []
    assert decode(gittask.stored(path_of(task)))["title"] == "One"


def test_it_mends_once(gittask: Program, git: Git) -> None:
    task = gittask.new()
    gittask.push({path_of(task): None})
    found(gittask, "--fix")
    tip = git(gittask.folder, "rev-parse", "gittask")
    assert found(gittask, "--fix") == []
    assert git(gittask.folder, "rev-parse", "gittask") == tip


@pytest.mark.parametrize("args", [(), ("--fix", "--dry-run")])
def test_a_look_changes_nothing(gittask: Program, git: Git, args: tuple[str, ...]) -> None:
    task = gittask.new()
    gittask.push({path_of(task): None, ".gitattributes": b"*.yaml merge=union\n"})
    git(gittask.folder, "config", "--unset", DRIVER)
    before = state(gittask.folder, git)
    assert len(found(gittask, *args)) >= 3
    assert state(gittask.folder, git) == before


def test_what_only_a_person_can_settle_is_left_with_what_to_do(gittask: Program) -> None:
    task = gittask.new()
    gittask.change(path_of(task), depends_on=["k3m9q2x7abc1"])
    left = found(gittask, "--fix")
    assert any("does not exist" in one["message"] and one["hint"] for one in left)


def test_a_work_tree_that_was_left_behind(gittask: Program, git: Git) -> None:
    tree = gittask.folder.parent / "tree"
    git(gittask.folder, "worktree", "add", "-q", str(tree), "gittask")
    old = git(gittask.folder, "rev-parse", "gittask")
    task = gittask.new("One")
    git(tree, "read-tree", "-m", "-u", "HEAD", old)
    assert "its files are behind" in messages(gittask)
    assert found(gittask, "--fix") == []
    assert git(tree, "status", "--porcelain") == ""
    assert (tree / path_of(task)).exists()


def test_what_is_staged_there_is_left_alone(gittask: Program, git: Git) -> None:
    tree = gittask.folder.parent / "tree"
    git(gittask.folder, "worktree", "add", "-q", str(tree), "gittask")
    (tree / "README.md").write_text("mine\n")
    git(tree, "add", "README.md")
    assert "its files are behind" in messages(gittask, "--fix")
    assert (tree / "README.md").read_text() == "mine\n"


def test_a_lock_that_was_left_over_is_named_and_stays(gittask: Program) -> None:
    lock = gittask.folder / ".git/refs/heads/gittask.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    assert "the branch is locked" in messages(gittask)
    assert lock.exists()


@pytest.fixture
def fetched(clones: Callable[[int], list[Path]], git: Git) -> tuple[Program, Program]:
    """A clone that works with the store, and one that has only fetched it."""
    one, two = (Program(folder) for folder in clones(2))
    one("init")
    one.new("One")
    one("sync")
    git(two.folder, "fetch", "-q")
    return one, two


def test_a_clone_that_only_fetched_is_advised(fetched: tuple[Program, Program]) -> None:
    _, reads = fetched
    assert reads("doctor").out == (
        "advice: this clone has no branch 'gittask' yet (adopt it: gittask init)\n"
        "nothing is damaged\n"
    )
    (one,) = found(reads)
    assert (one["area"], one["severity"]) == ("setup", "advice")


def test_damage_in_a_clone_that_only_fetched_is_a_fault(
    fetched: tuple[Program, Program], git: Git
) -> None:
    works, reads = fetched
    (task,) = works.records("task")
    works.push({path_of(task["id"]): None})
    git(works.folder, "push", "-q", "origin", "gittask")
    git(reads.folder, "fetch", "-q")
    result = reads("doctor", code=5)
    assert f"{path_of(task['id'])} is not as its history says" in result.err
    assert "advice: this clone has no branch" in result.err
    assert all(one["severity"] == "advice" for one in found(reads, "--fix"))
    assert reads.task(task["id"])["title"] == "One"


def test_a_tag_of_the_branchs_name_is_advice(gittask: Program, git: Git) -> None:
    git(gittask.folder, "tag", "gittask")
    (one,) = found(gittask)
    assert (one["severity"], one["hint"]) == ("advice", "delete it: git tag -d gittask")
    assert found(gittask, "--fix") == [one]
