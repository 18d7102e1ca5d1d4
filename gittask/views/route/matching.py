"""How well words name each task, by where they stand in its records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

from gittask.core.document import Document
from gittask.core.record import Reader, Record
from gittask.views.documents import documents
from gittask.views.route.phrases import STOP
from gittask.views.route.speech import title_words
from gittask.views.route.utterance import Content, Named

FIELDS = {"title": 1.0, "label": 0.9, "project": 0.9, "who": 0.9, "task": 0.85}
"""How much a word counts in what names a task, in who works on it, and in its other text."""
TOLD = 0.8
"""How much a word counts in what was told of a task: a note, a handoff, a message ..."""

Find = Callable[[str], Iterable[Document]]
"""The documents of an index over ``searched`` in which a word, or a quoted phrase, stands."""

Involved = Callable[[Record, Named], bool]
"""Whether a task has to do with the bearer of a name."""

Place = str | Document
"""Where a word stands in a task: one of ``FIELDS``, or a record of its own."""


def searched(reader: Reader) -> Iterator[Document]:
    """What is searched: what names a task, each part apart, and all that was told of it."""
    names = {project.id: project.data["name"] for project in reader.all("project")}
    for task in reader.all("task"):
        project = task.data.get("project")
        parts = {
            "title": task.data["title"],
            "label": "\n".join(task.data.get("labels") or ()),
            "project": f"{project}\n{names.get(project, '')}" if project else "",
        }
        for kind, text in parts.items():
            yield Document(kind, "", task.id, "", "", text, "")
    for found in documents(reader):
        if found.task:  # an id is no word: it is looked for apart
            yield replace(found, id="")


@dataclass(frozen=True)
class Match:
    """How a task fits what was said.

    ``share`` is how much of it the task answers to, from 0 to 1, and ``why`` says by what: the
    share of its words, or of their weight, whichever is less.
    ``in_full`` says that the title is no more than what was said.
    """

    share: float
    why: tuple[str, ...] = ()
    in_full: bool = False


def matches(
    reader: Reader, content: Sequence[Content], find: Find, involved: Involved
) -> dict[str, Match]:
    """The tasks in which any of the words stands.

    A word weighs the more, the fewer tasks have it. An optional one counts only where it stands
    in a title beside one that is not.
    """
    tasks = list(reader.all("task"))
    required = [_word(each, find, tasks, involved) for each in content if not each.optional]
    optional = [_word(each, find, tasks, involved) for each in content if each.optional]
    named = {id for word in required for id in word.named}
    words = [*required, *(word for word in optional if not named.isdisjoint(word.titles))]
    if not required:
        return {}
    found = {task.id: _match(task, words) for task in tasks}
    return {id: match for id, match in found.items() if match.share}


@dataclass(frozen=True, eq=False)
class _Word:
    """A word, its weight, and where in each task it stands."""

    text: str
    weight: float
    places: Mapping[str, frozenset[Place]]

    @property
    def named(self) -> Iterator[str]:
        """The tasks that it names, rather than is told in."""
        return (id for id, places in self.places.items() if not places.isdisjoint(FIELDS))

    @property
    def titles(self) -> set[str]:
        return {id for id, places in self.places.items() if "title" in places}

    def best(self, task: str, record: Document | None) -> tuple[float, str]:
        """The value and the name of the best place, of a task's own and one of its records."""
        places = self.places.get(task, frozenset())
        values = [(value, name) for name, value in FIELDS.items() if name in places]
        if record in places and record:
            values.append((TOLD, record.kind))
        return max(values, default=(0.0, ""))


def _word(content: Content, find: Find, tasks: Sequence[Record], involved: Involved) -> _Word:
    places: dict[str, set[Place]] = {task.id: set() for task in tasks}
    for document in find(f'"{content.word}"'):
        if document.task in places:
            own = document.kind in FIELDS
            places[document.task or ""].add(document.kind if own else document)
    for task in tasks:
        if content.named and involved(task, content.named):
            places[task.id].add("who")
    standing = {id: frozenset(found) for id, found in places.items() if found}
    word = _Word(content.word, 0.0, standing)
    count = len(list(word.named)) or len(standing) or 0.5
    weight = log(1 + len(tasks) / count)
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
    title = {word for word in title_words(task.data["title"]) if word not in STOP}
    in_full = len(in_title) == len(title) and "" not in {place for _, place in best.values()}
    why = tuple(f"{place}: {', '.join(said)}" for place, said in by_place.items())
    count = sum(value for value, _ in best.values()) / len(best)
    return Match(min(there / everything, count), why, in_full)


def _telling(task: str, words: Sequence[_Word]) -> Document | None:
    """The record that tells most of the words that the task itself does not have.

    One only: words that are scattered over many records say nothing together.
    """
    told: dict[Document, float] = {}
    for word in words:
        places = word.places.get(task, frozenset())
        for place in places if word.best(task, None)[0] < TOLD else ():
            if isinstance(place, Document):
                told[place] = told.get(place, 0.0) + word.weight
    return max(told, key=lambda document: (told[document], document.at), default=None)
