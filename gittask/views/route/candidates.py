"""Which tasks an utterance may mean: the evidence for each, and its score.

A score is how well a task fits what was said, from 0 to 1, times the sum of what else speaks for
it: so nothing makes up for words that do not fit.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from gittask.core.dataclass import dataclass
from gittask.core.happening import Happening
from gittask.core.record import Data, Record
from gittask.views.route.matching import Match, matches
from gittask.views.route.referring import apart, referred
from gittask.views.route.standing import Standing, Standings
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

    def candidates(self) -> list[Candidate]:
        """The tasks that may be meant, the best first; none if nothing was said of any."""
        said = {id: found for id, found in self._said().items() if found.share}
        last = max((self.standings[id].worked for id in said), default="")
        found = [self._candidate(self.standings[id], each, last) for id, each in said.items()]
        return sorted(found, key=lambda one: (-one.score, one.task.id))

    def certain(self, id: str, why: str) -> Candidate:
        """A task that was named beyond doubt."""
        standing = self.standings[id]
        lines = (why, standing.fit(self.utterance.intent).why)
        return Candidate(standing.task, 1.0, tuple(line for line in lines if line))

    def _candidate(self, standing: Standing, said: Match, last: str) -> Candidate:
        fit = standing.fit(self.utterance.intent)
        yours, whose = (0.0, "") if self._of_a_day else _yours(standing, last)
        days = apart(standing.moved, standing.at) / HALF
        others = FITS * fit.value + IN_FULL * said.in_full + yours + RECENT * 0.5**days
        lines = [*said.why, _IN_FULL.get(said.in_full, ""), whose, fit.why]
        share = said.share if fit.value else said.share * AGAINST
        score = round(share * (SAID + others), 2)
        return Candidate(standing.task, score, tuple(line for line in lines if line))

    @property
    def _of_a_day(self) -> bool:
        """Whether the words only ask what happened in a time: that is no one's in particular."""
        said = self.utterance
        asks = said.intent in (None, "status")
        return bool(said.days and asks and not said.required and not said.refers)

    # -- what was said ------------------------------------------------------------------------

    def _said(self) -> dict[str, Match]:
        """How well each task fits the words, the time, or what "it" stands for."""
        utterance = self.utterance
        if utterance.required:
            found = matches(self.standings, utterance.content)
        elif utterance.several:
            return {}
        elif utterance.days:
            ids = self.standings.known.touched(utterance.days.first, utterance.days.last)
            found = {one.task.id: Match(1.0) for one in self.standings.those(ids)}
        elif utterance.refers or utterance.intent in ("continue", "review", "retry"):
            return referred(self.standings.mattering(), utterance.intent)
        else:
            return {}
        return {id: self._in_time(self.standings[id], each) for id, each in found.items()}

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
