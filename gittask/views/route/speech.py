"""A text as words in clauses, each of which can be used once: what parsing it stands on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise

from gittask.core.dataclass import dataclass
from gittask.core.document import spoken
from gittask.views.route import phrases

Words = tuple[str, ...]

MOST = 1000
"""How many words of a text are read: whoever says more does not name one task."""
GAP = 12
"""How many words a ``*`` in a phrase stands for at most."""

_BREAK = re.compile(r"[,;:.!?\n]|\s[-–—]\s")
QUOTED = re.compile(r"[\"“«`].{1,500}?[\"”»`]|(?<!\w)['‘].{1,500}?['’](?!\w)", re.DOTALL)


@dataclass
class Token:
    """A word of a text and where it stands.

    ``owns`` says that it had an ``'s``. What is ``kept`` names something and is no command; what
    is ``used`` has been understood.
    """

    word: str
    start: int
    end: int
    owns: bool
    kept: bool = False
    used: bool = False


def tokens(text: str) -> Iterator[Token]:
    """The words of a text."""
    for word, (start, end), owns in spoken(text):
        yield Token(word, start, end, owns)


def title_words(title: str) -> Words:
    """A title as the words by which it is compared."""
    return tuple(word for word, _, _ in spoken(title))


class Speech:
    """A text on its way to be understood. ``names`` are those that may occur in it."""

    def __init__(self, text: str, names: Mapping[Words, object]) -> None:
        self.tokens = list(islice(tokens(text), MOST))
        self.text = text
        self.words = [token.word for token in self.tokens]
        self.clauses = list(self._clauses())
        self._names = names
        self._longest = max(map(len, names), default=0)

    def _clauses(self) -> Iterator[range]:
        first = 0
        for place, (before, after) in enumerate(pairwise(self.tokens), 1):
            if _BREAK.search(self.text, before.end, after.start + 1):
                yield range(first, place)
                first = place
        yield range(first, len(self.tokens))

    def use(self, places: Iterable[int]) -> None:
        """Mark words as understood."""
        for place in places:
            self.tokens[place].used = True

    def free(self, places: Iterable[int]) -> bool:
        """Whether none of these words is kept or used."""
        return not any(self.tokens[place].kept or self.tokens[place].used for place in places)

    def left(self) -> list[str]:
        """The words that are neither kept nor used."""
        return [token.word for token in self.tokens if not token.kept and not token.used]

    # -- what is kept as it is said -----------------------------------------------------------

    def keep(self, titles: Iterable[Words]) -> frozenset[Words]:
        """Keep the words of titles that are said in full; returns those titles."""
        joined = f" {' '.join(self.words)} "
        found = set()
        for title in titles:
            if names_something(title) and f" {' '.join(title)} " in joined:
                found.add(title)
                for first in self._places(title):
                    for token in self.tokens[first : first + len(title)]:
                        token.kept = True
        return frozenset(found)

    def _places(self, title: Words) -> Iterator[int]:
        for first in range(len(self.words) - len(title) + 1):
            if tuple(self.words[first : first + len(title)]) == title:
                yield first

    def keep_quoted(self) -> None:
        """Keep what stands in quotation marks."""
        end = self.tokens[-1].end + 1 if self.tokens else 0
        for match in QUOTED.finditer(self.text, 0, end):
            for token in self.tokens:
                token.kept |= match.start() < token.start and token.end < match.end()

    # -- phrases and names --------------------------------------------------------------------

    def leading(self, clause: range) -> Iterator[int]:
        """The places at which a wish may begin: after words that only lead up to one."""
        place = clause.start
        while place in clause and not self.tokens[place].kept:
            name = self.name(place)
            if tuple(self.words[place : place + 2]) in phrases.SUGGESTING:
                place += 2
            elif name:
                place += len(name)
            else:
                yield place
                if self.words[place] not in phrases.LEAD:
                    return
                place += 1

    def name(self, place: int) -> Words | None:
        """The longest name that begins here."""
        words = tuple(self.words[place : place + self._longest])
        lengths = range(len(words), 0, -1)
        return next((words[:length] for length in lengths if words[:length] in self._names), None)

    def longest(self, said: Collection[Words], place: int, clause: range) -> Sequence[int]:
        """The places of the words of the longest of these phrases that begins here."""
        found = (self._match(phrase, place, clause) for phrase in said)
        return max(found, key=len, default=())

    def _match(self, phrase: Words, place: int, clause: range) -> Sequence[int]:
        taken: list[int] = []
        gap = 0
        for word in phrase:
            if word == "*":
                gap = GAP
                continue
            near = range(place, min(place + gap + 1, clause.stop))
            found = next((at for at in near if self._is(at, word)), None)
            if found is None:
                return ()
            taken.append(found)
            place, gap = found + 1, 0
        return taken

    def _is(self, place: int, word: str) -> bool:
        return self.words[place] == word and not self.tokens[place].kept


def names_something(title: Words) -> bool:
    """Whether any of these words names something alone."""
    return not phrases.NAMELESS.issuperset(title)
