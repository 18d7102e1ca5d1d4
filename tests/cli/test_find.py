"""``find``: what people and scripts get of it, on real repositories."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from gittask.core.record import Record
from tests.cli.filled import NOTE, RECORDS
from tests.memory import actor, at, event, project, task
from tests.program import Program, controls
from tests.stored import path, write

SHA = "3f9c2ab5d1e0" + "0" * 28
ROUTES = task("rbcd", "done", outcome="it works", title="Fix the routing table", labels=["net"])
REPORT = event(
    "handoff",
    "rbcd",
    20,
    summary="Routes are read",
    commits=[{"sha": SHA}],
    verified=[{"claim": "packets arrive", "command": "pytest -k 'arrive'", "exit_code": 0}],
)
_MADE = event("decision", "abce", 30, title="Tills route by Straße").data
_OF_NONE = {name: value for name, value in _MADE.items() if name != "task"}
SHOP = Record("decision", _MADE["id"], {**_OF_NONE, "scope": "project", "project": "shop"})


@pytest.fixture
def gittask(repo: Path) -> Program:
    """The program in a small store."""
    write(repo, *RECORDS, ROUTES, REPORT, SHOP)
    return Program(repo)


def end(record: Record) -> str:
    """The random end of a record's id."""
    return record.id.partition("-")[2]


def ids(document: dict[str, Any]) -> list[str]:
    return [hit["id"] for hit in document["hits"]]


def test_what_people_see(gittask: Program) -> None:
    assert gittask("find", "route").out == (
        f"decision  {end(SHOP)}  2026-11-30 10:30 UTC  codex-1\n"
        f"    title: Tills route by Straße\n"
        f"task      rbcd    2026-11-30 10:00 UTC  alice          Fix the routing table\n"
        f"    title: Fix the routing table\n"
        f"handoff   {end(REPORT)}  2026-11-30 10:20 UTC  codex-1  rbcd  Fix the routing table\n"
        f"    summary: Routes are read\n"
    )


def test_at_a_terminal_what_was_searched_for_stands_out(gittask: Program) -> None:
    pytest.importorskip("pty", reason="there are no terminals here")
    from tests.terminal import AtTerminal

    long = "before " * 4 + "the needle " + "after " * 40
    write(gittask.folder, event("note", "rbcd", 40, body=long))
    seen = AtTerminal(gittask.folder)("find", "needle", columns=60)
    assert seen.styled("needle")
    assert len(seen.lines) == 2
    assert all(len(line) <= 60 for line in seen.lines)


def test_what_scripts_see(gittask: Program) -> None:
    document = gittask.json("find", "packets", "ARRIVE")
    (hit,) = document.pop("hits")
    assert document == {"total": 1, "every_word": True}
    assert hit.pop("score") > 0
    assert hit == {
        "kind": "handoff",
        "id": REPORT.id,
        "task": ROUTES.id,
        "at": at(20),
        "by": "codex-1",
        "title": "Fix the routing table",
        "field": "verified.0.claim",
        "line": "packets arrive",
    }


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["ARRIVE", "packets"], [REPORT]),
        (['"it works"', "routing"], [ROUTES]),
        (["strasse"], [SHOP]),
        (["rou*", "shop"], [SHOP]),
        ([SHA[:7]], [REPORT]),
        ([SHA], [REPORT]),
        (["rbcd"], [ROUTES]),
        ([end(NOTE)], [NOTE]),
        ([NOTE.id], [NOTE]),
        (["shop", "--kind", "project"], [project("shop")]),
        (["bob", "--kind", "actor"], [actor("bob")]),
        (["pytest"], [REPORT]),
        (["route", "--kind", "handoff", "--kind", "decision"], [SHOP, REPORT]),
        (["route", "--status", "done"], [ROUTES, REPORT]),
        (["route", "--status", "open", "--status", "active"], []),
        (["route", "--label", "net", "--by", "codex-1"], [REPORT]),
        (["route", "--project", "shop"], [SHOP]),
        (["route", "--since", "2026-11-30T10:20", "--until", "2026-11-30T10:30"], [REPORT]),
        (["route", "--since", "2026-12-01"], []),
        (["route", "--since", "2026-11-30", "--until", "2026-11-30"], [ROUTES, SHOP, REPORT]),
        (["route", "--since", "9999d"], [ROUTES, SHOP, REPORT]),
        (["route", "--until", "9999d"], []),
        (["--", "-k"], [REPORT]),
        (["--kind", "decision"], [SHOP]),
        (["--kind", "decision", "--project", "SHOP"], [SHOP]),
        (["--label", "net", "--by", "Alice"], [ROUTES]),
        (["--label", "nosuch"], []),
        (["--status", "cancelled"], []),
    ],
)
def test_words_and_filters(gittask: Program, words: list[str], found: list[Record]) -> None:
    document = gittask.json("find", *words)
    assert sorted(ids(document)) == sorted(record.id for record in found)
    assert document["every_word"] == (bool(found) or words[0].startswith("--"))


def test_without_words_the_newest_is_first(gittask: Program) -> None:
    document = gittask.json("find", "--until", "2026-11-30", "--all")
    times = [hit["at"] for hit in document["hits"]]
    assert len(times) > 5
    assert times == sorted(times, reverse=True)
    assert {hit["score"] for hit in document["hits"]} == {0.0}
    assert gittask("find", "--kind", "decision").out.splitlines()[1] == (
        "    title: Tills route by Straße"
    )


