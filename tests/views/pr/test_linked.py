"""By what a task is known to be carried, and when it is not."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.record import Record
from gittask.core.seen import Range
from gittask.views.pr.linked import Linked, linked
from gittask.views.pr.part import END, begin
from tests.memory import MemoryReader, event, task, task_id
from tests.views.pr.pulls import GONE, HEAD, NEW, OLD, PATCH, code, seen, trailers

EXECUTION = event("execution", "abcd", 1)
HANDOFF = event(
    *("handoff", "abcd", 2),
    execution=EXECUTION.id,
    commits=[{"sha": GONE, "patch_id": PATCH}],
    patch_id="f" * 40,
)
TASKS = [task("abcd"), task("abce"), task("m9wf")]


def find(*commits: Any, text: str = "", asked: tuple[str, ...] = (), **fields: Any) -> list[Linked]:
    reader = MemoryReader(*TASKS, EXECUTION, HANDOFF)
    return linked(reader, code(*commits, **fields), text, [task_id(each) for each in asked])


def how(found: list[Linked]) -> dict[str, tuple[str, list[str]]]:
    return {one.id[:4]: (one.state, one.as_json()["found_by"]) for one in found}


@pytest.mark.parametrize(
    "message",
    [
        *(trailers("abcd"), "S\n\ntask: abcd00000000", "S\n\nTask: abcd", "Task: ABCD"),
        "All of it (#12)\n\n* Step one\n\n  Task: abcd00000000\n  Execution: unknown\n\n* Step two",
        "All of it\n\n* Task: abcd00000000\n* Step",
        "Squashed\n\ncommit 0a\nAuthor: x\n\n    Step\n\n    Task: abcd00000000",
        f"Subject\n\nExecution: {EXECUTION.id}",
        "Subject\r\n\r\nTask: abcd00000000\r\n",
    ],
)
def test_trailers_wherever_a_squash_puts_them(message: str) -> None:
    assert how(find(seen(HEAD, message))) == {"abcd": ("carried", ["trailer"])}


@pytest.mark.parametrize("message", ["S\n\nTask: fix it", "S\n\nTask: abc", "Task"])
def test_what_looks_like_no_id_names_no_task(message: str) -> None:
    assert find(seen(HEAD, message)) == []


def test_several_and_one_that_the_store_does_not_know() -> None:
    both = seen(HEAD, f"S\n\nTask: {task_id('abcd')}\nTask: {task_id('abce')}")
    alone = seen(OLD, "S\n\nTask: zzzz00000000")
    orphan = seen(NEW, "S\n\nExecution: 20261130t100000z-zzzzzz")
    found = find(both, alone, orphan)
    assert {one.id: one.state for one in found} == {
        "20261130t100000z-zzzzzz": "unknown",
        "zzzz00000000": "unknown",
        task_id("abcd"): "carried",
        task_id("abce"): "carried",
    }


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("fix/m9wf-routing", ["m9wf"]),
        ("M9WF", ["m9wf"]),
        ("task/abcd00000000", ["abcd"]),
        ("m9", []),
        ("fix-abcd", []),  # letters alone: may be a word
        ("fix-abc", []),
        ("", []),
    ],
)
def test_the_name_of_the_branch(name: str, ids: list[str]) -> None:
    assert how(find(seen(HEAD), branches=(name,))) == {id: ("carried", ["branch"]) for id in ids}


def test_the_branch_that_a_task_names() -> None:
    one = task("efgh", workspace={"repo": None, "branch": "topic", "path": None, "head": None})
    found = linked(MemoryReader(one), code(seen(HEAD), branches=("topic",)))
    assert how(found) == {"efgh": ("carried", ["workspace"])}
    assert linked(MemoryReader(one), code(seen(HEAD), branches=("other",))) == []


def test_the_text_of_the_pull_request() -> None:
    assert how(find(text="Fix it\n\nTask: abcd")) == {"abcd": ("carried", ["text"])}
    earlier = f"{begin([task_id('abce')])}\n> Task: m9wf\nTask: m9wf\n{END}"
    assert how(find(text=earlier)) == {"abce": ("carried", ["text"])}


def test_commits_and_patches_that_handoffs_name() -> None:
    assert how(find(seen(GONE))) == {"abcd": ("carried", ["commit"])}
    assert how(find(seen(HEAD, patch=PATCH))) == {"abcd": ("carried", ["patch"])}
    assert how(find(seen(HEAD, patch="f" * 40))) == {"abcd": ("carried", ["patch"])}
    assert find(seen(HEAD, patch="1" * 40), seen(OLD)) == []


def test_all_that_a_task_is_known_by_is_said_in_one_order() -> None:
    found = find(seen(HEAD, trailers("abcd")), seen(GONE), text="Task: abcd")
    assert how(found) == {"abcd": ("carried", ["trailer", "text", "commit"])}
    assert found[0].commits == [HEAD, GONE]


def test_who_names_tasks_means_no_other() -> None:
    found = find(seen(HEAD, trailers("abcd")), asked=("abce",))
    assert how(found) == {"abce": ("carried", ["call"])}
    assert how(find(seen(HEAD, trailers("abcd")), asked=("abcd",))) == {
        "abcd": ("carried", ["call", "trailer"])
    }


# -- reverts ----------------------------------------------------------------------------------


def revert(sha: str, more: str = "") -> str:
    return f'Revert "Subject"\n\nThis reverts commit\n{sha}.{more}'


def test_what_is_taken_back_within_the_range_is_not_carried() -> None:
    (one,) = find(seen(HEAD, revert(OLD)), seen(OLD, trailers("abcd")))
    assert (one.state, one.reverted, one.by) == ("reverted", [OLD], [HEAD])


@pytest.mark.parametrize("subject", ['Revert "Revert', 'Reapply "S"', "fix(x): revert that"])
def test_a_revert_that_is_taken_back_undoes_nothing(subject: str) -> None:
    again = f"{subject}\n\nThis reverts commit {HEAD}."
    (one,) = find(seen(NEW, again), seen(HEAD, revert(OLD)), seen(OLD, trailers("abcd")))
    assert (one.state, one.commits) == ("carried", [OLD])


def test_a_task_of_which_something_is_left_is_carried() -> None:
    old = seen(OLD, trailers("abcd"))
    (one,) = find(seen(HEAD, revert(NEW)), seen(NEW, trailers("abcd")), old)
    assert (one.state, one.commits, one.reverted) == ("carried", [OLD], [NEW])


@pytest.mark.parametrize("more", ["", f"\n\nTask: {task_id('abcd')}"])
def test_a_revert_of_what_was_merged_before(more: str) -> None:
    """By its message or, if that is not here, by the handoff that names the commit."""
    earlier = (seen(OLD, trailers("abcd")),)
    (one,) = find(seen(HEAD, revert(OLD, more)), earlier=earlier)
    assert (one.id, one.state, one.reverted) == (task_id("abcd"), "reverted", [OLD])
    (one,) = find(seen(HEAD, revert(GONE)))
    assert (one.id, one.state, one.how) == (task_id("abcd"), "reverted", ["commit"])


def test_a_squash_that_repeats_the_message_of_a_revert_is_none() -> None:
    (one,) = find(seen(HEAD, f"{trailers('abcd')}\n\n* {revert(GONE)}"))
    assert (one.state, one.reverted) == ("carried", [])


def test_of_an_empty_range_nothing_is_known() -> None:
    empty: Range = code()
    records: list[Record] = [*TASKS]
    assert linked(MemoryReader(*records), empty) == []
