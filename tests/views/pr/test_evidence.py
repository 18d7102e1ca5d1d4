"""For which code evidence counts."""

from __future__ import annotations

from typing import Any

import pytest

from gittask.core.record import Data, Record
from gittask.core.seen import Placed, Range
from tests.memory import event, task
from tests.views.pr.pulls import (
    GONE,
    HEAD,
    NEW,
    OLD,
    PATCH,
    code,
    evidence,
    reported,
    seen,
    trailers,
)

HERE = frozenset({HEAD, OLD, NEW})
MESSAGE = trailers("abcd")


def facts(checks: list[Data], placed: Placed, brings: Range | None = None, **more: Any) -> Data:
    execution = event("execution", "abcd", 1)
    handoff = event("handoff", "abcd", 2, execution=execution.id, verified=checks, **more)
    found: list[Record] = [task("abcd", **more.pop("task", {})), execution, handoff]
    (one,) = reported(found, brings or code(seen(HEAD, MESSAGE)), placed)["tasks"]
    return dict(one)


def verdict(check: Data, placed: Placed, brings: Range | None = None, **more: Any) -> str:
    (one,) = facts([check], placed, brings, **more)["evidence"]
    return f"{one['verdict']} {one['place']['state']}" if one["place"] else str(one["verdict"])


@pytest.mark.parametrize(
    ("commit", "placed", "said"),
    [
        (HEAD, Placed(HERE, frozenset({HEAD})), "green head"),
        (OLD, Placed(HERE, frozenset({HEAD}), frozenset({OLD})), "green head"),  # the same files
        (OLD, Placed(HERE, frozenset({HEAD, OLD})), "green in"),
        (OLD, Placed(HERE, frozenset({HEAD})), "stale stale"),
        (GONE, Placed(HERE, frozenset({HEAD})), "stale stale"),
        (GONE, Placed(HERE, frozenset({HEAD}), sure=False), "unknown unknown"),
        (OLD, Placed(HERE, frozenset({OLD}), sure=False), "green in"),
        (None, Placed(HERE, frozenset({HEAD})), "loose"),
    ],
)
def test_where_its_commit_is(commit: str | None, placed: Placed, said: str) -> None:
    assert verdict(evidence(commit), placed) == said


def test_what_failed_and_what_was_not_committed_is_not_green() -> None:
    placed = Placed(HERE, frozenset({HEAD}))
    failing = evidence(HEAD, exit_code=1)
    assert verdict(failing, placed, condition="watch") == "failed head"
    assert verdict(evidence(HEAD, dirty=True), placed) == "loose head"


COMMITS = {"commits": [{"sha": GONE, "patch_id": PATCH, "subject": "Subject"}]}


def test_the_same_patch_under_another_id() -> None:
    commits = code(seen(HEAD, MESSAGE), seen(NEW, "Subject", PATCH))
    placed = Placed(HERE, frozenset({HEAD, NEW}))
    found = facts([evidence(GONE)], placed, commits, **COMMITS)
    (one,) = found["evidence"]
    assert (one["verdict"], one["place"]["now"], one["place"]["after"]) == ("green", [NEW], 1)


def test_what_is_alike_by_its_trailer_and_date_alone_is_other_code() -> None:
    execution = event("execution", "abcd", 1)
    message = f"Subject\n\nTask: abcd00000000\nExecution: {execution.id}"
    at = seen(NEW, minute=5).at
    named = {"commits": [{"sha": GONE, "patch_id": PATCH, "subject": "Subject", "at": at}]}
    commits = code(seen(NEW, message, "9" * 40, minute=5))
    assert verdict(evidence(GONE), Placed(HERE, HERE), commits, **named) == "stale stale"


def test_commits_after_it_are_counted_but_merges_are_not() -> None:
    commits = code(seen(HEAD, MESSAGE), seen(NEW), seen(OLD))
    merged = {**commits.parents, HEAD: (NEW, GONE)}
    commits = Range(**{**commits.__dict__, "parents": merged})
    (one,) = facts([evidence(OLD)], Placed(HERE, HERE), commits)["evidence"]
    assert one["place"]["after"] == 1
    (one,) = facts([evidence("0" * 40)], Placed(HERE, HERE | {"0" * 40}), commits)["evidence"]
    assert one["place"]["after"] == 2


@pytest.mark.parametrize(
    ("met", "said", "verdict"),
    [
        (False, None, "open"),
        (True, None, "missing"),
        (True, "seen by eye", "met"),
        (True, f"tests pass at {HEAD[:9]}", "met"),
        (True, f"tests pass at {GONE[:9]}", "stale"),
        (True, "at 1234567, which nobody knows", "met"),
    ],
)
def test_acceptance(met: bool, said: str | None, verdict: str) -> None:
    item = {"id": "a1", "text": "It works", "met": met, "evidence": said}
    execution = event("execution", "abcd", 1)
    handoff = event("handoff", "abcd", 2, execution=execution.id, verified=[evidence(GONE)])
    found: list[Record] = [task("abcd", acceptance=[item]), execution, handoff]
    (one,) = reported(found)["tasks"]
    assert one["acceptance"][0]["verdict"] == verdict
