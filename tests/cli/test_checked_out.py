"""A work tree on the data branch follows it, so that it never looks like a revert."""

from __future__ import annotations

import pytest

from tests.conftest import Git
from tests.program import Program, path_of


class Tree:
    """A work tree in which the data branch is checked out."""

    def __init__(self, program: Program, git: Git) -> None:
        self.program = program
        self.folder = program.folder.parent / "a tree"
        self._git = git
        git(program.folder, "worktree", "add", "-q", str(self.folder), "gittask")

    def git(self, *args: str) -> str:
        return self._git(self.folder, *args)

    @property
    def changes(self) -> str:
        """What git would commit or finds changed there."""
        return self.git("status", "--porcelain")


@pytest.fixture
def tree(gittask: Program, git: Git) -> Tree:
    return Tree(gittask, git)


def test_it_has_what_is_written_anywhere(tree: Tree) -> None:
    task = tree.program.new("One")
    assert tree.changes == ""
    assert "title: One" in (tree.folder / path_of(task)).read_text("utf-8")
    Program(tree.folder)("set", task, "title=Two")
    assert tree.changes == ""
    assert "title: Two" in (tree.folder / path_of(task)).read_text("utf-8")


def test_what_is_edited_there_stays_and_the_rest_follows(tree: Tree) -> None:
    one, two = tree.program.new("One"), tree.program.new("Two")
    file = tree.folder / path_of(one)
    file.write_text(file.read_text("utf-8").replace("title: One", "title: Mine"), "utf-8")
    said = tree.program("set", two, "title=Changed").err
    assert "title: Mine" in file.read_text("utf-8")
    assert "title: Changed" in (tree.folder / path_of(two)).read_text("utf-8")
    assert "checked out" not in said
    assert tree.changes == f"M {path_of(one)}"


def test_an_edit_that_stands_in_the_way_is_told(tree: Tree) -> None:
    one = tree.program.new("One")
    file = tree.folder / path_of(one)
    file.write_text(file.read_text("utf-8") + "# mine\n", "utf-8")
    said = tree.program("set", one, "title=Theirs").err
    assert f"is checked out in {tree.folder}" in said
    assert file.read_text("utf-8").endswith("# mine\n")
    assert tree.program.task(one)["title"] == "Theirs"


def test_in_the_main_work_tree_too(gittask: Program, git: Git) -> None:
    git(gittask.folder, "checkout", "-q", "gittask")
    task = gittask.new("One")
    assert git(gittask.folder, "status", "--porcelain") == ""
    assert (gittask.folder / path_of(task)).exists()


def test_a_work_tree_on_code_is_left_alone(gittask: Program) -> None:
    before = (gittask.folder / ".git" / "index").read_bytes()
    gittask.new("One")
    assert (gittask.folder / ".git" / "index").read_bytes() == before


def test_one_whose_folder_is_gone_is_no_matter(tree: Tree) -> None:
    tree.folder.rename(tree.folder.with_name("gone"))
    assert tree.program("new", "One").err.count("warning") == 0
