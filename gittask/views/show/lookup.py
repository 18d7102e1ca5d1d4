"""The record that a text names, of whatever kind."""

from __future__ import annotations

from gittask.core import ids, names
from gittask.core.record import Reader, Record
from gittask.core.schema import Schemas
from gittask.core.text import one_line
from gittask.errors import Ambiguous, NotFound
from gittask.views.entries import kept


def find(reader: Reader, schemas: Schemas, text: str) -> Record:
    """The record of any kind that a text names.

    A task's id or prefix; an actor's or project's id; the id of another record, its beginning or
    its random end; or the path of a file on the data branch. NotFound, Ambiguous, or Invalid.
    """
    if "/" in text or text.endswith(".yaml"):
        return _at_path(reader, schemas, text)
    wanted = text.strip().lower()
    found = [(name, wanted) for name in ("actor", "project") if wanted in reader.ids(name)]
    kinds = kept(schemas)
    tasks = reader.near("task", wanted) if len(wanted) >= ids.SHORTEST else []
    if wanted in tasks:
        found = [("task", wanted)]
    elif len(wanted) >= ids.SHORTEST:
        found += [("task", id) for id in tasks if id.startswith(wanted)]
        found = found or [(name, id) for name in kinds for id in reader.near(name, wanted)]
    if len(found) > 1:
        shown = ", ".join(f"{name} {id}" for name, id in found[:5])
        raise Ambiguous(
            f"{one_line(text)!r} could be {len(found)} records: {shown}",
            hint="give more characters, or the path of the file (actors/NAME.yaml)",
            details={"candidates": [id for _, id in found]},
        )
    name, id = found[0] if found else ("task", wanted)
    record = reader.get(name, id, task=reader.owner(name, id) if name in kinds else None)
    if record is None:
        names.refuse_hidden(reader, text)
        raise NotFound(f"no record {one_line(text)!r}", hint="see: gittask list --closed --all")
    return record


def _at_path(reader: Reader, schemas: Schemas, path: str) -> Record:
    place = schemas.locate(path.strip().removeprefix("./"))
    found = place and reader.get(place.kind, place.id, task=place.task, project=place.project)
    if not found:
        raise NotFound(f"no record at {one_line(path)!r}", hint="give a path of the data branch")
    return found
