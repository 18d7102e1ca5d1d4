"""The versions of one record on the data branch: what history holds of its file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from gittask.core.filemerge import read
from gittask.core.record import Data
from gittask.errors import GittaskError, RemoteError
from gittask.history.authors import Authors
from gittask.judging.lineage import trailers
from gittask.store.past import asked
from gittask.store.repo import CommitInfo
from gittask.store.snapshot import Snapshot
from gittask.views.versions import Maker


class Versions:
    """The ``History`` of one file; what is asked for is read, each content once.

    Which versions there are is asked once, however many they are (``store.past``). Raises
    GittaskError where history cannot be read, or in a partial clone not be fetched.
    """

    def __init__(self, snapshot: Snapshot, path: str) -> None:
        assert snapshot.commit is not None  # HEAD would be the history of the code
        self._repo = snapshot.repo
        self._schemas = snapshot.schemas
        self._path = path
        self._authors = Authors(snapshot)
        self._parents, self._contents = asked.versions(self._repo, snapshot.commit, path)
        self.commits = list(self._parents)
        self._repo.fetch_missing(filter(None, self._contents.values()))
        self._record = cache(self._read)
        self.info = cache(self._repo.commit_info)

    def data(self, commit: str) -> Data | None:
        """The record as a commit has it, or None where that cannot be read."""
        content = self._contents[commit]
        return self._record(content) if content else None

    def parents(self, commit: str) -> Sequence[str]:
        """The versions of which this one comes."""
        return self._parents[commit]

    def maker(self, commit: str) -> Maker:
        """Who made the commit: the actor that it names, else its author."""
        info: CommitInfo = self.info(commit)
        said = trailers(info.message)
        actor = said.get("Actor") or self._authors.actor(info.author)
        return Maker(actor, info.author.at, said.get("Execution"))

    def _read(self, content: str) -> Data | None:
        place = self._schemas.locate(self._path)
        assert place is not None
        try:
            data = read(self._schemas, self._path, self._repo.blob(content))
        except RemoteError:
            raise
        except GittaskError:  # as one that was lost, or cannot be read
            return None
        return self._schemas.complete(place.kind, data)
