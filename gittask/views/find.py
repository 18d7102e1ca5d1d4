"""Where in the store words are found: the records, best first, and of each the line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.document import document, texts
from gittask.core.index import Document, Hit, Index, Marks, Span
from gittask.core.record import Reader, Record
from gittask.core.schema import Schemas
from gittask.core.stamp import creation
from gittask.core.text import spaced
from gittask.kinds import readable
from gittask.views.documents import records

LENGTH = 160
"""How many characters of a line are shown at most."""
BEFORE = 40
"""How many of them at most stand before the first match, if the line is longer."""


@dataclass(frozen=True)
class Filter:
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

    def fits(self, reader: Reader, record: Record) -> bool:
        """Whether a record of one of the kinds is searched."""
        made = creation(record.data)
        return (
            (self.since is None or made.at >= self.since)
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


MakeIndex = Callable[[Iterable[Document[Record]]], Index[Record]]


class Results:
    """What was found in a store: ``hits``, the best first, and the newest of those equally good.

    They have all the words; where no record does, they have some, and ``every_word`` is False.
    Where no words are asked for, they are all the records that are wanted.
    """

    def __init__(
        self, reader: Reader, schemas: Schemas, words: str, wanted: Filter, index: MakeIndex
    ) -> None:
        self._reader = reader
        self._schemas = schemas
        self._words = words
        found = [one for one in records(reader, schemas, wanted.kinds) if wanted.fits(reader, one)]
        found.sort(key=lambda one: (one.id, one.kind))
        found.sort(key=lambda one: creation(one.data).at, reverse=True)
        self.every_word = True
        if not words:
            self.hits = [Hit(one, 0.0) for one in found]
            return
        self._index = index(document(schemas, one) for one in found)
        self.hits = self._index.find(words)
        if not self.hits:
            self.every_word = False
            self.hits = self._index.find(words, any_word=True)

    def row(self, hit: Hit[Record]) -> Row:
        """A hit with its line."""
        task = readable(self._reader, "task", hit.key.task, task=None)
        title = task.data["title"] if task else None
        lines = list(self._lines(hit.key))
        marks = [Marks(0, ())] * len(lines)
        if self._words:
            marks = self._index.mark(self._words, [line for _, line in lines])
        best = max(range(len(lines)), key=lambda number: marks[number].words)
        field, line = lines[best]
        return Row(hit.key, hit.score, title, field, *_around(line, marks[best]))

    def _lines(self, record: Record) -> Iterator[tuple[str, str]]:
        """The lines of a record, each with its field: first what names it, and at last its id."""
        for text in sorted(texts(self._schemas, record), key=lambda text: not text.head):
            for line in text.text.splitlines():
                if line.strip():
                    yield text.field, line.strip()
        yield "id", record.id


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
