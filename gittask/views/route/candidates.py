"""Which tasks an utterance may mean: the evidence for each, and its score.

A score is how well a task fits what was said, from 0 to 1, times the sum of what else speaks for
it: so nothing makes up for words that do not fit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from gittask.core.moment import written
from gittask.core.record import Data, Reader, Record
from gittask.views.liveness import UNHEARD, Heard
from gittask.views.route.matching import Find, Match, matches
from gittask.views.route.standing import Asker, Standing
from gittask.views.route.utterance import Named, Utterance

SAID = 0.5
FITS = 0.2
IN_FULL = 0.15
WORKED_LAST, WORKED, CONCERNS = 0.12, 0.07, 0.04
RECENT = 0.03
"""What speaks for a task beside the words: that its state fits what is wanted, that its title was
said in full, that the asker worked on it (last, or at all) or answers for it, that it moved
lately. With ``SAID`` they add up to 1."""

AGAINST = 0.8
"""What remains of the words' score where the state is against what is wanted: it is done, say."""

YOUR_DAY, DAY, NO_DAY = 1.0, 0.8, 0.3
"""What remains of the words' score if the asker did something in the time that was said, if
others did, if nothing happened."""

HERE, LAST, CONCERNED, BEFORE, STALE = 1.0, 1.0, 0.7, 0.5, 0.4
"""How well "it" names a task: the one at work here, the asker's last one, the last one that is
their matter, another of these; or one of them that lies long back."""

TOGETHER, HELD_TOGETHER = timedelta(minutes=5), timedelta(days=1)
"""What happened within this time of the last is as good a reading of "it": longer, if the asker
holds it."""
LONG_BACK = timedelta(days=14)
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


@dataclass
class Judge:
    """An utterance, and what is known around it."""

    reader: Reader
    utterance: Utterance
    find: Find
    asker: Asker
    moment: datetime
    heard: Heard = field(default_factory=lambda: UNHEARD)

    def __post_init__(self) -> None:
        at = written(self.moment.astimezone(UTC))
        self.standing = {
            task.id: Standing(self.reader, task, self.asker, at, self.heard)
            for task in self.reader.all("task")
        }

    def candidates(self) -> list[Candidate]:
        """The tasks that may be meant, the best first; none if nothing was said of any."""
        said = {id: found for id, found in self._said().items() if found.share}
        last = max((self.standing[id].worked for id in said), default="")
        found = [self._candidate(self.standing[id], each, last) for id, each in said.items()]
        return sorted(found, key=lambda one: (-one.score, one.task.id))

    def certain(self, id: str, why: str) -> Candidate:
        """A task that was named beyond doubt."""
        standing = self.standing[id]
        lines = (why, standing.fit(self.utterance.intent).why)
        return Candidate(standing.task, 1.0, tuple(line for line in lines if line))

    def _candidate(self, standing: Standing, said: Match, last: str) -> Candidate:
        fit = standing.fit(self.utterance.intent)
        yours, whose = (0.0, "") if self._of_a_day else _yours(standing, last)
        days = (self.moment - datetime.fromisoformat(standing.moved)) / HALF
        others = FITS * fit.value + IN_FULL * said.in_full + yours + RECENT * 0.5**days
        lines = [*said.why, "the title in full" if said.in_full else "", whose, fit.why]
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
            found = matches(self.reader, utterance.content, self.find, self._involves)
        elif utterance.several:
            return {}
        elif utterance.days:
            found = dict.fromkeys(self.standing, Match(1.0))
        elif utterance.refers or utterance.intent in ("continue", "review", "retry"):
            return referred(self.standing.values(), utterance.intent)
        else:
            return {}
        return {id: self._in_time(self.standing[id], each) for id, each in found.items()}

    def _involves(self, task: Record, named: Named) -> bool:
        return self.standing[task.id].involves(named)

    def _in_time(self, standing: Standing, said: Match) -> Match:
        """How a task fits, by what happened to it in the time that was spoken of."""
        days = self.utterance.days
        if days is None:
            return said
        then = [each for each in standing.happened if days.hold(each.at)]
        if not then:
            share = said.share * NO_DAY if self.utterance.required else 0.0
            return replace(said, share=share, why=(*said.why, f"but nothing happened {days.words}"))
        yours = [each for each in then if each.by == self.asker.actor]
        told = (yours or then)[-1]
        why = f"{days.words}: {told.what} by {'you' if yours else told.by}"
        factor = YOUR_DAY if yours and not self._of_a_day else DAY
        return replace(said, share=said.share * factor, why=(*said.why, why))


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


# -- it, that ---------------------------------------------------------------------------------


def referred(standings: Collection[Standing], intent: str | None) -> dict[str, Match]:
    """What "it" may stand for: of a retry what failed last, else what the asker worked on."""
    found: dict[str, Match] = {}
    for value, why, times in _readings(standings, intent):
        latest = max(times.values(), default="")
        for standing, at in times.items():
            near = HELD_TOGETHER if _holds(standing) else TOGETHER
            share = value if _apart(at, latest) <= near else BEFORE
            if _apart(at, standing.at) > LONG_BACK:
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
    here = {one: one.at for one in standings if one.task.id == one.asker.here}
    yield HERE, "it is at work here", here
    own = {one: one.own for one in standings if one.own}
    yield CONCERNED if here else LAST, "", own
    concerns = {one: one.concerns for one in standings if one.concerns}
    yield CONCERNED, "", concerns


def _holds(standing: Standing) -> bool:
    worker = standing.worker
    return worker is not None and worker.data["actor"] == standing.asker.actor


def _apart(early: str, late: str) -> timedelta:
    return datetime.fromisoformat(late) - datetime.fromisoformat(early)
