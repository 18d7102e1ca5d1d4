"""Our part of a text: replaced to the byte, and nothing else touched."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gittask.views.pr.part import END, begin, harmless, put, room, tasks_of, without_part

PIECES = ("a", "\n", "\r\n", begin([]), END, "<!-- x -->", "# Head", "-->", "<!-- gittask:begin")
bodies = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
parts = st.sampled_from(["", "one", "two\n\nlines", "three <b>"]).map(
    lambda text: f"{begin(['abcd00000000'])}\n{text}\n{END}"
)


@given(bodies, parts, parts)
def test_a_second_run_replaces_the_first(body: str, first: str, second: str) -> None:
    assert put(put(body, first), second) == put(body, second)
    assert put(body, first).count(first) == 1


@given(bodies, parts)
def test_nothing_around_it_changes(body: str, part: str) -> None:
    assert without_part(put(body, part)).strip() == without_part(body).strip()
    assert room(put(body, part)).strip() == without_part(body).strip()


def test_it_is_put_where_it_was_and_else_at_the_end() -> None:
    part = f"{begin(['abcd00000000'])}\nnew\n{END}"
    old = part.replace("new", "old\r\nin lines of a host")
    assert put(f"Before\r\n{old}\r\nAfter", part) == f"Before\r\n{part}\r\nAfter"
    assert put("Before", part) == f"Before\n\n{part}\n"
    assert put("Before\r\n", part) == f"Before\r\n\r\n{part}\r\n"
    assert put("", part) == f"{part}\n"


def test_what_has_no_end_is_no_part() -> None:
    part = f"{begin([])}\nnew\n{END}"
    body = f"{begin(['x'])} was cut off here\n\nMine\n"
    assert put(put(body, part), part) == put(body, part) == f"{body}\n{part}\n"


def test_one_of_several_is_left() -> None:
    part = f"{begin([])}\nnew\n{END}"
    assert put(f"{part} and {part}", part) == f"{part} and "


def test_the_marker_names_the_tasks() -> None:
    assert tasks_of(f"x {begin(['abcd00000000', 'efgh00000000'])}\n{END}") == [
        "abcd00000000",
        "efgh00000000",
    ]
    assert tasks_of("nothing") == []


def test_no_text_is_a_marker() -> None:
    assert END not in harmless(f"x {END} {begin([])}")
    assert tasks_of(harmless(f"{begin(['abcd00000000'])} {END}")) == []
