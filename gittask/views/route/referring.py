"""What "it" and "that" stand for, where a task is not named."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from gittask.kinds.task import CLOSED
from gittask.views.route.matching import Match
from gittask.views.route.standing import Standing

HERE, HELD, LAST, CONCERNED, BEFORE, STALE = 1.0, 1.0, 1.0, 0.7, 0.5, 0.4
"""How well "it" names a task: the one at work here, the one that the asker holds, their last one,
the last one that is their matter, another of these; or one of them that lies long back. Where
one is at work here, or held and worked on lately, their last one is but their matter."""

TOGETHER, HELD_TOGETHER = timedelta(minutes=5), timedelta(days=1)
"""What happened within this time of the last is as good a reading of "it": what the asker holds,
within the longer one, and that is a better one."""
LONG_BACK = timedelta(days=14)


def referred(standings: Collection[Standing], intent: str | None) -> dict[str, Match]:
    """What "it" may stand for: of a retry what failed last, else what the asker works on.

    What is closed can be looked at, but nobody goes on with it unless they name it.
    """
    found: dict[str, Match] = {}
    for value, why, times in _readings(standings, intent):
        latest = max(times.values(), default="")
        for standing, at in times.items():
            near = HELD_TOGETHER if standing.held else TOGETHER
            share = value if apart(at, latest) <= near else BEFORE
            if apart(at, standing.at) > LONG_BACK:
                share = STALE
            before = found.get(standing.task.id, Match(0.0))
            if share > before.share:
                found[standing.task.id] = Match(share, (why,) if share == value and why else ())
    return found


def _readings(
    standings: Collection[Standing], intent: str | None
) -> Iterator[tuple[float, str, dict[Standing, str]]]:
    """The ways to read "it": how good, why, and when each task last was in point."""
    if intent == "retry":
        yours = {one: one.came_to_nothing for one in standings if one.own or one.concerns}
        yield LAST, "it failed last", {one: at for one, at in yours.items() if at}
        return
    if intent == "continue":
        standings = [one for one in standings if one.task.data["state"]["status"] not in CLOSED]
    here = {one: one.at for one in standings if one.task.id == one.asker.here}
    worked = {one: one.worked for one in standings if one.worked}
    last = max(worked.values(), default="")
    held = {one: at for one, at in worked.items() if one.held and apart(at, last) <= HELD_TOGETHER}
    matters = {one: max(one.own, one.concerns) for one in standings if one.own or one.concerns}
    yield HERE, "it is at work here", here
    yield CONCERNED if here else HELD, "", held
    yield CONCERNED if here or held else LAST, "", worked
    yield CONCERNED, "", matters


def apart(early: str, late: str) -> timedelta:
    """How long it is from one time to another."""
    return datetime.fromisoformat(late) - datetime.fromisoformat(early)
