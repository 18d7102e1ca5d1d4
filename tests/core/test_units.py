from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings

from gittask.core.record import Data
from gittask.core.stamp import stamps
from gittask.core.units import (
    ABSENT,
    Rules,
    differing,
    latest,
    parts,
    stamped,
    text,
    unstamped,
    value_of,
)
from tests.core.histories import ORIGIN, RULES, START, TIMES, mixed_forks, wild

AT = TIMES[1]


def after(changes: Data, before: Data = START) -> dict[str, str]:
    """What ``changed`` says after these fields were set by bob."""
    result = stamped(RULES, before, before | changes, AT, "bob")
    changed: dict[str, str] = result["changed"]
    return changed


def item(key: str, text: str = "p", met: Any = False) -> Data:
    return {"id": key, "text": text, "met": met}


ITEMS: list[Data] = START["acceptance"]


@pytest.mark.parametrize(
    ("changes", "units"),
    [
        ({}, []),
        ({"title": "q"}, ["title"]),
        ({"title": "q", "size": 2}, ["size", "title"]),
        ({"size": False}, ["size"]),
        ({"extra": None}, ["extra"]),
        ({"labels": ["b", "a"]}, ["labels.b"]),
        ({"labels": []}, ["labels.a"]),
        ({"labels": None}, ["labels.a"]),
        ({"labels": ["a", 1]}, ["labels"]),
        ({"acceptance": ITEMS[::-1]}, []),
        ({"acceptance": [*ITEMS, item("a2")]}, ["acceptance.a2"]),
        ({"acceptance": ITEMS[1:]}, ["acceptance.a1"]),
        ({"acceptance": [item("a1", met=True), ITEMS[1]]}, ["acceptance.a1.met"]),
        ({"acceptance": [ITEMS[0] | {"note": 1}, ITEMS[1]]}, ["acceptance.a1.note"]),
        ({"acceptance": "none"}, ["acceptance"]),
        ({"state": {"status": "done"}}, ["state"]),
    ],
)
def test_each_unit_that_differs_is_stamped(changes: Data, units: list[str]) -> None:
    assert after(changes) == dict.fromkeys(units, f"1 {AT} bob")
    assert unstamped(RULES, START, START | changes) == tuple(units)
    stamped_ = stamped(RULES, START, START | changes, AT, "bob")
    assert unstamped(RULES, START, stamped_) == ()


def test_a_field_that_goes_leaves_its_stamp() -> None:
    before = START | {"extra": 1}
    gone = stamped(RULES, before, START, AT, "bob")
    assert "extra" not in gone
    assert gone["changed"] == {"extra": f"1 {AT} bob"}


def test_the_counter_is_one_more_than_any_that_either_version_has() -> None:
    before = START | {"changed": {"title": f"7 {AT} ann"}}
    assert after({"size": 1, "changed": {}}, before)["size"] == f"8 {AT} bob"
    assert after({"size": 1, "changed": {"why": f"9 {AT} ann"}}, before)["size"] == f"10 {AT} bob"


def test_stamps_that_the_new_version_lacks_or_has_older_are_kept() -> None:
    before = START | {"changed": {"title": f"7 {AT} ann", "why": f"2 {AT} ann"}}
    changed = after({"size": 1, "changed": {"title": f"3 {AT} ann", "what": "?"}}, before)
    assert changed["title"] == f"7 {AT} ann"
    assert changed["why"] == f"2 {AT} ann"
    assert changed["what"] == "?"


def test_an_item_that_goes_or_comes_back_has_one_stamp() -> None:
    met = stamped(RULES, START, START | {"acceptance": [item("a1", met=True)]}, AT, "bob")
    assert met["changed"].keys() == {"acceptance.a1.met", "acceptance.a10"}
    gone = stamped(RULES, met, met | {"acceptance": []}, AT, "bob")
    assert gone["changed"] == {"acceptance.a1": f"2 {AT} bob", "acceptance.a10": f"1 {AT} bob"}
    back = stamped(RULES, gone, gone | {"acceptance": [item("a1")]}, AT, "bob")
    assert back["changed"]["acceptance.a1"] == f"3 {AT} bob"
    assert back["changed"].keys() == {"acceptance.a1", "acceptance.a10"}


def test_an_element_is_not_inside_another_whose_name_it_begins_with() -> None:
    one = stamped(RULES, START, START | {"labels": ["a", "a.b"]}, AT, "bob")
    gone = stamped(RULES, one, one | {"labels": ["a.b"]}, AT, "bob")
    assert gone["changed"] == {"labels.a": f"2 {AT} bob", "labels.a.b": f"1 {AT} bob"}


def test_a_new_record_has_no_stamps_and_its_lists_are_in_order() -> None:
    new = {"labels": ["b", "a", "b"], "acceptance": [item("a10"), item("a9")]}
    made = stamped(RULES, None, new, AT, "bob")
    assert made == {"labels": ["a", "b"], "acceptance": [item("a9"), item("a10")], "changed": {}}
    assert list(made)[-1] == "changed"


