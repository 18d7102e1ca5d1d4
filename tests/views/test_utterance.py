"""What words say: intents, names, days, and what is left over."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.views.route.days import spoken
from gittask.views.route.phrases import INTENTS, NEW
from gittask.views.route.reading import LONGEST_TITLE, MOST_WORDS, naming, parse
from gittask.views.route.speech import title_words
from gittask.views.route.utterance import OTHER, Bearer, Utterance

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
CODEX = Bearer("codex", frozenset({"codex-1"}))
ONE = Bearer("codex", frozenset({"codex-1"}), "codex-1")
CLAUDE = Bearer("claude-code", frozenset())
NAMES = {("codex",): CODEX, ("codex", "1"): ONE, ("cc",): CLAUDE, ("claude", "code"): CLAUDE}


def said(text: str, *titles: str) -> Utterance:
    return parse(text, NAMES, [title_words(title) for title in titles], NOW, BERLIN)


def content(text: str, *titles: str) -> list[str]:
    """The words that a text cannot do without."""
    return [each.word for each in said(text, *titles).required]


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("continue the routing task", "continue"),
        ("Could you please carry on with it?", "continue"),
        ("pick the routing up again", "continue"),
        ("codex: continue", "continue"),
        ("routing: go on", "continue"),
        ("how about continuing the routing", "continue"),
        ("use cc to review it too", "review"),
        ("for the routing task, get a second opinion", "review"),
        ("retry that", "retry"),
        ("try the routing task again", "retry"),
        ("give it another go", "retry"),
        ("start over", "retry"),
        ("what happened with the thing from yesterday?", "status"),
        ("can you tell me what happened", "status"),
        ("have we finished the routing", "status"),
        ("check on the routing", "status"),
        ("check the routing", "review"),
        ("new task: x", "new"),
        ("please file a bug about x", "new"),
        ("we need a task to x", "new"),
        ("cancel the routing task", OTHER),
        ("please don't retry that", OTHER),
        ("let codex take over", OTHER),
        ("ship it", OTHER),
        ("the routing task", None),
        ("the retry policy", None),
        ("routing this morning", None),
        ("", None),
    ],
)
def test_what_is_wanted(text: str, intent: str | None) -> None:
    assert said(text).intent == intent


def test_every_phrase_says_what_it_stands_for() -> None:
    for intent, phrases in INTENTS.items():
        for phrase in phrases:
            found = said(" ".join(phrase).replace("*", "routing")).intent
            assert found == ("review" if intent == "advice" else intent), phrase
    for type, phrases in NEW.items():
        for phrase in phrases:
            found_new = said(f"{' '.join(phrase)} x")
            assert (found_new.intent, found_new.type, found_new.title) == ("new", type, "X")


def test_roles() -> None:
    assert said("review it").role == "reviewer"
    assert said("get a second opinion").role == "advisor"
    assert said("continue").role is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("use cc to review it", CLAUDE),
        ("let claude code review it", CLAUDE),
        ("have codex-1 review it", ONE),
        ("codex should review it", CODEX),
        ("@codex review it", CODEX),
        ("codex, review it", CODEX),
        ("get a review from codex", CODEX),
        ("review what came from codex", None),
        ("review it with codex", CODEX),
        ("can codex give a second opinion", CODEX),
        ("continue what codex started", None),
        ("review codex's routing", None),
        ("what did codex do", None),
        ('continue "use codex"', None),
    ],
)
def test_who_is_to_do_it(text: str, named: Bearer | None) -> None:
    assert said(text).charged == named


def test_a_name_that_is_given_no_work_is_a_word_of_what_is_meant() -> None:
    assert [(each.word, each.bearer) for each in said("what did codex do").required] == [
        ("codex", CODEX)
    ]
    assert content("review codex's import") == ["codex", "import"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("continue the routing task", ["routing"]),
        ("retry that", []),
        ("please and thank you", []),
        ("what happened with the Übersetzung", ["ubersetzung"]),
        ("continue “the thing”", ["thing"]),
        ("the o’brien report’s charts", ["o'brien", "charts"]),
        ("routing routing ROUTING", ["routing"]),
        ("continue 経路 表", ["経", "路", "表"]),
        ("🎉 🎉", []),
    ],
)
def test_what_names_the_task(text: str, words: list[str]) -> None:
    assert content(text) == words


def test_what_a_title_says_is_no_command() -> None:
    assert said("retry failed uploads").intent == "retry"
    title = "Retry failed uploads"
    assert said("retry failed uploads", title).intent is None
    assert said("status of retry failed uploads", title).intent == "status"
    assert said("retry retry failed uploads", title).intent == "retry"
    assert content("retry retry failed uploads", title) == ["retry", "failed", "uploads"]
    assert said("new task form is slow", "New task form is slow").intent is None


def test_a_title_that_names_nothing_is_no_name() -> None:
    assert said("retry that", "Retry that").intent == "retry"


def test_what_is_quoted_is_no_command() -> None:
    assert content('status of "retry that"') == ["retry"]
    assert said('"cancel" is the status of what?').intent is None


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("new task: Fix the Routing – again", "Fix the Routing – again"),
        ("add a todo to order coffee", "Order coffee"),
        ('create a task called "Old index"', "Old index"),
        ("file a bug that the 'checkout' is slow", "The 'checkout' is slow"),
        ("new task\n\nfirst\tline\nsecond", "First line second"),
        ("new task: --json", "Json"),
        ("new task", ""),
        ("create a task to", ""),
    ],
)
def test_the_title_of_a_new_task(text: str, title: str) -> None:
    assert said(text).title == title


def test_a_title_is_never_longer_than_a_title_may_be() -> None:
    title = said("new task: " + "x" * 10_000).title
    assert title is not None
    assert len(title) == LONGEST_TITLE
    assert said("new task: a\x1b[31mb").title == "A\\e[31mb"


def test_references() -> None:
    assert said("use cc to review it too").refers
    assert said("what happened with the thing").refers
    assert not said("continue").refers
    assert said("the other one").several
    assert said("continue the old one").several
    assert not said("continue it").several


def test_ids() -> None:
    assert said("status of k3m9").ids == ("k3m9",)
    execution = "20261130t100411z-k3m9q2"
    assert execution in said(f"retry {execution.upper()}").ids


def test_only_so_many_words_are_looked_for() -> None:
    text = " ".join(f"w{number}" for number in range(5000))
    assert len(said(text).content) == MOST_WORDS
    assert len(said(text).ids) <= MOST_WORDS
    assert len(naming(text, []).content) == MOST_WORDS


WORDS = """
continue review it codex cc use to the a task new yesterday try again routing 'x' " , ? last
friday ago two days don't 2026 11 28 経路 🎉 k3m9
"""
SOME = st.lists(st.sampled_from(WORDS.split())).map(" ".join)


@given(SOME)
def test_anything_can_be_said(text: str) -> None:
    found = said(text, "Routing", "Try again")
    assert found.intent in (None, OTHER, "continue", "review", "status", "retry", "new")
    assert (found.title is not None) == (found.intent == "new")
    assert (found.role is not None) == (found.intent == "review")
    assert len({each.word for each in found.content}) == len(found.content)


# -- days ---------------------------------------------------------------------------------------


def stretch(text: str, now: datetime = NOW, zone: str = "UTC") -> tuple[str, str] | None:
    """The times for which words stand, to the minute."""
    found = [days for _, days in spoken(title_words(text), now, ZoneInfo(zone))]
    assert len(found) <= 1
    return (found[0].first[:16], found[0].last[:16]) if found else None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("the thing from yesterday?", "11-29T00:00", "11-30T00:00"),
        ("today", "11-30T00:00", "12-01T00:00"),
        ("this morning", "11-30T00:00", "11-30T12:00"),
        ("yesterday afternoon", "11-29T12:00", "11-29T18:00"),
        ("last night", "11-29T18:00", "11-30T06:00"),
        ("tonight", "11-30T18:00", "12-01T06:00"),
        ("the day before yesterday", "11-28T00:00", "11-29T00:00"),
        ("on monday", "11-23T00:00", "11-24T00:00"),
        ("last friday", "11-27T00:00", "11-28T00:00"),
        ("on sunday evening", "11-29T18:00", "11-30T00:00"),
        ("since friday", "11-27T00:00", "11-30T12:00"),
        ("the weekend", "11-28T00:00", "11-30T00:00"),
        ("this week", "11-30T00:00", "11-30T12:00"),
        ("last week", "11-23T00:00", "11-30T00:00"),
        ("this month", "11-01T00:00", "11-30T12:00"),
        ("last month", "10-01T00:00", "11-01T00:00"),
        ("two days ago", "11-28T00:00", "11-29T00:00"),
        ("a couple of days ago", "11-28T00:00", "11-29T00:00"),
        ("a week ago", "11-20T00:00", "11-27T00:00"),
        ("3 hours ago", "11-30T08:00", "11-30T10:00"),
        ("the last three days", "11-27T00:00", "11-30T12:00"),
        ("past 2 hours", "11-30T10:00", "11-30T12:00"),
        ("2026-11-28", "11-28T00:00", "11-29T00:00"),
        ("28 november", "11-28T00:00", "11-29T00:00"),
        ("Nov 28th", "11-28T00:00", "11-29T00:00"),
    ],
)
def test_days(text: str, first: str, last: str) -> None:
    assert stretch(text) == (f"2026-{first}", f"2026-{last}")


def test_a_date_is_the_last_one() -> None:
    assert stretch("december 24") == ("2025-12-24T00:00", "2025-12-25T00:00")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the sun",
        "march on",
        "ago",
        "2026-02-30",
        "9999-12-31",
        "0001-01-01",
        "29 february",
        "november",
        "2026",
        "31 february",
        "99999 days",
        "may",
        "last one",
    ],
)
def test_no_days(text: str) -> None:
    assert stretch(text) is None


def test_far_back_is_no_fault() -> None:
    assert stretch("9999 months ago") is not None
    early = datetime(2, 1, 1, tzinfo=UTC)
    assert stretch("yesterday", early) == ("0001-12-31T00:00", "0002-01-01T00:00")


@pytest.mark.parametrize(
    ("zone", "first", "last"),
    [
        ("Pacific/Kiritimati", "2026-11-29T10:00", "2026-11-30T10:00"),
        ("Pacific/Pago_Pago", "2026-11-29T11:00", "2026-11-30T11:00"),
        ("Asia/Kathmandu", "2026-11-28T18:15", "2026-11-29T18:15"),
        ("America/New_York", "2026-11-29T05:00", "2026-11-30T05:00"),
    ],
)
def test_yesterday_is_that_of_the_zone(zone: str, first: str, last: str) -> None:
    assert stretch("yesterday", zone=zone) == (first, last)


@pytest.mark.parametrize(
    ("day", "zone", "first", "last"),
    [
        ((2026, 3, 30), "Europe/Berlin", "2026-03-28T23:00", "2026-03-29T22:00"),
        ((2026, 10, 26), "Europe/Berlin", "2026-10-24T22:00", "2026-10-25T23:00"),
        ((2026, 3, 9), "America/New_York", "2026-03-08T05:00", "2026-03-09T04:00"),
        ((2026, 4, 25), "Africa/Cairo", "2026-04-23T22:00", "2026-04-24T21:00"),
    ],
)
def test_a_day_on_which_the_clocks_change(
    day: tuple[int, int, int], zone: str, first: str, last: str
) -> None:
    """It has 23 or 25 hours; in Cairo the one that is left out is the first."""
    now = datetime(*day, 12, tzinfo=ZoneInfo(zone))
    assert stretch("yesterday", now, zone) == (first, last)
