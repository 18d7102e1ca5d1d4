"""Merges that went wrong elsewhere, told again as tasks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import permutations
from typing import Any

import pytest

from gittask.core.merge import merge
from gittask.core.record import Data
from gittask.core.units import Prefer, Rule, Rules
from tests.core.merging import both, edit

TASK = Rules(
    mutable=True,
    fields={
        "why": Rule("text"),
        "labels": Rule("set", max_items=100),
        "depends_on": Rule("set"),
        "acceptance": Rule("by-id", max_items=50),
        "links": Rule("by-id"),
        "state": Rule(
            "ordered",
            prefer=(
                Prefer("epoch", "greatest"),
                Prefer("since", "least"),
                Prefer("holder", "least"),
            ),
        ),
    },
)
OPEN = {"status": "open", "epoch": 0, "holder": None, "since": None, "outcome": None}
BASE: Data = {
    "id": "t0000000000a",
    "title": "Cache what the server says",
    "created": {"at": "2026-03-01T09:00:00.000Z", "by": "ann"},
    "why": "Each call asks again.\n\nThe answer rarely changes.\n",
    "state": OPEN,
    "priority": 2,
    "responsible": "ann",
    "labels": ["phase-1"],
    "acceptance": [
        {"id": "a1", "text": "kept on disk", "met": False, "evidence": None},
        {"id": "a2", "text": "expires", "met": False, "evidence": None},
    ],
    "depends_on": [],
    "links": [],
    "changed": {},
}


def set_by(by: str, before: Data = BASE, at: str = "2026-03-02T09:00:00.000Z", **to: Any) -> Data:
    return edit(before, by, at, TASK, **to)


def ticked(before: Data, *keys: str) -> list[Data]:
    return [i | {"met": True} if i["id"] in keys else i for i in before["acceptance"]]


def test_closing_and_linking_are_both_done() -> None:
    """One session closed the task while another linked it to a tracker."""
    done = OPEN | {"status": "done", "outcome": "shipped, with a way back"}
    link = {"id": "tracker", "url": "https://tracker.example/7"}
    linked = set_by("bob", set_by("bob", links=[link]), links=[link | {"seen": "2026-03-02"}])
    merged = both(BASE, linked, set_by("ann", state=done), TASK)
    assert merged.value["state"] == done
    assert merged.value["links"] == [link | {"seen": "2026-03-02"}]
    assert merged.conflicts == ()


def test_a_rewritten_task_keeps_the_children_that_were_added_meanwhile() -> None:
    """One session changed nearly all fields in several steps, the other added two children."""
    claimed = OPEN | {"status": "active", "epoch": 1, "holder": "x1", "since": "2026-03-02"}
    steps: list[Data] = [
        {"title": "cache: keep answers on disk", "priority": 0},
        {"state": claimed, "responsible": "bob"},
        {"depends_on": ["t0000000000b"]},
    ]
    ours = reduce(lambda data, step: set_by("bob", data, **step), steps, BASE)
    theirs = set_by("ann", set_by("ann", depends_on=["t0000000000c"]))
    theirs = set_by("ann", theirs, depends_on=["t0000000000c", "t0000000000d"])
    merged = both(BASE, ours, theirs, TASK)
    assert merged.value["depends_on"] == ["t0000000000b", "t0000000000c", "t0000000000d"]
    for field in ("title", "priority", "state", "responsible"):
        assert merged.value[field] == ours[field]
    assert merged.conflicts == ()
    for side in (ours, theirs):
        newest = [int(line.split()[0]) for line in side["changed"].values()]
        assert max(int(line.split()[0]) for line in merged.value["changed"].values()) >= max(newest)


def test_a_field_set_to_null_is_not_a_field_that_is_missing() -> None:
    """One side cleared the responsible actor, the other only added something."""
    merged = both(BASE, set_by("bob", responsible=None), set_by("ann", links=[{"id": "k"}]), TASK)
    assert merged.value["responsible"] is None
    assert merged.value["links"] == [{"id": "k"}]
    assert merged.conflicts == ()


def test_ticked_criteria_stay_ticked_when_others_move_and_a_field_is_new() -> None:
    """One side ticked everything and closed; the other tidied up and added an ordinal."""
    done = OPEN | {"status": "done", "outcome": "all in one place"}
    finished = set_by("bob", acceptance=ticked(BASE, "a1", "a2"), state=done)
    notes = BASE["why"].rstrip("\n") + "\n\nDone in one place.\n"
    finished = set_by("bob", finished, why=notes)
    tidied = set_by("ann", acceptance=BASE["acceptance"][::-1], ordinal=0)
    merged = both(BASE, finished, tidied, TASK)
    assert [i["met"] for i in merged.value["acceptance"]] == [True, True]
    assert [i["id"] for i in merged.value["acceptance"]] == ["a1", "a2"]
    assert (merged.value["state"], merged.value["ordinal"]) == (done, 0)
    assert merged.value["why"] == notes
    assert merged.conflicts == ()


def test_what_only_one_side_added_is_all_there() -> None:
    """Each side grew the list for itself, and one side edited what was there before."""
    new = [{"id": f"b{i}", "text": "x", "met": False, "evidence": None} for i in range(4)]
    ours = set_by("bob", acceptance=[*new[:2], *ticked(BASE, "a1")])
    theirs = set_by("ann", acceptance=[*BASE["acceptance"], *new[2:]])
    merged = both(BASE, ours, theirs, TASK)
    met = {i["id"]: i["met"] for i in merged.value["acceptance"]}
    assert met == {"a1": True, "a2": False, "b0": False, "b1": False, "b2": False, "b3": False}
    assert merged.conflicts == ()


@pytest.mark.parametrize(
    ("ours", "theirs", "labels"),
    [(["y"], ["x", "y", "z"], ["y", "z"]), (["y"], ["y"], ["y"]), ([], ["x", "y", "z"], ["z"])],
    ids=["remove, add", "both remove", "clear, add"],
)
def test_a_label_can_be_removed_while_others_work(
    ours: list[str], theirs: list[str], labels: list[str]
) -> None:
    base = set_by("ann", labels=["x", "y"])
    merged = both(base, set_by("ann", base, labels=ours), set_by("bob", base, labels=theirs), TASK)
    assert merged.value["labels"] == labels


def test_a_label_that_was_added_again_on_purpose_is_there() -> None:
    base = set_by("ann", labels=["x", "y"])
    removed = set_by("cyd", base, labels=["y"])
    again = set_by("ann", removed, labels=["x", "y"])
    for known in (base, removed, BASE, None):
        assert both(known, removed, again, TASK).value["labels"] == ["x", "y"]


def test_two_renamings_cost_nothing_but_one_title_which_is_told() -> None:
    """Both sides renamed the task and added to its list; once all additions were gone."""
    link = [{"id": f"n{i}", "text": f"note {i}"} for i in range(4)]
    base = set_by("ann", links=link[:1])
    ours = set_by("ann", set_by("ann", base, title="Keep answers"), links=link[:2])
    theirs = set_by("bob", base, title="Store answers", links=[link[0], *link[2:]])
    merged = both(base, ours, theirs, TASK)
    assert merged.value["links"] == link
    assert {merged.value["title"], *(c.lost for c in merged.conflicts)} == {
        "Keep answers",
        "Store answers",
    }
    assert [c.field for c in merged.conflicts] == ["title"]


@pytest.mark.parametrize("base", [BASE, None], ids=["base", "no base"])
def test_an_edit_that_saw_another_wins_over_it_whatever_the_clocks_say(base: Data | None) -> None:
    """A clock a day behind, one three years ahead, and one that is right."""
    clocks = {"ann": "2026-02-28", "bob": "2029-03-01", "cyd": "2026-03-01"}
    for order in permutations(clocks):
        seen, versions = BASE, []
        for by in order:
            seen = set_by(by, seen, f"{clocks[by]}T00:00:00.000Z", title=f"by {by}")
            versions.append(seen)
        for shuffled in permutations(versions):
            assert _all(base, shuffled)["title"] == f"by {order[-1]}"


def test_a_clock_that_is_years_ahead_decides_nothing() -> None:
    ahead = set_by("ann", at="2029-01-01T00:00:00.000Z", title="ahead")
    right = set_by("bob", title="right")
    assert both(BASE, ahead, right, TASK).value["title"] == "right"


def test_of_two_claims_the_earlier_holds_and_a_release_frees_only_its_own() -> None:
    """Two clones claim the same epoch offline; the later one then gives up."""
    first = OPEN | {"status": "active", "epoch": 1, "holder": "x1", "since": "2026-03-02T08:00"}
    second = first | {"holder": "x2", "since": "2026-03-02T08:05"}
    ours = set_by("ann", state=first)
    theirs = set_by("bob", state=second)
    merged = both(BASE, ours, theirs, TASK)
    assert merged.value["state"] == first
    assert [c.lost for c in merged.conflicts] == [second]
    released = set_by("bob", theirs, state=second | {"holder": None, "status": "open"})
    assert both(BASE, ours, released, TASK).value["state"] == first
    freed = set_by("ann", ours, state=first | {"holder": None, "status": "open"})
    assert both(BASE, freed, theirs, TASK).value["state"]["holder"] is None


def _all(base: Data | None, versions: Iterable[Data]) -> Data:
    return reduce(lambda one, two: merge(TASK, base, one, two).value, versions)
