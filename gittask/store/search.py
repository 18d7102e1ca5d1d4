"""Full-text search over documents, in an SQLite index (FTS5) that lives as long as the search."""

from __future__ import annotations

import re
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING, Generic
from unicodedata import category

from gittask.core.dataclass import dataclass
from gittask.core.document import aligned, folded
from gittask.core.ids import SHORTEST
from gittask.core.index import Document, Hit, Key, Marks, Span
from gittask.errors import GittaskError

if TYPE_CHECKING:
    import sqlite3

TOKENS = "tokenize = \"porter unicode61 categories 'L* N* M* Co'\""
"""Words are runs of letters, digits and marks, by their English stem; ``folded`` did the rest."""
_TABLES = (
    f"create virtual table documents using fts5(id, head, body, {TOKENS})",
    f"create virtual table lines using fts5(line, {TOKENS})",
)
SCORE = "-bm25(documents, 10.0, 5.0, 1.0)"
"""How well a document fits; a word counts most in the id, then in the head."""

_BEGIN, _END = "\1", "\2"
"""What stands around a match; folded text holds no control characters."""


class Search(Generic[Key]):
    """An index of documents in memory.

    What is asked for is words, compared as ``folded`` says and by their English stem (``route``
    finds ``routing``). Words in double quotes are found together and in that order. A ``*`` at
    the end of a word stands for any ending. An id is found by its beginning, or by that of its
    random part; the first seven digits of a commit's hash find where it is named. Nothing else
    has a meaning.

    Raises GittaskError where Python's SQLite cannot search text.
    """

    def __init__(self, documents: Iterable[Document[Key]]) -> None:
        self._keys: list[Key] = []
        self._index = _connect()
        weakref.finalize(self, self._index.close)
        self._index.execute("begin")
        self._index.executemany(
            "insert into documents(rowid, id, head, body) values (?, ?, ?, ?)",
            map(self._row, documents),
        )
        self._index.execute("commit")

    def _row(self, document: Document[Key]) -> tuple[int, str, str, str]:
        self._keys.append(document.key)
        id, head, body = map(folded, (document.id, document.head, document.body))
        return len(self._keys) - 1, unstemmed(id), head, body

    def find(self, words: str, *, any_word: bool = False) -> list[Hit[Key]]:
        """The documents that have all the words, or any of them, the best first.

        Those equally good are in the order in which they were given.
        """
        said = [term.or_id for term in terms(words)]
        if not said:
            return []
        rows = self._index.execute(
            f"select rowid, {SCORE} as score from documents where documents match ? "
            "order by score desc, rowid",
            [(" OR " if any_word else " AND ").join(said)],
        )
        return [Hit(self._keys[row], score) for row, score in rows]

    def mark(self, words: str, lines: Sequence[str]) -> list[Marks]:
        """What each of these lines has of the words; ids that are only begun are not looked up."""
        said = [term.expression for term in terms(words)]
        texts = [aligned(line) for line in lines]
        self._index.executemany(
            "insert into lines(rowid, line) values (?, ?)",
            ((row, text) for row, (text, _) in enumerate(texts)),
        )
        counts = Counter(row for term in said for (row,) in self._lines("rowid", term))
        shown = f"rowid, highlight(lines, 0, '{_BEGIN}', '{_END}')"
        marked = dict(self._lines(shown, " OR ".join(said))) if said else {}
        self._index.execute("delete from lines")
        return [
            Marks(counts[row], tuple(_spans(marked.get(row, ""), places)))
            for row, (_, places) in enumerate(texts)
        ]

    def _lines(self, columns: str, expression: str) -> sqlite3.Cursor:
        return self._index.execute(f"select {columns} from lines where lines match ?", [expression])


def _connect() -> sqlite3.Connection:
    """An empty index, in memory as far as it is small, and else in a file that nobody else sees."""
    try:
        import sqlite3
    except ImportError as error:
        raise _unable(error) from None
    connection = sqlite3.connect("", isolation_level=None)
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
_ID = re.compile(f"(?![0-9]+$)[0-9a-z-]{{{SHORTEST},}}")
"""What may be the beginning of an id: a number is one of something else."""
_UNSTEMMED = {ord(char): 0xE000 + ord(char) for char in digits + ascii_lowercase}


def unstemmed(id: str) -> str:
    """An id in characters for private use, of which no English stem is made."""
    return id.translate(_UNSTEMMED)


@dataclass(frozen=True)
class Term:
    """A word or phrase that is looked for, folded."""

    text: str
    any_ending: bool = False

    @property
    def expression(self) -> str:
        """The term as FTS5 takes it: in quotes, within which nothing has a meaning."""
        return f'"{self.text}"' + (" *" if self.any_ending else "")

    @property
    def or_id(self) -> str:
        """The expression for the term, or for any id that it is the beginning of."""
        if not self.any_ending and not _ID.fullmatch(self.text):
            return self.expression
        return f'({self.expression} OR id : "{unstemmed(self.text)}" *)'


def terms(words: str) -> list[Term]:
    """The different words and phrases of a query. What holds no letter and no digit is none."""
    found = {}
    for phrase, word in _TERM.findall(words):
        text = folded(phrase or word).replace('"', " ")
        if any(category(char)[0] in "LNM" for char in text):
            found[Term(text, word.endswith("*") or bool(_HASH.fullmatch(text)))] = True
    return list(found)


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
