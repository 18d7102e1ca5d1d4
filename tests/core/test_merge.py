"""One merge at a time: single fields, whole states, write-once records, and odd data."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.merge import Conflict, Merged
from gittask.core.record import Data
from gittask.core.stamp import Stamp
from gittask.core.units import Prefer, Rule, Rules, stamped
from tests.core.histories import RULES, START
from tests.core.merging import EARLY, LATE, MIDDLE, both, edit, line

BORN = Stamp(0, "ann", EARLY)


# -- later ---------------------------------------------------------------------------------------


def test_the_later_value_stands_and_the_other_is_told() -> None:
    left, right = edit(START, "bob", title="q"), edit(START, "ann", title="r")
    merged = both(START, left, right)
    assert merged.value == left
    ours, theirs = Stamp(1, "bob", MIDDLE), Stamp(1, "ann", MIDDLE)
    assert merged.conflicts == (Conflict("title", "p", "q", "r", ours, theirs),)


def test_later_is_by_counter_then_actor_and_only_then_by_time() -> None:
    twice = edit(edit(START, "ann", EARLY, title="q"), "ann", EARLY, title="r")
    once = edit(START, "cyd", LATE, title="s")
    assert both(START, twice, once).value["title"] == "r"
    same_actor = edit(START, "cyd", EARLY, title="t")
    assert both(START, same_actor, once).value["title"] == "s"


def test_edits_of_different_fields_are_both_kept() -> None:
    merged = both(START, edit(START, "ann", title="q"), edit(START, "bob", extra=1))
    assert (merged.value["title"], merged.value["extra"]) == ("q", 1)
    assert merged.value["changed"] == {"title": line(1, "ann"), "extra": line(1, "bob")}
    assert merged.conflicts == ()


def test_the_same_edit_on_both_sides_has_the_later_stamp() -> None:
    merged = both(START, edit(START, "ann", title="q"), edit(START, "bob", title="q"))
    assert merged.value["changed"] == {"title": line(1, "bob")}
    assert merged.conflicts == ()


def test_without_a_base_what_differs_is_told() -> None:
    merged = both(None, START | {"title": "q"}, edit(START, "ann", title="r"))
    assert merged.value["title"] == "r"
    assert [(c.field, c.base, c.lost) for c in merged.conflicts] == [("title", None, "q")]


def test_a_value_that_was_set_back_is_still_the_later_one() -> None:
    there = edit(START, "ann", title="q")
    back = edit(there, "ann", title="p")
    merged = both(START, back, edit(START, "bob", title="r"))
    assert merged.value["title"] == "p"
    assert [c.lost for c in merged.conflicts] == ["r"]


def test_a_value_of_the_base_that_was_overwritten_is_no_loss() -> None:
    back = edit(edit(START, "ann", title="q"), "ann", title="p")
    later = edit(edit(edit(START, "bob", title="q"), "bob", title="r"), "bob", title="s")
    merged = both(START, back, later)
    assert merged.value["title"] == "s"
    assert merged.conflicts == ()


@pytest.mark.parametrize(("left", "right", "stands"), [(True, 1, True), ("a", "b", "b")])
def test_two_hand_edits_are_settled_by_their_text(left: Any, right: Any, stands: Any) -> None:
    merged = both(START, START | {"title": left}, START | {"title": right})
    assert merged.value["title"] is stands
    assert len(merged.conflicts) == 1


def test_a_hand_edit_loses_to_a_newer_stamp_and_to_nothing_else() -> None:
    base = edit(START, "ann", title="q")
    hand = base | {"title": "r"}
    assert both(base, hand, edit(base, "ann", title="s")).conflicts[0].lost == "r"
    elsewhere = edit(base, "bob", size=1)
    merged = both(base, hand, elsewhere)
    assert (merged.value["title"], merged.value["size"]) == ("r", 1)
    assert merged.conflicts == ()


def test_a_field_that_one_side_does_not_know_is_kept() -> None:
    without = {field: value for field, value in START.items() if field != "why"}
    assert both(None, without, edit(START, "ann", title="q")).value["why"] == START["why"]
    merged = both(without, edit(without, "bob", size=1), without | {"due": None})
    assert merged.value["due"] is None
    assert merged.conflicts == ()


def test_what_went_by_hand_is_kept_where_nobody_knows_that_it_went() -> None:
    there = edit(START, "ann", extra=1)
    gone = START | {"changed": there["changed"]}
    assert both(None, there, gone).value == there
    assert both(there, edit(there, "bob", size=1), gone).value.keys() == START.keys()


def test_a_removal_that_loses_is_told() -> None:
    base = edit(START, "ann", extra=1)
    gone = stamped(RULES, base, {k: v for k, v in base.items() if k != "extra"}, MIDDLE, "ann")
    merged = both(base, gone, edit(base, "bob", extra=2))
    assert merged.value["extra"] == 2
    assert [(c.field, c.lost) for c in merged.conflicts] == [("extra", None)]


# -- fixed, and records that were made twice -----------------------------------------------------


def test_who_made_a_record_is_never_in_conflict() -> None:
    other = START | {"created": {"at": EARLY, "by": "bob"}, "id": "t2"}
    merged = both(None, START, other)
    assert (merged.value["created"], merged.value["id"]) == (START["created"], "t1")
    assert merged.conflicts == ()


def test_a_fixed_field_is_that_of_the_record_made_first_whatever_its_stamp() -> None:
    fixed = Rules(mutable=True, fields={"kind": Rule("fixed")})
    first = {"created": {"at": EARLY, "by": "bob"}, "kind": "a", "changed": {}}
    second = {"created": {"at": MIDDLE, "by": "ann"}, "kind": "b", "changed": {}}
    merged = both(None, first, second | {"changed": {"kind": line(3, "ann")}}, fixed)
    assert merged.value == first
    assert [(c.field, c.lost, c.lost_stamp) for c in merged.conflicts] == [
        ("kind", "b", Stamp(0, "ann", MIDDLE))
    ]


def test_a_record_made_twice_has_the_values_of_the_first_unless_they_were_changed() -> None:
    second = START | {"created": {"at": MIDDLE, "by": "ann"}, "title": "q", "extra": "z"}
    merged = both(None, START | {"extra": "a"}, edit(second, "ann", title="r"))
    assert merged.value["title"] == "r"
    assert merged.value["extra"] == "a"
    assert [(c.field, c.lost) for c in merged.conflicts] == [("extra", "z"), ("title", "p")]


def test_what_only_the_second_of_two_records_has_is_kept() -> None:
    second = START | {"created": {"at": MIDDLE, "by": "ann"}, "extra": 1, "labels": ["b"]}
    merged = both(None, START, second)
    assert (merged.value["extra"], merged.value["labels"]) == (1, ["a", "b"])
    assert merged.conflicts == ()


def test_another_time_of_creation_changes_nothing_else() -> None:
    left = START | {"created": {"at": "2025-12-31T00:00:00.000Z", "by": "ann"}}
    merged = both(START, left, START | {"title": "o"})
    assert merged.value == left | {"title": "o"}
    assert merged.conflicts == ()


# -- greatest, ordered ---------------------------------------------------------------------------


@pytest.mark.parametrize(("less", "more"), [(1, 2), (9, 10), (None, False), (True, 0), (3, "0")])
def test_the_greatest_value_stands_without_a_word(less: Any, more: Any) -> None:
    left, right = edit(START, "bob", size=less), edit(START, "ann", size=more)
    merged = both(START | {"size": None}, left, right)
    assert merged.value["size"] is more
    assert merged.conflicts == ()


def state(epoch: int, holder: str | None, since: str | None, status: str = "active") -> Data:
    return {"status": status, "epoch": epoch, "holder": holder, "since": since}


@pytest.mark.parametrize(
    ("stands", "falls"),
    [
        (state(2, "x2", LATE), state(1, "x1", EARLY, "done")),
        (state(10, "x2", LATE), state(9, "x1", EARLY)),
        (state(1, "x1", EARLY), state(1, "x2", MIDDLE, "done")),
        (state(1, None, EARLY, "open"), state(1, "x1", EARLY, "review")),
        (state(1, "x1", EARLY), state(1, None, MIDDLE, "open")),
        (state(1, "x1", EARLY), "no state"),
        (state(1, "x1", EARLY), {"epoch": "1"} | {"epoch": None}),
    ],
    ids=["epoch", "epoch as number", "claim", "release", "other's release", "text", "no epoch"],
)
def test_of_two_states_one_stands_whole(stands: Any, falls: Any) -> None:
    earlier, later = edit(START, "ann", state=stands), edit(START, "bob", state=falls)
    for base in (START, None):
        merged = both(base, earlier, later)
        assert merged.value["state"] == stands
        assert merged.value["changed"]["state"] == line(1, "ann")
        assert [(c.field, c.lost) for c in merged.conflicts] == [("state", falls)]


def test_states_of_one_claim_are_settled_by_the_later_stamp() -> None:
    held = edit(START, "ann", state=state(1, "x1", EARLY))
    done = edit(held, "bob", state=state(1, "x1", EARLY, "done"))
    review = edit(held, "ann", state=state(1, "x1", EARLY, "review"))
    assert both(held, done, review).value["state"]["status"] == "done"


def test_listed_values_stand_before_all_others() -> None:
    listed = Rule("ordered", prefer=(Prefer("status", "listed", ("revoked", "denied", True)),))
    kind = Rules(mutable=True, fields={"state": listed})
    order = ["revoked", "denied", True, "granted", 1, None]
    states = [edit(START, "ann", rules=kind, state={"status": status}) for status in order]
    last = edit(START, "bob", rules=kind, state={"status": "asked"})
    for i, first in enumerate(states[:3]):
        for other in (*states[i + 1 :], last):
            assert both(START, first, other, kind).value["state"] == first["state"]
    assert both(START, states[3], last, kind).value["state"] == {"status": "asked"}


# -- data that breaks the rules, and write-once records -----------------------------------------


def test_stamps_of_unknown_units_and_lines_that_are_no_stamps_survive() -> None:
    left = START | {"size": 1, "changed": {"new.unit": line(2, "ann"), "odd": "?", "title": "?"}}
    right = START | {"size": 2, "changed": {"new.unit": line(3, "ann")}}
    assert both(START, left, right).value["changed"] == {
        "new.unit": line(3, "ann"),
        "odd": "?",
        "title": "?",
    }


def test_no_record_at_all_is_a_record() -> None:
    assert both(None, {}, {"changed": 3}).value["changed"] == {}
    assert both(None, {}, START).value == START | {"changed": {}}


ONCE = Rules(mutable=False, fields={})
NOTE = {"id": "n1", "created": {"at": EARLY, "by": "ann"}, "body": "x"}


def test_a_write_once_record_stands_as_its_base_has_it() -> None:
    altered, other = NOTE | {"body": "y"}, NOTE | {"body": "z"}
    merged = both(NOTE, NOTE, altered, ONCE)
    assert merged == Merged(NOTE, (Conflict("", NOTE, NOTE, altered, BORN, BORN),))
    assert [c.lost for c in both(NOTE, altered, other, ONCE).conflicts] == [altered, other]
    assert both(NOTE, altered, altered, ONCE) == Merged(altered, ())


def test_of_a_write_once_record_made_twice_the_first_stands() -> None:
    second = NOTE | {"created": {"at": MIDDLE, "by": "ann"}, "body": "a"}
    third = NOTE | {"created": {"at": MIDDLE, "by": "bob"}, "body": "b"}
    assert both(None, NOTE, second, ONCE).value == NOTE
    merged = both(None, third, second, ONCE)
    stamps = Stamp(0, "ann", MIDDLE), Stamp(0, "bob", MIDDLE)
    assert merged == Merged(second, (Conflict("", None, second, third, *stamps),))
