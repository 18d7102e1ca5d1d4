"""How much each check of a pull request matters, and who says so."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.merge import merge
from gittask.core.record import Record
from gittask.core.units import stamped
from gittask.errors import Invalid, Refused
from gittask.kinds import Attempt, kind
from gittask.kinds.gates import RULES, levels, strictest
from gittask.kinds.preference import same_policy
from gittask.store.packaged import schemas
from tests.memory import MemoryReader, actor, at, event, project, store, task


def checks(**said: str) -> list[dict[str, str]]:
    return [{"id": rule, "level": level} for rule, level in sorted(said.items())]


def test_the_nearest_says_it_check_by_check_and_the_strictest_project_counts() -> None:
    common = store(checks=checks(linked="fail", uncertain="off", later="fail"))
    shop = project("shop", checks=checks(uncertain="warn"))
    depot = project("depot", checks=checks(uncertain="fail", linked="off"))
    reader = MemoryReader(common, shop, depot)
    assert levels(reader, None)["linked"] == "fail"
    assert levels(reader, None)["uncertain"] == "off"
    assert levels(reader, "shop")["uncertain"] == "warn"
    assert levels(reader, "depot")["linked"] == "off"
    both = strictest([levels(reader, "depot"), levels(reader, "shop")])
    assert (both["linked"], both["uncertain"]) == ("fail", "fail")
    assert list(both) == list(RULES)


@pytest.mark.parametrize(
    ("wanted", "said", "level"),
    [
        (None, {}, "off"),
        ("off", {}, "off"),
        ("warn", {}, "warn"),
        ("require", {}, "fail"),
        ("require", {"signatures": "off"}, "off"),
    ],
)
def test_signatures_are_as_the_store_wants_them(wanted: str | None, said: Any, level: str) -> None:
    reader = MemoryReader(store(signatures=wanted, checks=checks(**said)))
    assert levels(reader, None)["signatures"] == level


def test_what_cannot_be_read_is_not_passed_over() -> None:
    for reader in (
        MemoryReader(),
        MemoryReader(store(), bad=["s00000000000"]),
        MemoryReader(store(), project("shop"), bad=["shop"]),
        MemoryReader(store()),
    ):
        with pytest.raises(Invalid):
            levels(reader, "shop")


def attempt(before: Record | None, after: Record, *, person: bool) -> list[str]:
    tried = Attempt(MemoryReader(actor("alice")), before, after, "alice", person, None)
    return [problem.message for problem in kind(after.kind).may(tried)]


@pytest.mark.parametrize("of", [store, lambda **fields: project("shop", **fields)])
def test_only_people_set_them_and_only_checks_that_there_are(of: Any) -> None:
    strict, lax = of(checks=checks(linked="fail")), of(checks=checks(linked="off"))
    assert attempt(strict, lax, person=True) == []
    assert attempt(strict, strict, person=False) == []
    for before, after in ((strict, lax), (strict, of()), (None, strict)):
        with pytest.raises(Refused, match="what a pull request has to pass"):
            attempt(before, after, person=False)
    assert attempt(strict, of(checks=checks(linkd="off")), person=True) == [
        "names 'linkd', which is no check"
    ]
    newer = of(checks=checks(later="fail"))
    assert attempt(newer, newer, person=True) == []


def test_projects_that_check_otherwise_do_not_say_the_same_of_policy() -> None:
    one, other = project("one"), project("other", checks=checks(linked="off"))
    reader = MemoryReader(one, other, project("third"))
    assert same_policy(reader, "one", "third")
    assert not same_policy(reader, "one", "other")


def test_two_who_set_different_checks_both_get_their_way() -> None:
    rules = schemas().rules("store")
    base = store(checks=checks(linked="warn")).data

    def by(who: str, **said: str) -> dict[str, Any]:
        return stamped(rules, base, {**base, "checks": checks(**said)}, at(5), who)

    left, right = by("alice", linked="fail"), by("bob", linked="warn", handoff="off")
    for merged in (merge(rules, base, left, right), merge(rules, base, right, left)):
        assert {one["id"]: one["level"] for one in merged.value["checks"]} == {
            "linked": "fail",
            "handoff": "off",
        }
        assert merged.conflicts == ()


# -- waivers ----------------------------------------------------------------------------------

EXECUTION = event("execution", "abcd", 1)
DOUBT = {"question": "q", "impact": "i", "who": None}
HANDOFF = event("handoff", "abcd", 2, execution=EXECUTION.id, uncertain=[DOUBT])


def waives(place: int, *, person: bool, handoff: str = HANDOFF.id) -> list[str]:
    said = {"handoff": handoff, "uncertain": place}
    decision = event("decision", "abcd", 3, created_by="alice", waives=said)
    reader = MemoryReader(task("abcd"), EXECUTION, HANDOFF)
    tried = Attempt(reader, None, decision, "alice", person, None)
    return [problem.message for problem in kind("decision").may(tried)]


def test_a_person_waives_what_a_handoff_calls_uncertain() -> None:
    assert waives(1, person=True) == []
    assert waives(2, person=True) == ["is 2, but the handoff calls 1 things uncertain"]
    with pytest.raises(Refused, match="only a person"):
        waives(1, person=False)
    plain = event("decision", "abcd", 3)
    assert attempt(None, plain, person=False) == []


def test_a_decision_of_a_project_waives_nothing() -> None:
    data = {key: value for key, value in event("decision", "abcd", 3).data.items() if key != "task"}
    said = {"handoff": HANDOFF.id, "uncertain": 1}
    whole = {**data, "project": "shop", "scope": "project", "waives": said}
    assert attempt(None, Record("decision", data["id"], whole), person=True) == [
        "stands in no decision of a task"
    ]
