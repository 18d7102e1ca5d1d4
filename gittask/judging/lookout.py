"""Which records cannot be read, of every kind, without reading them all each time.

What was found is kept on this machine with the folder (the tree) in which it was found, and the
schemas by which it was read. Only what changed since is read; much of it, as in a fresh clone of a
great store, only when the doctor asks.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from gittask.errors import Invalid, Problem, RemoteError
from gittask.session import Session
from gittask.store.local import Local
from gittask.store.repo import Entry, Repo
from gittask.store.snapshot import read
from gittask.store.trees import FOLDER

MOST = 2000
"""How many changed files are read unasked: half a second's work."""

Change = tuple[str, Entry | None, Entry | None]
"""A path, and what stood and stands there."""


class Looked(NamedTuple):
    """The problems that are known, in order, and whether all of the store was looked through."""

    problems: list[Problem]
    whole: bool


def look(session: Session, commit: str, most: int | None = MOST) -> Looked:
    """What cannot be read at a commit. If more than ``most`` files changed, they are left unread.

    Nothing that goes wrong with what is kept, or with a remote, is an error: it is asked again.
    """
    repo, local = session.repo, Local(session.repo.common_dir)
    by, tree = session.schemas.digest, repo.tree(commit)
    kept, bad = local.looked(by)
    if kept == tree:
        return Looked(_sorted(bad), whole=True)
    try:
        if kept is None or repo.damage(Entry("", FOLDER, kept)):  # git may have cleaned it up
            kept, bad = None, {}
        changed = _changed(repo, kept, tree, most)
        if any(before and before.is_tree for _, before, _ in changed):  # or what was below it
            changed, bad = _changed(repo, None, tree, most), {}
        if most is not None and len(changed) > most:
            return Looked(_sorted(bad), whole=False)
        touched = {path for path, _, _ in changed}
        bad = {path: found for path, found in bad.items() if path not in touched}
        bad |= _bad(session, {path: entry for path, _, entry in changed if entry})
    except RemoteError:
        return Looked(_sorted(bad), whole=False)
    with suppress(OSError):  # a clone in which nothing may be written
        local.keep_looked(by, tree, bad)
    return Looked(_sorted(bad), whole=True)


def _changed(repo: Repo, old: str | None, new: str, most: int | None) -> list[Change]:
    """What differs between two folders, as ``Repo.diff`` tells it: one more than ``most``."""
    return list(islice(repo.diff(old, new, tolerant=True), None if most is None else most + 1))


def _bad(session: Session, files: dict[str, Entry]) -> dict[str, list[Problem]]:
    """What is wrong with the records among these files, by path."""
    repo, schemas = session.repo, session.schemas
    places = {path: place for path in files if (place := schemas.locate(path))}
    repo.fetch_missing(files[path].id for path in places if files[path].is_file)
    found = {}
    for path, place in places.items():
        try:
            read(repo, schemas, path, files[path], place)
        except Invalid as error:
            found[path] = list(error.problems)
    return found


def _sorted(bad: dict[str, list[Problem]]) -> list[Problem]:
    return [problem for path in sorted(bad) for problem in bad[path]]
