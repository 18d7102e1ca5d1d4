"""``timeline``: what happened to a task, from its records and from the merges of the branch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gittask.cli.output import Output
from gittask.core.record import Record
from gittask.store.objects import Objects
from tests.cli.filled import ASKED, CLAIM, NOTE, RECORDS
from tests.clones import Clone, meet, shared
from tests.conftest import Git
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
    return record.id.partition("-")[2]


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
        (["--by", "alice"], ["created"]),
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
        (["--by", "codex"], "no entries\nthe store knows no actor 'codex': gittask actor list\n"),
    ],
)
def test_what_was_left_out_is_said(gittask: Program, options: list[str], said: str) -> None:
    assert gittask("timeline", "abcd", *options).err == said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--since", "yesterday"], "2026-11-30"),
        (["--until", "yesterday"], "2026-11-30"),
        (["--since", "2026-12-01", "--until", "2026-11-30"], "later --until"),
        (["--kind", "nope"], "--help"),
        (["--limit", "x"], "--help"),
    ],
)
def test_choices_that_mean_nothing(gittask: Program, options: list[str], said: str) -> None:
    error = gittask("timeline", "abcd", *options, "--json", code=2).error
    assert said in error["hint"]


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


@pytest.mark.parametrize("options", [["--all"], ["--all", "--reverse"], ["--limit", "3"]])
def test_the_first_line_comes_before_the_rest_is_opened(
    gittask: Program, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(gittask.folder, *(event("note", "abcd", 5 + n % 50, body=str(n)) for n in range(300)))
    opened: list[str] = []
    at_lines: list[int] = []
    blob, text = Objects.blob, Output.text

    def counted(self: Objects, id: str) -> bytes:
        opened.append(id)
        return blob(self, id)

    def told(self: Output, line: str) -> None:
        at_lines.append(len(opened))
        text(self, line)

    monkeypatch.setattr(Objects, "blob", counted)
    monkeypatch.setattr(Output, "text", told)
    gittask("timeline", "abcd", *options)
    assert at_lines[0] < 20
    everything = options[0] == "--all"
    assert len(opened) > 300 if everything else len(opened) < 20


# -- merges -------------------------------------------------------------------------------------


@pytest.fixture
def pair(clones: Callable[[int], list[Path]]) -> list[Clone]:
    return shared(clones(2))


def merges(clone: Clone, task: str) -> list[dict[str, object]]:
    document = Program(clone.folder).json("timeline", task, "--kind", "merge")
    found: list[dict[str, object]] = document["entries"]
    return found


def test_a_merge_of_what_both_sides_did_to_the_task(pair: list[Clone]) -> None:
    first, second = pair
    both, one = first.new("Both"), first.new("One")
    meet(first, second)
    first.set(both, title="Mine")
    first.note(one, "mine")
    second.note(both, "theirs")
    first.sync()
    second.sync()
    merged, sides = second.tip, second.git("rev-parse", "gittask^1", "gittask^2").split()
    first.sync()
    for clone in pair:
        (entry,) = merges(clone, both)
        assert (entry["by"], entry["id"]) == (second.actor, merged)
        assert entry["details"]["parents"] == sides  # type: ignore[index]
        assert merges(clone, one) == []
    shown = Program(first.folder)("timeline", both).out.splitlines()
    assert f"merge {str(merged)[:12]}  merge: " in next(line for line in shown if "merge " in line)


def test_a_plain_merge_by_git_is_a_merge_of_who_made_it(pair: list[Clone], git: Git) -> None:
    first, second = pair
    both = first.new("Both")
    meet(first, second)
    first.note(both, "mine")
    second.note(both, "theirs")
    second.sync()
    tree = first.folder.parent / "tree"
    git(first.folder, "fetch", "-q", "origin")
    git(first.folder, "worktree", "add", "-q", str(tree), "gittask")
    git(tree, "merge", "-q", "--no-edit", "origin/gittask")
    (entry,) = merges(first, both)
    assert (entry["by"], entry["id"]) == ("clone0", first.tip)


def test_a_shallow_clone_has_the_merges_that_it_knows_of(
    pair: list[Clone], bare: Path, tmp_path: Path, git: Git
) -> None:
    first, second = pair
    both = first.new("Both")
    meet(first, second)
    first.note(both, "mine")
    second.note(both, "theirs")
    meet(first, second)
    assert len(merges(first, both)) == 1
    clone = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", "-b", "gittask", f"file://{bare}", str(clone))
    entries = Program(clone).json("timeline", both)["entries"]
    assert [entry["kind"] for entry in entries] == ["created", "observation", "observation"]


def test_without_history_the_rest_is_told(gittask: Program, git: Git) -> None:
    before = git(gittask.folder, "rev-parse", "gittask^")
    (gittask.folder / ".git" / "objects" / before[:2] / before[2:]).unlink()
    result = gittask("timeline", "abcd")
    assert len(result.out.splitlines()) == 6
    assert result.err.startswith("warning: merges are left out, for history cannot be read")
