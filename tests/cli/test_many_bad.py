"""A store in which much cannot be read: a few of it are named, and how many there are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Git
from tests.program import Program, path_of

BAD = {path_of(f"k3m9q2k3m9{number:02x}"): b"title: [\n" for number in range(25)}
REST = "and 15 more cannot be read: gittask doctor"


@pytest.mark.parametrize("call", ["list", "list --blocked", "ready", "find Good"])
def test_all_lists_stop_at_ten(gittask: Program, call: str) -> None:
    gittask.new("Good and well")
    gittask.push(BAD)
    shown = gittask(*call.split())
    assert shown.err.count("warning: unreadable: ") == 10
    assert f"warning: {REST}\n" in shown.err
    found = gittask.json(*call.split())
    assert (len(found["problems"]), found["problems_total"]) == (10, 25)


@pytest.mark.parametrize("call", ["timeline", "brief"])
def test_what_is_about_one_task(gittask: Program, call: str) -> None:
    task = gittask.new("Good")
    notes = f"tasks/{task[-2:]}/{task}/notes"
    gittask.push({f"{notes}/20261130t1004{n}z-k3m9q2.yaml": b"[\n" for n in range(10, 25)})
    shown = gittask(call, task)
    assert gittask.json(call, task)["problems_total"] == 15
    assert shown.err.count("warning: unreadable: ") == 10
    assert "and 5 more cannot be read: gittask doctor" in shown.err


def test_status_names_some(gittask: Program) -> None:
    gittask.push(BAD)
    shown = gittask("status").out
    assert "Unreadable (25)" in shown
    assert "more: gittask doctor" in shown
    found = gittask.json("status")["status"]
    assert (len(found["problems"]), found["problems_total"]) == (10, 25)


def test_the_inbox_names_some_and_then_the_doctor(gittask: Program) -> None:
    gittask.push(BAD)
    items: list[dict[str, Any]] = gittask.json("inbox")["inbox"]
    *named, last = [item for item in items if item["kind"] == "unreadable"]
    assert [item["record"] for item in named] == sorted(BAD)[:10]
    assert (last["text"], last["command"]) == ("and 15 more cannot be read", "gittask doctor")


def test_a_sync_names_some(clones: Callable[[int], list[Path]], git: Git) -> None:
    one, two = (Program(folder) for folder in clones(2))
    one("init")
    one("sync")
    two("init")
    one.push(BAD)
    git(one.folder, "push", "-q", "origin", "gittask")
    result = two("sync")
    assert result.err.count("exchanged, but cannot be read: ") == 10
    assert REST in result.err
    one.push(dict.fromkeys(BAD, b"title: [[\n"))
    git(one.folder, "push", "-q", "origin", "gittask")
    found = two("--json", "sync").document["sync"]
    assert (len(found["bad"]), found["bad_total"]) == (10, 25)


def test_the_doctor_names_all(gittask: Program) -> None:
    gittask.push(BAD)
    said = gittask("doctor", code=5).err
    assert all(path in said for path in BAD)
