"""Records in git's own commands: diff, log, show, blame, once init has told git how."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.setup.initialise import textconv_command
from gittask.store.git import version
from tests.cli.acting import HANDOFF, Actor
from tests.conftest import Git
from tests.program import Program, controls, path_of


@pytest.fixture
def tree(gittask: Program, git: Git) -> Path:
    """A work tree on the data branch, whose attributes say what git is to call."""
    folder = gittask.folder.parent / "tree"
    git(gittask.folder, "worktree", "add", "-q", str(folder), "gittask")
    return folder


def changed(diff: str) -> list[str]:
    """The lines of a diff that went and came."""
    found = [line for line in diff.split("\n") if line[:1] in ("-", "+")]
    return [line for line in found if not line.startswith(("---", "+++"))]


def test_a_change_is_a_line_in_diff_log_and_show(
    gittask: Program, tree: Path, ann: Actor, git: Git
) -> None:
    task = gittask.new("Fix it", "--accept", "It works")
    ann("set", task, "priority=0")
    for command in (("diff", "HEAD~1", "HEAD"), ("log", "-1", "-p"), ("show",)):
        went, came = changed(git(tree, *command))
        assert went == "-priority: 2"
        assert came.startswith("+priority: 0 (by ann, 20")
    raw = git(tree, "diff", "--no-textconv", "HEAD~1", "HEAD")
    assert "+priority: 0\n" in raw


def test_a_handoff_is_read_in_the_log(tree: Path, codex: Actor, held: str, git: Git) -> None:
    codex("handoff", held, *HANDOFF)
    came = changed(git(tree, "log", "-1", "-p"))
    assert {"+summary: It is done", "+verified: none", "+next action: look at it (by ann)"} <= set(
        came
    )
    assert "+  - Fix it" not in came
    (status,) = [line for line in came if line.startswith("+status: review, held by ")]
    assert "claim 1" in status


def test_what_is_edited_and_not_committed(gittask: Program, tree: Path, git: Git) -> None:
    task = gittask.new()
    file = tree / path_of(task)
    file.write_text(file.read_text().replace("title: A task", "title: Another"))
    assert changed(git(tree, "diff")) == ["-title: A task", "+title: Another"]


def test_blame_shows_the_lines_of_the_record(gittask: Program, tree: Path, git: Git) -> None:
    task = gittask.new()
    gittask("set", task, "priority=0")
    lines = git(tree, "blame", "-s", path_of(task)).splitlines()
    (blamed,) = [line for line in lines if "priority: 0 (by " in line]
    assert blamed[:7] == git(tree, "rev-parse", "HEAD")[:7]
    (title,) = [line for line in lines if "title: A task" in line]
    assert title[:7] == git(tree, "rev-parse", "HEAD~1")[:7]


def test_a_merge_and_one_that_is_not_done(gittask: Program, tree: Path, git: Git) -> None:
    task = gittask.new()
    file = tree / path_of(task)
    text = file.read_text()
    for branch, title in (("left", "Left"), ("right", "Right")):
        git(tree, "checkout", "-q", "-b", branch, "gittask")
        file.write_text(text.replace("title: A task", f"title: {title}"))
        git(tree, "commit", "-qam", title)
    git(tree, "-c", "merge.gittask.driver=false", "merge", "-q", "left", check=False)
    file.write_text(text.replace("title: A task", "<<<<<<< a\ntitle: x\n=======\n>>>>>>> b"))
    assert "an unresolved merge conflict" in git(tree, "diff")
    file.write_text(text.replace("title: A task", "title: Both"))
    git(tree, "commit", "-qam", "Merge")
    shown = git(tree, "show", "--cc")
    assert "- title: Right\n -title: Left\n++title: Both\n" in shown


def test_what_cannot_be_read_is_shown_and_controls_nothing(
    gittask: Program, tree: Path, git: Git
) -> None:
    task = gittask.new()
    path = path_of(task)
    gittask.push({path: b"title: [\n\x1b[2Jb\n", "notes.yaml": bytes(range(256))})
    shown = git(tree, "log", "-1", "-p")
    assert not controls(shown)
    assert "+gittask shows this file as it is: line 2: the character U+001B" in shown
    assert "+\\e[2Jb" in shown
    assert "the file is not UTF-8\n+\\x00\\x01" in shown


def test_without_the_program_files_are_shown_as_they_are(
    gittask: Program, tree: Path, git: Git, tmp_path: Path
) -> None:
    gittask("set", gittask.new(), "priority=0")
    gone = tmp_path / "it is gone"
    for command in (
        textconv_command(str(gone), gone),
        textconv_command(sys.executable, gone),
        textconv_command(str(gone), Path(__file__).parents[2] / "gittask"),
    ):
        git(tree, "config", "diff.gittask.textconv", command)
        assert "+priority: 0" in changed(git(tree, "show"))


def test_places_with_blanks_and_quotes(tmp_path: Path, gittask: Program) -> None:
    import gittask as package

    place = tmp_path / "it's a $place"
    place.mkdir()
    python = place / "python 3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    record = place / "a b.yaml"
    record.write_bytes(gittask.stored(path_of(gittask.new("One"))))
    command = textconv_command(str(python), Path(package.__file__).parent)
    # As git runs it: a shell, with the file as an argument.
    argv = ["sh", "-c", f'{command} "$@"', command, str(record)]
    assert "\ntitle: One\n" in subprocess.run(argv, capture_output=True, text=True).stdout


def test_what_git_calls_loads_little(gittask: Program, tmp_path: Path) -> None:
    record = tmp_path / "task.yaml"
    record.write_bytes(gittask.stored(path_of(gittask.new())))
    argv = [sys.executable, "-P", "-X", "importtime", "-m", "gittask.cli.textconv", str(record)]
    done = subprocess.run(argv, capture_output=True, text=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "gittask.core.reading" in loaded
    assert not loaded & {
        "yaml",
        "click",
        "pygit2",
        "jsonschema_rs",
        "jsonschema",
        "json.tool",
        "hashlib",
    }
    assert done.stdout.startswith("id: ")
    lost = subprocess.run([*argv[:-1], str(tmp_path / "lost")], capture_output=True, text=True)
    assert (lost.returncode, lost.stdout) == (
        0,
        "gittask cannot read this file: No such file or directory\n",
    )


def test_the_command_shows_the_same(gittask: Program, tmp_path: Path) -> None:
    record = tmp_path / "task.yaml"
    record.write_bytes(gittask.stored(path_of(gittask.new("One"))))
    text = gittask("textconv", str(record)).out
    assert "title: One\n" in text
    assert gittask.json("textconv", str(record))["textconv"]["lines"] == text.splitlines()


def test_nothing_is_kept_of_what_was_shown(gittask: Program, tree: Path, git: Git) -> None:
    gittask.new()
    before = git(tree, "for-each-ref")
    git(tree, "log", "-p")
    assert git(tree, "for-each-ref") == before


def test_without_a_work_tree_git_is_told_of_the_attributes(gittask: Program, git: Git) -> None:
    gittask("set", gittask.new(), "priority=0")
    here = gittask.folder
    assert "+priority: 0" in changed(git(here, "show", "gittask"))
    attributes = here / ".git" / "gittask.attributes"
    attributes.write_text(git(here, "show", "gittask:.gitattributes"))
    ways = [["-c", f"core.attributesFile={attributes}"]]
    ways += [["--attr-source=gittask"]] if version() >= (2, 41) else []
    for way in ways:
        _, came = changed(git(here, *way, "show", "gittask"))
        assert came.startswith("+priority: 0 (by ann, 20")


def test_what_the_branch_says_of_itself_can_be_done(
    clones: Callable[[int], list[Path]], git: Git
) -> None:
    first, second = clones(2)
    made = Program(first)
    made("init")
    task = made.new("Fix it")
    made("sync")
    git(second, "fetch", "-q", "origin")
    page = git(second, "show", "origin/gittask:README.md")
    commands = [line.split() for line in page.splitlines() if line.startswith("    ")]
    assert len(commands) == 8
    program, told = Program(second), ""
    for name, *args in commands:
        told += program(*args).out if name == "gittask" else git(second, *args)
    assert told.count(f"new {task}: Fix it") >= 3
    assert told.count("+title: Fix it") == 2
    assert not re.search(r"\]\(|https?:", page)
