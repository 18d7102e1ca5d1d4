"""``find``: every kind of record, the filters, and the line that is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gittask.core.record import Record
from gittask.core.schema import Schemas
from gittask.store import packaged
from gittask.store.packaged import schemas
from gittask.store.search import Search
from gittask.views.documents import documents
from gittask.views.find import LENGTH, Filter, Results, Row, place
from tests.memory import MemoryReader, actor, at, event, project, store, task, task_id


def search(words: str, *records: Record, bad: tuple[str, ...] = (), **wanted: Any) -> Results:
    return Results(MemoryReader(*records, bad=bad), schemas(), words, Filter(**wanted), Search)


def found(words: str, *records: Record, **wanted: Any) -> list[Row]:
    results = search(words, *records, **wanted)
    return [results.row(hit) for hit in results.hits]


def ids(words: str, *records: Record, **wanted: Any) -> list[str]:
    return sorted(one.record.id for one in found(words, *records, **wanted))


# -- every kind ---------------------------------------------------------------------------------

EVERY = {
    "store": store(instructions="always zebra"),
    "actor": actor("zebra"),
    "project": project("web", instructions="ride a zebra"),
    "task": task("a", "done", outcome="zebra found"),
    "execution": event("execution", "a", 1, objective="find a zebra"),
    "handoff": event("handoff", "a", 2, verified=[{"claim": "c", "command": "pytest -k zebra"}]),
    "note": event(
        "note", "a", 3, kind="command", command={"argv": ["zebra"], "exit_code": 0, "tail": ""}
    ),
    "decision": event("decision", "a", 4, options=["a horse", "a zebra"]),
    "message": event("message", "a", 5, body="which zebra?"),
    "wait": event("wait", "a", 6, condition="the zebra comes"),
    "approval": event("approval", "a", 7, action="feed zebra"),
    "review": event("review", "a", 8, resultss=["no zebra"]),
    "conflict": event("conflict", "a", 9, lost=["zebra"]),
}
FIELDS = {
    "store": "instructions",
    "actor": "name",
    "project": "instructions",
    "task": "state.outcome",
    "execution": "objective",
    "handoff": "verified.0.command",
    "note": "command.argv.0",
    "decision": "options.1",
    "message": "body",
    "wait": "condition",
    "approval": "action",
    "review": "resultss.0",
    "conflict": "lost.0",
}


def test_every_kind_is_found() -> None:
    assert set(EVERY) == set(schemas().kinds)
    hits = {one.record.kind: one for one in found("zebra", *EVERY.values())}
    assert {kind: one.field for kind, one in hits.items()} == FIELDS
    for kind, one in hits.items():
        ((start, end),) = one.spans
        assert one.line[start:end].lower() == "zebra", kind
        assert one.title == (None if kind in ("store", "actor", "project") else "Task a")


@pytest.mark.parametrize("kind", EVERY)
def test_one_bad_file_hides_nothing_else(kind: str) -> None:
    reader = MemoryReader(*EVERY.values(), bad=[EVERY[kind].id])
    results = Results(reader, schemas(), "zebra", Filter(), Search)
    assert {hit.key.kind for hit in results.hits} == EVERY.keys() - {kind}
    assert [problem.file for problem in reader.problems] == [EVERY[kind].id]
    for hit in results.hits:
        assert results.row(hit).line


def test_documents_are_those_of_every_kind() -> None:
    reader = MemoryReader(*EVERY.values())
    assert {one.key.kind for one in documents(reader, schemas())} == set(EVERY)


def test_a_kind_that_only_a_schema_knows() -> None:
    known = {file: json.loads(text) for file, text in packaged.schema_texts().items()}
    words = {"words": {"type": "string"}}
    added = {"title": "spell", "x-folder": ["spells"], "properties": words, "type": "object"}
    wider = Schemas({**known, "spell.schema.json": added})
    reader = MemoryReader(Record("spell", "x", {"id": "x", "words": "abra"}))
    results = Results(reader, wider, "abra", Filter(), Search)
    assert [results.row(hit).field for hit in results.hits] == ["words"]


# -- which records ------------------------------------------------------------------------------


def decision(title: str, **owner: str) -> Record:
    """A decision that belongs to no task."""
    data = event("decision", "a", 0, title=title).data
    return Record("decision", "d", {**data, "id": "d", "task": None, **owner})


SOME = (
    task("a", "review", labels=["x", "y"], project="web", title="word"),
    task("b", labels=["x"], title="word", created={"at": at(50), "by": "bob"}),
    event("note", "a", 10, body="word", created_by="bob"),
    event("note", "b", 20, body="word"),
    decision("word"),
    project("web", instructions="word"),
    actor("word"),
)
NOTE_A, NOTE_B = SOME[2].id, SOME[3].id
A, B = task_id("a"), task_id("b")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, [A, B, NOTE_A, NOTE_B, "d", "web", "word"]),
        ({"kinds": ["note", "actor"]}, [NOTE_A, NOTE_B, "word"]),
        ({"since": at(20)}, [B, NOTE_B]),
        ({"until": at(10)}, [A, "d", "web", "word"]),
        ({"since": at(10), "until": at(20)}, [NOTE_A]),
        ({"by": "bob"}, [B, NOTE_A]),
        ({"by": "word"}, ["word"]),
        ({"statuses": ["open"]}, [B, NOTE_B]),
        ({"statuses": ["review", "open"]}, [A, B, NOTE_A, NOTE_B]),
        ({"labels": ["x"]}, [A, B, NOTE_A, NOTE_B]),
        ({"labels": ["x", "y"]}, [A, NOTE_A]),
        ({"project": "web"}, [A, NOTE_A, "web"]),
        ({"project": "web", "kinds": ["note"], "by": "bob", "statuses": ["review"]}, [NOTE_A]),
        ({"project": "other"}, []),
    ],
)
def test_filters(wanted: dict[str, Any], expected: list[str]) -> None:
    assert ids("word", *SOME, **wanted) == sorted(expected)


def test_what_is_kept_under_a_project_is_of_that_project() -> None:
    kept = decision("word", project="web")
    assert ids("word", kept, project="web") == ["d"]
    assert ids("word", kept, project="other") == []
    assert ids("word", kept, statuses=["open"]) == []


def test_a_record_whose_task_cannot_be_read_is_found() -> None:
    note = event("note", "a", 1, body="word")
    (one,) = found("word", task("a"), note, bad=(A,))
    assert (one.record.id, one.title) == (note.id, None)
    assert ids("word", task("a"), note, bad=(A,), statuses=["open"]) == []


def test_all_of_the_words_or_else_some() -> None:
    both, one = task("a", title="drop the index"), task("b", title="drop it")
    results = search("drop index", both, one)
    assert ([hit.key.id for hit in results.hits], results.every_word) == ([A], True)
    results = search("drop zebra", both, one)
    assert (len(results.hits), results.every_word) == (2, False)
    results = search("zebra", both, one)
    assert (results.hits, results.every_word) == ([], False)


def test_what_fits_is_searched_for_some_of_the_words_too() -> None:
    both, one = task("a", "done", title="drop the index"), task("b", title="drop it")
    assert ids("drop index", both, one, statuses=["open"]) == [B]


# -- the line -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "body", "line"),
    [
        ("drop index", "drop\nthe index\ndrop the index\nindex", "drop the index"),
        ("drop", "  drop one  \ndrop drop two", "drop one"),
        ("drop", "\n\n \t\na drop", "a drop"),
        ("b", "a\nb\u2028c", "b"),
    ],
)
def test_the_line_has_most_of_the_words(words: str, body: str, line: str) -> None:
    (one,) = found(words, event("note", "a", 1, body=body))
    assert (one.field, one.line) == ("body", line)


def test_the_line_that_names_the_record_comes_first() -> None:
    record = task("a", title="drop it", why="drop it all")
    assert found("drop", record)[0].field == "title"
    handoff = event("handoff", "a", 1, changed=[{"path": "x", "what": "half"}])
    assert found("half", handoff)[0].field == "summary"


def test_what_an_id_finds_shows_what_it_is_called() -> None:
    assert found("a000", task("a"))[0].line == "Task a"
    assert found(A, task("a"))[0].field == "id"


@pytest.mark.parametrize("before", [0, 1, 39, 40, 41, 100, 300, 5000])
@pytest.mark.parametrize("after", [0, 1, 100, 130, 5000])
def test_a_long_line_is_cut_around_the_match(before: int, after: int) -> None:
    line = "é" * before + " needle " + "z" * after
    (one,) = found("needle", event("note", "a", 1, body=line))
    assert len(one.line) == min(len(line.strip()), LENGTH)
    ((start, end),) = one.spans
    assert one.line[start:end] == "needle"
    assert one.line.strip("…") in line
    cut_before, cut_after = one.line.startswith("…"), one.line.endswith("…")
    assert (cut_before or cut_after) == (len(line.strip()) > LENGTH)


def test_a_match_that_is_longer_than_a_line_may_be() -> None:
    line = "needle" * 100
    (one,) = found(line, event("note", "a", 1, body=f"{'x' * 50} {line}"))
    ((start, end),) = one.spans
    assert len(one.line) == LENGTH
    assert one.line[start:end] + "…" == one.line[start:]


def test_matches_beyond_the_cut_are_not_marked() -> None:
    (one,) = found("needle", event("note", "a", 1, body="needle" + " x" * 500 + " needle"))
    assert one.spans == ((0, 6),)


def test_what_is_hidden_in_a_line_stays_in_it() -> None:
    (one,) = found("needle", event("note", "a", 1, body="a\u202eb\u200b nee\u00addle \u202c"))
    ((start, end),) = one.spans
    assert one.line[start:end] == "nee\u00addle"
    assert one.as_json()["line"] == "a\u202eb\u200b nee\u00addle \u202c"


def test_many_records() -> None:
    notes = [event("note", "a", 1, body=f"word n{number}") for number in range(1000)]
    results = search("word n7", task("a"), *notes)
    assert [results.row(hit).line for hit in results.hits] == ["word n7"]
    assert len(search("word", *notes).hits) == 1000


# -- without words, and among equals ------------------------------------------------------------


def test_the_newest_is_first_then_the_smallest_id() -> None:
    notes = [event("note", "a", minute, body="word") for minute in (2, 9, 5)]
    same = [task("b", title="word"), task("a", title="word")]
    for words in ("", "word"):
        assert [hit.key.id for hit in search(words, *same, *notes, kinds=["note"]).hits] == [
            notes[place].id for place in (1, 2, 0)
        ]
        assert [hit.key.id for hit in search(words, *same).hits] == [A, B]


def test_without_words_nothing_is_indexed() -> None:
    def fails(_: object) -> Search[Record]:
        raise AssertionError

    results = Results(MemoryReader(task("a")), schemas(), "", Filter(), fails)
    assert results.every_word
    (row,) = map(results.row, results.hits)
    assert (row.field, row.line, row.spans) == ("title", "Task a", ())


# -- fields -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("title", "title"),
        ("uncertain.0.question", "uncertain"),
        ("next_action.do", "next"),
        ("verified.0.claim", "verified"),
        ("verified.12.tail", "output"),
        ("not_verified.0.why", "not verified"),
        ("command.tail", "output"),
        ("command.argv.0", "command"),
        ("state.outcome", "outcome"),
        ("workspace.branch", "branch"),
        ("labels.0", "labels"),
        ("state", "state"),
    ],
)
def test_fields_in_plain_words(field: str, said: str) -> None:
    assert place(field) == said
