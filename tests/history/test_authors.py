"""Which actor made a commit, by the name and address that it has."""

from __future__ import annotations

import pytest

from gittask.history.authors import UNKNOWN, Authors
from gittask.store.repo import Person
from tests.memory import MemoryReader, actor


def person(name: str, email: str) -> Person:
    return Person(name, email, 0)


@pytest.mark.parametrize(
    ("name", "email", "expected"),
    [
        ("Anybody", "alice@example.org", "alice"),
        ("alice", "else@example.org", "alice"),
        ("Bob Builder", "bob@example.org", "bob-builder"),
        ("\u674e\u96f7", "li.lei@example.org", "li-lei"),
        ("\u674e\u96f7", "\u674e@example.org", UNKNOWN),
        ("", "", UNKNOWN),
        ("con", "", UNKNOWN),
    ],
)
def test_an_address_that_is_known_and_else_a_name(name: str, email: str, expected: str) -> None:
    reader = MemoryReader(actor("alice"), actor("codex-1", "agent", email=None))
    assert Authors(reader).actor(person(name, email)) == expected


def test_of_two_actors_with_one_address_the_first_is_meant() -> None:
    reader = MemoryReader(actor("b", email="x@y"), actor("a", email="x@y"), actor("c", email="x@y"))
    assert Authors(reader).actor(person("Anybody", "x@y")) == "a"


def test_actors_are_read_when_first_asked_for_and_once() -> None:
    reader = MemoryReader(actor("alice"))
    authors = Authors(reader)
    assert reader.opened == []
    for _ in range(2):
        authors.actor(person("A", "alice@example.org"))
    assert len(reader.opened) == 1


def test_an_actor_that_cannot_be_read_hides_no_other() -> None:
    reader = MemoryReader(actor("alice"), actor("bob"), bad=["alice"])
    assert Authors(reader).actor(person("B", "bob@example.org")) == "bob"
