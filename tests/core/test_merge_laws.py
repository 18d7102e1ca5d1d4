"""What holds for every merge, whatever the records."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from gittask.core.merge import Merged, merge
from gittask.core.record import Data, canonical
from gittask.core.stamp import parse
from gittask.core.units import Rules
from tests.core.histories import (
    ORIGIN,
    RULES,
    forks,
    limited,
    mixed_forks,
    rules,
    scripts,
    units,
    wild,
    written,
)

LIMITED = rules(max_items=2, max_length=len(ORIGIN["why"]) + 3)
law = settings(deadline=None)
wilds = st.one_of(st.tuples(st.none() | wild(), wild(), wild()), mixed_forks())
MISSING = object()


def same(left: Any, right: Any) -> bool:
    """Equality that tells 1 from true, and absent from null."""
    if left is MISSING or right is MISSING:
        return left is right
    return canonical(left) == canonical(right)


def shown(merged: Merged) -> tuple[str, list[str]]:
    return canonical(merged.value), [repr(conflict) for conflict in merged.conflicts]


@law
@given(wilds, st.booleans())
def test_swapping_the_sides_changes_nothing(
    versions: tuple[Data | None, Data, Data], mutable: bool
) -> None:
    base, left, right = versions
    kind = Rules(mutable, LIMITED.fields)
    assert shown(merge(kind, base, left, right)) == shown(merge(kind, base, right, left))


@law
@given(wilds, st.booleans())
def test_what_both_sides_have_stands(
    versions: tuple[Data | None, Data, Data], mutable: bool
) -> None:
    base, both, _ = versions
    assert shown(merge(Rules(mutable, RULES.fields), base, both, both)) == (canonical(both), [])


@law
@given(wilds)
def test_a_side_that_did_nothing_loses_without_a_word(
    versions: tuple[Data | None, Data, Data],
) -> None:
    _, base, changed = versions
    assert shown(merge(RULES, base, base, changed)) == (canonical(changed), [])
    assert shown(merge(RULES, base, changed, base)) == (canonical(changed), [])


def owned(data: Data, unit: str) -> tuple[Any, dict[str, str]]:
    """A unit's value (an item with all its fields) and the stamps in it."""
    if unit.startswith("acceptance."):
        found = {item["id"]: item for item in data["acceptance"]}
        value = found.get(unit.split(".")[1], MISSING)
    else:
        value = data.get(unit, MISSING) if unit in ("why", "extra") else units(data).get(unit)
    lines = data["changed"].items()
    return value, {u: line for u, line in lines if u == unit or u.startswith(f"{unit}.")}


@law
@given(mixed_forks())
def test_a_unit_that_one_side_changed_is_as_that_side_has_it(
    versions: tuple[Data, Data, Data],
) -> None:
    base, left, right = versions
    merged = merge(RULES, *versions)
    for unit in ("title", "extra", "why", "state", "labels.a", "acceptance.a1", "acceptance.a10"):
        for changed, other in ((left, right), (right, left)):
            mine, (was, old), (now, new) = (owned(d, unit) for d in (changed, base, other))
            if same(was, now) and old == new:
                assert same(owned(merged.value, unit)[0], mine[0]), unit
                fields = [c.field for c in merged.conflicts]
                assert not any(f"{field}.".startswith(f"{unit}.") for field in fields)


@law
@given(mixed_forks())
def test_nothing_is_lost_in_silence(versions: tuple[Data, Data, Data]) -> None:
    base, left, right = versions
    merged = merge(RULES, *versions)
    old, result = units(base), units(merged.value)
    for side in (left, right):
        for unit, value in units(side).items():
            if unit.startswith(("labels.", "size")) or same(value, old.get(unit, MISSING)):
                continue
            lost = [c.lost for c in merged.conflicts if c.field == unit]
            owner, _, key = unit.rpartition(".")
            items = [c.lost for c in merged.conflicts if c.field == owner and c.lost]
            items += [
                c.lost for c in merged.conflicts if c.field == unit and isinstance(c.lost, dict)
            ]
            found = [result.get(unit, MISSING), *lost, *(item.get(key, MISSING) for item in items)]
            assert any(same(value, one) for one in found) or (value is True and items), unit
        texts = [c.lost for c in merged.conflicts if c.field == "why"]
        new = set(side["why"].split("\n")) - set(base["why"].split("\n"))
        assert new <= set(merged.value["why"].split("\n")) or side["why"] in texts


