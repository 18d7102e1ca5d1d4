"""What stands where it hides records, or hides whether there are any.

A file in place of a folder, a folder in place of a file, a damaged folder, a name that is nearly
that of a record: told by names and modes alone, so that whoever looks says the same.
"""

from __future__ import annotations

from gittask.core.schema import Place, Schemas
from gittask.core.text import is_text
from gittask.errors import GittaskError, Problem
from gittask.store.layout import KINDS
from gittask.store.repo import Entry, Repo


def fault(repo: Repo, schemas: Schemas, path: str, entry: Entry) -> Problem | None:
    """What is wrong with what stands at a path, if it hides records. A folder may be opened."""
    if schemas.locate(path) or _is_nearly_one(schemas, path):
        return no_record(schemas, path, entry)
    if not entry.is_tree:
        return no_folder(path, entry) if kept(schemas, path) else None
    damage = repo.damage(entry) if hidden(schemas, path) else None
    return damaged(path, damage) if damage else None


def no_record(schemas: Schemas, path: str, entry: Entry) -> Problem | None:
    """What is wrong, by its name and mode, with what looks like the file of a record."""
    if entry.is_tree:
        return Problem(path, "", "is a folder, not a file", "replace it by a plain file")
    if schemas.locate(path) is None:
        hint = "see: git log, and restore what was there"
        return Problem(path, "", "is no record: its name is odd", hint)
    return None


def no_folder(path: str, entry: Entry) -> Problem:
    """What is said of what is in the way of a folder of records."""
    what = f"is {KINDS.get(entry.mode, 'a file')}, not a folder"
    return Problem(path, "", what, "restore the folder")


def damaged(path: str, damage: GittaskError) -> Problem:
    """What is said of a folder that cannot be opened."""
    return Problem(path, "", damage.message, damage.hint)


def hidden(schemas: Schemas, path: str) -> tuple[str, ...]:
    """The kinds of record of which some may be missed where something is wrong at a path."""
    place = schemas.locate(path) or kept(schemas, path)
    if place is None and _is_nearly_one(schemas, path):
        place = kept(schemas, path.rpartition("/")[0])
    if place:
        return (place.kind,)
    top = path.partition("/")[0]
    if not holds_owners(path) and owner(schemas, path) is None:
        return ()
    folders = {kind: schemas.document(kind)["x-folder"] for kind in schemas.kinds}
    return tuple(kind for kind in folders if any(f.startswith(top + "/") for f in folders[kind]))


def holds_owners(path: str) -> bool:
    """Whether the folders of tasks or projects stand somewhere below a folder."""
    top, *below = path.split("/")
    shard = top == "tasks" and [len(name) for name in below] == [2]
    return path in ("tasks", "projects") or (shard and is_text(path))


def owner(schemas: Schemas, folder: str) -> Place | None:
    """The task or project whose folder this is."""
    return schemas.locate(f"{folder}/task.yaml") or schemas.locate(f"{folder}/project.yaml")


def kept(schemas: Schemas, folder: str) -> Place | None:
    """The place of a record that stands right in a folder, if such are kept there."""
    return schemas.locate(f"{folder}/-.yaml") if folder else None


def _is_nearly_one(schemas: Schemas, path: str) -> bool:
    """Whether a name in a folder of records is that of one, or nearly."""
    folder, _, name = path.rpartition("/")
    return name.lower().endswith(".yaml") and kept(schemas, folder) is not None
