"""Words find documents: which, in which order, and where in a line."""

from __future__ import annotations

import sqlite3
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.index import Document, Marks
from gittask.errors import GittaskError
from gittask.store.search import Search

TASK = "k3m9q2abcd0f"
EVENT = "20261130t100411z-k7w2rs"


def doc(key: str, head: str = "", body: str = "", id: str = "") -> Document[str]:
    return Document(key, head, body, id)


def found(search: Search[str], words: str, **options: Any) -> list[str]:
    return [hit.key for hit in search.find(words, **options)]


ROUTES = Search(
    [
        doc("head", "Fix the routing table", "it is needed"),
        doc("body", "Other work", "the routes are wrong, it is said, and table legs too"),
        doc("one", "A table", "of wood"),
        doc("cjk", "路由表を直す", "ルーティング 라우팅"),
        doc("none", "Café Straße", "nothing of it, हिन्दी"),
    ]
)


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("route", ["head", "body"]),
        ("ROUTED", ["head", "body"]),
        ("table", ["one", "head", "body"]),
        ("routing table", ["head", "body"]),
        ("table wood", ["one"]),
        ("cafe", ["none"]),
        ("strasse CAFE\u0301", ["none"]),
        ("路由", ["cjk"]),
        ("由表", ["cjk"]),
        ("由路", []),
        ("ｶﾞ", []),
        ("ティング", ["cjk"]),
        ("우팅", ["cjk"]),
        ("route wood", []),
        ("हिन्दी", ["none"]),
        ("दी", []),
        ("rout", ["head", "body"]),
        ("nee", []),
        ("", []),
    ],
)
def test_words_find(words: str, ids: list[str]) -> None:
    assert found(ROUTES, words) == ids


def test_any_of_the_words_will_do_and_more_are_better() -> None:
    assert found(ROUTES, "route table wood", any_word=True) == ["one", "head", "body"]
    assert found(ROUTES, "table fix", any_word=True)[0] == "head"


def test_phrases_and_beginnings() -> None:
    assert found(ROUTES, '"the routing table"') == ["head"]
    assert found(ROUTES, '"table routing"') == []
    assert found(ROUTES, 'needed "fix the"') == ["head"]
    assert found(ROUTES, "nee*") == ["head"]
    assert found(ROUTES, "*") == []


@pytest.mark.parametrize(
    "words",
    [
        *(
            '"',
            '""',
            '"route',
            'route"',
            "'",
            "(",
            ")",
            "route)",
            "*",
            "^route",
            "-route",
            "+",
            ":",
        ),
        *(
            "head:route",
            "{head}: route",
            "NEAR(route table)",
            "route AND table",
            "AND",
            "OR",
            "NOT",
        ),
        *(
            "route OR",
            "NOT route",
            "\0",
            "route\0table",
            "\ud800",
            "＂route＂",
            "route＂table",
            "＂(",
            "--",
            ";",
            "%",
            "?",
        ),
        *("\\", "\x1b[31m", "\1route\2"),
    ],
)
def test_nothing_is_syntax(words: str) -> None:
    ROUTES.find(words)
    ROUTES.find(words, any_word=True)
    ROUTES.mark(words, [words, "route"])


@given(st.text(st.sampled_from('ab "*()^:-+{},\0ANDORTé路\ud800'), max_size=12))
def test_no_text_is_an_error(words: str) -> None:
    ROUTES.find(words)
    ROUTES.mark(words, [words])


def test_words_of_a_query_language_are_words() -> None:
    search = Search([doc("a", "this AND that"), doc("b", "this that"), doc("c", "near (x)")])
    assert found(search, "this AND that") == ["a"]
    assert found(search, "NEAR(x)") == ["c"]
    assert found(search, "-x") == ["c"]


def test_a_long_query_is_one_too() -> None:
    words = " ".join(f"w{number}" for number in range(3000))
    assert found(ROUTES, words) == []
    assert found(ROUTES, f"{words} wood", any_word=True) == ["one"]


# -- order --------------------------------------------------------------------------------------


def test_equals_stay_in_the_order_in_which_they_came() -> None:
    same = [doc("b", "x"), doc("c", "x"), doc("a", "x"), doc("d", "y"), doc("e", "y")]
    assert found(Search(same), "x") == ["b", "c", "a"]
    assert found(Search(same[::-1]), "x") == ["a", "c", "b"]


