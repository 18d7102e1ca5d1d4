"""Where in the store words are found: the records, best first, and of each the line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

from gittask.core.dataclass import dataclass
from gittask.core.document import document, texts
from gittask.core.index import Document, Hit, Index, Kept, Marks, Span, Unusable, Wanted
from gittask.core.record import Reader, Record
from gittask.core.schema import Place, Schemas
from gittask.core.stamp import creation
from gittask.core.text import spaced
from gittask.errors import Invalid
from gittask.kinds import readable
from gittask.views.documents import records

LENGTH = 160
"""How many characters of a line are shown at most."""
BEFORE = 40
"""How many of them at most stand before the first match, if the line is longer."""


class Filter(Wanted):
    """Which records are searched, told of a record."""

    def fits(self, reader: Reader, record: Record) -> bool:
        """Whether a record is searched."""
        made = creation(record.data)
        return (
            (self.kinds is None or record.kind in self.kinds)
            and (self.since is None or made.at >= self.since)
            and (self.until is None or made.at < self.until)
            and (self.by is None or made.by == self.by)
            and self._fits_task(reader, record)
        )

    def _fits_task(self, reader: Reader, record: Record) -> bool:
        if not self.statuses and not self.labels and self.project is None:
            return True
        found = (
            record if record.kind == "task" else readable(reader, "task", record.task, task=None)
        )
        task = found.data if found else {}
        status = task["state"]["status"] if task else None
        project = record.id if record.kind == "project" else record.data.get("project")
        return (
            (not self.statuses or status in self.statuses)
            and set(self.labels) <= set(task.get("labels") or ())
            and self.project in (None, project, task.get("project"))
        )


@dataclass(frozen=True)
class Row:
    """A record that was found, and the line of it that has most of the words.

    ``title`` is that of the record's task. ``field`` says where the line is from (a dotted path)
    and ``spans`` where in the line the words are. A long line is cut around the first of them.
    """

    record: Record
    score: float
    title: str | None
    field: str
    line: str
    spans: tuple[Span, ...]

    @property
    def place(self) -> str:
        """The field in plain words."""
        return place(self.field)

    def as_json(self) -> dict[str, Any]:
        """The record as ``--json`` shows it."""
        made = creation(self.record.data)
        return {
            "kind": self.record.kind,
            "id": self.record.id,
            "task": self.record.task,
            "at": made.at,
            "by": made.by,
            "title": self.title,
            "field": self.field,
            "line": self.line,
            "score": self.score,
        }


MakeIndex = Callable[[Iterable[Document[Any]]], Index[Any]]


class Results:
    """What was found in a store: ``hits``, the best first, and the newest of those equally good.

    They have all the words; where no record does, they have some, and ``every_word`` is False.
    Where no words are asked for, they are all the records that are wanted. They come from what is
    ``kept`` on disk, if anything is, and else from an index that is made of all records.
    """

    def __init__(
        self,
        reader: Reader,
        schemas: Schemas,
        words: str,
        wanted: Filter,
        index: MakeIndex,
        kept: Kept | None = None,
    ) -> None:
        self._reader = reader
        self._schemas = schemas
        self._words = words
        self._source: Kept | _Records = kept or _Records(reader, schemas, index, wanted)
        self.hits: Sequence[Hit[Any]] = self._source.find(words, wanted)
        self.every_word = bool(self.hits) or not words
        if not self.every_word:
            self.hits = self._source.find(words, wanted, any_word=True)

    def row(self, hit: Hit[Any]) -> Row:
        """A hit with its line. Raises Unusable if it is of no record."""
        record = self._record(hit)
        task = readable(self._reader, "task", record.task, task=None)
        title = task.data["title"] if task else None
        lines = list(self._lines(record))
        marks = [Marks(0, ())] * len(lines)
        if self._words:
            marks = self._source.mark(self._words, [line for _, line in lines])
        best = max(range(len(lines)), key=lambda number: marks[number].words)
        field, line = lines[best]
        return Row(record, hit.score, title, field, *_around(line, marks[best]))

    def name(self, hit: Hit[Any]) -> str:
        """What a hit goes by, for the next page: kind and id."""
        place = self._place(hit)
        return f"{place.kind}/{place.id}" if place else str(hit.key)

    def _place(self, hit: Hit[Any]) -> Place | None:
        """Where the record of a hit is, which is known by its path where that is kept."""
        return hit.key if isinstance(hit.key, Place) else self._schemas.locate(hit.key)

    def _record(self, hit: Hit[Any]) -> Record:
        place, found = self._place(hit), None
        if place:
            with suppress(Invalid):
                kind, id, task, project = place
                found = self._reader.get(kind, id, task=task, project=project)
        if found is None:
            raise Unusable(f"{hit.key} is no record")
        return found

    def _lines(self, record: Record) -> Iterator[tuple[str, str]]:
        """The lines of a record, each with its field: first what names it, and at last its id."""
        for text in sorted(texts(self._schemas, record), key=lambda text: not text.head):
            for line in text.text.splitlines():
                if line.strip():
                    yield text.field, line.strip()
        yield "id", record.id


class _Entry(NamedTuple):
    """What is kept of a record while it is searched, and whether it is wanted."""

    at: str
    place: Place
    fits: bool


class _Records:
    """All records of a reader, searched as what is kept on disk is; each is read and let go of."""

    def __init__(self, reader: Reader, schemas: Schemas, index: MakeIndex, wanted: Filter) -> None:
        self._reader = reader
        self._schemas = schemas
        self._make = index
        self._wanted = wanted

    def find(self, words: str, _: Filter, *, any_word: bool = False) -> list[Hit[Place]]:
        """The records that have all the words, or any of them, as ``Results`` has them."""
        if words:
            found = self._index.find(words, any_word=any_word)
        else:
            found = [Hit(self._entry(one), 0.0) for one in records(self._reader, self._schemas)]
        hits = sorted(
            (hit for hit in found if hit.key.fits),
            key=lambda hit: (hit.key.place.id, hit.key.place.kind),
        )
        hits.sort(key=lambda hit: (hit.score, hit.key.at), reverse=True)
        return [Hit(hit.key.place, hit.score) for hit in hits]

    def mark(self, words: str, lines: Sequence[str]) -> list[Marks]:
        """As ``Index.mark``."""
        return self._index.mark(words, lines)

    @cached_property
    def _index(self) -> Index[_Entry]:
        return self._make(map(self._document, records(self._reader, self._schemas)))

    def _document(self, record: Record) -> Document[_Entry]:
        found = document(self._schemas, record)
        return Document(self._entry(record), found.head, found.body, found.id)

    def _entry(self, record: Record) -> _Entry:
        place = Place(record.kind, record.id, record.task, record.data.get("project"))
        fits = self._wanted.fits(self._reader, record)
        return _Entry(creation(record.data).at, place, fits)


# -- the line ---------------------------------------------------------------------------------

_PLAIN = {"next_action": "next", "command.tail": "output", "verified.tail": "output"}
"""What people call some fields."""
_APART = ("state", "workspace", "command")
"""The fields whose parts go by their own names: an outcome, a branch."""


def place(field: str) -> str:
    """What people call a field, given as a dotted path: ``uncertain``, ``outcome``, ``output``."""
    parts = [part for part in field.split(".") if not part.isdigit()]
    name = _PLAIN.get(".".join(parts)) or _PLAIN.get(parts[0])
    if name is None:
        name = parts[-1] if parts[0] in _APART and len(parts) > 1 else parts[0]
    return "command" if name == "argv" else spaced(name)


def _around(line: str, marks: Marks) -> tuple[str, tuple[Span, ...]]:
    """A line of at most ``LENGTH`` characters around the first match, and the matches in it."""
    if len(line) <= LENGTH:
        return line, marks.spans
    first = marks.spans[0][0] if marks.spans else 0
    start = max(min(first - BEFORE, len(line) - LENGTH), 0)
    end = start + LENGTH
    before, after = "…" if start else "", "…" if end < len(line) else ""
    kept_from, kept_to = start + len(before), end - len(after)
    moved = [
        (max(begin, kept_from) - start, min(stop, kept_to) - start) for begin, stop in marks.spans
    ]
    shown = f"{before}{line[kept_from:kept_to]}{after}"
    return shown, tuple(span for span in moved if span[0] < span[1])
