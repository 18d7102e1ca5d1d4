"""What words say, before anything is looked up: what is wanted, by whom, when, and of what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import islice

from gittask.core.text import one_line, shorten
from gittask.views.route import days, phrases
from gittask.views.route.days import Days
from gittask.views.route.speech import QUOTED, Speech, Words

OTHER = "other"
"""The intent of words that want something for which there is a command of its own."""

LONGEST_TITLE = 500
"""How many characters a title may have."""
MOST_WORDS = 50
"""How many different words of a text are looked for, from its beginning."""

EVENT = re.compile(r"[0-9]{8}t[0-9]{6}z-[0-9a-z]{6}")
"""The id of an execution, or of any other record but a task."""
_TASK = re.compile(r"[a-z][0-9a-z]{3,11}")


@dataclass(frozen=True)
class Named:
    """Whom a name stands for: a provider and those who work by it, or the one actor ``only``."""

    provider: str | None
    actors: frozenset[str]
    only: str | None = None


Names = Mapping[Words, Named]
"""Names by their words."""


@dataclass(frozen=True)
class Content:
    """A word that names what is meant.

    An ``optional`` one tells only where it is in a title. ``named`` is whom it may also stand for.
    """

    word: str
    optional: bool = False
    named: Named | None = None


@dataclass(frozen=True)
class Utterance:
    """What words say.

    ``intent`` is continue, review, status, retry, new or ``OTHER``; None where no word says what
    is wanted. ``role`` is that of a review; ``type`` and ``title`` are those of a new task;
    ``command`` is another intent's. ``charged`` is who shall do it. ``content`` holds the words
    that name the task, ``ids`` those that may be an id. ``refers`` says that they point back (it,
    that), ``several`` that they mean more than one thing, or choose among some.
    """

    intent: str | None = None
    role: str | None = None
    type: str | None = None
    title: str | None = None
    command: str | None = None
    charged: Named | None = None
    days: Days | None = None
    content: tuple[Content, ...] = ()
    ids: tuple[str, ...] = ()
    refers: bool = False
    several: bool = False

    @property
    def required(self) -> list[Content]:
        """The words that name the task, without those that need not."""
        return [each for each in self.content if not each.optional]


def parse(
    text: str, names: Names, titles: Iterable[Words], now: datetime, zone: tzinfo
) -> Utterance:
    """What a text says at a time, to one in a zone.

    ``titles`` are those of all tasks: the words of one that is said in full are no command.
    """
    reading = _Reading(text, names)
    reading.keep(titles)
    new = reading.new()
    if new:
        return new
    reading.keep_quoted()
    intent, sort = reading.intent()
    charged = reading.charge() if intent not in ("status", None) else None
    when = reading.days(now, zone)
    left = {token.word for token in reading.tokens if not token.used and not token.kept}
    return Utterance(
        intent=intent,
        role=phrases.ROLES.get(sort),
        command=sort if intent == OTHER else None,
        charged=charged,
        days=when,
        content=tuple(islice(reading.content(), MOST_WORDS)),
        ids=reading.ids(),
        refers=not phrases.REFERENCE.isdisjoint(left),
        several=not (phrases.SEVERAL | phrases.TELLING_APART).isdisjoint(left),
    )


def naming(text: str, titles: Iterable[Words]) -> Utterance:
    """What a text names, where it is the name of a task and wants nothing."""
    reading = _Reading(text, {})
    reading.keep(titles)
    return Utterance(content=tuple(islice(reading.content(), MOST_WORDS)))


class _Reading(Speech):
    """A text, with the steps by which it is understood, in this order."""

    def __init__(self, text: str, names: Names) -> None:
        super().__init__(text, names)
        self.names = names
        self.led = range(0)

    def new(self) -> Utterance | None:
        """The wish for a new task, if the text begins with one."""
        for place in self.leading(self.clauses[0]):
            for type, said in phrases.NEW.items():
                taken = self.longest(said, place, self.clauses[0])
                if taken:
                    return Utterance(intent="new", type=type, title=self._title(taken[-1] + 1))
        return None

    def _title(self, place: int) -> str:
        """The title of a new task, which begins near a place; empty if there is none."""
        while place < len(self.tokens) and self.words[place] in phrases.BEFORE_TITLE:
            place += 1
        if place == len(self.tokens):
            return ""
        start = self.tokens[place].start
        title = self.text[start - (self.text[start - 1] in "\"'`“‘«") :].strip()
        if QUOTED.fullmatch(title):
            title = title[1:-1]
        title = one_line(" ".join(title.split()))
        return shorten(title[:1].upper() + title[1:], LONGEST_TITLE)

    def intent(self) -> tuple[str | None, str]:
        """What is wanted, and by which sort of phrase: the first clause that says so decides."""
        for clause in self.clauses:
            for place in self.leading(clause):
                found = self._begins(place, clause)
                if found:
                    self.led = range(clause.start, place)
                    return found
        return (OTHER, "") if self._is_an_order() else (None, "")

    def _is_an_order(self) -> bool:
        """Whether the text begins with an order that no phrase knows: ship it."""
        last = max(self.leading(self.clauses[0]), default=len(self.words))
        return any(word in phrases.OBJECTS for word in self.words[last + 1 : last + 2])

    def _begins(self, place: int, clause: range) -> tuple[str, str] | None:
        """The intent and the sort of the longest phrase that begins here; it is used."""
        found = [
            (len(taken), table is phrases.OTHERS, sort, taken)
            for table in (phrases.OTHERS, phrases.INTENTS)
            for sort, said in table.items()
            if (taken := self.longest(said, place, clause))
        ]
        if found:
            _, other, sort, taken = max(found)
            self.use(taken)
            return OTHER if other else "review" if sort in phrases.ROLES else sort, sort
        following = self.words[place + 1] if place + 1 in clause else ""
        if self.words[place] in phrases.QUESTION:
            return "status", ""
        if following in phrases.QUESTION_WITH.get(self.words[place], ()):
            return "status", ""
        return None

    def charge(self) -> Named | None:
        """Whoever is to do it; the words that say so are used."""
        for place in range(len(self.tokens)):
            name = self.name(place)
            if name and self._charged(range(place, place + len(name))):
                self.use(range(place, place + len(name)))
                return self.names[name]
        return None

    def _charged(self, places: range) -> bool:
        """Whether a name is that of whom the work is given to: before the wish, or as its tool."""
        if not self.free(places) or any(self.tokens[place].owns for place in places):
            return False
        if places.start in self.led or places in self.clauses:
            return True
        before = places.start - 1
        if before < 0 or not self.free([before]):
            return False
        of_it = before > 0 and self.tokens[before - 1].used and self.words[before] in phrases.OF_IT
        return of_it or self.words[before] in phrases.CHARGING

    def days(self, now: datetime, zone: tzinfo) -> Days | None:
        """The time that is spoken of; its words are used."""
        for places, found in days.find(self.words, now, zone):
            if self.free(places):
                self.use(places)
                return found
        return None

    def ids(self) -> tuple[str, ...]:
        """The words that may be ids: those of other records, then those of tasks."""
        left = (token.word for token in self.tokens if not token.kept and not token.used)
        words = filter(_TASK.fullmatch, left)
        found = dict.fromkeys((*EVENT.findall(self.text.lower()), *words))
        return tuple(islice(found, MOST_WORDS))

    def content(self) -> Iterator[Content]:
        """The words that name what is meant, each once."""
        seen: set[str] = set()
        place = 0
        while place < len(self.tokens):
            name = self.name(place) if not self.tokens[place].used else None
            found = Content(" ".join(name), named=self.names[name]) if name else self._at(place)
            if found and found.word not in seen:
                seen.add(found.word)
                yield found
            place += len(name) if name else 1

    def _at(self, place: int) -> Content | None:
        """A word as it names something, if it can."""
        token, word = self.tokens[place], self.words[place]
        if word in phrases.STOP or token.used or (word in phrases.SEVERAL and not token.kept):
            return None
        return Content(word, optional=word in phrases.FILLER and not token.kept)
