"""Full-text search over documents, in an SQLite index (FTS5) that lives as long as the search."""

from __future__ import annotations

import re
import weakref
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING
from unicodedata import category

from gittask.core.document import Document, aligned, folded
from gittask.core.ids import SHORTEST
from gittask.errors import GittaskError

if TYPE_CHECKING:
    import sqlite3

Span = tuple[int, int]
"""Where something begins and ends in a text, in characters."""

# Words are runs of letters, digits and marks, by their English stem; ``folded`` did the rest.
_TOKENS = "tokenize = \"porter unicode61 categories 'L* N* M* Co'\""
_TABLES = (
    f"create virtual table documents using fts5(id, head, body, {_TOKENS})",
    f"create virtual table lines using fts5(line, {_TOKENS})",
)
_SCORE = "-bm25(documents, 10.0, 5.0, 1.0)"
"""How well a document fits; a word counts most in the id, then in the head."""

_BEGIN, _END = "\1", "\2"
"""What stands around a match; folded text holds no control characters."""


@dataclass(frozen=True)
class Hit:
    """A document that was found; a greater score is a better match."""

    document: Document
    score: float


@dataclass(frozen=True)
class Marks:
    """How many different words of a query a line has, and where."""

    words: int
    spans: tuple[Span, ...]


class Search:
    """An index of documents.

    What is asked for is words, compared as ``folded`` says and by their English stem (``route``
    finds ``routing``). Words in double quotes are found together and in that order. A ``*`` at
    the end of a word stands for any ending. The id of a record finds it, and so does the
    beginning of the id, or of its random part; the first seven digits of a commit's hash find
    where it is named. Nothing else has a meaning.

    Raises GittaskError where Python's SQLite cannot search text.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = list(documents)
        self._names = sorted(name for each in self._documents for name in _names(each))
        self._index = _connect()
        weakref.finalize(self, self._index.close)
        self._index.executemany(
            "insert into documents(rowid, id, head, body) values (?, ?, ?, ?)",
            (
                (row, folded(each.id), folded(each.head), folded(each.body))
                for row, each in enumerate(self._documents)
            ),
        )

    def find(self, words: str, *, any_word: bool = False, limit: int | None = None) -> list[Hit]:
        """The documents that have all the words, or any of them, the best first.

        Of those equally good the newest is first, then the one of the smallest id.
        """
        terms = [self._or_by_id(term) for term in _terms(words)]
        if not terms:
            return []
        rows = self._index.execute(
            f"select rowid, {_SCORE} from documents where documents match ?",
            [(" OR " if any_word else " AND ").join(terms)],
        )
        hits = [Hit(self._documents[row], score) for row, score in rows]
        hits.sort(key=attrgetter("document.id", "document.kind"))
        hits.sort(key=attrgetter("document.at"), reverse=True)
        hits.sort(key=attrgetter("score"), reverse=True)
        return hits[:limit]

    def _or_by_id(self, term: Term) -> str:
        """The expression for a word, or for the ids that it is the beginning of."""
        if len(term.text) < SHORTEST or term.text.isdecimal():
            return term.expression
        either = [term.expression]
        for name, id in islice(self._names, bisect_left(self._names, (term.text, "")), None):
            if not name.startswith(term.text):
                break
            either.append(Term(id).expression)
        return f"({' OR '.join(either)})"

    def mark(self, words: str, lines: Sequence[str]) -> list[Marks]:
        """What each of these lines has of the words; ids that are only begun are not looked up."""
        terms = [term.expression for term in _terms(words)]
        texts = [aligned(line) for line in lines]
        self._index.executemany(
            "insert into lines(rowid, line) values (?, ?)",
            ((row, text) for row, (text, _) in enumerate(texts)),
        )
        counts = Counter(row for term in terms for (row,) in self._lines("rowid", term))
        shown = f"rowid, highlight(lines, 0, '{_BEGIN}', '{_END}')"
        marked = dict(self._lines(shown, " OR ".join(terms))) if terms else {}
        self._index.execute("delete from lines")
        return [
            Marks(counts[row], tuple(_spans(marked.get(row, ""), places)))
            for row, (_, places) in enumerate(texts)
        ]

    def _lines(self, columns: str, expression: str) -> sqlite3.Cursor:
        return self._index.execute(f"select {columns} from lines where lines match ?", [expression])


def _connect() -> sqlite3.Connection:
    """An empty index in memory."""
    try:
        import sqlite3
    except ImportError as error:
        raise _unable(error) from None
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for table in _TABLES:
            connection.execute(table)
    except sqlite3.OperationalError as error:
        connection.close()
        raise _unable(error) from None
    return connection


def _unable(error: Exception) -> GittaskError:
    hint = "use a Python whose sqlite3 module has FTS5"
    return GittaskError(f"this Python cannot search text: {error}", hint=hint)


# -- from what was typed to an expression -----------------------------------------------------

_TERM = re.compile(r'"([^"]*)"|([^\s"]+)')
_HASH = re.compile("[0-9a-f]{7,64}")
_EVENT = re.compile("[0-9]{8}t[0-9]{6}z-(.+)")


@dataclass(frozen=True)
class Term:
    """A word or phrase that is looked for, folded."""

    text: str
    any_ending: bool = False

    @property
    def expression(self) -> str:
        """The term as FTS5 takes it: in quotes, within which nothing has a meaning."""
        return f'"{self.text}"' + (" *" if self.any_ending else "")


def _terms(words: str) -> list[Term]:
    """The different words and phrases of a query. What holds no letter and no digit is none."""
    found = {}
    for phrase, word in _TERM.findall(words):
        text = folded(phrase or word).replace('"', " ")
        if any(category(char)[0] in "LNM" for char in text):
            found[Term(text, word.endswith("*") or bool(_HASH.fullmatch(text)))] = True
    return list(found)


def _names(document: Document) -> Iterator[tuple[str, str]]:
    """How one may begin to type the id of a record, and the id."""
    event = _EVENT.fullmatch(document.id)
    if event:
        yield event[1], document.id
    if event or document.id == document.task:
        yield document.id, document.id


def _spans(marked: str, places: Sequence[Span]) -> Iterator[Span]:
    """Where the parts of a line are that stand between marks in its folded form."""
    place = last = 0
    for number, part in enumerate(re.split(f"[{_BEGIN}{_END}]", marked)):
        following = place + len(part)
        if number % 2:
            start, end = max(places[place][0], last), places[following - 1][1]
            if start < end:
                yield start, end
            last = end
        place = following
