"""The code of a repository as it is found now, for finding again what a handoff named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from gittask.core.dataclass import dataclass

_REVERTS = re.compile(
    r"This reverts commit ([0-9a-f]{40})(?:, reversing changes made to ([0-9a-f]{40}))?"
)
"""As git says it."""


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

    @property
    def reverts(self) -> list[tuple[str, str]]:
        """The commits that the message says are taken back, each, if it is a merge, with the
        parent to which that goes back, and else with an empty text."""
        return _REVERTS.findall(" ".join(self.message.split()))


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


@dataclass(frozen=True)
class Range:
    """The commits of code that a head has and its base has not, the newest first.

    ``base`` is where both meet, None if that is cut off from a shallow clone; ``branches`` are
    names of the head's branch. ``parents`` are those of each commit. ``earlier`` are commits from
    before that are taken back; ``brought`` are the commits that came with each merge which is taken
    back. ``cut`` says that commits may be missing here, or be the base's own,
    as history is cut off; ``whole`` that no commit and no patch was left out for being too many.
    """

    base: str | None
    head: str
    branches: tuple[str, ...]
    commits: tuple[Seen, ...]
    parents: Mapping[str, tuple[str, ...]]
    earlier: tuple[Seen, ...] = ()
    brought: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cut: bool = False
    whole: bool = True


@dataclass(frozen=True)
class Placed:
    """Of some commits: which this clone has, which the head has among its ancestors or is, and
    which have the same files as the head. ``sure`` says that no ancestor of the head is cut off."""

    kept: frozenset[str] = frozenset()
    reached: frozenset[str] = frozenset()
    same: frozenset[str] = frozenset()
    sure: bool = True