@pytest.mark.parametrize("words", ["task", "seen alice needed shop", "abcd bbbb"])
def test_show_takes_each_id_that_is_shown(gittask: Program, words: str) -> None:
    document = gittask.json("find", words, "--all")
    heads = gittask("find", words, "--all").out.splitlines()[::2]
    assert len(heads) == document["total"] > 1
    for head, hit in zip(heads, document["hits"], strict=True):
        kind, name, *_ = head.split()
        assert gittask.json("show", name)[kind]["id"] == hit["id"]


def test_the_store_goes_by_its_file(gittask: Program) -> None:
    head, _ = gittask("find", "store", "--kind", "store").out.splitlines()
    assert gittask.json("show", head.split()[1])["store"]["name"] == "Store"


def test_a_page(gittask: Program) -> None:
    everything = ids(gittask.json("find", "task", "--all"))
    assert len(everything) > 2
    document = gittask.json("find", "task", "--limit", "2")
    assert (ids(document), document["total"]) == (everything[:2], len(everything))
    shown = gittask("find", "task", "--limit", "2")
    assert len(shown.out.splitlines()) == 4
    assert shown.err == f"2 of {len(everything)} hits; --all shows the rest\n"


def test_where_no_record_has_all_of_the_words(gittask: Program) -> None:
    result = gittask("find", "routing", "zebra")
    assert "Fix the routing table" in result.out
    assert result.err == "no record has all of these words; these have some\n"
    assert gittask.json("find", "routing", "zebra")["every_word"] is False


@pytest.mark.parametrize("words", [["zebra"], ["!!!"], ["-", "*"]])
def test_nothing_is_found(gittask: Program, words: list[str]) -> None:
    result = gittask("find", *words)
    assert result.out == ""
    assert result.err.startswith("nothing found\nhint: ")
    assert gittask.json("find", *words) == {"hits": [], "total": 0, "every_word": False}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ([], "nothing is asked for"),
        ([""], "words are empty"),
        (["", " ", "--kind", "task"], "words are empty"),
        (["x", "--since", "2026-12-02", "--until", "2026-12-01"], "--until is before --since"),
        (["x", "--kind", "zebra"], "zebra"),
        (["x", "--status", "zebra"], "zebra"),
        (["x", "--since", "zebra"], "zebra"),
        (["x", "--until", ""], "no time"),
    ],
)
def test_a_wrong_call(gittask: Program, call: list[str], said: str) -> None:
    assert said in gittask("--json", "find", *call, code=2).error["message"]


@pytest.mark.parametrize(
    ("options", "kind"),
    [(["--by", "zo\x1be"], "actor"), (["--by", ""], "actor"), (["--project", "zebra"], "project")],
)
def test_a_filter_names_what_is_there(gittask: Program, options: list[str], kind: str) -> None:
    """As of a list."""
    result = gittask("find", "task", *options, code=3)
    assert result.out == ""
    assert result.err.startswith(f"error: no {kind} ")
    assert not controls(result.err)


def test_the_program_itself_can_be_named(gittask: Program) -> None:
    assert gittask.json("find", "task", "--by", "gittask")["hits"] == []


@pytest.mark.parametrize(
    ("words", "place"),
    [("arrive", "verified"), ("rbcd", "title"), ('"it works"', "outcome"), ("net", "labels")],
)
def test_people_see_plain_words_for_fields(gittask: Program, words: str, place: str) -> None:
    shown = gittask("find", words, "--status", "done").out.splitlines()
    assert shown[1].startswith(f"    {place}: ")


@pytest.mark.parametrize("name", ["search", "grep"])
def test_other_names_of_it(gittask: Program, name: str) -> None:
    assert "did you mean: gittask find" in gittask("--json", name, "x", code=2).error["message"]


def test_a_bad_file_is_told_and_hides_nothing(gittask: Program) -> None:
    bad = path(NOTE)
    write(gittask.folder, files={bad: b"a: [\n"})
    document = gittask.json("find", "route")
    assert set(ids(document)) == {ROUTES.id, SHOP.id, REPORT.id}
    assert {problem["file"] for problem in document["problems"]} == {bad}
    assert bad in gittask("find", "route").err


def test_nothing_hidden_comes_out(gittask: Program) -> None:
    note = event("note", "hbcd", 1, body="\tneedle\t\u202e\u2066x")
    write(gittask.folder, task("hbcd", title="a\u202eb needle\u200b"), note)
    shown = gittask("find", "needle").out
    assert not controls(shown)
    assert not set(shown) & set("\u202e\u2066\u200b")
    assert "title: a\\u202eb needle\\u200b" in shown
    assert "body: needle\\t\\u202e\\u2066x" in shown
    assert "needle\t\u202e\u2066x" in [
        hit["line"] for hit in gittask.json("find", "needle")["hits"]
    ]


def test_a_python_that_cannot_search(gittask: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    class Without(sqlite3.Connection):
        def execute(self, *_: Any) -> sqlite3.Cursor:
            raise sqlite3.OperationalError("no such module: fts5")

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Without, **k))
    result = gittask("find", "x", code=1)
    assert result.err.startswith("error: this Python cannot search text: no such module: fts5\n")