def test_a_title_beats_a_body() -> None:
    others = [doc(f"o{number}", "other", "things") for number in range(20)]
    hits = Search([*others, doc("b", "word", "x"), doc("a", "x", "word")]).find("x")
    assert [hit.key for hit in hits] == ["a", "b"]
    assert hits[0].score > hits[1].score > 0


# -- ids ----------------------------------------------------------------------------------------

NAMED = Search(
    [
        doc("task", "A task", id=TASK),
        doc("other", "Another", f"needs {TASK}", id="k3m9zzzzzz00"),
        doc("event", "", "commit 3f9c2ab5d1e0000000000000000000000000dead", id=EVENT),
        doc("ings", "It", id="k3m9things0f"),
        doc("name", "codex-1"),
    ]
)


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (TASK, ["task", "other"]),
        (TASK.upper(), ["task", "other"]),
        ("k3m9q", ["task"]),
        ("k3m9z", ["other"]),
        ("k3m9z another", ["other"]),
        ("k3m9z task", []),
        ("k3m9things", ["ings"]),  # an id has no English stem,
        ("k3m9thing", ["ings"]),
        ("k3m9thinged", []),  # nor has what may be one
        ("k3m9", ["task", "other", "ings"]),
        ("k3m", []),
        ("k3*", ["task", "other", "ings"]),
        ("m9q2", []),
        (EVENT, ["event"]),
        ("k7w2rs", ["event"]),
        ("k7w2", ["event"]),
        ("20261130t100411z-k7", ["event"]),
        ("20261130t", ["event"]),
        ("2026", []),
        ("20261130", ["event"]),
        ("2026*", ["event"]),
        ("codex-1", ["name"]),
        ("code", []),
        ("3f9c2ab", ["event"]),
        ("3f9c2ab5d1e0000000000000000000000000dead", ["event"]),
        ("3f9c2a", []),
    ],
)
def test_ids_find_their_record(words: str, ids: list[str]) -> None:
    assert sorted(found(NAMED, words)) == sorted(ids)


def test_what_the_index_is_asked_does_not_grow_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The beginning of many ids is looked for once, not once for each of them."""
    asked: list[int] = []

    class Counting(sqlite3.Connection):
        def execute(self, sql: str, values: Any = ()) -> sqlite3.Cursor:
            asked.append(len(sql) + sum(map(len, values)))
            return super().execute(sql, values)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Counting, **k))

    def length(count: int) -> int:
        many = Search(doc(str(n), "x", id=f"20261130t1004{n:02}z-k7w2rs") for n in range(count))
        asked.clear()
        assert len(found(many, "20261130t")) == count
        return sum(asked)

    assert length(1) == length(60)


# -- where in a line ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "line", "words_found", "marked"),
    [
        ("route", "the Routing routes", 1, ["Routing", "routes"]),
        ("route the", "the Routing", 2, ["the", "Routing"]),
        ("café", "Le CAFE\u0301 noir", 1, ["CAFE\u0301"]),
        ("路由", "x路由表", 1, ["路由"]),
        ("ガ", "ｶﾞｽ", 1, ["ｶﾞ"]),
        ("会", "㍿", 1, ["㍿"]),
        ("株 社", "㍿", 2, ["㍿"]),
        ("fix", "\u200bﬁx it", 1, ["ﬁx"]),
        ('"drop index"', "drop it; drop index", 1, ["drop index"]),
        ("mig*", "migration", 1, ["migration"]),
        ("3f9c2ab", "at 3f9c2ab5d1e0", 1, ["3f9c2ab5d1e0"]),
        ("x", "nothing", 0, []),
        ("", "nothing", 0, []),
    ],
)
def test_where_the_words_are(words: str, line: str, words_found: int, marked: list[str]) -> None:
    other, found = ROUTES.mark(words, ["", line])
    assert other == Marks(0, ())
    assert found.words == words_found
    assert [line[start:end] for start, end in found.spans] == marked
    assert ROUTES.mark(words, []) == []  # nothing stays of it


# -- without it ---------------------------------------------------------------------------------


def test_a_python_that_cannot_search(monkeypatch: pytest.MonkeyPatch) -> None:
    class Without(sqlite3.Connection):
        def execute(self, *_: Any) -> sqlite3.Cursor:
            raise sqlite3.OperationalError("no such module: fts5")

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Without, **k))
    with pytest.raises(GittaskError, match="no such module: fts5") as raised:
        Search([])
    assert "FTS5" in raised.value.hint
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    with pytest.raises(GittaskError, match="cannot search text"):
        Search([])
