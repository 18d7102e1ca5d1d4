"""Where in the store words are found: the records, best first, and of each the line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from gittask.core.document import Document, document, texts
from gittask.core.record import Reader, Record
from gittask.core.schema import Schemas
from gittask.core.stamp import creation
from gittask.kinds import readable
from gittask.store.search import Hit, Marks, Search, Span
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
class Found:
    """A record that was found, and the line of it that has most of the words.

    ``title`` is that of the record's task. ``field`` says where the line is from (a dotted path)
    and ``spans`` where in the line the words are. A long line is cut around the first of them.
    """

    document: Document
    score: float
    title: str | None
    field: str
    line: str
    spans: tuple[Span, ...]

    def as_json(self) -> dict[str, Any]:
        """The record as ``--json`` shows it."""
        names = ("kind", "id", "task", "at", "by")
        shown = {name: getattr(self.document, name) for name in names}
        return shown | {
            "title": self.title,
            "field": self.field,
            "line": self.line,
            "score": self.score,
        }


class Finding:
    """What words find in a store: ``hits``, best first.

    They have all the words; where no record does, they have some, and ``every_word`` is False.
    """

    def __init__(self, reader: Reader, schemas: Schemas, words: str, wanted: Filter) -> None:
        self._reader = reader
        self._schemas = schemas
        self._words = words
        self._records = {
            document(schemas, record): record
            for record in records(reader, wanted.kinds)
            if wanted.fits(reader, record)
        }
        self._search = Search(self._records)
        self.hits = self._search.find(words)
        self.every_word = bool(self.hits)
        if not self.hits:
            self.hits = self._search.find(words, any_word=True)

    def found(self, hit: Hit) -> Found:
        """A hit with its line."""
        task = readable(self._reader, "task", hit.document.task, task=None)
        title = task.data["title"] if task else None
        lines = list(self._lines(self._records[hit.document]))
        marks = self._search.mark(self._words, [line for _, line in lines])
        best = max(range(len(lines)), key=lambda number: marks[number].words)
        field, line = lines[best]
        return Found(hit.document, hit.score, title, field, *_around(line, marks[best]))

    def _lines(self, record: Record) -> Iterator[tuple[str, str]]:
        """The lines of a record, each with its field, and at last its id."""
        for text in texts(self._schemas, record):
            for line in text.text.splitlines():
                if line.strip():
                    yield text.field, line.strip()
        yield "id", record.id


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
