"""What of a record is searched, and which words are the same there."""

from __future__ import annotations

import json
import unicodedata
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.document import Text, aligned, document, folded, texts
from gittask.core.record import Record
from gittask.core.schema import Schemas
from gittask.store.packaged import schema_texts, schemas
from tests.memory import START, actor, event, project, task, task_id

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
SOME = st.text(
    st.sampled_from("aé\u0301\u0327 \n\0かが\u3099ｶﾞ路한\u1112\u1161\u11abहि\u00adßİﬁ㍿\ud800")
)


# -- the normalisation --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        (
            "route",
            "Route",
            "ROUTE",
            "ｒｏｕｔｅ",
            "rou\u00adte",
            "ro\u200bute",
            "röute",
            "ro\u0308ute",
        ),
        ("café", "cafe\u0301", "CAFÉ", "cafe"),
        ("Straße", "STRASSE", "STRAẞE", "strasse"),
        ("ﬁx", "fix"),
        ("İ", "i", "I"),
        ("ёж", "ЕЖ", "е\u0308ж"),
        ("Σίσυφος", "σισυφοσ"),
        ("ガス", "ｶﾞｽ", "カ\u3099ス"),
        ("한글", unicodedata.normalize("NFD", "한글")),
        ("路由", "\u8def\u7531", "路\n由", "路 由"),
        ("\u0645\u064e\u0631", "\u0645\u0631"),
        ("a b", "a\0b", "a\tb", "a\x85b", "a\u2028b", "a\ud800b", "a \r\n  b", "a\u3000b"),
    ],
)
def test_words_that_are_the_same(words: tuple[str, ...]) -> None:
    assert {folded(word) for word in words} == {folded(words[0])}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("route", "routes"),
        ("か", "が"),
        ("ı", "i"),
        ("o", "ø"),
        ("a.b", "ab"),
        ("हिन्दी", "हनद"),
        ("하", "한"),
    ],
)
def test_words_that_are_not_the_same(one: str, other: str) -> None:
    assert folded(one) != folded(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("路由表", "路 由 表"),
        ("x路y", "x 路 y"),
        ("データ", "デ ー タ"),
        ("한글", "한 글"),
        ("ไทย", "ไ ท ย"),
        ("हिन्दी है", "हिन्दी है"),
        ("don't stop", "don't stop"),
    ],
)
def test_what_is_a_word_of_its_own(text: str, expected: str) -> None:
    assert unicodedata.normalize("NFC", folded(text)) == expected


@given(SOME)
def test_folding_is_done_once_and_leaves_no_controls(text: str) -> None:
    found = folded(text)
    assert folded(found) == found
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Cf") for char in found)


@given(SOME.filter(lambda text: "\ud800" not in text))
def test_encodings_of_one_text_are_the_same(text: str) -> None:
    forms: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
    assert {folded(unicodedata.normalize(form, text)) for form in forms} == {folded(text)}


@given(SOME)
def test_each_folded_character_is_from_some_part_of_the_text(text: str) -> None:
    found, places = aligned(text)
    assert " ".join(found.split()) == folded(text)
    assert len(found) == len(places)
    assert places == sorted(places)
    for char, (start, end) in zip(found, places, strict=True):
        assert 0 <= start < end <= len(text)
        assert char == " " or char in folded(text[start:end])


# -- the texts of a record ----------------------------------------------------------------------


def said(record: Record) -> dict[str, str]:
    return {each.field: each.text for each in texts(schemas(), record)}


def test_of_a_task() -> None:
    acceptance = [{"id": "a1", "text": "Packets arrive", "met": True, "evidence": None}]
    record = task(
        "a",
        "done",
        outcome="It works",
        title="Fix routing",
        acceptance=acceptance,
        labels=["net"],
        due="2026-12-24",
        depends_on=["b"],
        workspace={"branch": "fix/routing"},
        changed={"title": f"1 {START} bob"},
    )
    assert said(record) == {
        "title": "Fix routing",
        "why": "it is needed",
        "state.outcome": "It works",
        "type": "task",
        "labels.0": "net",
        "responsible": "alice",
        "acceptance.0.id": "a1",
        "acceptance.0.text": "Packets arrive",
        "workspace.branch": "fix/routing",
        "depends_on.0": task_id("b"),
    }
    found = document(schemas(), record)
    assert (found.key, found.id, found.head) == (record, record.id, "Fix routing")
    assert found.body.splitlines()[:2] == ["it is needed", "It works"]


@pytest.mark.parametrize(
    ("kind", "fields", "head", "body"),
    [
        ("handoff", {"commits": [{"sha": "ab" * 20}]}, "half of it", "ab" * 20),
        (
            "handoff",
            {"verified": [{"claim": "c", "command": "pytest -k x", "tail": "2 passed\n"}]},
            "half of it",
            "c\npytest -k x\n2 passed\n",
        ),
        ("decision", {"options": ["a trie", "a hash"]}, "t", "a trie\na hash\no\nalice"),
        ("note", {"body": "seen\nhere"}, "", "seen\nhere"),
        ("conflict", {"kept": "the one", "lost": {"x": ["the other"]}}, "", "the one\nthe other"),
        ("approval", {"action": "drop index"}, "", "drop index\ncodex-1"),
    ],
)
def test_of_other_kinds(kind: str, fields: dict[str, Any], head: str, body: str) -> None:
    record = event(kind, "a", 5, **fields)
    found = document(schemas(), record)
    assert (found.head, found.id) == (head, record.id)
    assert body in found.body


@pytest.mark.parametrize("record", [actor("codex-1"), project("web")])
def test_an_id_that_somebody_chose_is_a_name(record: Record) -> None:
    found = document(schemas(), record)
    assert found.id == ""
    assert record.id in found.head.splitlines()


def test_words_that_the_schema_prescribes_are_no_text() -> None:
    assert "review_request" not in said(event("handoff", "a", 1, kind="review_request")).values()
    assert "approved" not in said(event("review", "a", 1, verdict="approved")).values()


def test_fields_that_the_schema_does_not_know_are_text() -> None:
    record = task("a")
    newer = Record("task", record.id, {**record.data, "mood": {"now": ["sunny"]}})
    assert said(newer)["mood.now.0"] == "sunny"


def test_a_kind_that_only_a_schema_knows() -> None:
    common = "common.schema.json#/$defs"
    name = {"name": {"$ref": f"{common}/title"}, "words": {"type": "array", "items": {}}}
    added = {"title": "spell", "x-folder": ["spells"], "properties": name, "type": "object"}
    known = {file: json.loads(text) for file, text in schema_texts().items()}
    data = {"id": "x", "words": ["abra", 7, None], "name": "Vanish"}
    record = Record("spell", "x", data)
    wider = Schemas({**known, "spell.schema.json": added})
    assert list(texts(wider, record)) == [
        Text("words.0", "abra", False),
        Text("name", "Vanish", True),
    ]
    assert document(wider, record).head == "Vanish"
