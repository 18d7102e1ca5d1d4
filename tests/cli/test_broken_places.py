"""Repositories that are no longer what git takes for one: named, and never taken for another."""

from __future__ import annotations

import pytest

from tests.conftest import Git
from tests.program import Program


@pytest.fixture
def inner(gittask: Program, git: Git) -> Program:
    """The program in a repository with a store, within another that has one."""
    folder = gittask.folder / "inner"
    git(gittask.folder, "clone", "-q", ".", str(folder))
    program = Program(folder)
    program("init")
    return program


@pytest.mark.parametrize("head", [b"", b"garbage\n", b"ref: \0\0\0\0"])
@pytest.mark.parametrize("call", ["list", "new x", "sync", "init"])
def test_a_damaged_head_leads_to_no_other_repository(
    gittask: Program, inner: Program, git: Git, head: bytes, call: str
) -> None:
    before = git(gittask.folder, "for-each-ref")
    (inner.folder / ".git/HEAD").write_bytes(head)
    error = inner(*call.split(), "--json", code=1).error
    assert "its HEAD is damaged" in error["message"]
    assert error["hint"]
    assert git(gittask.folder, "for-each-ref") == before


def test_a_link_as_head_is_as_good(gittask: Program) -> None:
    head = gittask.folder / ".git/HEAD"
    head.unlink()
    head.symlink_to("refs/heads/main")
    assert gittask.new("As before")


def test_a_file_that_names_no_repository(gittask: Program) -> None:
    folder = gittask.folder / "within"
    folder.mkdir()
    (folder / ".git").write_text("junk\n")
    error = Program(folder)("list", "--json", code=1).error
    assert "malformed" in error["message"]
    assert error["hint"]


def test_a_place_that_is_empty_is_passed_by(gittask: Program) -> None:
    (gittask.folder / "within/.git").mkdir(parents=True)
    task = gittask.new("Outside")
    assert task in Program(gittask.folder / "within")("list", "--json").out


def test_the_store_is_where_the_branch_leads(gittask: Program, git: Git) -> None:
    task = gittask.new("One")
    git(gittask.folder, "branch", "-m", "gittask", "other")
    git(gittask.folder, "symbolic-ref", "refs/heads/gittask", "refs/heads/other")
    gittask("set", task, "priority=1")
    assert git(gittask.folder, "rev-parse", "other") == git(gittask.folder, "rev-parse", "gittask")
    assert gittask.task(task)["priority"] == 1
