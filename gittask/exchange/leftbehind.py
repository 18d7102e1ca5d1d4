"""What a rebase of the branch here left behind: edits that are in no commit of it any more.

Git with ``-X ours``, ``--skip``, or a merge driver that could not be found drops them without a
word. Dropping a commit that nobody else has is also how something is taken out on purpose; so it
is only said, not undone. Git's log of the branch still knows where it stood.
"""

from __future__ import annotations

from gittask.core.codec import decode
from gittask.core.filemerge import merge_record
from gittask.core.schema import Schemas
from gittask.core.units import moved
from gittask.errors import Invalid
from gittask.store.repo import Entry, Repo
from gittask.store.snapshot import read


def left_behind(
    repo: Repo, schemas: Schemas, synced: str | None, tip: str
) -> tuple[str, list[str]] | None:
    """Where the branch stood before the last rebase since it was ``synced``, and the records of
    which something there is not in ``tip``; None if there is nothing of the kind."""
    old = repo.refs.before(repo.ref, "(finish)")
    if synced is None or old is None or not repo.exists(old):
        return None
    if repo.merge_bases(synced, old) != [synced] or repo.merge_bases(tip, old) == [old]:
        return None
    changed = repo.diff(repo.tree(synced), repo.tree(old), tolerant=True)
    paths = [path for path, *was in changed if _lacks(repo, schemas, tip, path, *was)]
    return (old, paths) if paths else None


def _lacks(
    repo: Repo, schemas: Schemas, tip: str, path: str, base: Entry | None, was: Entry | None
) -> bool:
    """Whether the tip has not all that a record was made into: as its value, or as a conflict."""
    place = schemas.locate(path)
    if place is None or was is None:
        return False
    now = repo.lookup(tip, path)
    if now is None or now == was or not schemas.mutable(place.kind):
        return now is None
    try:
        here, there = (read(repo, schemas, path, each, place).data for each in (now, was))
        start = read(repo, schemas, path, base, place).data if base else None
    except Invalid:
        return False
    content, lost = merge_record(schemas, path, start, here, there)
    return bool(moved(schemas.rules(place.kind), here, decode(content))) or any(
        repo.lookup(tip, schemas.path_of(each)) is None for each in lost
    )
