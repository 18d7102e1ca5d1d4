"""From a text to what it says, step by step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, tzinfo
from itertools import islice, pairwise
from typing import NamedTuple

from gittask.core import ids
from gittask.core.text import one_line, shorten
from gittask.views.route import days, phrases
from gittask.views.route.days import Days
from gittask.views.route.speech import QUOTED, Speech, Words
from gittask.views.route.utterance import OTHER, Bearer, Content, Names, Utterance

LONGEST_TITLE = 500
"""How many characters a title may have."""
MOST_WORDS = 50
"""How many different words of a text are looked for, from its beginning."""

EVENT = re.compile(ids.EVENT)
"""The id of an execution, or of any other record but a task."""
_TASK = re.compile(r"[a-z][0-9a-z]{3,11}")


def parse(
    text: str, names: Names, titles: Iterable[Words], now: datetime, zone: tzinfo
) -> Utterance:
    """What a text says at a time, to one in a zone.

    ``titles`` are those of all tasks: the words of one that is said in full are no command.
    """
    speech = Speech(text, names)
    speech.keep(titles)
    new = _new(speech)
    if new:
        return new
    speech.keep_quoted()
    wish = _wish(speech)
    charged = _charge(speech, names, wish.led) if wish.intent not in ("status", None) else None
    when = _days(speech, now, zone)
    left = speech.left()
    return Utterance(
        intent=wish.intent,
        role=phrases.ROLES.get(wish.sort),
        command=wish.sort if wish.intent == OTHER else None,
        charged=charged,
        days=when,
        content=tuple(islice(_content(speech, names), MOST_WORDS)),
        ids=_ids(speech),
        refers=not phrases.REFERENCE.isdisjoint(left),
        several=not (phrases.SEVERAL | phrases.TELLING_APART).isdisjoint(left),
        again=not phrases.AGAIN.isdisjoint(left),
        mine=any(one == "i" and then in phrases.DID for one, then in pairwise(left)),
        happened=frozenset().union(*(phrases.HAPPENED.get(word, ()) for word in left)),
    )


def naming(text: str, titles: Iterable[Words]) -> Utterance:
    """What a text names, where it is the name of a task and wants nothing."""
    speech = Speech(text, {})
    speech.keep(titles)
    return Utterance(content=tuple(islice(_content(speech, {}), MOST_WORDS)))


# -- what is wanted ---------------------------------------------------------------------------


def _new(speech: Speech) -> Utterance | None:
    """The wish for a new task, if the text begins with one."""
    for place in speech.leading(speech.clauses[0]):
        for type, said in phrases.NEW.items():
            taken = speech.longest(said, place, speech.clauses[0])
            if taken:
                return Utterance(intent="new", type=type, title=_title(speech, taken[-1] + 1))
    return None


def _title(speech: Speech, place: int) -> str:
    """The title of a new task, which begins near a place; empty if there is none."""
    text = speech.text
    while place < len(speech.tokens) and speech.words[place] in phrases.BEFORE_TITLE:
        place += 1
    if place == len(speech.tokens):
        return ""
    start = speech.tokens[place].start
    title = text[start - (text[start - 1] in "\"'`“‘«") :].strip()
    if QUOTED.fullmatch(title):
        title = title[1:-1]
    title = one_line(" ".join(title.split()))
    return shorten(title[:1].upper() + title[1:], LONGEST_TITLE)


class _Wish(NamedTuple):
    """What is wanted, by which sort of phrase, and the words that lead up to that."""

    intent: str | None
    sort: str = ""
    led: range = range(0)


def _wish(speech: Speech) -> _Wish:
    """What is wanted: the first clause that says so decides."""
    for clause in speech.clauses:
        for place in speech.leading(clause):
            found = _begins(speech, place, clause)
            if found:
                return _Wish(*found, range(clause.start, place))
    return _Wish(OTHER if _is_an_order(speech) else None)


def _is_an_order(speech: Speech) -> bool:
    """Whether the text begins with an order that no phrase knows: ship it."""
    last = max(speech.leading(speech.clauses[0]), default=len(speech.words))
    return any(word in phrases.OBJECTS for word in speech.words[last + 1 : last + 2])


def _begins(speech: Speech, place: int, clause: range) -> tuple[str, str] | None:
    """The intent and the sort of the longest phrase that begins here; it is used.

    So is the text that a command takes, which is what follows the clause.
    """
    found = [
        (len(taken), table is phrases.OTHERS, sort, taken)
        for table in (phrases.OTHERS, phrases.INTENTS)
        for sort, said in table.items()
        if (taken := speech.longest(said, place, clause))
    ]
    if found:
        _, other, sort, taken = max(found)
        speech.use(taken)
        if sort in phrases.TAKES_TEXT:
            speech.use(range(clause.stop, len(speech.tokens)))
        return OTHER if other else "review" if sort in phrases.ROLES else sort, sort
    following = speech.words[place + 1] if place + 1 in clause else ""
    if speech.words[place] in phrases.QUESTION:
        return "status", ""
    if following in phrases.QUESTION_WITH.get(speech.words[place], ()):
        return "status", ""
    return None


# -- by whom, and when ------------------------------------------------------------------------


def _charge(speech: Speech, names: Names, led: range) -> Bearer | None:
    """Whoever is to do it; the words that say so are used."""
    for place in range(len(speech.tokens)):
        name = speech.name(place)
        if name and _charged(speech, range(place, place + len(name)), led):
            speech.use(range(place, place + len(name)))
            return names[name]
    return None


def _charged(speech: Speech, places: range, led: range) -> bool:
    """Whether a name is that of whom the work is given to: before the wish, or as its tool."""
    if not speech.free(places) or any(speech.tokens[place].owns for place in places):
        return False
    if places.start in led or places in speech.clauses:
        return True
    before = places.start - 1
    if before < 0 or not speech.free([before]):
        return False
    of_it = before > 0 and speech.tokens[before - 1].used and speech.words[before] in phrases.OF_IT
    return of_it or speech.words[before] in phrases.CHARGING


def _days(speech: Speech, now: datetime, zone: tzinfo) -> Days | None:
    """The time that is spoken of; its words are used."""
    for places, found in days.spoken(speech.words, now, zone):
        if speech.free(places):
            speech.use(places)
            return found
    return None


# -- what of ----------------------------------------------------------------------------------


def _ids(speech: Speech) -> tuple[str, ...]:
    """The words that may be ids: those of other records, then those of tasks."""
    words = filter(_TASK.fullmatch, speech.left())
    found = dict.fromkeys((*EVENT.findall(speech.text.lower()), *words))
    return tuple(islice(found, MOST_WORDS))


def _content(speech: Speech, names: Names) -> Iterator[Content]:
    """The words that name what is meant, each once."""
    seen: set[str] = set()
    place = 0
    while place < len(speech.tokens):
        name = speech.name(place) if not speech.tokens[place].used else None
        found = Content(" ".join(name), bearer=names[name]) if name else _at(speech, place)
        if found and found.word not in seen:
            seen.add(found.word)
            yield found
        place += len(name) if name else 1


def _at(speech: Speech, place: int) -> Content | None:
    """A word as it names something, if it can."""
    token, word = speech.tokens[place], speech.words[place]
    if word in phrases.STOP or token.used or (word in phrases.SEVERAL and not token.kept):
        return None
    return Content(word, optional=word in phrases.FILLER and not token.kept)
