"""From words to a task, over a store of 200 tasks: what is answered, and what is refused."""

from __future__ import annotations

from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.errors import Ambiguous, NotFound
from gittask.views.liveness import UNHEARD
from gittask.views.route.candidates import RANKED
from gittask.views.route.refusal import ENOUGH, MARGIN
from gittask.views.route.score import CONCERNS, FITS, IN_FULL, RECENT, SAID, WORKED_LAST
from tests.memory import at, event, task, task_id
from tests.views.asking import BUSY, HEARD, Store
from tests.views.busy import id_of
from tests.views.sentences import FRESH, HELD_BACK, KNOWN, LAST, NEWCOMER
from tests.views.test_utterance import NOW


def rows(text: str) -> list[tuple[str, str, str]]:
    """Who asks, the words, and what is expected."""
    lines = text.strip().splitlines()
    return [
        (*line.split(": ", 1), expected.strip())  # type: ignore[misc]
        for line, expected in zip(lines[::2], lines[1::2], strict=True)
    ]


ROWS = [row for part in (KNOWN, HELD_BACK, FRESH, LAST, NEWCOMER) for row in rows(part)]


@cache
def outcome(who: str, words: str) -> str:
    """What is answered, as ``sentences`` writes it."""
    try:
        found = BUSY.asks(None if who == "-" else who, words, heard=HEARD)
    except (NotFound, Ambiguous):
        return "refused"
    said = [found.intent, found.role or "-", found.provider or "-"]
    while said[-1] == "-":
        said.pop()
    return f"{' '.join(said)}: {found.title}"


def test_the_store_is_as_large_as_it_says() -> None:
    assert len(BUSY.reader.ids("task")) == 200


@pytest.mark.parametrize(("who", "words", "expected"), ROWS, ids=[row[1] for row in ROWS])
def test_sentences(who: str, words: str, expected: str) -> None:
    assert outcome(who, words) == expected


def test_half_of_the_sentences_are_to_be_refused() -> None:
    """So always answering would be half wrong, and so would be never answering."""
    assert sum(expected == "refused" for _, _, expected in ROWS) * 2 == len(ROWS) == 150


# -- what is answered ---------------------------------------------------------------------------


def test_an_answer() -> None:
    found = BUSY.asks("alice", "use cc to review it too")
    assert found.as_json() == {
        "task": id_of("Fix routing of returned orders"),
        "title": "Fix routing of returned orders",
        "intent": "review",
        "role": "reviewer",
        "lane": "review",
        "provider": "claude-code",
        "score": found.score,
        "why": ["you worked on it last", "beside codex-1, who edits it"],
        "command": f"gittask start {found.task[:4] if found.task else ''} --lane review "
        "--role reviewer --provider claude-code",
        "candidates": [one.as_json() for one in found.candidates],
    }
    assert ENOUGH <= found.score <= 1


def test_why_names_the_evidence() -> None:
    why = BUSY.asks("alice", "the voice thing from 9 november").why
    assert why[:2] == ["title: voice", "9 november: created by carol"]
    assert "note: heap, webp" in BUSY.asks(None, "status of the heap with webp").why
    assert "the title in full" in BUSY.asks(None, "continue gift cards").why
    assert "who: gemini" in BUSY.asks(None, "what did gemini do on the flaky test").why


def test_what_speaks_for_a_task_adds_up_to_one() -> None:
    assert sum((SAID, FITS, IN_FULL, WORKED_LAST, RECENT)) == pytest.approx(1)
    assert CONCERNS < MARGIN


@pytest.mark.parametrize(
    ("who", "words", "command"),
    [
        ("alice", "continue the routing task", "brief ID"),
        ("bob", "continue umlauts", "brief ID"),
        ("carol", "continue the sitemap", "start ID"),
        ("carol", "continue the sitemap with codex-2", "start ID --provider codex --as codex-2"),
        ("alice", "continue the sessions in redis", "recover ID"),
        ("alice", "have codex continue the onboarding mail",
         'takeover ID --reason "..." --provider codex'),
        ("alice", "continue rotate signing keys", 'reopen ID --reason "..."'),
        ("bob", "retry the backup", "retry ID"),
        ("alice", "retry redis", "recover ID"),
        ("alice", "retry sitemap for the blog", "start ID"),
        ("bob", "retry umlauts", "status ID"),
        ("alice", "review the sitemap with gemini",
         "start ID --lane review --role reviewer --provider gemini"),
        ("carol", "ask bob to review postgres", 'ask ID "..." --to bob'),
        ("carol", "umlauts", "status ID"),
    ],
)  # fmt: skip
def test_commands(who: str, words: str, command: str) -> None:
    found = BUSY.asks(who, words, heard=HEARD)
    assert found.task
    assert found.command == f"gittask {command.replace('ID', found.task[:4])}"


