"""How what speaks for a task adds up, and the most that it can come to without a look at the task.

A score is how well a task fits what was said, from 0 to 1, times the sum of what else speaks for
it: so nothing makes up for words that do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from datetime import datetime, timedelta
from functools import cached_property

from gittask.core.dataclass import dataclass
from gittask.core.moment import written
from gittask.core.record import Record
from gittask.views.route.matching import Match
from gittask.views.route.referring import apart
from gittask.views.route.standing import Standings
from gittask.views.route.utterance import Utterance

SAID = 0.5
FITS = 0.2
IN_FULL = 0.15
WORKED_LAST, WORKED, CONCERNS = 0.12, 0.07, 0.04
RECENT = 0.03
"""What speaks for a task beside the words: that its state fits what is wanted, that its title was
said in full (half of it for two words or more with which it begins), that the asker worked on it
(last, or at all) or answers for it, that it moved lately. With ``SAID`` they add up to 1."""

AGAINST = 0.8
"""What remains of the words' score where the state is against what is wanted: it is done, say."""

YOUR_DAY, DAY, NO_DAY = 1.0, 0.8, 0.3
"""What remains of the words' score if the asker did something in the time that was said, if
others did, if nothing happened."""

HALF = timedelta(days=7)
"""The time in which recency loses half its weight."""
LONG = 8 * HALF
"""What moved longer ago than this counts as recent as that, at most."""


def score(share: float, fit: float, in_full: float, yours: float, idle: timedelta) -> float:
    """What a task comes to that answers to a share of what was said; ``idle`` since it moved."""
    recency = float(0.5 ** (idle / HALF))
    others = FITS * fit + IN_FULL * in_full + yours + RECENT * recency
    return (share if fit else share * AGAINST) * (SAID + others)


@dataclass(frozen=True)
class Said:
    """The share of what was said to which each task answers at most, and how one does exactly.

    ``in_title`` are the tasks of which a word of the title was said.
    """

    shares: Mapping[str, float]
    match: Callable[[Record], Match]
    in_title: Set[str] = frozenset()


NOTHING = Said({}, lambda _: Match(0.0))
"""What is said where nothing is said of any task."""


@dataclass(eq=False)
class Bounds:
    """The most that a score can be, by what is known of all tasks.

    ``of_a_day`` says that it does not count what the asker has to do with a task, and ``last``
    is when they last worked on any of which something was said.
    """

    utterance: Utterance
    standings: Standings
    said: Said
    of_a_day: bool
    last: str

    def of(self, id: str) -> float:
        """The most that the score of a task can be."""
        share = self.said.shares[id] * self._day(id)
        in_full = 1.0 if id in self.said.in_title else 0.0
        moved = self._lately.get(id)
        idle = max(apart(moved, self.standings.at), timedelta(0)) if moved else LONG
        return score(share, self._fit(id), in_full, self._yours(id), idle)

    def _day(self, id: str) -> float:
        if self.utterance.days is None:
            return 1.0
        if id not in self._touched:
            return NO_DAY
        return DAY if self.of_a_day else YOUR_DAY

    def _fit(self, id: str) -> float:
        intent, standings = self.utterance.intent, self.standings
        if intent not in ("continue", "review", "retry"):
            return 1.0
        if id not in standings.unfinished:
            return 0.0
        if intent != "retry" or id in standings.perhaps_to_retry:
            return 1.0
        return 0.5 if id in standings.tried else 0.0

    def _yours(self, id: str) -> float:
        if self.of_a_day:
            return 0.0
        if id in self.standings.worked:
            return WORKED_LAST if self.standings.worked[id] == self.last else WORKED
        return CONCERNS if id in self.standings.matters else 0.0

    @cached_property
    def _lately(self) -> Mapping[str, str]:
        long_ago = datetime.fromisoformat(self.standings.at) - LONG
        return self.standings.known.moved(written(long_ago))

    @cached_property
    def _touched(self) -> Set[str]:
        days = self.utterance.days
        return self.standings.known.touched(days.first, days.last) if days else set()
