"""What other programs lost or mixed on the data branch, brought back by what its history holds.

A merge button, a driver that was not there, ``-X ours``, a rebase that took the wrong side, a
union, a guessed rename: whatever they left, both sides are still in the history. All versions of a
record have one order, in which its later stamps stand; so each record must be as late as any
version of it that came before. What is not is merged with those once more. From a merge by
another program also comes what merging its parents rightly would have kept aside; from a commit
that a rebase or its like brought from elsewhere, what merging it with its parent would have
(``picked``).

Nothing is repaired twice: of a record that is as late as its history there is nothing to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from gittask.core.codec import encode
from gittask.core.dataclass import dataclass
from gittask.core.filemerge import NOBODY, conflict, read
from gittask.core.merge import Conflict, merge
from gittask.core.progress import Progress, counted, untold
from gittask.core.record import Data, Record, same
from gittask.core.schema import Place, Schemas
from gittask.core.units import moved
from gittask.errors import Invalid
from gittask.kinds.actor import PROGRAM
from gittask.merging.picked import rightly_merged
from gittask.store import snapshot
from gittask.store.repo import Entry, Repo
from gittask.store.treemerge import merge_commits

_BLOB = 3  # git's number of the object type

MIXED = ("unresolved merge conflict", "the key stands twice")
"""What is said of a file into which a merge by lines mixed both sides."""


@dataclass
class Repaired:
    """The files to be written, by path, and the conflicts that are among them."""

    files: dict[str, bytes] = field(default_factory=dict)
    conflicts: list[Record] = field(default_factory=list)


def repair(
    repo: Repo,
    schemas: Schemas,
    base: str | None,
    tip: str,
    *,
    broken: bool = False,
    progress: Progress = untold,
) -> Repaired:
    """What is to be written on top of ``tip`` to undo what was lost since ``base`` (None: ever).

    Edits by hand must have been stamped before. With ``broken`` also a record that somebody made
    unreadable is as it was before; else only one into which a merge mixed both sides.
    """
    return _Repair(repo, schemas, tip, broken, progress).run(base)


class _Repair:
    def __init__(
        self, repo: Repo, schemas: Schemas, tip: str, broken: bool, progress: Progress
    ) -> None:
        self._repo = repo
        self._schemas = schemas
        self._tip = tip
        self._broken = broken
        self._progress = progress
        self._done = Repaired()
        self._by_merge: set[str] = set()
        self._picked: set[str] = set()
        """The files, by id, of which what was brought from elsewhere is merged rightly."""

    def run(self, base: str | None) -> Repaired:
        versions: dict[str, list[str]] = {}
        for path, content in self._repo.replaced(base, self._tip):
            versions.setdefault(path, []).append(content)
        for path, content in self._of_foreign_merges(base):
            self._by_merge.add(path)
            versions.setdefault(path, []).insert(0, content)
        place = self._repo, self._schemas, base, self._tip
        for path, text, of in rightly_merged(*place, self._progress):
            self._picked.add(of)
            versions.setdefault(path, []).insert(0, self._repo.write_object(_BLOB, text))
        self._files(versions)
        return self._done

    def _files(self, versions: dict[str, list[str]]) -> None:
        done = 0
        for path, contents in versions.items():
            self._progress("comparing with the history: {:,} versions so far", done)
            done += len(contents)
            place = self._schemas.locate(path)
            if place is not None:
                self._file(path, place, list(dict.fromkeys(contents)))

    def _of_foreign_merges(self, base: str | None) -> Iterator[tuple[str, str]]:
        """Each file that a merge by another program has otherwise than ours would have it."""
        commits = self._repo.walk(base, self._tip)
        for info in counted(commits, "looking for merges: {:,} commits so far", self._progress):
            if len(info.parents) != 2 or info.author.email == PROGRAM:
                continue
            merged = merge_commits(self._repo, self._schemas, *info.parents)
            for path, _, now in self._repo.diff(info.tree, merged.tree):
                if now is not None and now.is_file:
                    yield path, now.id

    # -- one file -----------------------------------------------------------------------------

    def _file(self, path: str, place: Place, contents: list[str]) -> None:
        """Repair one record, of which these are earlier contents, the latest first."""
        entry = self._repo.lookup(self._tip, path)
        known = [data for content in contents if (data := self._data(path, content)) is not None]
        now = self._data(path, entry.id) if entry and entry.is_file else None
        if not known or (entry and now is None and not self._may_replace(path, entry)):
            return
        if not self._schemas.mutable(place.kind):
            found = known[-1]
        else:
            found, *others = [now, *known] if now is not None else known
            for version in others:
                found = self._joined(path, place, found, version)
        if now is None or not same(found, now):
            self._keep(place, path, found, came=entry is None)

    def _joined(self, path: str, place: Place, data: Data, version: Data) -> Data:
        """A record with all in which another version of it is the later one."""
        rules = self._schemas.rules(place.kind)
        merged = merge(rules, None, data, version)
        if not moved(rules, data, merged.value):
            return data
        if not self._schemas.valid(place.kind, merged.value):
            return data
        for each in merged.conflicts:
            if each.kept_stamp == each.lost_stamp:  # an edit by hand, which nobody stamped
                self._aside(conflict(self._schemas, path, each))
        return merged.value

    def _may_replace(self, path: str, entry: Entry) -> bool:
        """Whether what stands at a path, and cannot be read, may give way; it is kept aside."""
        if not entry.is_file or path in self._by_merge:
            return True
        try:
            content = snapshot.content(self._repo, path, entry.id)
        except Invalid:  # too large to be kept aside, or lost; history has it, if anything has
            return self._broken
        try:
            read(self._schemas, path, content)
        except Invalid as error:
            mixed = any(words in p.message for p in error.problems for words in MIXED)
            if (entry.id not in self._picked) if mixed else self._broken:
                text = content.decode("utf-8", "backslashreplace")
                lost = Conflict("", None, "(as it was before)", text, NOBODY, NOBODY)
                self._aside(conflict(self._schemas, path, lost))
            return self._broken or mixed
        return False

    # -- reading and keeping ------------------------------------------------------------------

    def _data(self, path: str, content: str) -> Data | None:
        try:
            return read(self._schemas, path, snapshot.content(self._repo, path, content))
        except Invalid:
            return None

    def _keep(self, place: Place, path: str, data: Data, *, came: bool) -> None:
        self._done.files[path] = encode(data, self._schemas.order(place.kind))
        if came and place.kind == "conflict":
            self._done.conflicts.append(Record("conflict", place.id, data))

    def _aside(self, record: Record) -> None:
        """Keep a value that does not stand, unless it is kept already."""
        path = self._schemas.path_of(record)
        if self._repo.lookup(self._tip, path) is None and path not in self._done.files:
            self._done.files[path] = encode(record.data, self._schemas.order("conflict"))
            self._done.conflicts.append(record)
