"""How well words name each task, by where they stand in its records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import log

from gittask.core.dataclass import dataclass
from gittask.core.index import Document
from gittask.core.index import Place as Place
from gittask.core.record import Reader, Record
from gittask.core.schema import Schemas
from gittask.core.stamp import creation
from gittask.views.documents import documents
from gittask.views.route.phrases import STOP
from gittask.views.route.speech import Words, title_words
from gittask.views.route.standing import Standings
from gittask.views.route.utterance import Content

FIELDS = {"title": 1.0, "label": 0.9, "project": 0.9, "who": 0.9, "task": 0.85}
"""How much a word counts in what names a task, in who works on it, and in its other text."""
TOLD = 0.8
"""How much a word counts in what was told of a task: a note, a handoff, a message ..."""


Lookup = Callable[[str], Iterable[Place]]
"""Where in an index over ``searched`` a word, or a quoted phrase, stands."""


def searched(reader: Reader, schemas: Schemas) -> Iterator[Document[Place]]:
    """What is searched: what names a task, each part apart, and all that was told of it."""
    names = {project.id: project.data["name"] for project in reader.all("project")}
    for task in reader.all("task"):
        project = task.data.get("project")
        parts = {
            "title": task.data["title"],
            "label": "\n".join(task.data.get("labels") or ()),
            "project": f"{project}\n{names.get(project, '')}" if project else "",
        }
        for name, text in parts.items():
            yield Document(Place(task.id, name), text)
    for found in documents(reader, schemas):
        record = found.key
        if record.task:  # an id is no word: it is looked for apart
            own = record.kind in FIELDS
            told = ("", "") if own else (record.id, creation(record.data).at)
            yield Document(Place(record.task, record.kind, *told), found.head, found.body)


@dataclass(frozen=True)
class Match:
    """How a task fits what was said.

    ``share`` is how much of it the task answers to, from 0 to 1, and ``why`` says by what: the
    share of its words, or of their weight, whichever is less.
    ``in_full`` is 1 if the title is no more than what was said, and 0.5 if it begins with that.
    """

    share: float
    why: tuple[str, ...] = ()
    in_full: float = 0.0


def matches(standings: Standings, content: Sequence[Content]) -> dict[str, Match]:
    """The tasks in which any of the words stands.

    A word weighs the more, the fewer tasks have it. An optional one counts only where it stands
    in a title beside one that is not.
    """
    required = [_word(each, standings) for each in content if not each.optional]
    optional = [_word(each, standings) for each in content if each.optional]
    named = {id for word in required for id in word.naming}
    words = [*required, *(word for word in optional if not named.isdisjoint(word.in_titles))]
    if not required:
        return {}
    ids = {id for word in words for id in word.places}
    found = {one.task.id: _match(one.task, words) for one in standings.those(ids)}
    return {id: match for id, match in found.items() if match.share}


@dataclass(frozen=True, eq=False)
class _Word:
    """A word, its weight, and where in each task it stands."""

    text: str
    weight: float
    places: Mapping[str, frozenset[Place]]

    @property
    def naming(self) -> set[str]:
        """The tasks that it names, rather than is told in."""
        return {id for id, places in self.places.items() if any(not one.record for one in places)}

    @property
    def in_titles(self) -> set[str]:
        """The tasks in whose titles it stands."""
        found = (one for places in self.places.values() for one in places)
        return {one.task for one in found if one.name == "title"}

    def best(self, task: str, record: Place | None) -> tuple[float, str]:
        """The value and the name of the best place, of a task's own and one of its records."""
        places = self.places.get(task, frozenset())
        values = [(FIELDS[one.name], one.name) for one in places if not one.record]
        if record in places and record:
            values.append((TOLD, record.name))
        return max(values, default=(0.0, ""))


def _word(content: Content, standings: Standings) -> _Word:
    places: dict[str, set[Place]] = {}
    for place in standings.known.places(f'"{content.word}"'):
        places.setdefault(place.task, set()).add(place)
    involved = standings.known.involving(content.bearer.actors) if content.bearer else ()
    for id in involved:
        places.setdefault(id, set()).add(Place(id, "who"))
    standing = {id: frozenset(found) for id, found in places.items()}
    word = _Word(content.word, 0.0, standing)
    count = len(word.naming) or len(standing) or 0.5
    weight = log(1 + standings.known.count() / count)
    return replace(word, weight=weight / 2 if content.optional else weight)


def _match(task: Record, words: Sequence[_Word]) -> Match:
    record = _telling(task.id, words)
    best = {word: word.best(task.id, record) for word in words}
    everything = sum(word.weight for word in words)
    there = sum(value * word.weight for word, (value, _) in best.items())
    by_place: dict[str, list[str]] = {}
    for word, (_, place) in best.items():
        by_place.setdefault(place, []).append(word.text)
    by_place.pop("", None)
    in_title = set(" ".join(by_place.get("title", ())).split())
    everywhere = "" not in {place for _, place in best.values()}
    in_full = _fills(title_words(task.data["title"]), in_title) if everywhere else 0.0
    why = tuple(f"{place}: {', '.join(said)}" for place, said in by_place.items())
    count = sum(value for value, _ in best.values()) / len(best)
    return Match(min(there / everything, count), why, in_full)


def _fills(title: Words, said: Collection[str]) -> float:
    """Whether a title is no more than the words of it that were said (1), or begins so (0.5)."""
    telling = [word for word in title if word not in STOP]
    if len(said) == len(set(telling)):
        return 1.0
    return 0.5 if len(said) > 1 and said == set(telling[: len(said)]) else 0.0


def _telling(task: str, words: Sequence[_Word]) -> Place | None:
    """The record that tells most of the words that the task itself does not have.

    One only: words that are scattered over many records say nothing together.
    """
    told: dict[Place, float] = {}
    for word in words:
        places = word.places.get(task, frozenset())
        for place in places if word.best(task, None)[0] < TOLD else ():
            if place.record:
                told[place] = told.get(place, 0.0) + word.weight
    return max(told, key=lambda place: (told[place], place.at), default=None)
