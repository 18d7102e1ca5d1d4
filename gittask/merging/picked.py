"""Edits that a commit brought from elsewhere, in place of others that whoever made them never saw.

A rebase, a cherry-pick, a squash or ``git am`` makes a commit of one parent out of work that was
done on something else. If it was not merged by the rules, a value of the parent may be gone, and
nothing says so. Such a commit is known by its stamps: whoever edits a record gives the edit a
counter above all that the record has, so a new stamp that is not above those of the parent was
made without seeing it. It was made on the last version whose counters are all below; with that as
the base, the parent's version and the commit's merge as they should have been.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from gittask.core.codec import encode
from gittask.core.filemerge import merge_record, read
from gittask.core.progress import Progress, counted
from gittask.core.record import Data
from gittask.core.schema import Schemas
from gittask.core.stamp import GREATEST, highest, stamps
from gittask.errors import Invalid
from gittask.kinds.actor import PROGRAM
from gittask.store import snapshot
from gittask.store.repo import Repo


def rightly_merged(
    repo: Repo, schemas: Schemas, base: str | None, tip: str, progress: Progress
) -> Iterator[tuple[str, bytes, str]]:
    """What a merge by the rules would have made of each file of such a commit since ``base`` (None:
    ever): the path and the content of a record or a conflict, and the id of the file."""
    return _Picked(repo, schemas).files(base, tip, progress)


_LOOKING = "looking for edits brought from elsewhere: {:,} edits so far"


class _Picked:
    def __init__(self, repo: Repo, schemas: Schemas) -> None:
        self._repo = repo
        self._schemas = schemas
        self._data = lru_cache(1024)(self._read)

    def files(
        self, base: str | None, tip: str, progress: Progress
    ) -> Iterator[tuple[str, bytes, str]]:
        edits = counted(self._repo.edited(base, tip), _LOOKING, progress)
        for commit, path, before, after in edits:
            place = self._schemas.locate(path)
            if place is None or not self._schemas.mutable(place.kind):
                continue
            there, data = self._data(path, before), self._brought(path, after)
            if there is None or data is None or not _unseeing(there, data):
                continue
            info = self._repo.commit_info(commit)
            if info.author.email == PROGRAM:
                continue
            origin = self._origin(info.parents[0], path, data)
            if origin is None:
                continue
            content, conflicts = merge_record(self._schemas, path, origin, there, data)
            yield path, content, after
            for each in conflicts:
                order = self._schemas.order("conflict")
                yield self._schemas.path_of(each), encode(each.data, order), after

    def _origin(self, parent: str, path: str, brought: Data) -> Data | None:
        """The version on which the edits were made that a commit brought; None if it brought none,
        or that version is not known."""
        earlier = [self._data(path, id) for id in self._repo.versions(parent, path)]
        known = {line for data in earlier if data for line in stamps(data).items()}
        new = [
            stamp.counter for unit, stamp in stamps(brought).items() if (unit, stamp) not in known
        ]
        below = (data for data in earlier if data and highest(stamps(data).values()) < min(new))
        return next(below, None) if new else None

    def _brought(self, path: str, id: str) -> Data | None:
        """What a commit brought; of a file with conflict markers its own side of them."""
        return self._data(path, id) or self._data(path, id, _own_side)

    def _read(
        self, path: str, id: str, side: Callable[[bytes], bytes] = lambda content: content
    ) -> Data | None:
        try:
            return read(self._schemas, path, side(snapshot.content(self._repo, path, id)))
        except Invalid:
            return None


def _own_side(content: bytes) -> bytes:
    """A file without the other side of its conflicts: what git calls theirs is what is brought."""
    lines, inside = [], b""
    for line in content.splitlines(keepends=True):
        if line.startswith((b"<<<<<<< ", b"||||||| ", b"=======\n", b">>>>>>> ")):
            inside = line[:1]
        elif inside in (b"", b"=", b">"):
            lines.append(line)
    return b"".join(lines)


def _unseeing(there: Data, brought: Data) -> bool:
    """Whether a version has a stamp, new against another, that was made without seeing that one.

    After the greatest counter there is none, so that it says nothing.
    """
    new = stamps(brought).items() - stamps(there).items()
    seen = highest(stamps(there).values())
    return any(stamp.counter <= seen < GREATEST for _, stamp in new)
