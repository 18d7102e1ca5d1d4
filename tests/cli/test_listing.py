"""``list`` and ``ready``, on real repositories."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.filled import RECORDS, TASKS, names
from tests.memory import task, task_id
from tests.program import Program
from tests.stored import path, write


@pytest.fixture
def gittask(repo: Path) -> Program:
    """The program in a small store."""
    write(repo, *RECORDS)
    return Program(repo)


def test_a_list_as_people_see_it(gittask: Program) -> None:
    assert gittask("list").out == (
        "abcd  active  P1  codex-1                  Task abcd\n"
        "abce  open    P2  (alice)  due 2026-03-29  Task abce\n"
        "bbbb  open    P2  (alice)                  Task bbbb\n"
    )


def test_a_list_as_json_is_the_records(gittask: Program) -> None:
    assert gittask.json("list") == {"tasks": [one.data for one in TASKS[:3]], "total": 3}


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--closed"], ["abcd", "abce", "bbbb", "cccc"]),
        (["--status", "done"], ["cccc"]),
        (["--status", "done", "--status", "active"], ["abcd", "cccc"]),
        (["--label", "urgent"], ["abcd"]),
        (["--label", "urgent", "--label", "x"], []),
        (["--project", "shop"], ["abce"]),
        (["--responsible", "bob"], []),
        (["--holder", "codex-1"], ["abcd"]),
        (["--priority", "1"], ["abcd"]),
        (["--type", "bug"], []),
        (["--parent", "abce"], []),
        (["--blocked"], ["bbbb"]),
        (["--waiting"], ["abcd"]),
    ],
)
def test_filters(gittask: Program, options: list[str], found: list[str]) -> None:
    assert names(gittask.json("list", *options)) == found


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--project", "nope"], 3),
        (["--holder", "nope"], 3),
        (["--responsible", "nope"], 3),
        (["--parent", "abc"], 3),
        (["--parent", "ab"], 3),
        (["--status", "nope"], 2),
        (["--priority", "5"], 2),
        (["--limit", "0"], 2),
        (["--label", "--json"], 2),
    ],
)
def test_a_filter_that_means_nothing_is_an_error(
    gittask: Program, options: list[str], code: int
) -> None:
    result = gittask("list", *options, "--json", code=code)
    assert result.error["message"]
    assert result.err == ""


def test_a_page(gittask: Program) -> None:
    page = gittask("list", "--limit", "2")
    assert len(page.out.splitlines()) == 2
    assert page.err == "2 of 3 tasks; --all shows the rest; --after abce00000000 the next\n"
    whole = gittask("list", "--limit", "2", "--all")
    assert (len(whole.out.splitlines()), whole.err) == (3, "")
    document = gittask.json("list", "--limit", "2")
    assert (names(document), document["total"]) == (["abcd", "abce"], 3)
    following = gittask.json("list", "--limit", "2", "--after", document["next"])
    assert (names(following), following["total"], "next" in following) == (["bbbb"], 3, False)


def test_a_bad_file_is_warned_of_and_hides_nothing(gittask: Program) -> None:
    bad = path(task("bbbb"))
    write(gittask.folder, files={bad: b"title: [\n"})
    shown = gittask("list")
    assert len(shown.out.splitlines()) == 2
    assert f"warning: unreadable: {bad}:" in shown.err
    document = gittask.json("list")
    assert names(document) == ["abcd", "abce"]
    assert [problem["file"] for problem in document["problems"]] == [bad]


@pytest.mark.parametrize("zone", ["Europe/Moscow", "America/New_York", "Pacific/Apia"])
def test_a_day_is_the_same_day_everywhere(gittask: Program, zone: str) -> None:
    assert b"due 2026-03-29" in gittask.process("list", env={"TZ": zone}).stdout


def test_ready_lists_what_can_be_started(gittask: Program) -> None:
    shown = gittask("ready")
    assert shown.out == "abce  open  P2  (alice)  due 2026-03-29  Task abce\n"
    missing = f"{task_id('abce')} needs {task_id('x')}, which does not exist"
    assert shown.err == f"warning: {missing}\n"
    assert gittask.json("ready")["warnings"] == [missing]


def test_ready_takes_filters(gittask: Program) -> None:
    assert names(gittask.json("ready", "--project", "shop")) == ["abce"]
    assert gittask.json("ready", "--label", "urgent") == {"tasks": [], "total": 0}


def test_a_circle_is_named_and_hides_nothing(gittask: Program) -> None:
    ring = [task("bbbb", depends_on=["cccd"]), task("cccd", depends_on=["bbbb"])]
    write(gittask.folder, task("abce"), *ring)
    document = gittask.json("ready")
    assert names(document) == ["abce"]
    (warning,) = document["warnings"]
    assert f"{task_id('bbbb')} -> {task_id('cccd')} -> {task_id('bbbb')}" in warning
    assert "gittask dep remove" in warning


COMMAND = [sys.executable, "-m", "gittask", "list", "--all"]


@pytest.mark.parametrize("mode", [[], ["--json"]])
def test_a_reader_that_leaves_early(
    repo: Path, mode: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    ids = (f"{a}{b}" for a in "abcdefghjkmnpqrstvwx" for b in "0123456789abcdef")
    write(repo, *(task(id, title="t" * 480) for id in ids))  # more than a pipe holds
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, *mode], cwd=repo, stdout=pipe, stderr=pipe) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.read(1)
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141