def test_a_write_once_record_has_no_stamps() -> None:
    once = Rules(mutable=False, fields={})
    assert stamped(once, None, {"body": "x"}, AT, "bob") == {"body": "x"}
    assert unstamped(once, {"body": "x"}, {"body": "y"}) == ()


def test_a_hand_edit_is_told_from_an_edit_whose_stamp_moved_on() -> None:
    before = START | {"changed": {"title": f"7 {AT} ann", "labels.b": f"3 {AT} ann"}}
    by_hand = before | {"title": "q", "size": 1, "labels": []}
    assert unstamped(RULES, before, by_hand) == ("labels.a", "size", "title")
    moved = by_hand | {"changed": {"title": f"8 {AT} ann", "size": f"1 {AT} ann"}}
    assert unstamped(RULES, before, moved) == ("labels.a",)
    reverted = by_hand | {"changed": {"title": f"6 {AT} ann", "size": f"8 {AT} ann"}}
    assert unstamped(RULES, before, reverted) == ("labels.a", "title")


@pytest.mark.parametrize(
    ("unit", "value"),
    [
        ("title", "t"),
        ("nothing", None),
        ("title.x", None),
        ("labels.v1.2", "v1.2"),
        ("labels.gone", None),
        ("acceptance.a", {"id": "a", "met": True}),
        ("acceptance.a.met", True),
        ("acceptance.a.nothing", None),
        ("acceptance.gone", None),
        ("acceptance.gone.met", None),
    ],
)
def test_the_value_of_a_unit(unit: str, value: Any) -> None:
    data = {"title": "t", "labels": ["v1.2"], "acceptance": [{"id": "a", "met": True}]}
    assert value_of(data, unit) == value


@given(mixed_forks())
def test_what_differs_is_stamped_or_by_hand(versions: tuple[Data, Data, Data]) -> None:
    before, after, _ = versions
    found = differing(RULES, before, after)
    assert set(unstamped(RULES, before, after)) <= set(found)
    assert differing(RULES, after, before) == found
    assert differing(RULES, after, after) == ()


def test_the_stamp_of_an_item_covers_its_fields() -> None:
    renewed = START | {
        "acceptance": [item("a1", "q"), ITEMS[1]],
        "changed": {"acceptance.a1": f"2 {AT} ann"},
    }
    assert unstamped(RULES, START, renewed) == ()


@pytest.mark.parametrize(
    "value",
    [3, "a", {"a": 1}, [{"id": 1}], [{"text": "x"}], [{"id": "a.b"}], [{"id": "a"}, {"id": "a"}]],
)
def test_a_list_that_is_no_list_of_items_is_one_value(value: Any) -> None:
    assert parts(RULES.rule("acceptance"), value) is None


def test_nothing_and_null_are_empty_lists() -> None:
    assert parts(RULES.rule("labels"), ABSENT) == parts(RULES.rule("labels"), None) == {}
    assert parts(RULES.rule("title"), None) is None


def test_comparison_tells_apart_what_python_does_not() -> None:
    assert len({text(value) for value in (ABSENT, None, True, 1, 1.0, "1", [1])}) == 7


def test_the_latest_line_of_each_unit_is_kept() -> None:
    one = {"changed": {"a": f"10 {AT} ann", "b": f"2 {AT} bob", "c": "?", "d": 5}}
    two = {"changed": {"a": f"9 {AT} bob", "b": f"2 {AT} ann", "c": f"1 {AT} ann"}}
    both = {"a": f"10 {AT} ann", "b": f"2 {AT} bob", "c": f"1 {AT} ann", "d": 5}
    assert latest(one, two) == latest(two, one) == both
    assert latest({"changed": 3}, {}) == {}


@settings(deadline=None)
@given(wild(), wild())
def test_stamping_any_two_records(before: Data, changed: Data) -> None:
    kept = copy.deepcopy((before, changed))
    result = stamped(RULES, before, changed, AT, "bob")
    assert unstamped(RULES, before, result) == ()
    assert (before, changed) == kept
    again = stamped(RULES, result, result, AT, "ann")
    assert again == result


@settings(deadline=None)
@given(mixed_forks())
def test_what_a_hand_left_unstamped_a_stamp_settles(versions: tuple[Data, Data, Data]) -> None:
    base, left, _ = versions
    units = unstamped(RULES, base, left)
    settled = stamped(RULES, base, left, AT, "bob")
    assert unstamped(RULES, base, settled) == ()
    newest = max((s.counter for s in stamps(settled).values()), default=0)
    for unit in units:
        assert settled["changed"][unit] == f"{newest} {AT} bob"


def test_origin_has_the_shape_of_a_stamped_record() -> None:
    assert stamped(RULES, None, ORIGIN, AT, "ann") == ORIGIN
