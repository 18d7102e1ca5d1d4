"""Every record of a store as a document that can be searched."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.document import document
from gittask.core.index import Document
from gittask.core.record import Reader, Record
from gittask.core.schema import Schemas


def documents(reader: Reader, schemas: Schemas) -> Iterator[Document[Record]]:
    """All readable records, closed tasks included.

    What cannot be read goes to ``reader.problems``, and hides nothing else.
    """
    return (document(schemas, record) for record in records(reader, schemas))


def records(reader: Reader, schemas: Schemas) -> Iterator[Record]:
    """The readable records of every kind."""
    for kind in schemas.kinds:
        yield from reader.all(kind)
