"""Units as a conflict names them: what stands in them, and setting them."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.actions.conflicts import put
from gittask.core.units import value_of
from gittask.errors import Refused

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
