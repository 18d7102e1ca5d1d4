"""``timeline``: what happened to a task, from its records; and that it begins at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

from gittask.core import ids
from gittask.core.record import Record
from gittask.store.objects import Objects
from gittask.store.repo import Repo
from tests.cli.filled import ASKED, CLAIM, NOTE, RECORDS
from tests.memory import at, event, task
from tests.program import Program
from tests.stored import path, write


@pytest.fixture
def gittask(repo: Path) -> Program:
    """The program in a small store."""
    write(repo, *RECORDS)
    return Program(repo)


def end(record: Record) -> str:
    """The random end of a record's id, by which commands take it too."""
    return ids.ending(record.id)


def test_the_id_in_a_timeline_names_the_record(gittask: Program) -> None:
    shown = gittask("timeline", "abcd", "--kind", "note").out.split()
    assert gittask.json("show", shown[shown.index("observation") + 1])["note"] == NOTE.data


def test_timeline_as_people_see_it(gittask: Program) -> None:
    assert gittask("timeline", "abcd").out.splitlines() == [
        "2026-11-30 10:00 UTC  alice  created  Task abcd",
        "2026-11-30 10:01 UTC  codex-1  claim  codex-1 as editor: make it work",
        f"2026-11-30 10:02 UTC  codex-1  observation {end(NOTE)}  seen",
        "    more",
        f"2026-11-30 10:03 UTC  codex-1  question {end(ASKED)}  to alice: May I?",
        "2026-11-30 10:04 UTC  codex-1  wait  waits for person: approve `drop index`",
    ]


ALL = ["created", "claim", "observation", "question", "wait"]


@pytest.mark.parametrize(
    ("options", "kinds"),
    [
        ([], ALL),
        (["--reverse"], ALL[::-1]),
        (["--limit", "2"], ["question", "wait"]),
        (["--limit", "2", "--reverse"], ["wait", "question"]),
        (["--limit", "2", "--all"], ALL),
        (["--all", "--reverse"], ALL[::-1]),
        (["--kind", "note", "--kind", "execution"], ["claim", "observation"]),
        (["--kind", "question"], ["question"]),
        (["--kind", "message"], ["question"]),
        (["--since", "2026-11-30T10:02"], ALL[2:]),
        (["--since", "2026-11-30T12:02+02:00"], ALL[2:]),
        (["--since", "2026-11-30"], ALL),
        (["--since", "2026-12-01"], []),
        (["--until", "2026-11-30"], ALL),
        (["--until", "2026-11-29"], []),
        (["--until", "2026-11-30T10:02"], ALL[:2]),
        (["--since", "2026-11-30T10:02", "--until", "2026-11-30T10:03"], ["observation"]),
        (["--since", "9999d"], ALL),
        (["--until", "9999d"], []),
        (["--by", "alice"], ["created"]),
        (["--by", "Alice"], ["created"]),
        (["--by", "gittask"], []),
        (["--by", "codex-1", "--limit", "1"], ["wait"]),
        (["--execution", end(CLAIM)], ["claim", "observation"]),
    ],
)
def test_choosing_from_a_timeline(gittask: Program, options: list[str], kinds: list[str]) -> None:
    entries = gittask.json("timeline", "abcd", *options)["entries"]
    assert [entry["kind"] for entry in entries] == kinds
    shown = gittask("timeline", "abcd", *options).out.splitlines()
    assert [line.split()[4] for line in shown if not line.startswith(" ")] == kinds


def test_the_total_of_a_timeline_counts_what_was_chosen(gittask: Program) -> None:
    write(gittask.folder, event("note", "abcd", 30))
    for kind in ("note", "observation"):
        document = gittask.json("timeline", "abcd", "--kind", kind, "--limit", "1")
        assert (document["total"], len(document["entries"])) == (2, 1)
        entry = document["entries"][0]
        assert (entry["late"], entry["at"]) == (False, at(30))
    assert gittask.json("timeline", "abcd", "--kind", "note")["entries"][0]["details"] == NOTE.data


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--limit", "2"], "2 of 5 entries; --all shows the rest\n"),
        (["--limit", "2", "--by", "codex-1"], "the newest 2 entries; --all shows the rest\n"),
        (["--limit", "4", "--by", "codex-1"], ""),
        (["--limit", "5"], ""),
        (["--by", "bob"], "no entries\n"),
    ],
)
def test_what_was_left_out_is_said(gittask: Program, options: list[str], said: str) -> None:
    told = gittask("timeline", "abcd", *options).err
    assert told.partition("; --after ")[0].rstrip("\n") == said.rstrip("\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--since", "tomorrow"], "2026-11-30"),
        (["--until", "tomorrow"], "yesterday"),
        (["--since", "2026-12-01", "--until", "2026-11-30"], "later --until"),
        (["--kind", "nope"], "--help"),
        (["--limit", "x"], "--help"),
    ],
)
def test_choices_that_mean_nothing(gittask: Program, options: list[str], said: str) -> None:
    error = gittask("timeline", "abcd", *options, "--json", code=2).error
    assert said in error["hint"]


