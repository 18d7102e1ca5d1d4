"""What words say, before anything is looked up: what is wanted, by whom, when, and of what."""

from __future__ import annotations

from collections.abc import Mapping

from gittask.core.dataclass import dataclass
from gittask.views.route.days import Days
from gittask.views.route.speech import Words

OTHER = "other"
"""The intent of words that want something for which there is a command of its own."""


@dataclass(frozen=True)
class Bearer:
    """Whom a name stands for: a provider and those who work by it, or the one actor ``only``."""

    provider: str | None
    actors: frozenset[str]
    only: str | None = None


Names = Mapping[Words, Bearer]
"""Names by their words."""


@dataclass(frozen=True)
class Content:
    """A word that names what is meant.

    An ``optional`` one tells only where it is in a title. ``bearer`` is whom it may stand for.
    """

    word: str
    optional: bool = False
    bearer: Bearer | None = None


@dataclass(frozen=True)
class Utterance:
    """What words say.

    ``intent`` is continue, review, status, retry, new or ``OTHER``; None where no word says what
    is wanted. ``role`` is that of a review; ``type`` and ``title`` are those of a new task;
    ``command`` is another intent's. ``charged`` is who shall do it. ``content`` holds the words
    that name the task, ``ids`` those that may be an id. ``refers`` says that they point back (it,
    that), ``several`` that they mean more than one thing, or choose among some. ``again`` says
    that it was done before, ``mine`` that whoever asks did it, and ``happened`` what is to have
    happened to it, by the names of happenings.
    """

    intent: str | None = None
    role: str | None = None
    type: str | None = None
    title: str | None = None
    command: str | None = None
    charged: Bearer | None = None
    days: Days | None = None
    content: tuple[Content, ...] = ()
    ids: tuple[str, ...] = ()
    refers: bool = False
    several: bool = False
    again: bool = False
    mine: bool = False
    happened: frozenset[str] = frozenset()

    @property
    def required(self) -> list[Content]:
        """The words that name the task, without those that need not."""
        return [each for each in self.content if not each.optional]
