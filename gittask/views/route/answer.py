"""From words to the task that is meant and what is wanted of it, or a refusal to guess."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime, tzinfo

from gittask.core.dataclass import dataclass
from gittask.core.index import Known
from gittask.core.record import Data, Reader
from gittask.core.text import one_line, shorten
from gittask.errors import NotFound
from gittask.views.liveness import UNHEARD, Heard
from gittask.views.onward import LATER
from gittask.views.route.candidates import Candidate, Judge
from gittask.views.route.everything import Everything
from gittask.views.route.matching import Lookup
from gittask.views.route.named import known_names
from gittask.views.route.nextstep import command
from gittask.views.route.reading import EVENT, naming, parse
from gittask.views.route.refusal import Refusals, shown
from gittask.views.route.speech import title_words
from gittask.views.route.standing import Asker, Standing, Standings
from gittask.views.route.utterance import OTHER, Utterance
from gittask.views.words import short

SIMILAR = 0.35
"""The score from which on a task is like a new one."""
LENGTH = 60
"""How many characters of the words a message repeats."""


@dataclass(frozen=True)
class Route:
    """What words mean.

    ``task`` is None for a new one. ``role`` and ``lane`` are those of a second execution, and
    ``provider`` is the one that the words give the work to. ``command`` carries it out; where it
    holds ``...`` the words are the caller's to choose. ``candidates`` are what else comes near,
    or for a new task those that are like it.
    """

    task: str | None
    title: str
    intent: str
    role: str | None
    lane: str | None
    provider: str | None
    score: float
    why: Sequence[str]
    command: str
    candidates: Sequence[Candidate]

    def as_json(self) -> Data:
        """As ``--json`` shows it."""
        candidates = [one.as_json() for one in self.candidates]
        return {**self.__dict__, "why": list(self.why), "candidates": candidates}


def route(
    reader: Reader,
    text: str,
    lookup: Lookup,
    asker: Asker,
    *,
    now: datetime,
    zone: tzinfo,
    heard: Heard = UNHEARD,
    known: Known | None = None,
) -> Route:
    """What a text means, for one who asks at ``now`` and lives in ``zone``. Changes nothing.

    Without ``known`` every task is looked at, and words are looked up by ``lookup``.
    Raises NotFound if no task fits it well enough, Ambiguous if several fit it about as well;
    ``details.candidates`` has those that come near, the best first.
    """
    known = known or Everything(reader, lookup)
    standing = Standings(reader, known, asker, now, heard)
    titles = [title_words(title) for title in known.titles(text)]
    utterance = parse(text, known_names(reader, known), titles, now, zone)
    said = shorten(one_line(" ".join(text.split())), LENGTH)
    if utterance.intent == "new":
        similar = Judge(naming(utterance.title or "", titles), standing).candidates()
        return _new(utterance, said, similar)
    judge = Judge(utterance, standing)
    found = _by_id(reader, judge) or judge.candidates()
    refusals = Refusals(said, utterance, reader, found)
    if utterance.intent == OTHER:
        raise refusals.other()
    if not refusals.close:
        raise refusals.nothing()
    if len(refusals.close) > 1:
        raise refusals.several()
    chosen = standing[found[0].task.id]
    if utterance.again and utterance.role and chosen.came_to_nothing:
        raise refusals.review_or_retry(found[0])
    return _existing(reader, utterance, chosen, found)


def _by_id(reader: Reader, judge: Judge) -> list[Candidate]:
    """The tasks of which the id, its beginning, or the id of an execution is said.

    A word without a digit is an id only if no record has it as a word.
    """
    found: dict[str, Candidate] = {}
    for word in judge.utterance.ids:
        owner = reader.owner("execution", word) if EVENT.fullmatch(word) else None
        ids = [owner] if owner else reader.near("task", word)
        known = judge.standings.known
        if ids and (any(char.isdigit() for char in word) or not list(known.places(f'"{word}"'))):
            these = judge.standings.those(ids)
            found |= {one.task.id: judge.certain(one.task.id, f"id: {word}") for one in these}
    return list(found.values())


def _existing(
    reader: Reader, utterance: Utterance, standing: Standing, found: Sequence[Candidate]
) -> Route:
    """The best candidate, and what is wanted of it."""
    best, *others = found
    why = list(best.why)
    if utterance.intent is None:
        why.append("no word says what is wanted, so it is only shown")
    return Route(
        task=best.task.id,
        title=best.task.data["title"],
        intent=utterance.intent or "status",
        role=utterance.role,
        lane="review" if utterance.role else None,
        provider=utterance.charged.provider if utterance.charged else None,
        score=best.score,
        why=why,
        command=command(standing, utterance, short(reader, best.task.id)),
        candidates=shown(others),
    )


def _new(utterance: Utterance, said: str, similar: Sequence[Candidate]) -> Route:
    """A new task, and which ones are like it."""
    title, type = utterance.title, utterance.type
    if not title:
        message = f"{said!r} does not say what the new task is"
        raise NotFound(message, hint='say its title: gittask route "new task: ..."')
    kind = f" --type {type}" if type != "task" else ""
    return Route(
        task=None,
        title=title,
        intent="new",
        role=None,
        lane=None,
        provider=None,
        score=1.0,
        why=["the words ask for a new one"],
        command=f"gittask new{kind} --why {LATER} -- {shlex.quote(title)}",
        candidates=shown(similar, SIMILAR),
    )
