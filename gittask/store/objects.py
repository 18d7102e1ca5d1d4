"""Objects of a repository: files, folders and commits, by hexadecimal id.

What is read may have been pushed by anybody. A name that is not UTF-8 is decoded with
``surrogateescape``; links and submodules are entries like others, told by their mode, and never
followed; folders below a depth of 32 are shown, not entered. No name in a tree ever becomes a
path of the file system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gittask.core.emit import MAX_BYTES
from gittask.errors import GittaskError, RemoteError
from gittask.store import trees
from gittask.store.commits import CommitInfo, parse, tree_of
from gittask.store.kept import Kept
from gittask.store.library import faults
from gittask.store.trees import BLOB, COMMIT, FOLDER, TREE, Entry

if TYPE_CHECKING:
    from pygit2 import Repository

T = TypeVar("T")

Fetch = Callable[[Iterable[str]], None]
"""Brings the named objects from a remote, if this is a partial clone."""

MAX_DEPTH = 32

_FOLDERS = 8
"""How many folders are kept for the next that is looked up in them: a path, and some beside it."""

_AGAIN = "get it again: git fetch --refetch REMOTE, or the path of a clone that has it"


class TooLarge(GittaskError):
    """A file that is not read because of its size."""


class Damaged(GittaskError):
    """An object that is lost, or whose bytes are not what its id says."""

    def at(self, path: str) -> Damaged:
        """The same, told of what stands at a path."""
        return Damaged(f"{path}: {self.message}", hint=self.hint)


class Objects:
    """The objects of one repository; a missing or damaged one raises GittaskError."""

    def __init__(
        self,
        repository: Callable[[], Repository],
        shallow: Path,
        fetch: Fetch,
        kept: Kept,
    ) -> None:
        """``repository`` opens it, once it is needed; ``shallow`` is the file in which git lists
        the edge of a shallow clone."""
        self._open = repository
        self._kept = kept
        self._shallow = shallow
        self._fetch = fetch
        self._by_name = lru_cache(_FOLDERS)(self._named)

    @cached_property
    def _repository(self) -> Repository:
        return self._open()

    @cached_property
    def _odb(self) -> Any:
        return self._repository.odb

    def exists(self, id: str) -> bool:
        """Whether an object is here; nothing is fetched."""
        return id in self._odb

    def blob(self, id: str) -> bytes:
        """The content of a file.

        Raises TooLarge, before anything of it is read, for more than any file of ours may have.
        """
        size = self.size(id)
        if size > MAX_BYTES:
            raise TooLarge(
                f"{size:,} bytes are more than a file may have ({MAX_BYTES:,})",
                hint="move long text to a file beside the code and link to it",
            )
        kind, data = self._read(id, self._odb.read)
        if int(kind) != BLOB:
            raise self._is_no(id, "blob")
        return bytes(data)

    def size(self, id: str) -> int:
        """The size of an object in bytes, without reading it."""
        return int(self._read(id, self._odb.read_header)[1])

    def entries(self, tree: str) -> list[Entry]:
        """What stands in a folder, in git's order."""
        return [*map(trees.entry, self.lines(tree))]

    def lines(self, tree: str) -> list[bytes]:
        """What stands in a folder, as git writes it (see ``trees.lines``)."""
        kind, data = self._read(tree, self._odb.read)
        if int(kind) != TREE:
            raise self._is_no(tree, "tree")
        try:
            return trees.lines(data)
        except ValueError as error:
            raise self._damaged(tree)(f"object {tree} cannot be read: {error}") from None

    def commit_info(self, commit: str) -> CommitInfo:
        """A commit as data."""
        return parse(commit, self._commit(commit), self.edge())

    def _commit(self, commit: str) -> bytes:
        kind, data = self._read(commit, self._odb.read)
        if int(kind) != COMMIT:
            raise GittaskError(f"object {commit} is not a commit")
        return bytes(data)

    def tree(self, commit: str) -> str:
        """The id of a commit's top folder."""
        return tree_of(self._commit(commit))

    def parents(self, commit: str) -> tuple[str, ...]:
        """The parents of a commit; none at the edge of a shallow clone."""
        return self.commit_info(commit).parents

    def lookup(self, commit: str, path: str) -> Entry | None:
        """What stands at a path of a commit, or None."""
        entry: Entry | None = Entry("", FOLDER, self.tree(commit))
        for name in path.split("/"):
            if entry is None or not entry.is_tree:
                return None
            entry = self._by_name(entry.id).get(name)
        return entry

    def _named(self, tree: str) -> dict[str, Entry]:
        """What stands in a folder, by name; of a damaged one that has a name twice, the first."""
        return {each.name: each for each in reversed(self.entries(tree))}

    def files(self, tree: str) -> Iterator[tuple[str, Entry]]:
        """All that is not a folder, with its path, folder by folder in order of name.

        A folder that is too deep or cannot be opened is shown itself.
        """
        for path, _, entry in self.diff(None, tree, tolerant=True):
            if entry is not None:
                yield path, entry

    def fault(self, id: str) -> Damaged | None:
        """Why an object cannot be read, whatever it is; None if it can."""
        try:
            self._read(id, self._odb.read)
        except Damaged as error:
            return error
        return None

    def damage(self, folder: Entry) -> GittaskError | None:
        """Why a folder cannot be opened: it is lost, damaged, or no folder at all. None if it can.

        Raises RemoteError if a partial clone cannot get it.
        """
        try:
            self.lines(folder.id)
        except RemoteError:
            raise
        except GittaskError as error:
            return error
        return None

    def diff(
        self,
        a: str | None,
        b: str | None,
        prefix: str = "",
        *,
        tolerant: bool = False,
        depth: int = MAX_DEPTH,
    ) -> Iterator[tuple[str, Entry | None, Entry | None]]:
        """What differs between two folders: path, entry in ``a``, entry in ``b``.

        Only folders that differ are opened; None stands for an empty one. Every path begins
        with ``prefix``; a folder that so many others are above is shown, not entered. If
        ``tolerant``, a folder that is lost or damaged is shown, like one that
        is too deep, and not entered; nothing may be written by what was found so.
        """
        if a == b:
            return
        try:
            old, new = (self.lines(id) if id else [] for id in (a, b))
        except Damaged as error:
            raise error.at(prefix) from None
        yield from self._differing(old, new, prefix, tolerant, depth)

    def _differing(
        self, old: list[bytes], new: list[bytes], prefix: str, tolerant: bool, depth: int
    ) -> Iterator[tuple[str, Entry | None, Entry | None]]:
        """What differs between two folders, given by their lines."""
        same = {*old}.intersection(new)
        befores, afters = (
            {each.name: each for each in map(trees.entry, (x for x in side if x not in same))}
            for side in (old, new)
        )
        for name in sorted(befores.keys() | afters.keys()):
            before, after = befores.get(name), afters.get(name)
            if before == after:
                continue
            path = prefix + name
            below = [self._entered(each, path, tolerant, depth) for each in (before, after)]
            if below != [None, None]:
                sides = below[0] or [], below[1] or []
                yield from self._differing(*sides, path + "/", tolerant, depth)
            left, right = (
                each if inner is None else None
                for each, inner in zip((before, after), below, strict=True)
            )
            if left or right:
                yield path, left, right

    def _entered(
        self, entry: Entry | None, path: str, tolerant: bool, depth: int
    ) -> list[bytes] | None:
        """The lines of the folder at a path, if one is there and it is to be entered."""
        if entry is None or not entry.is_tree or path.count("/") >= depth:
            return None
        try:
            return self.lines(entry.id)
        except RemoteError:
            raise
        except GittaskError as error:
            if tolerant:
                return None
            raise error.at(path + "/") if isinstance(error, Damaged) else error from None

    def _is_no(self, id: str, kind: str) -> GittaskError:
        hint = "see what is damaged with: git fsck"
        return GittaskError(f"object {id} is not a {kind}", hint=hint)

    def _read(self, id: str, read: Callable[[str], T]) -> T:
        """Read an object; where a partial clone lacks it, fetch it first."""
        with faults(f"object {id} cannot be read", self._damaged(id)):
            try:
                return read(id)
            except KeyError:
                if not self._kept.restore(id):
                    self._fetch([id])
            try:
                return read(id)
            except KeyError:
                message = f"object {id} is missing from this repository"
                raise Damaged(message, hint=f"{_AGAIN}; see: git fsck") from None

    def _damaged(self, id: str) -> Callable[[str], Damaged]:
        """The error for an object that is here and cannot be read, told what is wrong with it."""

        def error(message: str) -> Damaged:
            file = self._shallow.parent / "objects" / id[:2] / id[2:]
            first = f"take the damaged file away: {file}; then " if file.is_file() else ""
            return Damaged(message, hint=f"{first}{_AGAIN}; see: git fsck")

        return error

    def edge(self) -> frozenset[str]:
        """The commits at which a shallow clone is cut off: their parents are not here."""
        try:
            return frozenset(self._shallow.read_text().split())
        except FileNotFoundError:
            return frozenset()
