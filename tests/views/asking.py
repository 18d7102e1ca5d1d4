"""A store that is asked what words mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gittask.core.record import Record
from gittask.errors import Ambiguous, GittaskError, NotFound
from gittask.store.packaged import schemas
from gittask.store.search import Search
from gittask.views.liveness import UNHEARD, Heard
from gittask.views.route.answer import Route, route
from gittask.views.route.candidates import Candidate, Judge
from gittask.views.route.everything import Everything
from gittask.views.route.matching import Place, searched
from gittask.views.route.named import known_names
from gittask.views.route.reading import parse
from gittask.views.route.speech import title_words
from gittask.views.route.standing import Standings, asker
from tests.views import busy
from tests.views.test_utterance import BERLIN, NOW


class Store:
    """A store that is asked. ``here`` is the task at work where the asker is."""

    def __init__(self, *records: Record) -> None:
        self.reader = busy.Reader(*records)
        self.search = Search(searched(self.reader, schemas()))

    def lookup(self, words: str) -> Iterator[Place]:
        return (hit.key for hit in self.search.find(words))

    def asks(self, who: str | None, words: str, here: str | None = None, **more: Any) -> Route:
        one = asker(self.reader, who, here)
        said: dict[str, Any] = {"now": NOW, "zone": BERLIN, **more}
        return route(self.reader, words, self.lookup, one, **said)

    def ranks(
        self, who: str | None, words: str, heard: Heard = UNHEARD
    ) -> Callable[[int], list[Candidate]]:
        """What gives so many of the tasks that may be meant, the best first."""
        known = Everything(self.reader, self.lookup)
        standings = Standings(self.reader, known, asker(self.reader, who), NOW, heard)
        titles = [title_words(title) for title in known.titles(words)]
        said = parse(words, known_names(self.reader, known), titles, NOW, BERLIN)
        return Judge(said, standings).candidates

    def refuses(self, who: str | None, words: str, **more: Any) -> GittaskError:
        with pytest.raises((NotFound, Ambiguous)) as caught:
            self.asks(who, words, **more)
        error = caught.value
        assert error.hint
        assert isinstance(error, GittaskError)
        return error


BUSY = Store(*busy.records())
HEARD = busy.heard(BUSY.reader)
