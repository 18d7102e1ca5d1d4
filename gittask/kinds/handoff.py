"""Reports of executions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gittask.core.record import Data, Reader, Record
from gittask.core.text import one_line, shorten
from gittask.errors import Problem, Refused
from gittask.kinds.execution import own
from gittask.kinds.kind import Attempt, Kind, newest
from gittask.kinds.message import put_to

DONE = ("review_request", "deliverable", "final")
"""The kinds of handoff by which an execution says that its work is done."""

SHOWN = 300
"""How many characters of a question a refusal shows."""

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


def unanswered(reader: Reader, execution: Record, report: Data, anyway: str | None) -> Data:
    """The field by which a handoff says that questions to its actor are open; empty if none is.

    A report that the work is done is refused while another waits for its actor to say something,
    unless ``anyway`` says why. That is for who reports here and now, and no rule of the kind: a
    handoff that comes from another clone did not see the question, and is kept.
    """
    actor = execution.data["actor"]
    done = report.get("kind") in DONE
    asked = put_to(reader, execution.data["task"], actor) if done else []
    if not asked:
        return {}
    if anyway is not None:
        return {"unanswered": {"questions": [one.id for one in asked], "reason": anyway}}
    many = f"{len(asked)} questions to {actor} are"
    found = f"a question to {actor} is" if len(asked) == 1 else many
    shown = [f"{one.id} {one.data['from']} asks: {one_line(one.data['body'])}" for one in asked]
    raise Refused(
        "\n  ".join([f"{found} open:", *(shorten(each, SHOWN) for each in shown)]),
        hint=f'answer: gittask answer {asked[0].id} "..."; or say why not: --anyway "..."',
        details={"questions": [one.data for one in asked]},
    )


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
