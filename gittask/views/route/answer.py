"""From words to the task that is meant and what is wanted of it, or a refusal to guess."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from gittask.core.record import Data, Reader
from gittask.core.text import one_line, shorten
from gittask.errors import Ambiguous, NotFound
from gittask.views.liveness import UNHEARD, Heard
from gittask.views.route.candidates import Candidate, Judge
from gittask.views.route.matching import Find
from gittask.views.route.named import names
from gittask.views.route.nextstep import LATER, command
from gittask.views.route.speech import title_words
from gittask.views.route.standing import Asker
from gittask.views.route.utterance import EVENT, OTHER, naming, parse
from gittask.views.words import short

ENOUGH = 0.5
"""The least score of an answer."""
MARGIN = 0.1
"""By how much the best candidate must be better than the second."""
SHOWN = 5
LEAST = 0.2
"""How many candidates are shown at most, and their least score."""
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
    find: Find,
    asker: Asker,
    *,
    now: datetime,
    zone: tzinfo,
    heard: Heard = UNHEARD,
) -> Route:
    """What a text means, for one who asks at ``now`` and lives in ``zone``. Changes nothing.

    Raises NotFound if no task fits it well enough, Ambiguous if several fit it about as well;
    ``details.candidates`` has those that come near, the best first.
    """
    titles = [title_words(task.data["title"]) for task in reader.all("task")]
    utterance = parse(text, names(reader), titles, now, zone)
    judge = Judge(reader, utterance, find, asker, now, heard)
    said = shorten(one_line(" ".join(text.split())), LENGTH)
    if utterance.intent == "new":
        return _new(judge, said)
    found = _by_id(judge) or judge.candidates()
    if utterance.intent == OTHER:
        raise _other(judge, said, found)
    return _existing(judge, _chosen(judge, said, found), found)


# -- which task -------------------------------------------------------------------------------


def _by_id(judge: Judge) -> list[Candidate]:
    """The tasks of which the id, its beginning, or the id of an execution is said.

    A word without a digit is an id only if no record has it as a word.
    """
    known = judge.reader.ids("task")
    found: dict[str, Candidate] = {}
    for word in judge.utterance.ids:
        owner = judge.reader.owner("execution", word) if EVENT.fullmatch(word) else None
        ids = [owner] if owner else [id for id in known if id.startswith(word)]
        if ids and (any(char.isdigit() for char in word) or not list(judge.find(f'"{word}"'))):
            found |= {id: judge.certain(id, f"id: {word}") for id in ids if id in judge.standing}
    return list(found.values())


def _chosen(judge: Judge, said: str, found: Sequence[Candidate]) -> Candidate:
    """The best candidate, unless to take it would be a guess."""
    if not found or found[0].score < ENOUGH:
        message = _message(judge, f"no task fits {said!r} well enough", found)
        raise NotFound(message, hint=_HINTS[bool(found)], details=_details(judge, found))
    close = [one for one in found if round(found[0].score - one.score, 2) < MARGIN]
    if len(close) > 1:
        message = _message(judge, f"{said!r} could mean {len(close)} tasks", found)
        id = short(judge.reader.ids("task"), found[0].task.id)
        hint = f"say more: words of its title, its day, or its id ({id})"
        raise Ambiguous(message, hint=hint, details=_details(judge, found))
    return found[0]


_HINTS = {
    True: "say more: words of its title, its day, or its id; if it is new: gittask new TITLE",
    False: "name it by words of its title; if it is new: gittask new TITLE; all of them: "
    "gittask list --all",
}


def _other(judge: Judge, said: str, found: Sequence[Candidate]) -> NotFound:
    """The refusal of what is another command's to do."""
    name = judge.utterance.command
    hint = f"there is a command for it: gittask {name} --help"
    if not name:
        hint = "what can be meant: continue, review, status, retry, a new task; see gittask --help"
    message = _message(judge, f"{said!r} asks for nothing that is routed", found)
    return NotFound(message, hint=hint, details=_details(judge, found))


def _message(judge: Judge, message: str, found: Sequence[Candidate]) -> str:
    """A refusal with what comes near, a line each."""
    known = judge.reader.ids("task")
    lines = [
        f"  {short(known, one.task.id)}  {one.score:.2f}  {one_line(one.task.data['title'])}"
        + f"  ({'; '.join(map(one_line, one.why))})"
        for one in _shown(found)
    ]
    return "\n".join([message, *lines])


def _details(judge: Judge, found: Sequence[Candidate]) -> Data:
    candidates = [one.as_json() for one in _shown(found)]
    return {"intent": judge.utterance.intent, "candidates": candidates}


def _shown(found: Sequence[Candidate], least: float = LEAST) -> list[Candidate]:
    return [one for one in found if one.score >= least][:SHOWN]


# -- what is answered -------------------------------------------------------------------------


def _existing(judge: Judge, chosen: Candidate, found: Sequence[Candidate]) -> Route:
    utterance = judge.utterance
    id = short(judge.reader.ids("task"), chosen.task.id)
    why = list(chosen.why)
    if utterance.intent is None:
        why.append("no word says what is wanted, so it is only shown")
    return Route(
        task=chosen.task.id,
        title=chosen.task.data["title"],
        intent=utterance.intent or "status",
        role=utterance.role,
        lane="review" if utterance.role else None,
        provider=utterance.charged.provider if utterance.charged else None,
        score=chosen.score,
        why=why,
        command=command(judge.standing[chosen.task.id], utterance, id),
        candidates=_shown([one for one in found if one is not chosen]),
    )


def _new(judge: Judge, said: str) -> Route:
    """A new task, and which ones are like it."""
    title, type = judge.utterance.title, judge.utterance.type
    if not title:
        message = f"{said!r} does not say what the new task is"
        raise NotFound(message, hint='say its title: gittask route "new task: ..."')
    titles = [title_words(task.data["title"]) for task in judge.reader.all("task")]
    similar = replace(judge, utterance=naming(title, titles)).candidates()
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
        candidates=_shown(similar, SIMILAR),
    )
