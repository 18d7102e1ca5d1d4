"""Several clones that edit and sync in any order end with one record, and with nothing stale."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import pytest

from gittask.core.merge import merge
from gittask.core.record import Data, canonical
from gittask.core.stamp import Stamp, stamps
from gittask.core.units import Rules, unstamped
from tests.core.histories import ACTORS, CHOICES, ORIGIN, RULES, TIMES, Edit, fits, rules, units

LIMITED = rules(max_items=2, max_length=30)


@dataclass(frozen=True, eq=False)
class Commit:
    """A version of the record with what it came from."""

    data: Data
    parents: tuple[Commit, ...] = ()
    past: frozenset[Commit] = field(init=False)

    def __post_init__(self) -> None:
        past = frozenset(self.parents).union(*(parent.past for parent in self.parents))
        object.__setattr__(self, "past", past)


def bases(left: Commit, right: Commit) -> list[Commit]:
    """The best common ancestors, as git finds them."""
    shared = (left.past | {left}) & (right.past | {right})
    older = frozenset().union(*(commit.past for commit in shared))
    return sorted(shared - older, key=lambda commit: canonical(commit.data))


def joined(rules: Rules, left: Commit, right: Commit, how: str) -> Commit:
    """Both as one: a merge, a squash that hides the right side's past, or one without a base."""
    if how == "no base":
        return Commit(merge(rules, None, left.data, right.data).value, (left, right))
    found = bases(left, right)
    if left in found or right in found:
        return right if left in found else left
    base = reduce(lambda one, two: joined(rules, one, two, "merge"), found)
    value = merge(rules, base.data, left.data, right.data).value
    return Commit(value, (left,) if how == "squash" else (left, right))


def some_edit(choose: random.Random) -> Edit:
    what, which, values = choose.choice(choose.choice(list(CHOICES.values())))
    which_one, value = choose.choice(which), choose.choice(values)
    return Edit(what, which_one, value, choose.choice(TIMES), choose.choice(ACTORS))


@dataclass
class Clones:
    """Four clones with clocks that say anything, and a log of all that was ever set."""

    rules: Rules
    choose: random.Random
    hows: list[str]
    log: dict[tuple[str, str], dict[Stamp, list[Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.heads = [Commit(ORIGIN)] * 4

    def edit(self, clone: int) -> None:
        before = self.heads[clone].data
        after = some_edit(self.choose)(self.rules, before)
        if not fits(self.rules, after):
            return
        assert not unstamped(self.rules, before, after)
        old, new = stamps(before), stamps(after)
        for unit, stamp in new.items():
            if stamp != old.get(unit):
                owner = unit.rpartition(".")[0]
                life = after["changed"].get(owner, "made") if unit.count(".") == 2 else ""
                versions = self.log.setdefault((unit, life), {})
                versions.setdefault(stamp, []).append(units(after).get(unit, "absent"))
        self.heads[clone] = Commit(after, (self.heads[clone],))

    def sync(self, one: int, two: int) -> None:
        how = self.choose.choice(self.hows)
        self.heads[one] = joined(self.rules, self.heads[one], self.heads[two], how)
        if self.choose.random() < 0.7:
            self.heads[two] = joined(self.rules, self.heads[two], self.heads[one], "merge")

    def values(self, unit: str) -> list[Any]:
        """All that a field ever was."""
        versions = self.log.get((unit, ""), {}).values()
        return [ORIGIN[unit], *(value for values in versions for value in values)]

    def standing(self, end: Data) -> Iterator[tuple[str, dict[Stamp, list[Any]]]]:
        """All versions of each unit of which the later stands, whatever the values.

        The fields of an item count only as long as the item they were set in is there.
        """
        came = end["changed"]
        for (unit, life), versions in self.log.items():
            owner = unit.rpartition(".")[0]
            gone = life and (came.get(owner, "made") != life or owner not in units(end))
            if unit not in ("why", "state", "size") and not gone:
                yield unit, versions

    def run(self, steps: int) -> Data:
        """Edit and sync at random, then until each has heard of all; the record all end with."""
        for _ in range(steps):
            if self.choose.random() < 0.6:
                self.edit(self.choose.randrange(4))
            else:
                self.sync(*self.choose.sample(range(4), 2))
        last = "no base" if "no base" in self.hows else "merge"
        first, *others = self.choose.sample(range(4), 4)
        for how in (self.choose.choice(self.hows), last):
            for clone in others:
                self.heads[first] = joined(self.rules, self.heads[first], self.heads[clone], how)
        for clone in others:
            self.heads[clone] = joined(self.rules, self.heads[clone], self.heads[first], last)
        ends = {canonical(head.data) for head in self.heads}
        assert len(ends) == 1
        return self.heads[0].data


@pytest.mark.parametrize(
    "hows", [["merge"], ["squash"], ["no base"], ["merge", "squash", "no base"]]
)
def test_all_clones_end_equal_and_nothing_stale_is_in_front(hows: list[str]) -> None:
    contested = 0
    for seed in range(150):
        clones = Clones(RULES, random.Random(seed), hows)
        end = clones.run(steps=40)
        result = units(end)
        for unit, versions in clones.standing(end):
            newest = [canonical(value) for value in versions[max(versions)]]
            assert canonical(result.get(unit, "absent")) in newest, (seed, unit)
            contested += len(versions) > 1
        assert end["state"]["epoch"] == max(state["epoch"] for state in clones.values("state"))
        assert end["size"] == max(clones.values("size"))
    assert contested > 200


@pytest.mark.parametrize("hows", [["merge"], ["merge", "squash", "no base"]])
def test_limits_do_not_keep_clones_apart(hows: list[str]) -> None:
    for seed in range(100):
        end = Clones(LIMITED, random.Random(seed), hows).run(steps=40)
        assert max(len(end["labels"]), len(end["acceptance"])) <= 2
        assert len(end["why"]) <= 30
