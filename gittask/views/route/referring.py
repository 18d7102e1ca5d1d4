"""What "it" and "that" stand for, where a task is not named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from datetime import datetime, timedelta

from gittask.views.route.matching import Match
from gittask.views.route.standing import Standings

HERE, HELD, LAST, CONCERNED, BEFORE, STALE = 1.0, 1.0, 1.0, 0.7, 0.5, 0.4
"""How well "it" names a task: the one at work here, the one that the asker holds, their last one,
the last one that is their matter, another of these; or one of them that lies long back. Where
one is at work here, or held and worked on lately, their last one is but their matter."""

TOGETHER, HELD_TOGETHER = timedelta(minutes=5), timedelta(days=1)
"""What happened within this time of the last is as good a reading of "it": what the asker holds,
within the longer one, and that is a better one."""
LONG_BACK = timedelta(days=14)


def referred(standings: Standings, intent: str | None) -> dict[str, Match]:
    """What "it" may stand for: of a retry what failed last, else what the asker works on.

    What is closed can be looked at, but nobody goes on with it unless they name it.
    """
    found: dict[str, Match] = {}
    for value, why, times in _readings(standings, intent):
        latest = max(times.values(), default="")
        for id, at in times.items():
            share = value if _is_last(standings, id, at, latest) else BEFORE
            if apart(at, standings.at) > LONG_BACK:
                share = STALE
            before = found.get(id, Match(0.0))
            if share > before.share:
                found[id] = Match(share, (why,) if share == value and why else ())
    return found


def _is_last(standings: Standings, id: str, at: str, latest: str) -> bool:
    """Whether what was last at a time is about as good a reading as what was the latest."""
    distance = apart(at, latest)
    return distance <= TOGETHER or (distance <= HELD_TOGETHER and _held(standings, id))


def _held(standings: Standings, id: str) -> bool:
    found = standings.get(id)
    return found is not None and found.held


def _readings(
    standings: Standings, intent: str | None
) -> Iterator[tuple[float, str, Mapping[str, str]]]:
    """The ways to read "it": how good, why, and when each task last was in point."""
    matters, worked = standings.matters, standings.worked
    if intent == "retry":
        perhaps = standings.those(matters.keys() & standings.perhaps_to_retry)
        failed = {one.task.id: at for one in perhaps if (at := one.came_to_nothing)}
        yield LAST, "it failed last", failed
        return
    if intent == "continue":
        matters, worked = (_among(each, standings.unfinished) for each in (matters, worked))
    here = {one.task.id: one.at for one in standings.those(filter(None, [standings.asker.here]))}
    if intent == "continue":
        here = _among(here, standings.unfinished)
    last = max(worked.values(), default="")
    held = {
        id: at
        for id, at in worked.items()
        if apart(at, last) <= HELD_TOGETHER and _held(standings, id)
    }
    yield HERE, "it is at work here", here
    yield CONCERNED if here else HELD, "", held
    yield CONCERNED if here or held else LAST, "", worked
    yield CONCERNED, "", matters


def _among(times: Mapping[str, str], ids: Set[str]) -> dict[str, str]:
    return {id: at for id, at in times.items() if id in ids}


def apart(early: str, late: str) -> timedelta:
    """How long it is from one time to another."""
    return datetime.fromisoformat(late) - datetime.fromisoformat(early)
