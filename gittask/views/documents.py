"""Every record of a store as a document that can be searched."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gittask.core.document import Document, document
from gittask.core.record import Reader, Record
from gittask.store import packaged


def documents(reader: Reader, kinds: Collection[str] | None = None) -> Iterator[Document]:
    """All readable records of these kinds (None: of every kind), closed tasks included.

    What cannot be read goes to ``reader.problems``, and hides nothing else.
    """
    return (document(packaged.schemas(), record) for record in records(reader, kinds))


def records(reader: Reader, kinds: Collection[str] | None = None) -> Iterator[Record]:
    """The readable records of these kinds (None: of every kind)."""
    for kind in packaged.schemas().kinds:
        if kinds is None or kind in kinds:
            yield from reader.all(kind)
