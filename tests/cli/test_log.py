"""The history of the data branch in words, newest first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.history.log import Log, Logged
from tests.cli.acting import HANDOFF, Actor
from tests.clones import shared
from tests.conftest import Git
from tests.program import Program, controls, path_of


def subjects(program: Program, *args: str) -> list[str]:
    return [row["subject"] for row in program.json("log", *args)["commits"]]


def test_each_commit_says_who_did_what_under_which_execution(
    gittask: Program, codex: Actor, held: str, git: Git
) -> None:
    codex("handoff", held, *HANDOFF)
    id = git(gittask.folder, "rev-parse", "gittask").strip()
    (execution,) = gittask.records("execution")
    first, title, *rest = gittask("log", "--exact").out.splitlines()
    begun = f"{id[:12]}  20"
    assert first.startswith(begun)
    assert first.endswith(f" UTC  codex-1 ({execution['id'][17:]})  handoff {held}: It is done")
    assert title == "    Fix it"
    assert rest[-1].endswith("gittask: root of a task store")
    row = gittask.json("log")["commits"][0]
    assert row == {
        "commit": id,
        "parents": [git(gittask.folder, "rev-parse", "gittask~1").strip()],
        "at": row["at"],
        "actor": "codex-1",
        "subject": f"handoff {held}: It is done",
        "task": held,
        "title": "Fix it",
        "execution": execution["id"],
    }


def test_of_one_task(gittask: Program, ann: Actor) -> None:
    one, other = gittask.new("One"), gittask.new("Other")
    ann("note", one, "seen")
    ann("note", other, "unseen")
    assert subjects(gittask, one[:6]) == [f"note {one}: seen", f"new {one}: One"]
    assert "\n    One" not in gittask("log", one).out


def test_a_range_is_what_the_other_side_lacks(gittask: Program, git: Git) -> None:
    one = gittask.new("One")
    git(gittask.folder, "branch", "before", "gittask")
    two = gittask.new("Two")
    assert subjects(gittask, "before..gittask") == [f"new {two}: Two"]
    assert subjects(gittask, "before..") == [f"new {two}: Two"]
    assert subjects(gittask, one, "before..") == []
    assert gittask("log", "gittask..before").err == "no commits\n"
    assert subjects(gittask, "..before")[0] == f"new {one}: One"
    for wrong, code in (("nowhere..", 3), ("a...b", 2)):
        assert gittask("log", wrong, code=code).err.startswith("error: ")
    assert "too many arguments" in gittask("log", one, two, code=2).err


def test_page_by_page(gittask: Program) -> None:
    for title in ("One", "Two", "Three"):
        gittask.new(title)
    every = subjects(gittask, "--all")
    first = gittask.json("log", "--limit", "2")
    assert (len(first["commits"]), first["total"]) == (2, len(every))
    assert first["next"] == first["commits"][-1]["commit"]
    second = gittask.json("log", "--all", "--after", first["next"][:10])
    assert [row["subject"] for row in first["commits"] + second["commits"]] == every
    assert second["next"] is None
    told = gittask("log", "--limit", "2")
    assert told.err == "2 commits; --all shows the rest\n"
    assert "is not in this list" in gittask("log", "--after", "HEAD", code=3).err


def test_commits_are_counted_without_a_look_into_each(
    gittask: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for title in ("One", "Two", "Three"):
        gittask.new(title)
    opened: list[str] = []
    entry = Log.entry

    def spied(log: Log, commit: str) -> Logged:
        opened.append(commit)
        return entry(log, commit)

    monkeypatch.setattr(Log, "entry", spied)
    shown = gittask.json("log", "--limit", "1")
    assert shown["total"] > 3
    assert opened == [row["commit"] for row in shown["commits"]]


def test_since_and_until(gittask: Program) -> None:
    gittask.new("One")
    assert len(subjects(gittask, "--since", "today")) == 2
    assert subjects(gittask, "--until", "2026-01-02") == ["gittask: root of a task store"]
    assert (
        "--until is before --since"
        in gittask("log", "--since", "2h", "--until", "2000-01-01", code=2).err
    )


def test_a_patch_shows_the_fields_that_changed(gittask: Program, ann: Actor) -> None:
    task = gittask.new("One", "--accept", "It works")
    (item,) = gittask.task(task)["acceptance"]
    ann("set", task, f"acceptance.{item['id']}.met=true")
    lines = gittask("log", task, "--patch", "--limit", "1").out.splitlines()
    assert lines[1:4] == [
        f"    changed: task {task}",
        "       acceptance:",
        f"      -  - [ ] {item['id']}: It works",
    ]
    assert lines[4].startswith(f"      +  - [x] {item['id']}: It works (met by ann, 20")
    (change,) = gittask.json("log", task, "-p", "--limit", "1")["commits"][0]["changes"]
    assert (change["how"], change["kind"], change["id"]) == ("changed", "task", task)
    assert change["lines"] == [line[6:] for line in lines[2:5]]


def test_what_others_pushed_is_told_and_does_no_harm(gittask: Program) -> None:
    task = gittask.new("One")
    bad = {path_of(task): b"title: [\n\x1b[2J\n", "\x1b[2J.yaml": b"\xff", "big.yaml": b"x" * 2**21}
    gittask.push({**bad, "page.md": b"words"})
    told = gittask("log", "-p", "--limit", "1")
    assert not controls(told.out + told.err)
    first, *rest = told.out.splitlines()
    assert "  mallory  pushed" in first
    assert f"    changed: task {task}" in rest
    assert "      +gittask shows this file as it is: line 2: the character U+001B" in rest
    assert rest[rest.index("    added: big.yaml") + 1] == "      (too long to be compared here)"
    assert "    added: page.md" in rest
    gittask.push({path_of(task): None})
    assert f"    removed: task {task}" in gittask("log", "-p", "--limit", "1").out
    assert subjects(gittask)[:2] == ["pushed", "pushed"]


def test_a_merge_tells_who_synced_and_shows_what_is_unlike_in_both(
    clones: Callable[[int], list[Path]],
) -> None:
    one, other = shared(clones(2))
    task, own = one.new("One"), one.new("Own")
    one.sync()
    other.sync()
    one.set(task, title="Left")
    one.set(own, title="Mine")
    other.set(task, priority=0)
    one.sync()
    other.sync()
    program = Program(other.folder)
    (row,) = program.json("log", "--limit", "1", "-p")["commits"]
    assert (row["subject"], row["actor"], len(row["parents"])) == (
        "merge: 2 records of origin",
        other.actor,
        2,
    )
    (change,) = row["changes"]
    assert change["id"] == task
    assert [line[:7] for line in change["lines"]] == ["-title:", "+title:"]