def test_resume_and_what_is_to_be_understood_first() -> None:
    runtime = {"id": "a", "started": at(1), "ended": None, "ended_reason": None}
    runtime |= {"provider": "codex", "model": None, "session": "s", "host": None, "pid": None}
    held = event("execution", "a", 1, runtimes=[{**runtime, "resume": "codex resume s"}])
    failed = event("execution", "b", 1, state={"status": "failed", "at": at(3)})
    store = Store(
        task("a", "active", title="Routing", holder=held.id, epoch=1),
        task("b", title="Import"),
        held,
        failed,
        event("handoff", "b", 2, execution=failed.id),
    )
    assert store.asks("alice", "continue routing").command == "gittask resume a000"
    assert store.asks("codex-1", "continue routing").command == "gittask brief a000"
    assert store.asks("alice", "retry import").command == 'gittask retry b000 --ack "..."'
    assert store.asks("codex-1", "retry import").command == "gittask retry b000"
    assert store.asks(None, f"retry {failed.id}").task == task_id("b")


def test_something_new_and_what_is_like_it() -> None:
    found = BUSY.asks("bob", 'file a bug: Billing export isn\'t "closed"')
    assert (found.task, found.intent) == (None, "new")
    assert found.title == 'Billing export isn\'t "closed"'
    quoted = "'Billing export isn'\"'\"'t \"closed\"'"
    assert found.command == f'gittask new --type bug --why "..." -- {quoted}'
    similar = [one.task.data["title"] for one in found.candidates]
    assert {"Billing export loses cents", "Billing export to DATEV"} <= set(similar)
    assert BUSY.asks("bob", "new task: Paint the office").candidates == []
    same = BUSY.asks("bob", "new task: Sitemap for the blog").candidates
    assert [one.task.data["title"] for one in same] == ["Sitemap for the blog"]


# -- what is refused ----------------------------------------------------------------------------


def test_a_refusal_names_what_comes_near() -> None:
    error = BUSY.refuses("bob", "continue the routing task")
    assert isinstance(error, Ambiguous)
    assert error.details["intent"] == "continue"
    titles = [one["title"] for one in error.details["candidates"]]
    assert set(titles) == {"Fix routing of returned orders", "Routing table for the EU warehouses"}
    for one in error.details["candidates"]:
        assert set(one) == {"task", "title", "score", "why"}
        assert f"{one['task'][:4]}  {one['score']:.2f}  {one['title']}" in error.message


def test_what_is_not_there_may_be_new() -> None:
    error = BUSY.refuses("alice", "continue the kubernetes work")
    assert isinstance(error, NotFound)
    assert error.details["candidates"] == []
    assert "gittask new" in error.hint


@pytest.mark.parametrize(
    ("words", "command", "title"),
    [
        ("please cancel the gift cards task", 'cancel ID --reason "..."', "Gift cards"),
        ("let codex take over the sitemap", 'takeover ID --reason "..."', "Sitemap for the blog"),
        ("hand the redis task over to codex", "handoff ID", "Move sessions to Redis"),
        ("hand over the gift cards", "handoff ID", "Gift cards"),
        ("note for the sitemap: gift cards", 'note ID "..."', "Sitemap for the blog"),
        ("cancel the checkout translation", "cancel --help", ""),
    ],
)
def test_another_command_is_named(words: str, command: str, title: str) -> None:
    command = command.replace("ID", id_of(title)[:4])
    assert BUSY.refuses("alice", words).hint == f"there is a command for it: gittask {command}"


@pytest.mark.parametrize(
    "words", ["what was I doing", "what's left to do", "what's blocked", "status"]
)
def test_what_is_asked_of_all_tasks_has_commands(words: str) -> None:
    hint = BUSY.refuses("alice", words).hint
    for name in ("gittask status", "gittask ready", "gittask list --blocked"):
        assert name in hint


def test_only_what_failed_then_comes_near() -> None:
    error = BUSY.refuses("alice", "what failed last week")
    assert {one["title"] for one in error.details["candidates"]} == {
        "Retry failed uploads",
        "Nightly backup fails on full disk",
        "Currency rounding in the cart",
    }


def test_only_what_the_asker_did_comes_near() -> None:
    error = BUSY.refuses("bob", "go on with what I did yesterday")
    assert {one["title"] for one in error.details["candidates"]} == {
        "Login page flickers on Safari",
        "Rate limit for the public API",
    }


def test_what_failed_is_reviewed_again_or_tried_again() -> None:
    error = BUSY.refuses("bob", "have codex look at the nightly backup again")
    id = id_of("Nightly backup fails on full disk")[:4]
    assert error.hint == f'gittask route "review {id}", or gittask route "retry {id}"'
    assert BUSY.asks("bob", f"retry {id}").intent == "retry"
    assert BUSY.asks("bob", "have codex look at the sitemap again").intent == "review"


def test_how_many_more_come_near_is_said() -> None:
    store = Store(*(task(f"a{n}", title=f"Routing {n}") for n in range(8)))
    assert store.refuses(None, "continue routing").message.splitlines()[-1] == "  and 3 more"
    few = Store(*(task(f"a{n}", title=f"Routing {n}") for n in range(5)))
    assert "more" not in few.refuses(None, "continue routing").message.splitlines()[-1]


