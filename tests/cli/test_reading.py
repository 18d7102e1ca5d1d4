"""``show``, ``status`` and ``verify``, and what all reading keeps to."""

from __future__ import annotations

from pathlib import Path

import pytest

from gittask.core.record import Record
from tests.cli.filled import ASKED, CLAIM, NOTE, RECORDS, TASKS
from tests.conftest import Git
from tests.memory import actor, event, project, task, task_id
from tests.program import Program
from tests.stored import path, write


@pytest.fixture
def gittask(repo: Path) -> Program:
    """The program in a small store."""
    write(repo, *RECORDS)
    return Program(repo)


# -- show ---------------------------------------------------------------------------------------


def test_show_a_task(gittask: Program) -> None:
    document = gittask.json("show", "abcd")
    assert document["task"] == TASKS[0].data
    assert document["computed"]["holder"]["actor"] == "codex-1"
    assert document["computed"]["open_questions"] == [ASKED.data]
    assert gittask("show", "ABCD0").out.startswith(
        "abcd00000000  Task abcd\n"
        "codex-1 has waited for alice since 2026-11-30 10:04 UTC: May I?\n"
        "\nwhy\n  it is needed\n\nstatus       active (epoch 1), held by codex-1 under "
    )


@pytest.mark.parametrize("record", [CLAIM, NOTE, ASKED, actor("bob"), project("shop")])
def test_show_any_record(gittask: Program, record: Record) -> None:
    for name in (record.id, path(record)):
        document = gittask.json("show", name)
        assert document.pop(record.kind) == record.data
        assert set(document) == ({"computed"} if record in (CLAIM, ASKED) else set())
    assert gittask("show", record.id).out.startswith(f"{record.kind} {record.id}")


@pytest.mark.parametrize("name", ["zzzz", "abc", "20991231t", "actors/zz.yaml", "ZZ/.."])
def test_show_what_is_not_there(gittask: Program, name: str) -> None:
    assert gittask("show", name, "--json", code=3).error["code"] == "not_found"


def test_show_what_is_ambiguous(gittask: Program) -> None:
    write(gittask.folder, task("abcdd"))
    error = gittask("show", "abcd", "--json", code=3).error
    assert error["code"] == "ambiguous"
    assert error["details"]["candidates"] == [task_id("abcd"), task_id("abcdd")]


def test_show_a_bad_record(gittask: Program) -> None:
    write(gittask.folder, files={path(task("bbbb")): b"title: [\n"})
    assert gittask("show", "bbbb", "--json", code=5).error["code"] == "invalid"


# -- status -------------------------------------------------------------------------------------


def test_status_of_a_task(gittask: Program) -> None:
    assert gittask("status", "abcd").out == (
        "codex-1 has waited for alice since 2026-11-30 10:04 UTC: May I?\n"
    )
    assert gittask.json("status", "cccc") == {
        "status": {
            "task": task_id("cccc"),
            "title": "Task cccc",
            "status": "done",
            "provisional": False,
            "line": "done by alice at 2026-11-30 10:00 UTC: it works",
        }
    }


def test_status_of_the_store_for_an_actor(gittask: Program) -> None:
    found = gittask.json("status", "--as", "codex-1")["status"]
    assert found["actor"] == "codex-1"
    assert [row["task"] for row in found["holds"]] == [task_id("abcd")]
    found = gittask.json("status", "--as", "alice")["status"]
    assert [row["message"] for row in found["questions"]] == [ASKED.id]
    assert [row["task"] for row in found["working"]] == [task_id("abcd")]
    assert [row["task"] for row in found["ready"]] == [task_id("abce")]


def test_status_for_people_leaves_out_what_is_empty(gittask: Program) -> None:
    shown = gittask("status", "--as", "alice")
    assert shown.out.splitlines() == [
        "alice, in gittask",
        "",
        "You are asked (1)",
        f"  {ASKED.id}  codex-1: May I?",
        "",
        "In work (1)",
        "  abcd  Task abcd",
        "    codex-1 has waited for alice since 2026-11-30 10:04 UTC: May I?",
        "",
        "Ready (1)",
        "  abce  Task abce",
    ]
    assert shown.err == ""


def test_long_parts_of_a_status_are_cut_for_people_only(gittask: Program) -> None:
    write(gittask.folder, *(task(name) for name in "defghjkmnpqr"))
    assert "  and 3 more: gittask ready --all" in gittask("status").out
    assert len(gittask.json("status")["status"]["ready"]) == 13


