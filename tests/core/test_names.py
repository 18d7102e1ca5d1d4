"""From what was typed to the one record that is meant, or a refusal to guess."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core import names
from gittask.core.ids import SHORTEST
from gittask.errors import Ambiguous, NotFound
from tests.memory import MemoryReader, actor, event, task

NAMES = ["abcd", "abce", "abcef", "bbbb"]
READER = MemoryReader(*(task(name) for name in NAMES), actor("alice"), event("note", "abcd", 1))


def full(name: str) -> str:
    return f"{name}{'0' * 12}"[:12]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (full("abcd"), "abcd"),
        ("abcd", "abcd"),
        ("ABCD", "abcd"),
        (" abcd0 \n", "abcd"),
        ("abcef", "abcef"),
        ("abce0", "abce"),
        ("bbbb", "bbbb"),
    ],
)
def test_a_task_by_id_or_prefix(typed: str, found: str) -> None:
    assert names.task(READER, typed).id == names.task_id(READER, typed) == full(found)


def test_an_ambiguous_prefix_names_the_candidates() -> None:
    with pytest.raises(Ambiguous) as caught:
        names.task(READER, "abce")
    assert caught.value.exit == 3
    assert caught.value.details == {"candidates": [full("abce"), full("abcef")]}
    assert full("abcef") in caught.value.message


@pytest.mark.parametrize("typed", ["", "a", "abc", "zzzz", "abcdx", "../..", full("abcd") + "0"])
def test_what_nothing_answers_to(typed: str) -> None:
    with pytest.raises(NotFound) as caught:
        names.task(READER, typed)
    assert caught.value.exit == 3
    assert "gittask list" in caught.value.hint


def test_a_short_id_says_how_many_characters_are_needed() -> None:
    with pytest.raises(NotFound) as caught:
        names.task(READER, "abc")
    assert f"at least {SHORTEST} characters" in caught.value.hint


def test_an_exact_id_is_never_ambiguous() -> None:
    """Even if it is a prefix of another, as ids of another length may be one day."""
    reader = MemoryReader(task("abcd"))
    assert names.task_id(reader, full("abcd")) == full("abcd")


def test_an_event_by_id_beginning_or_end() -> None:
    note = event("note", "abcd", 1)
    for typed in (note.id, note.id.upper(), note.id[:16], note.id.partition("-")[2]):
        assert names.event(READER, "note", typed).id == note.id
        assert names.event(READER, "note", typed, task=full("abcd")).id == note.id
    for typed in ("zzzzzz", note.id[:3]):
        with pytest.raises(NotFound):
            names.event(READER, "note", typed)
    with pytest.raises(NotFound):
        names.event(READER, "note", note.id, task=full("bbbb"))


def test_an_actor_by_its_whole_id() -> None:
    assert names.named(READER, "actor", " Alice ").id == "alice"
    with pytest.raises(NotFound) as caught:
        names.named(READER, "actor", "alic")
    assert (
        caught.value.hint
        == "known: alice; add one: gittask actor add alic --kind person (or --kind agent)"
    )


@given(st.lists(st.text("ab", min_size=12, max_size=12), min_size=1, unique=True))
def test_the_shortest_prefix_is_unique(known: list[str]) -> None:
    for id in known:
        shown = names.shortest(known, id)
        assert len(shown) >= SHORTEST
        assert [other for other in known if other.startswith(shown)] == [id]
        shorter = shown[:-1]
        if len(shorter) >= SHORTEST:
            assert len([other for other in known if other.startswith(shorter)]) > 1
