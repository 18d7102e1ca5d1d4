"""Units as a conflict names them: what stands in them, and setting them."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.actions.conflicts import overtaken, put
from gittask.core.record import Record
from gittask.core.units import value_of
from gittask.errors import Refused
from tests.memory import START, MemoryReader, event

DATA: dict[str, Any] = {
    "title": "t",
    "due": None,
    "acceptance": [{"id": "a", "text": "x", "met": False}, {"id": "c", "text": "y", "met": True}],
}
units = st.sampled_from(["title", "due", "new", "acceptance.a", "acceptance.b", "acceptance.c.met"])


@given(units, st.sampled_from([None, 1, {"id": "?"}]))
def test_what_was_put_is_there_and_nothing_else_changed(unit: str, value: Any) -> None:
    is_item = unit.count(".") == 1
    if isinstance(value, dict):
        value = {"id": unit.partition(".")[2]} if is_item else "s"
    elif is_item:
        value = None
    before = copy.deepcopy(DATA)
    after = put(DATA, unit, value)
    assert before == DATA
    assert value_of(after, unit) == value
    back = put(after, unit, value_of(DATA, unit))
    back["acceptance"].sort(key=lambda item: item["id"])
    assert {k: v for k, v in back.items() if k in DATA} == DATA


def test_a_part_of_an_item_that_is_gone() -> None:
    assert value_of(DATA, "acceptance.b.met") is None
    with pytest.raises(Refused, match="no item 'b' any more"):
        put(DATA, "acceptance.b.met", True)


def conflict(kept: tuple[int, str], lost: tuple[int, str], **fields: Any) -> Record:
    """A conflict about the title, by the counters and the values of its sides."""
    sides = {
        f"{name}_by": {"counter": counter, "at": START, "by": "alice"}
        for name, (counter, _) in (("kept", kept), ("lost", lost))
    }
    return event("conflict", "a", 1, kept=kept[1], lost=lost[1], **sides, **fields)


@pytest.mark.parametrize(
    ("old", "closed"),
    [
        (conflict((2, "B"), (2, "A")), True),
        (conflict((3, "B"), (2, "A")), False),  # at the time of one of the new values
        (conflict((3, "C"), (3, "D")), True),  # the same values, the other way round
        (conflict((5, "C"), (3, "D")), False),  # that is the newer one
        (conflict((3, "C"), (3, "A")), False),  # a value that only this one has
        (conflict((2, "B"), (2, "A"), field="why"), False),
        (conflict((2, "B"), (2, "A"), record="tasks/00/b00000000000/task.yaml"), False),
        (conflict((2, "B"), (2, "A"), state={"status": "resolved"}), False),
    ],
)
def test_which_conflicts_are_overtaken(old: Record, closed: bool) -> None:
    new = conflict((4, "D"), (3, "C"))
    assert overtaken(MemoryReader(old, new), new) == ([old] if closed else [])
