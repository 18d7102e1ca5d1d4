"""Which level decides, what may not be read past, and who may say what needs approval."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gittask.core.record import Record
from gittask.errors import Invalid, Refused
from gittask.kinds import Attempt, kind
from gittask.kinds.approval import allowing, approvers, refusal
from gittask.kinds.preference import Said, policy, prevailing, said, same_policy
from tests.memory import MemoryReader, actor, event, project, store, task

LEVELS = ("task", "project", "store", "actor")
IDS = {"task": "abcd00000000", "project": "shop", "store": "s00000000000", "actor": "codex-1"}
NAMES: dict[str, list[Any]] = {
    "provider": ["a", "b"],
    "instructions": ["a", "b"],
    "allowed": [["a"], ["a", "b"]],
}


def records(name: str, values: dict[str, Any]) -> dict[str, Record]:
    """A record of each level, with what it says in a field."""
    fields = {level: {name: value} if value else {} for level, value in values.items()}
    return {
        "task": task("abcd", project="shop", **fields.get("task", {})),
        "project": project("shop", **fields.get("project", {})),
        "store": store(**fields.get("store", {})),
        "actor": actor("codex-1", "agent", **fields.get("actor", {})),
    }


said_somewhere = st.sampled_from(list(NAMES)).flatmap(
    lambda name: st.tuples(
        st.just(name),
        st.fixed_dictionaries({one: st.sampled_from([None, *NAMES[name]]) for one in LEVELS}),
        st.sets(st.sampled_from(LEVELS[1:]), max_size=2),
    )
)


@given(said_somewhere)
def test_the_nearest_level_that_says_something_decides(
    drawn: tuple[str, dict[str, Any], set[str]],
) -> None:
    """What cannot be read is passed over."""
    name, values, bad = drawn
    levels = records(name, values)
    reader = MemoryReader(*levels.values(), bad=[IDS[level] for level in bad])
    expected = [
        Said(level, IDS[level], values[level])  # type: ignore[arg-type]
        for level in LEVELS
        if level not in bad and values[level]
    ]
    found = said(reader, levels["task"], name, "codex-1")
    assert found == expected
    assert prevailing(reader, levels["task"], name, "codex-1") == next(iter(expected), None)


@given(said_somewhere)
def test_policy_is_what_prevails_or_is_not_known(
    drawn: tuple[str, dict[str, Any], set[str]],
) -> None:
    _, values, bad = drawn
    values = {level: value and ["a"] for level, value in values.items()}
    levels = records("allowed", values)
    reader = MemoryReader(*levels.values(), bad=[IDS[level] for level in bad])
    first = next((level for level in LEVELS if level in bad or values[level]), None)

    def found() -> Said | None:
        return policy(reader, "allowed", levels["task"], "shop", "codex-1")

    if first in bad:
        with pytest.raises(Invalid, match=f"{first}.* cannot be read"):
            found()
    else:
        assert found() == prevailing(reader, levels["task"], "allowed", "codex-1")


def test_without_project_or_actor_there_are_fewer_levels() -> None:
    free = task("abcd")
    reader = MemoryReader(free, project("shop", provider="a"), store(provider="b"))
    assert said(reader, free, "provider", "nobody-yet") == [Said("store", IDS["store"], "b")]
    assert policy(reader, "allowed", free, None, "nobody-yet") is None
    assert prevailing(MemoryReader(free), free, "provider") is None


def test_a_project_that_is_gone_opens_no_door() -> None:
    lost = task("abcd", project="shop")
    reader = MemoryReader(lost, store(allowed=["a"]), actor("ann"))
    with pytest.raises(Invalid):
        policy(reader, "allowed", lost, "shop")
    request = event("approval", "abcd", 1).data
    assert refusal(reader, request, "ann") == "who may answer it cannot be read"
    with pytest.raises(Refused, match="only a person may move it"):
        list(kind("task").may(Attempt(reader, lost, task("abcd"), "codex-1", False, None)))
    assert list(kind("task").may(Attempt(reader, lost, task("abcd"), "ann", True, None))) == []


def test_a_store_that_is_gone_opens_no_door() -> None:
    free = task("abcd")
    reader = MemoryReader(free, actor("codex-1", "agent", allowed=["a"]), actor("ann"))
    with pytest.raises(Invalid):
        allowing(reader, free, "a", "codex-1")
    request = event("approval", "abcd", 1).data
    assert refusal(reader, request, "ann") == "who may answer it cannot be read"


def test_a_task_that_is_gone_is_not_answered_for_by_everybody() -> None:
    reader = MemoryReader(store(), actor("ann"))
    request = event("approval", "abcd", 1).data
    assert refusal(reader, request, "ann") == "who may answer it cannot be read"


def test_what_an_earlier_version_wrote_says_nothing() -> None:
    old = Record("task", IDS["task"], {"id": IDS["task"], "title": "Old"})
    assert said(MemoryReader(old), old, "allowed") == said(MemoryReader(old), old, "provider") == []


# -- what needs no approval --------------------------------------------------------------------


def allows(action: str, *more: Record, bad: tuple[str, ...] = (), **fields: Any) -> str | None:
    """The entry of the task that allows an action."""
    one = task("abcd", **fields)
    found = allowing(MemoryReader(one, store(), *more, bad=bad), one, action, None)
    return found.value if found else None


def test_an_entry_covers_as_an_approval_does() -> None:
    assert allows("ls", allowed=["ls"]) == "ls"
    assert allows("pytest -q", allowed=["glob:pytest *", "ls"]) == "glob:pytest *"
    assert allows("pytest -q; rm", allowed=["glob:pytest *", "ls"]) is None
    assert allows("ls") is None


@pytest.mark.parametrize("others", [[], ["ls"], ["glob:*"]])
def test_none_is_nothing_whatever_stands_beside_it(others: list[str]) -> None:
    levels = [project("shop", allowed=["ls", "none"])]
    for action in ("ls", "none"):
        assert allows(action, *levels, project="shop", allowed=["none", *others]) is None


@pytest.mark.parametrize("status", ["requested", "granted", "denied", "revoked"])
@pytest.mark.parametrize("action", ["ls", "glob:ls*"])
def test_who_said_no_to_it_on_the_task_knew_more(status: str, action: str) -> None:
    answered = event("approval", "abcd", 1, action=action, state={"status": status, "by": "ann"})
    elsewhere = event("approval", "bbbb", 1, action="pwd", state={"status": "denied", "by": "ann"})
    known = (answered, elsewhere)
    no = status in ("denied", "revoked")
    assert allows("ls", *known, allowed=["ls", "pwd"]) == (None if no else "ls")
    assert allows("ls", *known, allowed=["glob:l*"]) == (None if no else "glob:l*")
    assert allows("pwd", *known, allowed=["ls", "pwd"]) == "pwd"
    with pytest.raises(Invalid):
        allows("pwd", *known, bad=(answered.id,), allowed=["ls", "pwd"])


# -- who approves ------------------------------------------------------------------------------


@pytest.mark.parametrize("nearest", ["task", "project", "store", None])
def test_who_approves_is_said_by_the_nearest(nearest: str | None) -> None:
    order = ["task", "project", "store"]
    speaking = order[order.index(nearest) :] if nearest else []
    levels = records("approvers", {level: [f"by-{level}"] for level in speaking})
    asked = event("approval", "abcd", 1).data
    everybody = [actor(f"by-{level}") for level in order]
    reader = MemoryReader(*levels.values(), *everybody)
    assert approvers(reader, asked) == ([f"by-{nearest}"] if nearest else [])
    may = [one.id for one in everybody if refusal(reader, asked, one.id) is None]
    assert may == ([f"by-{nearest}"] if nearest else [one.id for one in everybody])


def test_a_request_for_a_project_is_not_answered_by_a_tasks_approvers() -> None:
    levels = records("approvers", {"task": ["ann"], "store": ["bob"]})
    whole = {"project": "shop", "requested_by": "codex-1"}
    assert approvers(MemoryReader(*levels.values()), whole) == ["bob"]


# -- who may say it ----------------------------------------------------------------------------

PLACES = [(level, "allowed") for level in LEVELS] + [(level, "approvers") for level in LEVELS[:3]]


@pytest.mark.parametrize(("level", "name"), PLACES)
def test_only_people_say_what_needs_approval_and_by_whom(level: str, name: str) -> None:
    without = records(name, {})[level]
    with_it = records(name, {level: ["codex-1"]})[level]
    bare = Record(level, without.id, {k: v for k, v in without.data.items() if k != name})
    reader = MemoryReader(without)

    def may(before: Record | None, after: Record, person: bool) -> None:
        found = kind(level).may(Attempt(reader, before, after, "codex-1", person, None))
        assert list(found) == []

    for before, after in ((None, with_it), (without, with_it), (with_it, without)):
        may(before, after, True)
        with pytest.raises(Refused, match=f"only a person may say .*: {name} of {level}") as caught:
            may(before, after, False)
        assert caught.value.hint
    for before, after in ((None, bare), (bare, without), (with_it, with_it)):
        may(before, after, False)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("entry", ["glob:", "glob:*", "glob: *"])
def test_a_pattern_that_names_nothing_is_not_listed(level: str, entry: str) -> None:
    without, with_it = (records("allowed", {level: each})[level] for each in ([], [entry, "ls"]))

    def may(before: Record | None) -> list[tuple[str, str]]:
        found = kind(level).may(Attempt(MemoryReader(), before, with_it, "ann", True, None))
        return [(one.field, one.message) for one in found]

    said_so = [("allowed", f"holds {entry!r}, a pattern that names no action")]
    assert may(None) == may(without) == said_so
    assert may(with_it) == []  # it stood there before


def test_moving_a_task_is_free_where_policy_stays_the_same() -> None:
    shops = {
        "plain": project("plain"),
        "empty": project("empty"),
        "open": project("open", allowed=["ls"]),
        "wide": project("wide", allowed=["ls"], provider="a"),
        "ruled": project("ruled", approvers=["ann"]),
        "broken": project("broken"),
    }
    reader = MemoryReader(*shops.values(), bad=["broken"])
    alike: list[set[str | None]] = [{None, "plain", "empty"}, {"open", "wide"}]
    for left in (None, *shops):
        for joined in (None, *shops):
            if left == joined:
                continue
            free = any({left, joined} <= group for group in alike)
            assert same_policy(reader, left, joined) is free
            before, after = (task("abcd", project=one) for one in (left, joined))
            attempt = Attempt(reader, before, after, "codex-1", False, None)
            if free:
                assert list(kind("task").may(attempt)) == []
            else:
                with pytest.raises(Refused, match="only a person may move it"):
                    list(kind("task").may(attempt))