def test_status_names_bad_files_and_circles(gittask: Program) -> None:
    ring = [task("bbbb", depends_on=["cccd"]), task("cccd", depends_on=["bbbb"])]
    bad = path(task("cccc"))
    write(gittask.folder, *ring, files={bad: b"title: [\n"})
    found = gittask.json("status")["status"]
    assert [problem["file"] for problem in found["problems"]] == [bad]
    assert [circle["tasks"] for circle in found["circles"]] == [[task_id("bbbb"), task_id("cccd")]]
    shown = gittask("status").out
    assert "Unreadable (1)" in shown
    assert "Circles (1)" in shown


# -- verify -------------------------------------------------------------------------------------


def test_verify_a_store_with_a_fault(gittask: Program) -> None:
    result = gittask("verify", "--json", code=5)
    assert result.error["code"] == "invalid"
    assert result.problems == {
        "depends_on.0": "names the task 'x00000000000', which does not exist"
    }


def test_verify_a_store_without(gittask: Program) -> None:
    tip = write(gittask.folder, task("abce"), files={"tasks/x": b"x"})
    shown = gittask("verify")
    assert shown.out == "13 records of 1 commit checked, nothing is wrong\n"
    assert shown.err.startswith("warning: tasks/x: is no record")
    found = gittask.json("verify")["verify"]
    assert (found["commits"], found["files"]) == ([tip], 13)
    assert [warning["file"] for warning in found["warnings"]] == ["tasks/x"]


def test_verify_of_a_range_names_the_commit(gittask: Program) -> None:
    write(gittask.folder, task("abce"))
    bad = write(gittask.folder, files={path(NOTE): b"x", "tasks/x": b"x"})
    details = gittask("verify", "gittask~1..gittask", "--json", code=5).error["details"]
    places = {(each["commit"], each["file"]) for each in details["problems"]}
    assert places == {(bad, path(NOTE))}
    assert [each["file"] for each in details["warnings"]] == ["tasks/x"]
    shown = gittask("verify", "gittask~1..gittask", code=5)
    assert f"{bad[:12]}:{path(NOTE)}" in shown.err
    assert f"warning: {bad[:12]}:tasks/x" in shown.err


# -- all of them --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["list", "--label", "nowhere"], "no tasks"),
        (["ready", "--label", "nowhere"], "no tasks"),
        (["timeline", "abcd", "--since", "2099-01-01"], "no entries"),
    ],
)
def test_nothing_is_said_to_be_nothing(gittask: Program, args: list[str], said: str) -> None:
    result = gittask(*args)
    assert (result.out, result.err) == ("", f"{said}\n")
    assert gittask.json(*args)["total"] == 0


COMMANDS = [["list"], ["ready"], ["status"], ["verify"], ["show", "abcd"], ["timeline", "abcd"]]


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_store(repo: Path, command: list[str]) -> None:
    assert Program(repo)(*command, "--json", code=3).error["code"] == "no_store"


@pytest.mark.parametrize("command", [*COMMANDS, ["status", "abcd"]])
def test_a_fresh_clone_is_read_without_an_identity(
    gittask: Program, tmp_path: Path, git: Git, command: list[str]
) -> None:
    write(gittask.folder, task("abce"))
    clone = tmp_path / "fresh"
    git(tmp_path, "clone", "-q", str(gittask.folder), str(clone))
    before = git(clone, "for-each-ref")
    document = Program(clone).json(*command)
    if command == ["status"]:
        assert document["status"]["actor"] is None
        assert document["status"]["questions"] == []
    assert git(clone, "for-each-ref") == before


HOSTILE = "x\u202eevil\u2066 \u200b\u2028"


@pytest.mark.parametrize(
    "command", [["list"], ["status"], ["status", "abcd"], ["show", "abcd"], ["timeline", "abcd"]]
)
@pytest.mark.parametrize("mode", [[], ["--json"]])
def test_no_text_of_a_record_controls_the_terminal(
    repo: Path, command: list[str], mode: list[str]
) -> None:
    noted = event("note", "abcd", 1, body=f"{HOSTILE}\nb\u202ec")
    hostile = task("abcd", "cancelled", title=HOSTILE, why=HOSTILE, reason=HOSTILE)
    write(repo, task("abce", title=HOSTILE, labels=["a\u202eb"]), hostile, noted)
    shown = Program(repo)(*command, *mode).out
    assert "evil" in shown
    assert not set(shown) & set("\u202e\u2066\u200b\u2028\x1b\x07\r")
