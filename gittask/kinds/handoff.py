"""Reports of executions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gittask.core.record import Reader, Record
from gittask.errors import Problem
from gittask.kinds.execution import own
from gittask.kinds.kind import Attempt, Kind, newest

NOTHING_MORE = "none"
"""What a next action says to do if there is nothing more to be done."""

_ROLES = (
    "adviser advisor agent anybody anyone editor holder human maintainer next nobody none owner "
    "person responsible reviewer service somebody someone team whoever"
)
ROLES = frozenset(_ROLES.split())
"""Words by which a next action says who does it without naming an actor."""


def nobody_known(reader: Reader, who: str) -> bool:
    """Whether a text that says who does something names neither an actor nor a role."""
    named = who.strip().lower()
    return named not in reader.ids("actor") and ROLES.isdisjoint(re.findall(r"\w+", named))


def last_handoff(reader: Reader, task: str, execution: str | None = None) -> Record | None:
    """The last report that somebody meant, of one execution or of any.

    Automatic ones never displace it.
    """
    for each in newest(reader, "handoff", task=task):
        if each.data["kind"] != "auto" and execution in (None, each.data["execution"]):
            return each
    return None


def unacknowledged(reader: Reader, task: str, actor: str | None) -> Record | None:
    """The last handoff of a task, if who takes it up has to say first what they understood of it.

    It is another's, and the actor (None: somebody unknown) has not reviewed it.
    """
    last = last_handoff(reader, task)
    if last is None or last.data["actor"] == actor:
        return None
    reviews = (review.data for review in reader.all("review", task=task))
    mine = (each for each in reviews if each["created"]["by"] == actor)
    return None if any(each.get("handoff") == last.id for each in mine) else last


def _may(attempt: Attempt) -> Iterator[Problem]:
    data = attempt.after.data
    failed = [check for check in data["verified"] if check.get("exit_code")]
    if data["condition"] == "green" and failed:
        claim = failed[0].get("command") or failed[0]["claim"]
        code = failed[0]["exit_code"]
        yield Problem(
            "",
            "condition",
            f"is green, but the check {claim!r} ended with exit code {code}",
            "say watch or blocked, or mend what fails",
        )
    execution = attempt.reader.get("execution", data["execution"], task=data["task"])
    if execution:
        own(execution, attempt.actor, attempt.person)
    if execution and execution.data["epoch"] != data["epoch"]:
        yield Problem("", "epoch", f"is not the execution's ({execution.data['epoch']})")
    if execution and execution.data["actor"] != data["actor"]:
        yield Problem("", "actor", f"is not the execution's ({execution.data['actor']})")


KIND = Kind("handoff", summary=lambda data: f"{data['condition']}: {data['summary']}", may=_may)
