from __future__ import annotations

import pytest

from gittask.core.stamp import Stamp, creation, latest, stamps

DATA = {
    "created": {"at": "2026-11-30T10:00:00.000Z", "by": "alice"},
    "title": "t",
    "changed": {
        "title": "1 2026-11-30T10:01:00.000Z bob",
        "allowed.gone": "4 2026-11-30T10:02:00.000Z carol",
        "allowed.kept": "3 2026-11-30T10:03:00.000Z dave",
        "links.a": "2 2026-11-30T10:04:00.000Z erin",
        "links.a.target": "5 2026-11-30T10:05:00.000Z frank",
        "links.ab.target": "9 2026-11-30T10:06:00.000Z grace",
    },
}


@pytest.mark.parametrize(
    ("units", "by"),
    [
        (["title"], "bob"),
        (["why"], "alice"),
        (["allowed"], "carol"),  # by an element that is gone
        (["links.a.target"], "frank"),
        (["links.a.rel"], "erin"),  # as the item came
        (["links.a"], "frank"),
        (["links.a.rel", "title"], "erin"),
        (["link"], "alice"),
        ([], "grace"),
    ],
)
def test_who_last_set_a_unit(units: list[str], by: str) -> None:
    found = latest(DATA, *units)
    assert found.by == by
    assert found in (creation(DATA), *stamps(DATA).values())


def test_of_nothing() -> None:
    assert latest({}, "title") == Stamp(0, "", "")
