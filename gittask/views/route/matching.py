"""How well words name each task, by where they stand in its records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from math import log

from gittask.core.dataclass import dataclass
from gittask.core.index import Document, Known
from gittask.core.index import Place as Place
from gittask.core.record import Reader, Record
from gittask.core.schema import Schemas
from gittask.core.stamp import creation
from gittask.views.documents import documents
from gittask.views.route.phrases import STOP
from gittask.views.route.speech import Words, title_words
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


class Matches:
    """The tasks in which any of some words stands, and how each fits.

    A word weighs the more, the fewer tasks have it. An optional one counts only where it stands
    in a title beside one that is not.
    """

    def __init__(self, known: Known, content: Sequence[Content]) -> None:
        required = [_word(each, known) for each in content if not each.optional]
        optional = [_word(each, known) for each in content if each.optional]
        named = {id for word in required for id in word.own}
        beside = [word for word in optional if not named.isdisjoint(word.in_titles)]
        self._words = [*required, *beside] if required else []
        self._told = self._telling()

    def _telling(self) -> dict[str, _Told]:
        """Of each task the record that tells most of the words that the task itself does not have.

        One only: words that are scattered over many records say nothing together.
        """
        said: dict[Place, tuple[int, ...]] = {}
        for number, word in enumerate(self._words):
            for place in word.told:
                if place.task not in word.own:
                    said[place] = (*said.get(place, ()), number)
        weights = {each: sum(self._words[one].weight for one in each) for each in {*said.values()}}
        found: dict[str, _Told] = {}
        for place, words in said.items():
            one = (weights[words], place.at, place.record, place.name, words)
            if place.task not in found or one > found[place.task]:
                found[place.task] = one
        return found

    def shares(self) -> dict[str, float]:
        """How much of the words each task answers to: the ``share`` of its match."""
        there: dict[str, float] = defaultdict(float)
        count: dict[str, float] = defaultdict(float)
        for word in self._words:
            for id, (value, _) in word.own.items():
                there[id] += value * word.weight
                count[id] += value
        for id, (weight, *_, words) in self._told.items():
            there[id] += TOLD * weight
            count[id] += TOLD * len(words)
        everything = sum(word.weight for word in self._words)
        number = len(self._words)
        return {id: min(there[id] / everything, count[id] / number) for id in there}

    def in_title(self) -> Set[str]:
        """The tasks in whose titles any of the words stands."""
        return {id for word in self._words for id in word.in_titles}

    def of(self, task: Record, share: float) -> Match:
        """How a task fits that has this share of the words."""
        by_place: dict[str, list[str]] = {}
        *_, name, told = self._told.get(task.id, _SILENT)
        for number, word in enumerate(self._words):
            place = word.own[task.id][1] if task.id in word.own else name if number in told else ""
            by_place.setdefault(place, []).append(word.text)
        everywhere = "" not in by_place
        by_place.pop("", None)
        in_title = set(" ".join(by_place.get("title", ())).split())
        in_full = _fills(title_words(task.data["title"]), in_title) if everywhere else 0.0
        why = tuple(f"{place}: {', '.join(said)}" for place, said in by_place.items())
        return Match(share, why, in_full)


_Told = tuple[float, str, str, str, tuple[int, ...]]
"""What a record tells: the weight of its words, when it was made, its id and kind, and which words
they are."""


_SILENT: _Told = (0.0, "", "", "", ())


@dataclass(frozen=True, eq=False)
class _Word:
    """A word and its weight.

    ``own`` are the tasks that it names, or in whose text it stands, with the value and the name
    of its best place there; ``told`` are the records in which it stands.
    """

    text: str
    weight: float
    own: Mapping[str, tuple[float, str]]
    told: Collection[Place]

    @property
    def in_titles(self) -> Set[str]:
        """The tasks in whose titles it stands."""
        return {id for id, (_, name) in self.own.items() if name == "title"}


def _word(content: Content, known: Known) -> _Word:
    own: dict[str, tuple[float, str]] = {}
    told = []
    places = known.places(f'"{content.word}"')
    involved = known.involving(content.bearer.actors) if content.bearer else ()
    for place in chain(places, (Place(id, "who") for id in involved)):
        if place.record:
            told.append(place)
        else:
            here = (FIELDS[place.name], place.name)
            own[place.task] = max(own.get(place.task, here), here)
    count = len(own) or len({place.task for place in told}) or 0.5
    weight = log(1 + known.count() / count)
    return _Word(content.word, weight / 2 if content.optional else weight, own, told)


def _fills(title: Words, said: Collection[str]) -> float:
    """Whether a title is no more than the words of it that were said (1), or begins so (0.5)."""
    telling = [word for word in title if word not in STOP]
    if said and len(said) == len(set(telling)):
        return 1.0
    return 0.5 if len(said) > 1 and said == set(telling[: len(said)]) else 0.0
