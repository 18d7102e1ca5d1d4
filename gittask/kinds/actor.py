"""Those who act: people, agents and services."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.filemerge import AUTHOR
from gittask.core.record import Data, same
from gittask.errors import Problem, Refused
from gittask.kinds.kind import Attempt, Kind
from gittask.kinds.preference import may_say

DOMAIN = "actors.gittask.invalid"
"""The domain of the address of an actor that has none, as commits need one."""

PROGRAM = f"{AUTHOR}@gittask.invalid"
"""The address by which the program itself commits: merges, and stamps of edits by hand."""


def address(actor: Data) -> str:
    """The address by which an actor's commits are authored."""
    return actor.get("email") or f"{actor['id']}@{DOMAIN}"


def addresses(actor: Data) -> set[str]:
    """All addresses by which an actor is known: that of its commits, and its identities."""
    handles = {item["handle"] for item in actor.get("identities") or []}
    return handles | {address(actor), f"{actor['id']}@{DOMAIN}"}


def _may(attempt: Attempt) -> Iterator[Problem]:
    before, after = attempt.before, attempt.after
    if before and before.data["kind"] != after.data["kind"] and not attempt.person:
        raise Refused(
            f"only a person may say what kind of actor {after.id} is: {after.data['kind']}",
            hint=f"leave the kind as it is: {before.data['kind']}",
        )
    old = before.data.get("keys") or [] if before else []
    mine = attempt.person or attempt.actor == after.id
    if not mine and not same(old, after.data.get("keys") or []):
        raise Refused(
            f"only {after.id} or a person may say which keys {after.id} signs with",
            hint="leave the keys as they are, or ask them",
        )
    yield from may_say(attempt)


KIND = Kind("actor", summary=lambda data: f"{data['name']} ({data['kind']})", may=_may)
