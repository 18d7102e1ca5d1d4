"""What a full-text index takes and gives, whoever keeps it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from gittask.core.dataclass import dataclass

if TYPE_CHECKING:
    from gittask.core.happening import Happening

Key = TypeVar("Key")
Span = tuple[int, int]
"""Where something begins and ends in a text, in characters."""


@dataclass(frozen=True)
class Document(Generic[Key]):
    """What can be found by words; the index gives its ``key`` back.

    ``head`` is what names it (a title, a summary) and weighs more; ``body`` is all its other text.
    ``id`` is found by its beginning too.
    """

    key: Key
    head: str
    body: str = ""
    id: str = ""


@dataclass(frozen=True)
class Hit(Generic[Key]):
    """What was found; a greater score is a better match."""

    key: Key
    score: float


@dataclass(frozen=True)
class Marks:
    """How many different words of a query a line has, and where."""

    words: int
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Wanted:
    """Which records are searched; what is None or empty asks for nothing.

    ``since`` (included) and ``until`` (not) are about when a record was made, ``by`` about who
    made it. ``statuses``, ``labels`` (all of them) and ``project`` are about its task; a project
    and what is kept under one are of that project too.
    """

    kinds: Collection[str] | None = None
    since: str | None = None
    until: str | None = None
    by: str | None = None
    statuses: Collection[str] = ()
    labels: Collection[str] = ()
    project: str | None = None


class Unusable(Exception):
    """What is kept cannot be read, or is not of these records: they alone tell it then."""


class Kept(Protocol):
    """An index of all records of a store that is kept somewhere."""

    def find(self, words: str, wanted: Wanted, *, any_word: bool = False) -> list[Hit[str]]:
        """The paths of the records that have all the words, or any, the best first, and the newest
        of those equally good; without words all that are wanted."""

    def mark(self, words: str, lines: Sequence[str]) -> list[Marks]:
        """As ``Index.mark``."""


class Place(NamedTuple):
    """Where a word stands: in what names a task, by ``name`` (title, label, project), in its other
    text (task), or in a record.

    Of a ``record`` that is told of the task, ``name`` is its kind, and ``at`` when it was made.
    """

    task: str
    name: str
    record: str = ""
    at: str = ""


class Known(Protocol):
    """What is known of all tasks of a store, without a look at each."""

    def count(self) -> int:
        """How many readable tasks there are."""

    def places(self, words: str) -> Iterator[Place]:
        """Where in readable tasks and their records all of some words, or a phrase, stand."""

    def titles(self, text: str) -> list[str]:
        """The titles of which all the words stand in a text, one behind another; and others."""

    def told(self, task: str) -> list[Happening]:
        """All that happened to a task, in order."""

    def touched(
        self, first: str, last: str, what: Collection[str] = (), by: str | None = None
    ) -> Set[str]:
        """The readable tasks to which anything happened from ``first`` on and before ``last``: one
        of ``what``, if that says any, and by this actor."""

    def met(self, what: Collection[str]) -> Set[str]:
        """The readable tasks to which one of these ever happened."""

    def moved(self, first: str) -> Mapping[str, str]:
        """For the readable tasks to which anything happened from a time on, when it last did."""

    def did(self, actors: Collection[str], until: str, but: Collection[str]) -> Mapping[str, str]:
        """For readable tasks when one of these last did anything to them, up to a time, that is
        none of ``but``."""

    def answered(self, actor: str, until: str) -> Mapping[str, str]:
        """For the readable tasks that an actor answers for, when anything last happened to them,
        up to a time."""

    def unfinished(self) -> Set[str]:
        """The readable tasks that are not closed."""

    def involving(self, actors: Collection[str]) -> Set[str]:
        """The readable tasks that one of these answers for, has described, or has worked on."""

    def providers(self) -> list[str]:
        """The providers that records name, in the order in which they are named last."""

    def works_by(self) -> dict[str, str]:
        """For actors the provider of their last execution that names one."""


class Index(Protocol[Key]):
    """An index of documents. Which words are the same is said in ``core/document.py``."""

    def find(self, words: str, *, any_word: bool = False) -> list[Hit[Key]]:
        """The documents that have all the words, or any of them, the best first.

        Those equally good are in the order in which they were given.
        """

    def mark(self, words: str, lines: Sequence[str]) -> list[Marks]:
        """What each of these lines has of the words; ids that are only begun are not looked up."""
