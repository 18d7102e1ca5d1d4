"""What should not stand on the data branch, told by names and modes alone: no file is opened.

Anybody may have pushed it: names that could do harm where the branch is checked out, links and
submodules among the records, folders that are lost or have no end.
"""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.paths import collisions, name_fault
from gittask.core.schema import Schemas
from gittask.errors import Problem
from gittask.store.objects import MAX_DEPTH
from gittask.store.repo import Entry, Repo

RECORDS = ("tasks", "actors", "projects", "conflicts")
"""The folders in which every file should be a record."""

KINDS = {0o120000: "a symbolic link", 0o160000: "a submodule", 0o040000: "a folder"}
"""What an entry that is no plain file is, by its mode."""

AWAY = "gittask doctor --fix takes it away; history keeps it"


def faults(
    repo: Repo, schemas: Schemas, before: str | None, after: str, prefix: str = ""
) -> Iterator[Problem]:
    """What is wrong with the folders of ``after``, save for what stands in ``before`` too.

    ``file`` of each is the path of the entry. A folder that is the same in both is not opened.
    """
    known = {(entry.name, entry.mode, entry.id) for entry in _opened(repo, before)}
    old = {entry.name: entry.id for entry in _opened(repo, before) if entry.is_tree}
    entries = repo.entries(after)
    new = [entry for entry in entries if entry not in known]
    for entry in new:
        path = prefix + entry.name
        found = _fault(repo, schemas, path, entry)
        if found is not None:
            yield found
        elif entry.is_tree:
            yield from faults(repo, schemas, old.get(entry.name), entry.id, path + "/")
    changed = {entry.name for entry in new}
    for alike in collisions(entry.name for entry in entries) if new else ():
        if changed & {*alike}:
            message = f"differs from {alike[0]!r} by case or form only, or stands twice"
            yield Problem(prefix + alike[-1], "", message, "keep one of them")


def can_be_taken_away(schemas: Schemas, path: str, entry: Entry) -> bool:
    """Whether what stands at a path has no use, so that taking it away loses nothing."""
    stray = schemas.locate(path) is None and _is_stray(path, entry)
    return stray or bool(name_fault(path.rpartition("/")[2]))


def _fault(repo: Repo, schemas: Schemas, path: str, entry: Entry) -> Problem | None:
    """What is wrong with one entry; what is below it is not looked at then."""
    fault = name_fault(entry.name)
    if fault:
        return Problem(path, "", fault, AWAY)
    if entry.is_tree:
        return _fault_of_folder(repo, schemas, path, entry)
    if schemas.locate(path) is None and _is_stray(path, entry):
        return Problem(path, "", f"is {KINDS[entry.mode]}, among the records", AWAY)
    return None


def _fault_of_folder(repo: Repo, schemas: Schemas, path: str, entry: Entry) -> Problem | None:
    if schemas.locate(path) is not None:
        return Problem(path, "", "is a folder, not a file", "replace it by a plain file")
    if path.count("/") >= MAX_DEPTH:
        hint = "it is kept as it is, and not looked into"
        return Problem(path, "", f"lies more than {MAX_DEPTH} folders deep", hint)
    damage = repo.damage(entry)
    return Problem(path, "", damage.message, damage.hint) if damage else None


def _is_stray(path: str, entry: Entry) -> bool:
    return path.partition("/")[0] in RECORDS and entry.mode in KINDS and not entry.is_tree


def _opened(repo: Repo, tree: str | None) -> list[Entry]:
    """What stands in a folder; nothing in one that cannot be opened."""
    if tree is None or repo.damage(Entry("", 0o040000, tree)):
        return []
    return repo.entries(tree)
