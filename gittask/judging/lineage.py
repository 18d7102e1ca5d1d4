"""Where the records of a commit come from: its parents, and what merging those gives.

Nothing is written, and only what a commit changed is opened, so that judging a range of commits
costs by what they changed, not by what the store holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce

from gittask.core.codec import decode
from gittask.core.filemerge import merge_record
from gittask.core.record import Data, canonical
from gittask.core.schema import Place, Schemas
from gittask.errors import Invalid
from gittask.kinds.commit import Commit, Edit
from gittask.store.repo import CommitInfo, Entry, Repo
from gittask.store.snapshot import Snapshot, read

_BASES = 4
"""How many merge bases are merged, and how far back: as many as when trees are merged."""

_FAR = 1000
"""How many commits are looked through for a version of a file that can be read."""

_TRAILER = re.compile(r"(Actor|Task|Execution|Epoch): (.*\S)\s*")

Entries = tuple[Entry | None, ...]
"""What stands at one path in each of several commits."""

Changes = dict[str, tuple[Entries, Entry | None]]
"""By path what stood there in each parent, and what stands there now."""


class Lineage:
    """The commits of one repository as the rules of authority see them."""

    def __init__(self, repo: Repo, schemas: Schemas) -> None:
        self._repo = repo
        self._schemas = schemas
        self._reader = lru_cache(64)(self._new_reader)
        self._content = lru_cache(4096)(self._read)
        self._bases = lru_cache(256)(repo.merge_bases)
        self._rules = lru_cache(schemas.rules)

    def changes(self, info: CommitInfo) -> Changes:
        """All files that a commit has otherwise than any of its parents."""
        return self._changed(info.parents or (None,), info.tree)

    def commit(self, info: CommitInfo, changes: Changes) -> Commit:
        """A commit with everything that its rules need, from its ``changes``."""
        return Commit(
            name=info.author.name,
            email=info.author.email,
            subject=info.subject,
            trailers=trailers(info.message),
            before=self._reader(info.parents[0] if info.parents else None),
            after=self._reader(info.id),
            edits=tuple(self._edits(info, changes)),
            known=lambda path: self._known(info, path),
            merges=len(info.parents) > 1,
        )

    def _new_reader(self, commit: str | None) -> Snapshot:
        return Snapshot(self._repo, self._schemas, commit)

    # -- what a commit changed ----------------------------------------------------------------

    def _edits(self, info: CommitInfo, changes: Changes) -> Iterator[Edit]:
        """The records that differ from any parent, save for what a merge only takes over."""
        quiet = self._one_sided(info) if len(info.parents) == 2 else {}
        for path, (before, after) in changes.items():
            place = self._schemas.locate(path)
            if place and not (path in quiet and quiet[path] == after):
                yield self._edit(info, path, place, before, after)

    def _changed(self, parents: Sequence[str | None], tree: str) -> Changes:
        """The files of a folder that differ from any of some commits; None is an empty one."""
        befores = [self._repo.tree(parent) if parent else None for parent in parents]
        diffs = [
            {path: (old, new) for path, old, new in self._repo.diff(before, tree, tolerant=True)}
            for before in befores
        ]
        found = {}
        for path in sorted({path for diff in diffs for path in diff}):
            after = next(diff[path][1] for diff in diffs if path in diff)
            entries = (diff[path][0] if path in diff else after for diff in diffs)
            found[path] = tuple(entries), after
        return found

    def _one_sided(self, info: CommitInfo) -> dict[str, Entry | None]:
        """What a merge of two parents only has to take over: changed on one side alone."""
        bases = self._bases(*info.parents)
        sides = [self._changed(bases, self._repo.tree(parent)) for parent in info.parents]
        return {
            path: side[path][1]
            for side, other in (sides, sides[::-1])
            for path in side.keys() - other.keys()
            if side[path][1] is not None
        }

    def _edit(
        self, info: CommitInfo, path: str, place: Place, before: Entries, after: Entry | None
    ) -> Edit:
        sources = list(self._sources(info, path, before))
        unlike = list({canonical(data): data for data in sources}.values())
        return Edit(
            kind=place.kind,
            id=place.id,
            path=path,
            rules=self._rules(place.kind),
            sources=tuple(unlike),
            merged=self._merged(info.parents, path, sources) if sources else None,
            after=self._content(path, after) if after else None,
            came=not any(before),
            removed=after is None,
            taken=after in before,
        )

    # -- versions -----------------------------------------------------------------------------

    def _sources(self, info: CommitInfo, path: str, before: Entries) -> Iterator[Data]:
        """The version of each parent that has one; of an unreadable one what that came from."""
        for parent, entry in zip(info.parents, before, strict=False):
            data = self._content(path, entry) if entry else None
            if data is not None:
                yield data
            elif entry:
                yield from self._earlier(parent, path)

    def _earlier(self, commit: str, path: str) -> Iterator[Data]:
        """The nearest versions before a commit that can be read, on each line of history."""
        todo, seen = [commit], {commit}
        while todo and len(seen) < _FAR:
            at = todo.pop()
            entry = self._repo.lookup(at, path)
            data = self._content(path, entry) if entry else None
            if data is not None:
                yield data
            elif entry:
                todo += [parent for parent in self._repo.parents(at) if parent not in seen]
                seen.update(todo)

    def _merged(self, parents: Sequence[str], path: str, sources: Sequence[Data]) -> Data:
        """What several versions come to, each merged with those before it."""
        base = None
        if len(sources) == len(parents) == 2:
            base = self._common(path, self._bases(*parents), _BASES)
        return reduce(lambda ours, theirs: self._merge(path, base, ours, theirs), sources)

    def _common(self, path: str, bases: Sequence[str], rounds: int) -> Data | None:
        """The version that several commits have in common, as merging whole trees finds it."""
        if not bases or not rounds:
            return None
        first, *others = bases[:_BASES]
        found = self._at(first, path)
        for other in others:
            theirs = self._at(other, path)
            if found is None or theirs is None:
                found = found or theirs
                continue
            base = self._common(path, self._bases(first, other), rounds - 1)
            found = self._merge(path, base, found, theirs)
        return found

    def _merge(self, path: str, base: Data | None, ours: Data, theirs: Data) -> Data:
        content, _ = merge_record(self._schemas, path, base, ours, theirs)
        return self._complete(path, decode(content))

    def _known(self, info: CommitInfo, path: str) -> Iterator[Data]:
        """The readable versions of a file before a commit, the newest first."""
        for parent in info.parents:
            for commit in self._repo.log(parent, path):
                data = self._at(commit.id, path)
                if data is not None:
                    yield data

    def _at(self, commit: str, path: str) -> Data | None:
        entry = self._repo.lookup(commit, path)
        return self._content(path, entry) if entry else None

    def _read(self, path: str, entry: Entry) -> Data | None:
        """The record in a file, with the defaults of its schema; None if it cannot be read."""
        place = self._schemas.locate(path)
        assert place is not None
        try:
            return self._complete(path, read(self._repo, self._schemas, path, entry, place).data)
        except Invalid:
            return None

    def _complete(self, path: str, data: Data) -> Data:
        place = self._schemas.locate(path)
        assert place is not None
        return self._schemas.complete(place.kind, data)


def trailers(message: str) -> dict[str, str]:
    """The trailers of ours in a commit's message: lines of its last paragraph."""
    lines = message.rstrip().rpartition("\n\n")[2].splitlines()
    found = (_TRAILER.fullmatch(line) for line in lines)
    return {match[1]: match[2] for match in found if match}
