"""The code of a repository as it is found now, for finding again what a handoff named."""

from __future__ import annotations

from gittask.core.dataclass import dataclass


@dataclass(frozen=True)
class Seen:
    """A commit of code on some branch or tag. ``at`` is the author's date as records write it;
    ``patch_id`` is None for a merge, an empty commit, and one whose patch was not looked at."""

    sha: str
    at: str | None
    author: str
    subject: str
    message: str
    patch_id: str | None = None


@dataclass(frozen=True)
class Survey:
    """What a look at the repository gave.

    ``reached`` and ``kept`` are those of the commits that were asked for which stand on a branch
    or tag, and which this clone has at all. ``commits`` are all that were seen, the newest first;
    ``patches`` says how many of their patches were looked at, ``complete`` whether nothing was
    left out: history that is cut off, or more than is looked at.
    """

    reached: frozenset[str]
    kept: frozenset[str]
    commits: tuple[Seen, ...]
    since: str
    patches: int
    complete: bool
