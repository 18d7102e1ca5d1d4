"""The merges of the data branch in which two versions of a task's records came together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from gittask.history.authors import Authors
from gittask.kinds.actor import PROGRAM
from gittask.store import history
from gittask.store.past import asked
from gittask.store.repo import CommitInfo
from gittask.store.snapshot import Snapshot
from gittask.views.entries import Merge


def merges(snapshot: Snapshot, folder: str) -> Iterator[Merge]:
    """The merge commits in which a folder is unlike in any parent, the newest first.

    A clone without all of history has those that it knows of. Raises GittaskError where history
    cannot be read. It is asked once, and git once for what stood there, however many there are.
    """
    if snapshot.commit is None:
        return
    repo, authors = snapshot.repo, Authors(snapshot)
    found = [*map(repo.commit_info, asked.merges(repo, snapshot.commit, folder))]
    commits = [commit for info in found for commit in (info.id, *info.parents)]
    stood = iter(history.contents(repo.git, commits, folder) if commits else ())
    for info in found:
        now, *before = islice(stood, 1 + len(info.parents))
        if now is not None and now not in before:
            yield _merge(authors, info)


def _merge(authors: Authors, info: CommitInfo) -> Merge:
    # The program is the author of the merges that it makes for somebody.
    who = info.committer if info.author.email == PROGRAM else info.author
    return Merge(info.id, info.parents, who.at, authors.actor(who), info.subject)
