"""Claiming a task before all the world: on what the remote has, and pushed at once.

A claim is decided on the newest tip. If the remote's branch has moved when it is pushed, the new
tip is fetched and the claim is decided again: a task that is no longer free is refused, never
merged. A claim that loses leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from gittask.core.change import Act, Change
from gittask.core.dataclass import dataclass
from gittask.errors import Moved, NeedsDecision, RemoteError
from gittask.exchange.sync import Pace, sync
from gittask.session import Outcome, Session, Writer
from gittask.store.snapshot import Snapshot

TIMEOUT = 20.0
"""Seconds that a claim waits for the remote before it goes on without it."""


@dataclass(frozen=True)
class Claimed:
    """A claim, and whether the remote has it. ``why`` says why it does not."""

    outcome: Outcome
    confirmed: bool
    why: str = ""


def claim(
    session: Session,
    decide: Callable[[Snapshot], Change],
    act: Act,
    writer: Writer,
    pace: Pace,
    *,
    fetch: bool = True,
    push: bool = True,
) -> Claimed:
    """Carry out a claim and push it, where there is a remote.

    If the remote cannot be reached, or is not to be asked, the claim is made here alone: it is
    provisional until a sync brings it to the remote, or brings an earlier claim from there.
    Raises Refused if the task is not free, Contention if others were faster every time,
    NeedsDecision if the remote was reached and does not take the claim.
    """
    if session.repo.remote is None:
        return Claimed(session.run(decide, act, writer), confirmed=True)
    if not fetch:
        return Claimed(session.run(decide, act, writer), False, "the remote was not asked")
    made: list[Outcome] = []

    def then(tip: str) -> str:
        made[:] = [session.prepare(tip, decide, act, writer)]
        return made[0].commit or tip

    try:
        sync(session, lambda: writer.committer, pace, timeout=TIMEOUT, then=then, push=push)
    except RemoteError as error:
        if made and isinstance(error, NeedsDecision):
            raise
        return Claimed(_alone(session, made, decide, act, writer), False, error.message)
    return Claimed(made[0], push, "" if push else "it was not to be pushed")


def _alone(
    session: Session,
    made: list[Outcome],
    decide: Callable[[Snapshot], Change],
    act: Act,
    writer: Writer,
) -> Outcome:
    """The claim on this side only. The very commit that was to be pushed, if that still fits: the
    remote may have taken it although nobody heard so."""
    for outcome in made:
        if outcome.commit is not None:
            (onto,) = session.repo.parents(outcome.commit)
            with suppress(Moved):
                session.repo.move(onto, outcome.commit, f"gittask: {outcome.change.verb}")
                return outcome
    return session.run(decide, act, writer)