def test_no_more_are_counted_than_anybody_reads() -> None:
    store = Store(*(task(f"a{n:02d}", title=f"Routing {n}") for n in range(RANKED + 5)))
    lines = store.refuses(None, "continue routing").message.splitlines()
    assert lines[0] == f"'continue routing' could mean {RANKED} or more tasks"
    assert lines[-1] == "  and more"


def test_what_is_closed_is_not_gone_on_with_unless_it_is_named() -> None:
    store = Store(task("a", "done", outcome="x"), task("b"), *(
        event("note", name, minute, created_by="ann") for name, minute in (("a", 50), ("b", 10))
    ))  # fmt: skip
    assert store.asks("ann", "keep going").task == task_id("b")
    assert store.asks("ann", "review it").task == task_id("a")


def test_a_title_that_begins_so_beats_a_text_that_has_the_words() -> None:
    store = Store(
        task("a", title="Load test with twice the orders"),
        task("b", title="Orders", why="load it before the test", responsible="ann"),
    )
    found = store.asks("ann", "the load test")
    assert found.task == task_id("a")
    assert "the title begins so" in found.why


@pytest.mark.parametrize(
    "words",
    [
        "",
        " \n",
        "please",
        "the of and",
        "🎉🎉",
        "the old one",
        "all of them",
        "continue the sitemap and the gift cards",
        "what should I do next",
        "weiter mit dem Routing",
        "последняя задача",
        "ルーティングを続けて",
        "'; drop table tasks; --",
        'AND OR NOT NEAR("',
        "* *",
        "\x1b[31m\0\x07",
        "continue " + "x" * 10_000,
        "sitemap " + " ".join(f"word{number}" for number in range(2000)),
        "'" * 10_000,
        "new task",
    ],
)
def test_nothing_is_guessed(words: str) -> None:
    error = BUSY.refuses("alice", words)
    assert len(error.message.splitlines()[0]) < 200


def test_only_a_day_is_everybodys() -> None:
    """What one asked of "the thing" is theirs; what happened on a day may be anything."""
    assert BUSY.asks("alice", "the thing from yesterday").title == "Weekly sales report as PDF"
    assert isinstance(BUSY.refuses("alice", "what happened yesterday?"), Ambiguous)
    assert BUSY.refuses("alice", "what happened on 3 october").details["candidates"] == []


def test_a_day_on_which_nothing_happened_is_a_contradiction() -> None:
    assert BUSY.refuses("alice", "the sitemap from yesterday").details["candidates"]


def test_a_day_is_that_of_the_asker() -> None:
    noted = event("note", "a", 0, created_by="alice")  # at 10:00 on the 30th, in UTC
    store = Store(task("a", created={"at": "2026-11-20T10:00:00.000Z", "by": "bob"}), noted)
    assert store.asks("alice", "the thing from today").task == task_id("a")
    west: dict[str, Any] = {"zone": ZoneInfo("Pacific/Pago_Pago")}  # 23:00 on the 29th then
    west["now"] = NOW.replace(hour=11, minute=30)
    assert isinstance(store.refuses("alice", "the thing from today", **west), NotFound)
    assert store.asks("alice", "the thing from yesterday", **west).task == task_id("a")


def test_a_title_of_which_nothing_was_said_is_not_said_in_full() -> None:
    store = Store(
        task("a", title="On it", why="The weather"), task("b", title="Other", why="The weather")
    )
    found = store.refuses(None, "continue weather").details["candidates"]
    assert [one["why"] for one in found] == [["task: weather", "nobody works on it"]] * 2


def test_a_rare_word_does_not_outvote_the_others() -> None:
    common = [task(f"b{number:03d}", title=f"Router billing n{number}") for number in range(40)]
    store = Store(*common, task("a", title="Index upload n99"))
    assert store.asks(None, "continue router billing n7").title == "Router billing n7"
    store.refuses(None, "continue router billing n99")


WORDS = "continue review retry status routing billing export it that yesterday codex use new task"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=6).map(" ".join))
def test_an_answer_is_always_clear(words: str) -> None:
    """Whatever is said, an answer is good enough, and better than all others by the margin."""
    try:
        found = BUSY.asks("alice", words, heard=UNHEARD)
    except (NotFound, Ambiguous):
        return
    assert 0 <= found.score <= 1
    if found.task:
        assert found.score >= ENOUGH
        assert all(found.score - one.score > MARGIN - 0.001 for one in found.candidates)


@given(st.sampled_from([who for who, _, _ in ROWS]), st.lists(st.sampled_from(WORDS.split())))
def test_the_best_are_those_that_a_look_at_all_finds(who: str, words: list[str]) -> None:
    ranked = BUSY.ranks(None if who == "-" else who, " ".join(words), heard=HEARD)
    every = ranked(10_000)
    for most in (1, 3, 20):
        assert ranked(most) == every[:most]


@pytest.mark.parametrize(("who", "words"), [row[:2] for row in ROWS], ids=[row[1] for row in ROWS])
def test_the_best_are_those_of_all_for_each_sentence(who: str, words: str) -> None:
    ranked = BUSY.ranks(None if who == "-" else who, words, heard=HEARD)
    assert ranked(20) == ranked(10_000)[:20]
