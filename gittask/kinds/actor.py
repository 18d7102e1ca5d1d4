"""Those who act: people, agents and services."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.ids import AUTHOR
from gittask.core.record import Data
from gittask.errors import Problem, Refused
from gittask.kinds.kind import Attempt, Kind, names_nobody
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
    yield from names_nobody(attempt)
    if before is None and after.data["kind"] != "agent" and not attempt.person:
        raise Refused(
            f"only a person may add {after.id} as a {after.data['kind']}",
            hint="leave it to a person, or add an agent",
        )
    if before and not attempt.person and attempt.actor != after.id:
        raise Refused(
            f"only {after.id} or a person may change the record of {after.id}",
            hint="leave it as it is, or ask them",
        )
    yield from _address_of_another(attempt)
    if before and before.data["kind"] != after.data["kind"] and not attempt.person:
        raise Refused(
            f"only a person may say what kind of actor {after.id} is: {after.data['kind']}",
            hint=f"leave the kind as it is: {before.data['kind']}",
        )
    yield from may_say(attempt)


def _address_of_another(attempt: Attempt) -> Iterator[Problem]:
    """Whoever has the address of another would be taken for them."""
    before, after = attempt.before, attempt.after
    new = addresses(after.data) - (addresses(before.data) if before else set())
    for other in attempt.reader.all("actor") if new else ():
        shared = sorted(new & addresses(other.data)) if other.id != after.id else []
        if shared:
            yield Problem("", "email", f"{shared[0]!r} is an address of {other.id}", "use another")


KIND = Kind("actor", summary=lambda data: f"{data['name']} ({data['kind']})", may=_may)