def test_an_actor_who_is_not_known(gittask: Program) -> None:
    for name in ("codex", ""):
        error = gittask("timeline", "abcd", "--by", name, "--json", code=3).error
        assert error["code"] == "not_found"


def test_an_execution_that_is_not_there(gittask: Program) -> None:
    gittask("timeline", "abcd", "--execution", "zzzzzz", code=3)
    gittask("timeline", "abce", "--execution", CLAIM.id, code=3)


def test_what_was_late_is_marked(gittask: Program) -> None:
    newer = event("execution", "abcd", 5, epoch=2, actor="bob")
    late = event("note", "abcd", 6, body="too late", execution=CLAIM.id)
    held = task("abcd", "active", holder=newer.id, epoch=2)
    write(gittask.folder, held, newer, late)
    shown = gittask("timeline", "abcd").out
    assert f"codex-1  observation {end(late)} (late)  too late" in shown


def test_a_bad_file_is_named_and_hides_nothing(gittask: Program) -> None:
    bad = event("note", "abcd", 5)
    write(gittask.folder, files={path(bad): b"body: [\n"})
    result = gittask("timeline", "abcd")
    assert len(result.out.splitlines()) == 6
    assert f"warning: unreadable: {path(bad)}" in result.err
    document = gittask.json("timeline", "abcd")
    assert (document["total"], document["problems"][0]["file"]) == (5, path(bad))


OPTIONS = [["--all"], ["--all", "--reverse"], ["--limit", "3"]]


class Opened:
    """How many files had been opened when each line was written, and which git commands ran."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files = 0
        self.at_lines: list[int] = []
        self.commands: list[str] = []
        blob, echo, git = Objects.blob, click.echo, Repo.git

        def opened(objects: Objects, id: str) -> bytes:
            self.files += 1
            return blob(objects, id)

        def written(*args: Any, **named: Any) -> None:
            self.at_lines.append(self.files)
            echo(*args, **named)

        def ran(repo: Repo, *args: str, **named: Any) -> Any:
            self.commands.append(next(each for each in args if not each.startswith("-")))
            return git(repo, *args, **named)

        monkeypatch.setattr(Objects, "blob", opened)
        monkeypatch.setattr(click, "echo", written)
        monkeypatch.setattr(Repo, "git", ran)


@pytest.mark.parametrize("options", OPTIONS)
def test_no_file_is_opened_for_what_the_index_has(
    gittask: Program, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(gittask.folder, *(event("note", "abcd", 5 + n % 50, body=str(n)) for n in range(300)))
    gittask("status", "abcd")  # brings the index along
    opened = Opened(monkeypatch)
    gittask("timeline", "abcd", *options)
    assert opened.files <= 1  # the task's own, for its versions


@pytest.mark.parametrize("options", OPTIONS)
def test_the_first_change_comes_before_all_versions_are_opened(
    gittask: Program, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = task("abcd")
    for number in range(200):
        changed = {"title": f"{number + 1} {at(number % 100)} alice"}
        held = Record("task", held.id, {**held.data, "title": f"{number}", "changed": changed})
        write(gittask.folder, held)
    opened = Opened(monkeypatch)
    shown = gittask("timeline", "abcd", "--kind", "changed", *options)
    assert opened.at_lines[0] < 100
    everything = options[0] == "--all"
    assert len(shown.out.splitlines()) == (200 if everything else 3)
    assert opened.files > 200 if everything else opened.files < 100
    assert opened.commands == ["cat-file"]
