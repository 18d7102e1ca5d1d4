"""Git's merge strategy for the whole data branch: ``git merge -s gittask``.

Git calls it once for a merge, so that it sees all files, deletions included, and what loses is a
conflict record in the merge itself. The tree that a sync would make becomes the index and the
work tree; git commits it.
"""

from __future__ import annotations

from collections.abc import Sequence

from gittask.core.schema import Schemas
from gittask.errors import Invalid, Refused, Usage
from gittask.setup.initialise import STORE
from gittask.store.repo import Repo
from gittask.store.snapshot import Snapshot, newer_format
from gittask.store.treemerge import MergedTree, merge_commits


def merge_into_worktree(
    repo: Repo, schemas: Schemas, bases: Sequence[str], ours: str, theirs: Sequence[str]
) -> MergedTree:
    """Merge the commit ``theirs`` (one only) into ``ours``, the commit of the work tree's index.

    ``bases`` are the ancestors that git chose: for a rebase the parent of the commit that is
    picked. Raises Usage or Refused before anything is changed for what it does not merge, and
    GittaskError if what is not committed in the work tree stands in the way.
    """
    if len(theirs) != 1:
        raise Usage(
            f"{len(theirs)} branches cannot be merged at once", hint="merge one after another"
        )
    repo_commits = [repo.resolve(rev) for rev in (ours, *theirs)]
    for commit in repo_commits:
        _refuse_what_is_no_store(repo, schemas, commit)
    one, two = repo_commits
    merged = merge_commits(repo, schemas, one, two, [repo.resolve(base) for base in bases])
    # As git itself does it: nothing is overwritten that is in no commit.
    repo.git("read-tree", "-m", "-u", repo.tree(one), merged.tree)
    return merged


def _refuse_what_is_no_store(repo: Repo, schemas: Schemas, commit: str) -> None:
    """Refuse a branch of code, and a store that only a newer program may write."""
    if repo.lookup(commit, STORE) is None:
        raise Refused(
            f"commit {commit[:12]} holds no task store: it has no {STORE}",
            hint="merge it with git's own strategy: git merge -s ort",
        )
    try:
        newer = newer_format(Snapshot(repo, schemas, commit))
    except Invalid:
        newer = None
    if newer:
        raise Refused(
            f"the store at {commit[:12]} has format {newer}: it takes a newer gittask to merge it",
            hint="upgrade gittask and merge again",
        )
