"""A remote that was asked before all else was loaded: mostly there is nothing to exchange."""

from __future__ import annotations

from gittask.errors import GittaskError
from gittask.store.beats import SEEN, heard
from gittask.store.local import Local
from gittask.store.remote import Raced, Remote, Seen
from gittask.store.repo import Repo

TIMEOUT = 600.0
"""Seconds for one call to the remote."""


def last_synced(remote: Remote, repo: Repo) -> str:
    """The reference that says where this program last saw both sides at the same tip.

    ``git fetch`` by hand moves the remote-tracking branch, and would hide that the remote was
    rewritten.
    """
    return f"refs/gittask/synced/{remote.name}/{repo.branch}"


def former(remote: Remote, repo: Repo) -> list[str]:
    """The tips at which the remote's branch was seen before, without any twice."""
    seen = (repo.refs.read(name) for name in (last_synced(remote, repo), remote.tracking))
    return [tip for tip in dict.fromkeys(seen) if tip]


class Asked:
    """What a remote answered, once; signs of life came with it if they could."""

    def __init__(self, repo: Repo, remote: str, timeout: float) -> None:
        self._repo = repo
        self._remote = Remote(repo, remote, timeout)
        self.remote, self.branch = remote, repo.branch
        self.tracking = repo.tracking()
        """Where the remote's branch was last seen."""
        self.former = former(self._remote, repo)
        """Where it was seen before, at any time."""
        self._seen: Seen | None = None
        self._failed: Exception | None = None
        try:
            self._seen = self._remote.fetch(also=[heard(remote)])
        except (GittaskError, Raced) as error:
            self._failed = error

    def answer(self) -> Seen:
        """The answer. Raises as ``Remote.fetch``."""
        if self._seen is None:
            raise self._failed or Raced
        return self._seen

    @property
    def heard(self) -> bool:
        """Whether the signs of life came."""
        return self._seen is not None and self._seen.also

    @property
    def idle(self) -> str | None:
        """The tip of both sides, if all is as the last sync left it: nothing waits here to be
        committed, no rebase is to be looked at, and nobody gives signs of life."""
        repo = self._repo
        tip = repo.tip()
        if not self.heard or self.answer().tip != tip or self.former != [tip]:
            return None
        quiet = repo.refs.read(last_synced(self._remote, repo)) == tip
        quiet = quiet and repo.refs.before(repo.ref, "(finish)") is None
        quiet = quiet and not repo.refs.below(f"{SEEN}{self.remote}/")
        return tip if quiet and not Local(repo.common_dir).pending() else None
