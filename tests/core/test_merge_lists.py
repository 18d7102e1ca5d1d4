"""One merge at a time: sets, lists of items, texts, and the limits of each."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.stamp import Stamp
from tests.core.histories import START, rules
from tests.core.merging import LATE, MIDDLE, both, edit, item, line

# -- set -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "left", "right", "merged"),
    [
        (["x", "y"], ["y"], ["x", "y", "z"], ["y", "z"]),
        (["x", "y"], ["y"], ["y"], ["y"]),
        (["x", "y"], [], ["x", "y", "z"], ["z"]),
        ([], ["b"], ["a"], ["a", "b"]),
        (None, ["b", "a"], ["c", "a"], ["a", "b", "c"]),
        (["x"], ["y", "x", "y"], ["z", "x"], ["x", "y", "z"]),
    ],
)
@pytest.mark.parametrize("by_hand", [True, False])
def test_elements_come_and_go_each_for_itself(
    base: Any, left: list[str], right: list[str], merged: list[str], by_hand: bool
) -> None:
    before = START | {"labels": base or []}
    one, two = (
        before | {"labels": side} if by_hand else edit(before, "ann", labels=side)
        for side in (left, right)
    )
    for known in (before,) if by_hand and base else (before, None):
        result = both(known, one, two | {"size": 1})
        assert result.value["labels"] == merged
        assert not any(c.field.startswith("labels") for c in result.conflicts)


def test_a_label_that_was_put_back_after_its_removal_was_seen_stays() -> None:
    gone = edit(START, "cyd", labels=[])
    back = edit(gone, "ann", labels=["a"])
    for base in (START, gone, None):
        assert both(base, gone, back).value["labels"] == ["a"]
        assert both(base, back, edit(START, "cyd", labels=["b"])).value["labels"] == ["a", "b"]


# -- by-id ---------------------------------------------------------------------------------------


def test_fields_of_an_item_are_merged_each_for_itself() -> None:
    one, two = START["acceptance"]
    left = edit(START, "ann", acceptance=[one | {"met": True}, two])
    right = edit(START, "bob", acceptance=[one | {"text": "q", "note": 1}, two])
    merged = both(START, left, right)
    assert merged.value["acceptance"] == [item("a1", "q", True) | {"note": 1}, two]
    assert merged.conflicts == ()


def test_two_values_of_an_items_field_are_a_conflict_of_that_field() -> None:
    one, two = START["acceptance"]
    left = edit(START, "ann", acceptance=[one | {"met": True}, two])
    right = edit(START, "bob", acceptance=[one | {"met": None}, two])
    (conflict,) = both(START, left, right).conflicts
    assert (conflict.field, conflict.base, conflict.kept, conflict.lost) == (
        "acceptance.a1.met",
        False,
        None,
        True,
    )


def test_a_field_that_an_item_no_longer_has_is_gone() -> None:
    one, two = START["acceptance"]
    base = edit(START, "ann", acceptance=[one | {"note": 1}, two])
    left = edit(base, "ann", acceptance=[one, two])
    right = edit(base, "bob", acceptance=[one | {"note": 1, "met": True}, two])
    for known in (base, None):
        assert both(known, left, right).value["acceptance"] == [one | {"met": True}, two]


def test_a_field_that_nobody_set_since_its_item_came_has_the_stamp_of_the_item() -> None:
    base = edit(START, "bob", LATE, acceptance=[item("a2")])
    left = base | {"acceptance": [item("a2", "q")]}
    right = edit(base, "ann", acceptance=[item("a2", "r")])
    (conflict,) = both(base, left, right).conflicts
    assert (conflict.field, conflict.lost) == ("acceptance.a2.text", "q")
    assert (conflict.lost_stamp, conflict.kept_stamp) == (
        Stamp(1, "bob", LATE),
        Stamp(2, "ann", MIDDLE),
    )


def test_new_items_are_all_kept_in_the_order_of_their_ids() -> None:
    left = edit(START, "ann", acceptance=[*START["acceptance"], item("a9")])
    right = edit(START, "bob", acceptance=[item("a11"), *START["acceptance"]])
    merged = both(START, left, right)
    assert [i["id"] for i in merged.value["acceptance"]] == ["a1", "a9", "a10", "a11"]


def test_a_removed_item_stays_away_and_the_edit_that_did_not_see_it_is_told() -> None:
    one, two = START["acceptance"]
    edited = edit(edit(START, "bob", title="q"), "bob", acceptance=[one | {"met": True}, two])
    removed = edit(START, "ann", acceptance=[two])
    for base in (START, None):
        merged = both(base, edited, removed)
        assert merged.value["acceptance"] == [two]
        assert "acceptance.a1.met" not in merged.value["changed"]
        conflict = next(c for c in merged.conflicts if c.field == "acceptance.a1")
        assert (conflict.kept, conflict.lost) == (None, one | {"met": True})


def test_an_item_removed_by_hand_comes_back_if_the_other_side_edited_it() -> None:
    one, two = START["acceptance"]
    removed = START | {"acceptance": [two]}
    edited = edit(START, "bob", acceptance=[one | {"met": True}, two])
    merged = both(START, edited, removed)
    assert merged.value["acceptance"] == [one | {"met": True}, two]
    assert [(c.field, c.lost) for c in merged.conflicts] == [("acceptance.a1", None)]
    untouched = edit(START, "bob", title="q")
    assert both(START, untouched, removed).value["acceptance"] == [two]


def test_an_item_that_came_back_is_not_mixed_with_the_one_that_went() -> None:
    one, two = START["acceptance"]
    gone = edit(START, "ann", acceptance=[two])
    back = edit(gone, "ann", acceptance=[item("a1", "new"), two])
    stale = edit(START, "bob", acceptance=[one | {"met": True}, two])
    merged = both(START, back, stale)
    assert merged.value["acceptance"] == [item("a1", "new"), two]
    assert [(c.field, c.lost) for c in merged.conflicts] == [("acceptance.a1", one | {"met": True})]


# -- text ----------------------------------------------------------------------------------------


def test_edits_of_different_lines_are_joined_under_a_stamp_after_both() -> None:
    left = edit(START, "ann", why="ONE\ntwo\nthree\nfour\n")
    right = edit(START, "bob", LATE, why="one\ntwo\nthree\nFOUR\n")
    merged = both(START, left, right)
    assert merged.value["why"] == "ONE\ntwo\nthree\nFOUR\n"
    assert merged.value["changed"] == {"why": line(2, "bob", LATE)}
    assert merged.conflicts == ()
    assert both(None, left, merged.value).value == merged.value


def test_edits_of_the_same_line_are_later_and_conflict() -> None:
    left = edit(START, "ann", why="1\ntwo\nthree\nfour\n")
    right = edit(START, "bob", why="I\ntwo\nthree\nfour\n")
    merged = both(START, left, right)
    assert merged.value == right
    assert [(c.field, c.lost) for c in merged.conflicts] == [("why", left["why"])]


def test_a_text_without_a_text_before_it_is_later_and_conflict() -> None:
    empty = START | {"why": None}
    merged = both(empty, edit(empty, "ann", why="a\n"), edit(empty, "bob", why="b\n"))
    assert merged.value["why"] == "b\n"
    assert [c.lost for c in merged.conflicts] == ["a\n"]


def test_a_text_that_has_both_sides_edits_keeps_its_stamp() -> None:
    left = edit(START, "ann", why="ONE\ntwo\nthree\nfour\n")
    right = edit(START, "bob", why="ONE\ntwo\nthree\nFOUR\n")
    merged = both(START, left, right)
    assert merged.value == right
    assert merged.conflicts == ()


def test_a_text_of_which_nothing_would_be_left_is_later_and_conflict() -> None:
    base = START | {"why": "a\n\nb\n"}
    merged = both(base, edit(base, "ann", why="\nb\n"), edit(base, "bob", why="a\n\n"))
    assert merged.value["why"] == "a\n\n"
    assert [c.lost for c in merged.conflicts] == ["\nb\n"]


# -- limits, and data that breaks the rules ------------------------------------------------------


def test_a_text_that_would_be_too_long_is_later_and_conflict() -> None:
    kind = rules(max_length=len(START["why"]) + 5)
    left = edit(START, "ann", why="more\n\none\ntwo\nthree\nfour\n")
    right = edit(START, "bob", why="one\ntwo\nthree\nfour\nmore\n")
    merged = both(START, left, right, kind)
    assert merged.value == right
    assert [c.field for c in merged.conflicts] == ["why"]


def test_a_set_that_would_be_too_large_is_later_and_conflict() -> None:
    kind = rules(max_items=2)
    left, right = edit(START, "ann", labels=["a", "b"]), edit(START, "bob", labels=["a", "c"])
    merged = both(START, left, right, kind)
    assert merged.value["labels"] == ["a", "c"]
    assert [(c.field, c.base, c.kept, c.lost) for c in merged.conflicts] == [
        ("labels", ["a"], ["a", "c"], ["a", "b"])
    ]
    assert merged.value["changed"] == {"labels.b": line(2, "bob"), "labels.c": line(1, "bob")}
    assert both(None, left, merged.value, kind).value == merged.value


def test_the_later_of_two_lists_is_the_one_with_the_newest_change() -> None:
    left = edit(edit(START, "ann", labels=["a", "b", "d"]), "ann", labels=["a", "b"])
    right = edit(START, "bob", labels=["a", "c"])
    assert both(START, left, right, rules(max_items=2)).value["labels"] == ["a", "b"]
    malformed = edit(START, "bob", labels="z")
    assert both(START, left, malformed).value["labels"] == ["a", "b"]


def test_a_list_that_one_side_made_too_large_is_left_to_the_schema() -> None:
    kind = rules(max_items=2)
    base, other = START | {"labels": ["b"]}, edit(START | {"labels": ["b"]}, "ann", size=1)
    large = base | {"labels": ["a", "b", "c"]}
    assert both(base, large, other, kind).value["labels"] == ["a", "b", "c"]


def test_items_that_would_be_too_many_are_later_and_conflict() -> None:
    kind = rules(max_items=2)
    base = START | {"acceptance": [item("a1")]}
    left = edit(base, "ann", acceptance=[item("a1", "q"), item("a2")])
    right = edit(base, "bob", acceptance=[item("a1", met=True), item("a3")])
    merged = both(base, left, right, kind)
    assert merged.value["acceptance"] == right["acceptance"]
    assert [(c.field, c.lost) for c in merged.conflicts] == [("acceptance", left["acceptance"])]
    anew = {"acceptance.a1": line(2, "bob"), "acceptance.a2": line(2, "bob")}
    assert merged.value["changed"] == {**anew, "acceptance.a3": line(1, "bob")}
    assert both(None, left, merged.value, kind).value == merged.value


@pytest.mark.parametrize("bad", ["none", [{"text": "x"}], [item("a1"), item("a1", "q")], [7]])
def test_a_malformed_list_is_one_value(bad: Any) -> None:
    left = edit(START, "bob", acceptance=bad)
    right = edit(START, "ann", acceptance=[*START["acceptance"], item("a2")])
    merged = both(START, left, right)
    assert merged.value["acceptance"] == bad
    assert [(c.field, c.lost) for c in merged.conflicts] == [("acceptance", right["acceptance"])]
    assert both(START, left, edit(START, "ann", size=1)).value["acceptance"] == bad
