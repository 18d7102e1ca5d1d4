"""What the words on disk find and know, beside what a look at every record does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from gittask.core.index import Known, Place
from gittask.errors import GittaskError
from gittask.store.index.words import Words
from gittask.store.packaged import schemas
from gittask.store.search import Search
from gittask.store.snapshot import Snapshot
from gittask.views.find import Filter as Wanted
from gittask.views.find import Results
from gittask.views.route.answer import route
from gittask.views.route.everything import Everything
from gittask.views.route.matching import searched
from gittask.views.route.standing import DESCRIBED, asker

WORDS = ("task", "seen", "half", '"Task a"', "p", "x", "nothing")
SENTENCES = (
    "continue",
    "retry it",
    "Task a",
    "review the task of codex-1",
    "what was seen",
    "what happened today",
    "new task: Task b",
    "what did bob do",
    "the other half",
)
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
LATER = "2026-11-30T10:01:00.000Z"
TODAY = ("2026-11-30T00:00:00.000Z", "2026-12-01T00:00:00.000Z")


def finds_the_same(kept: Words, found: Snapshot, plain: Snapshot) -> None:
    """See that ``find`` has the same hits, with the same scores, in the same order."""
    for words, wanted in searches():
        assert hits(found, words, wanted, kept) == hits(plain, words, wanted, None)


def searches() -> Iterator[tuple[str, Wanted]]:
    """What is searched for: words of all, of some, of none, and by which filters."""
    for words in ("task", "seen", "half seen", '"Task a"', "a000*", "nothing", "20261130*", ""):
        yield words, Wanted()
    for wanted in (
        Wanted(statuses=("open", "done")),
        Wanted(labels=("x",)),
        Wanted(labels=("x", "y"), project="p"),
        Wanted(kinds=("task", "note"), by="codex-1"),
        Wanted(since="2026-11-30T10:01:00.000Z", until="2026-11-30T10:02:00.000Z"),
    ):
        yield "task", wanted
        yield "", wanted


def hits(
    reader: Snapshot, words: str, wanted: Wanted, kept: Words | None
) -> tuple[bool, list[tuple[float, str]]]:
    results = Results(reader, schemas(), words, wanted, Search, kept)
    rows = [results.row(hit) for hit in results.hits]
    return results.every_word, [
        (round(row.score, 9), f"{row.record} {row.line} {row.spans}") for row in rows
    ]


def looked_up(plain: Snapshot) -> Known:
    """What is known by a look at each record."""
    search = Search(searched(plain, schemas()))

    def lookup(words: str) -> Iterator[Place]:
        return (hit.key for hit in search.find(words))

    return Everything(plain, lookup)


def knows_the_same(kept: Known, plain: Snapshot) -> None:
    """See that what is told apart from the words is right too."""
    known, tasks = looked_up(plain), list(plain.all("task"))
    assert kept.count() == known.count() == len(tasks)
    assert kept.providers() == list(reversed(dict.fromkeys(reversed(known.providers()))))
    assert kept.works_by() == known.works_by()
    assert kept.unfinished() == known.unfinished()
    assert kept.touched(*TODAY) == known.touched(*TODAY)
    assert kept.touched(*TODAY, ("note", "started"), "bob") == known.touched(
        *TODAY, ("note", "started"), "bob"
    )
    for time in (*TODAY, LATER):
        assert kept.moved(time) == known.moved(time)
        for actor in ("alice", "bob", "codex-1"):
            assert kept.involving((actor,)) == known.involving((actor,))
            assert kept.answered(actor, time) == known.answered(actor, time)
            assert kept.did((actor, "bob"), time, ()) == known.did((actor, "bob"), time, ())
            assert kept.did((actor,), time, DESCRIBED) == known.did((actor,), time, DESCRIBED)
    for what in (("started",), ("failed", "note", "done")):
        assert kept.met(what) == known.met(what)
    for words in WORDS:
        assert {*kept.places(words)} == {*known.places(words)}
    for task in tasks:
        told = kept.told(task.id)
        assert told == known.told(task.id)
        assert any("".join(title.split()) for title in kept.titles(f"do {task.data['title']} now"))


def routes_the_same(kept: Known, found: Snapshot, plain: Snapshot) -> None:
    """See that ``route`` understands the same, or refuses in the same words."""
    known = looked_up(plain)
    for words in SENTENCES:
        assert routed(found, words, kept) == routed(plain, words, known)


def routed(reader: Snapshot, words: str, known: Known) -> Any:
    asks = asker(reader, "alice")
    try:
        found = route(reader, words, known.places, asks, now=NOON, zone=UTC, known=known)
        return found.as_json()
    except GittaskError as error:
        return error.as_json()
