"""Which tasks an utterance may mean: the evidence for each, and its score."""

from __future__ import annotations

from dataclasses import replace
from heapq import heapify, heappop, heappush

from gittask.core.dataclass import dataclass
from gittask.core.happening import Happening
from gittask.core.record import Data, Record
from gittask.views.route.matching import Match, Matches
from gittask.views.route.referring import apart, referred
from gittask.views.route.score import (
    CONCERNS,
    DAY,
    NO_DAY,
    NOTHING,
    WORKED,
    WORKED_LAST,
    YOUR_DAY,
    Bounds,
    Said,
    score,
)
from gittask.views.route.standing import Standing, Standings
from gittask.views.route.utterance import Utterance

RANKED = 20
"""Of how many tasks at most it is told which ones fit best."""


@dataclass(frozen=True)
class Candidate:
    """A task that may be meant, how well it fits (0 to 1), and why."""

    task: Record
    score: float
    why: tuple[str, ...]

    def as_json(self) -> Data:
        """As ``--json`` shows it."""
        shown = {"task": self.task.id, "title": self.task.data["title"], "score": self.score}
        return {**shown, "why": list(self.why)}


class Judge:
    """Judges which tasks an utterance may mean."""

    def __init__(self, utterance: Utterance, standings: Standings) -> None:
        self.utterance = utterance
        self.standings = standings

    def candidates(self, most: int = RANKED) -> list[Candidate]:
        """The tasks that may be meant, the best first, at most so many; none if nothing was said
        of any.

        Only those are looked at which can be among the best. Each waits in a queue, with the share
        of what was said to which it answers, for no score is more; then with the most that its
        score can be, by what is known of all tasks; then with its score.
        """
        said = self._said()
        worked = self.standings.worked
        last = max((worked[id] for id in said.shares if id in worked), default="")
        bounds = Bounds(self.utterance, self.standings, said, self._of_a_day, last)
        queue: list[tuple[float, str, Candidate | None]]
        queue = [(-round(share, 2), id, None) for id, share in said.shares.items()]
        heapify(queue)
        found: list[Candidate] = []
        while queue and len(found) < most:
            place, id, candidate = heappop(queue)
            if candidate:
                found.append(candidate)
            elif (behind := -round(bounds.of(id), 2)) > place:
                heappush(queue, (behind, id, None))
            elif one := self._judged(id, said, last):
                heappush(queue, (-one.score, id, one))
        return found

    def _judged(self, id: str, said: Said, last: str) -> Candidate | None:
        """A task as it may be meant; None if it cannot be."""
        standing = self.standings.get(id)
        match = self._in_time(standing, said.match(standing.task)) if standing else Match(0.0)
        return self._candidate(standing, match, last) if standing and match.share else None

    def certain(self, id: str, why: str) -> Candidate:
        """A task that was named beyond doubt."""
        standing = self.standings[id]
        lines = (why, standing.fit(self.utterance.intent).why)
        return Candidate(standing.task, 1.0, tuple(line for line in lines if line))

    def _candidate(self, standing: Standing, said: Match, last: str) -> Candidate:
        fit = standing.fit(self.utterance.intent)
        yours, whose = (0.0, "") if self._of_a_day else _yours(standing, last)
        idle = apart(standing.moved, standing.at)
        comes_to = score(said.share, fit.value, said.in_full, yours, idle)
        lines = [*said.why, _IN_FULL.get(said.in_full, ""), whose, fit.why]
        return Candidate(standing.task, round(comes_to, 2), tuple(line for line in lines if line))

    @property
    def _of_a_day(self) -> bool:
        """Whether the words only ask what happened in a time: that is no one's in particular."""
        said = self.utterance
        asks = said.intent in (None, "status")
        return bool(said.days and asks and not said.required and not said.refers)

    # -- what was said ------------------------------------------------------------------------

    def _said(self) -> Said:
        """How well each task fits the words, the time, or what "it" stands for."""
        utterance, known = self.utterance, self.standings.known
        if utterance.required:
            found = Matches(known, utterance.content)
            shares = found.shares()
            return Said(shares, lambda task: found.of(task, shares[task.id]), found.in_title())
        if utterance.several:
            return NOTHING
        if utterance.days:
            by = self.standings.asker.actor if utterance.mine else None
            days = utterance.days
            ids = known.touched(days.first, days.last, utterance.happened, by)
            return Said(dict.fromkeys(ids, 1.0), lambda _: Match(1.0))
        if utterance.refers or utterance.intent in ("continue", "review", "retry"):
            meant = referred(self.standings, utterance.intent)
            shares = {id: match.share for id, match in meant.items()}
            return Said(shares, lambda task: meant[task.id])
        return NOTHING

    def _in_time(self, standing: Standing, said: Match) -> Match:
        """How a task fits, by what happened to it in the time that was spoken of."""
        days = self.utterance.days
        if days is None:
            return said
        named = bool(self.utterance.required)
        then = [each for each in standing.happened if days.hold(each.at)]
        if not named:
            then = [each for each in then if self._is_meant(each, standing.asker.actor)]
        if not then:
            share = said.share * NO_DAY if named else 0.0
            return replace(said, share=share, why=(*said.why, f"but nothing happened {days.words}"))
        yours = [each for each in then if each.by == standing.asker.actor]
        told = (yours or then)[-1]
        why = f"{days.words}: {told.what} by {'you' if yours else told.by}"
        factor = YOUR_DAY if yours and not self._of_a_day else DAY
        return replace(said, share=said.share * factor, why=(*said.why, why))

    def _is_meant(self, happening: Happening, asker: str | None) -> bool:
        """Whether it is what was said to have happened, and by whom."""
        said = self.utterance
        what = not said.happened or happening.what in said.happened
        return what and (not said.mine or happening.by == asker)


_IN_FULL = {1.0: "the title in full", 0.5: "the title begins so"}


def _yours(standing: Standing, last: str) -> tuple[float, str]:
    """What the asker has to do with a task; ``last`` is when they last worked on any candidate."""
    if standing.worked:
        latest = standing.worked == last
        return (WORKED_LAST, "you worked on it last") if latest else (WORKED, "you worked on it")
    if standing.own or standing.concerns:
        answers = standing.task.data["responsible"] == standing.asker.actor
        made = "you described it" if standing.own else "your agents worked on it"
        return CONCERNS, "you answer for it" if answers else made
    return 0.0, ""