@law
@given(mixed_forks())
def test_a_removal_that_does_not_stand_is_told(versions: tuple[Data, Data, Data]) -> None:
    base, left, right = versions
    merged = merge(RULES, *versions)
    for side in (left, right):
        gone = [u for u in units(base).keys() - units(side).keys() if not u.startswith("labels")]
        for unit in gone:
            if unit.count(".") < 2 and unit in units(merged.value):
                assert any(c.field == unit and c.lost is None for c in merged.conflicts)


@law
@given(forks())
def test_stamped_edits_need_no_base(versions: tuple[Data, Data, Data]) -> None:
    base, left, right = versions
    with_base, without = merge(RULES, base, left, right), merge(RULES, None, left, right)
    assert same(_no_text(with_base.value), _no_text(without.value))
    told = {c.field for c in with_base.conflicts if c.field != "why" and c.lost is not None}
    assert told <= {c.field for c in without.conflicts}


@law
@given(forks(sides=3))
def test_the_order_of_merging_is_no_matter(versions: tuple[Data, Data, Data, Data]) -> None:
    _, one, two, three = (_no_text(version) for version in versions)
    first = merge(RULES, None, merge(RULES, None, one, two).value, three).value
    last = merge(RULES, None, one, merge(RULES, None, two, three).value).value
    assert same(first, last)


@law
@given(st.lists(scripts(0, 3), min_size=3, max_size=3), st.permutations([0, 1, 2]))
def test_a_record_made_several_times_has_the_values_of_the_first(
    done: list[list[Any]], order: list[int]
) -> None:
    made = [
        ORIGIN | {"created": {"at": at, "by": by}, "title": title}
        for at, by, title in (("2026-01-02", "ann", "q"), ("2026-01-01", "bob", "p"))
    ]
    made.append(made[0] | {"created": {"at": "2026-01-02", "by": "bob"}, "title": "r"})
    kept = [[e for e in script if e.what in ("field", "label", "size")] for script in done]
    sides = [written(RULES, data, script) for data, script in zip(made, kept, strict=True)]
    one, two, three = (sides[i] for i in order)
    first = merge(RULES, None, merge(RULES, None, one, two).value, three).value
    again = merge(RULES, None, merge(RULES, None, three, one).value, two).value
    assert same(first, again)
    assert first["created"]["by"] == "bob"
    if not any("title" in side["changed"] for side in sides):
        assert first["title"] == "p"


@law
@given(scripts(0, 3), scripts(1, 6), scripts(1, 6), st.booleans())
def test_a_merge_holds_all_that_went_into_it(
    before: list[Any], ours: list[Any], theirs: list[Any], with_base: bool
) -> None:
    base = limited(LIMITED, ORIGIN, before)
    sides = [limited(LIMITED, base, script) for script in (ours, theirs)]
    value = merge(LIMITED, base if with_base else None, *sides).value
    for side in sides:
        assert same(merge(LIMITED, None, side, value).value, value)


@law
@given(scripts(0, 3), scripts(1, 6), scripts(1, 6), st.booleans())
def test_the_result_has_the_shape_that_its_sides_have(
    before: list[Any], ours: list[Any], theirs: list[Any], with_base: bool
) -> None:
    base = limited(LIMITED, ORIGIN, before)
    sides = [limited(LIMITED, base, script) for script in (ours, theirs)]
    value = merge(LIMITED, base if with_base else None, *sides).value
    items = [item["id"] for item in value["acceptance"]]
    assert value["labels"] == sorted(set(value["labels"]))
    assert items == sorted(set(items), key=lambda key: (len(key), key))
    assert max(len(value["labels"]), len(items)) <= 2
    assert len(value["why"]) <= len(ORIGIN["why"]) + 3
    assert all(item.keys() == {"id", "text", "met"} for item in value["acceptance"])
    assert all(parse(line) for line in value["changed"].values())
    assert ORIGIN.keys() <= value.keys()


@law
@given(forks())
def test_no_input_is_changed(versions: tuple[Data, Data, Data]) -> None:
    before = canonical(versions)
    merge(RULES, *versions)
    assert canonical(versions) == before


@pytest.mark.parametrize(
    "unit", ["title", "extra", "why", "state", "acceptance.a1", "acceptance.a1.met"]
)
def test_the_histories_do_collide(unit: str) -> None:
    """Laws about conflicts are empty if the generated sides never meet."""
    find(
        forks(),
        lambda versions: unit in {c.field for c in merge(RULES, *versions).conflicts},
        settings=settings(
            max_examples=2000, deadline=None, derandomize=True, phases=[Phase.generate]
        ),
    )


def _no_text(data: Data) -> Data:
    rest = {field: value for field, value in data.items() if field != "why"}
    changed = {unit: line for unit, line in data["changed"].items() if unit != "why"}
    return rest | {"changed": changed}
