"""The merges of the data branch in which two versions of a task's records came together."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice

from gittask.authors import Authors
from gittask.core.moment import written
from gittask.kinds.actor import PROGRAM
from gittask.store import history
from gittask.store.repo import Repo
from gittask.store.snapshot import Snapshot
from gittask.views.entries import Merge


def merges(snapshot: Snapshot, folder: str) -> Iterator[Merge]:
    """The merge commits in which a folder is unlike in any parent, the newest first.

    A clone without all of history has those that it knows of. Raises GittaskError where history
    cannot be read.
    """
    if snapshot.commit is None:
        return
    repo, authors = snapshot.repo, Authors(snapshot)
    found = history.merges(repo.git, snapshot.commit)
    asked = [commit for row in found for commit in row]
    stood = iter(history.standing(repo.git, asked, folder) if asked else ())
    for row in found:
        now, *before = islice(stood, len(row))
        if now is not None and now not in before:
            yield _merge(repo, authors, row)


def _merge(repo: Repo, authors: Authors, row: list[str]) -> Merge:
    info = repo.commit_info(row[0])
    # The program is the author of the merges that it makes for somebody.
    who = info.committer if info.author.email == PROGRAM else info.author
    at = written(datetime.fromtimestamp(who.time, UTC))
    return Merge(info.id, tuple(row[1:]), at, authors.actor(who), info.subject)
