from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gittask.store.commits import Person, parse

TREE, ONE, TWO = "1" * 40, "2" * 40, "3" * 40


def commit(*lines: str, body: bytes = b"subject\n\nbody\n") -> bytes:
    return "\n".join(lines).encode() + b"\n\n" + body


def test_a_commit_as_data() -> None:
    data = commit(
        f"tree {TREE}",
        f"parent {ONE}",
        f"parent {TWO}",
        "author Ann O'Neil <ann@example.org> 1767225600 +0530",
        "committer Bob <> 1767225601 -0130",
        "gpgsig -----BEGIN",
        " tree none",
        " -----END",
    )
    found = parse("f" * 40, data)
    assert (found.id, found.tree, found.parents) == ("f" * 40, TREE, (ONE, TWO))
    assert found.author == Person("Ann O'Neil", "ann@example.org", 1767225600, 330)
    assert found.committer == Person("Bob", "", 1767225601, -90)
    assert found.message == "subject\n\nbody\n"
    assert found.subject == "subject"


def test_the_edge_of_a_shallow_clone_has_no_parents() -> None:
    data = commit(f"tree {TREE}", f"parent {ONE}")
    assert parse("f" * 40, data, shallow={"f" * 40}).parents == ()
    assert parse("f" * 40, data, shallow={ONE}).parents == (ONE,)


def test_other_encodings_are_honoured_and_wrong_ones_survived() -> None:
    body = "grün".encode("latin-1")
    assert parse("f", commit("encoding ISO-8859-1", body=body)).message == "grün"
    assert parse("f", commit("encoding bogus", body=body)).message == "gr�n"
    assert parse("f", commit("encoding hex", body=body)).message == "gr�n"
    escaped = commit("encoding raw_unicode_escape", body=b"\\ud800")
    assert parse("f", escaped).message == "?"
    assert parse("f", commit("encoding utf-16", body=b"abc")).message == "abc"


def test_absurd_times_become_zero() -> None:
    for line in ("A <a> 99999999999999999999 +0000", "A <a> -5 +0000", "A <a> 300000000000 +0000"):
        assert parse("f", commit(f"author {line}")).author == Person("A", "a", 0)
    assert parse("f", commit("author A <a> 7 +9959")).author == Person("A", "a", 7)


@given(
    st.lists(
        st.sampled_from([b"tree ", b"parent ", b"author ", b"encoding ", b"\n", b"\n\n"])
        | st.binary(max_size=6)
        | st.sampled_from([b"A <a> 7 +0100", b"<", b">", b"idna", b"\xff", b" "]),
        max_size=12,
    )
)
def test_no_bytes_are_too_bad_to_read(parts: list[bytes]) -> None:
    found = parse("f", b"".join(parts))
    assert found.author.time >= 0
    found.message.encode()
    found.author.name.encode()


def test_the_time_of_a_person_is_written_in_utc() -> None:
    assert Person("A", "a@x", 1_796_000_000, 120).at == "2026-11-30T00:53:20.000Z"
    assert Person("A", "a@x", 0).at == "1970-01-01T00:00:00.000Z"
    latest = parse("0", b"author A <a> 253402300799 +0000\n\n").author
    assert latest.at == "9999-12-31T23:59:59.000Z"


def test_a_person_is_cleaned_of_what_breaks_a_header() -> None:
    person = Person(" a\n<b>\x00\tc ", "x\ud800@y>", 5, 60).clean()
    assert person == Person("a b c", "x?@y", 5, 60)
