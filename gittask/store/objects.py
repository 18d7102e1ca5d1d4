"""Objects of a repository: files, folders and commits, by hexadecimal id.

What is read may have been pushed by anybody. A name that is not UTF-8 is decoded with
``surrogateescape``; links and submodules are entries like others, told by their mode, and never
followed; folders below a depth of 32 are shown, not entered. No name in a tree ever becomes a
path of the file system.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gittask.core.emit import MAX_BYTES
from gittask.errors import GittaskError, NoIdentity, RemoteError
from gittask.store import trees
from gittask.store.commits import CommitInfo, Person, parse, storable, tree_of
from gittask.store.kept import Kept
from gittask.store.library import commit_text, faults, steadily, write_commit
from gittask.store.trees import BLOB, COMMIT, EMPTY, FOLDER, SUBMODULE, TREE, Builder, Entry, nest

if TYPE_CHECKING:
    from pygit2 import Repository

T = TypeVar("T")

Fetch = Callable[[Iterable[str]], None]
"""Brings the named objects from a remote, if this is a partial clone."""

Sign = Callable[[bytes, Person], str | None]
"""The signature of a commit's text by its committer, or None where none is wanted."""

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
        sign: Sign,
        kept: Kept,
    ) -> None:
        """``repository`` opens it, once it is needed; ``shallow`` is the file in which git lists
        the edge of a shallow clone."""
        self._open = repository
        self._kept = kept
        self._written: list[str] = []
        self._shallow = shallow
        self._fetch = fetch
        self._sign = sign
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
        self, a: str | None, b: str | None, prefix: str = "", *, tolerant: bool = False
    ) -> Iterator[tuple[str, Entry | None, Entry | None]]:
        """What differs between two folders: path, entry in ``a``, entry in ``b``.

        Only folders that differ are opened; None stands for an empty one. Every path begins
        with ``prefix``. If ``tolerant``, a folder that is lost or damaged is shown, like one that
        is too deep, and not entered; nothing may be written by what was found so.
        """
        if a == b:
            return
        try:
            old, new = (self.lines(id) if id else [] for id in (a, b))
        except Damaged as error:
            raise error.at(prefix) from None
        yield from self._differing(old, new, prefix, tolerant)

    def _differing(
        self, old: list[bytes], new: list[bytes], prefix: str, tolerant: bool
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
            below = [self._entered(each, path, tolerant) for each in (before, after)]
            if below != [None, None]:
                yield from self._differing(below[0] or [], below[1] or [], path + "/", tolerant)
            left, right = (
                each if inner is None else None
                for each, inner in zip((before, after), below, strict=True)
            )
            if left or right:
                yield path, left, right

    def _entered(self, entry: Entry | None, path: str, tolerant: bool) -> list[bytes] | None:
        """The lines of the folder at a path, if one is there and it is to be entered."""
        if entry is None or not entry.is_tree or path.count("/") >= MAX_DEPTH:
            return None
        try:
            return self.lines(entry.id)
        except RemoteError:
            raise
        except GittaskError as error:
            if tolerant:
                return None
            raise error.at(path + "/") if isinstance(error, Damaged) else error from None

    def write_tree(self, base: str | None, files: Mapping[str, bytes | None]) -> str:
        """A folder like ``base`` with these files, by path; None takes away what stands there.

        Only the folders on these paths are read. Raises GittaskError for a path that git does
        not allow, and where a folder would replace a file, or a file a folder.
        """
        with faults("the files cannot be written"):
            names, changes = self._repository.TreeBuilder(), nest(files)

            def check(name: str) -> None:
                # As what nobody looks for: only the name is looked at.
                names.insert(name, EMPTY, SUBMODULE)

            builder = Builder(self.lines, self._write, check)
            return steadily(lambda: builder.build(base, changes))

    def write_object(self, kind: int, content: bytes) -> str:
        """Store the bytes of an object as they are; ``kind`` is git's number of its type."""
        with faults("an object cannot be written"):
            return steadily(lambda: self._write(kind, content))

    def create_commit(
        self,
        tree: str,
        parents: Sequence[str],
        author: Person,
        committer: Person,
        message: str,
        *,
        signed: bool = True,
    ) -> str:
        """Store a commit and return its id; no reference is moved.

        It is signed if git is configured so. Raises NoIdentity for an empty name or address,
        GittaskError if it cannot be signed.
        """
        author, committer = author.clean(), committer.clean()
        if not all((author.name, author.email, committer.name, committer.email)):
            raise NoIdentity(
                "a commit needs a name and an email address",
                hint="git config user.name NAME && git config user.email ADDRESS",
            )
        message = storable(message)
        missing = [each for each in (tree, *parents) if not self._is_here(each)]
        if missing:
            raise GittaskError(f"the commit cannot be written: {missing[0]} is missing")
        with faults("the commit cannot be written"):
            text = commit_text(tree, parents, author, committer, message)
        proof = self._sign(text.encode(), committer) if signed else None
        with faults("the commit cannot be written"):
            return steadily(lambda: self._keep(write_commit(self._repository, text, proof)))

    def _is_here(self, id: str) -> bool:
        return self.exists(id) or self._kept.restore(id)

    def restore_written(self) -> None:
        """See that all that this process wrote is there, though git may have pruned it since."""
        for id in self._written:
            self._kept.restore(id)

    def restore_history(self, tip: str, since: int) -> None:
        """See that all that was written here lately and belongs to a commit's history is there.

        ``since`` is a time in seconds; what others committed before that is not looked through.
        """
        kept, todo = self._kept.ids(), [tip] if self._kept.ids() else []
        seen: set[str] = set()
        while todo:
            id = todo.pop()
            if id in seen:
                continue
            seen.add(id)
            if id in kept:
                self._kept.restore(id)
            if id in self._odb:
                todo += self._below(id, kept, since)

    def _below(self, id: str, kept: Collection[str], since: int) -> list[str]:
        """What an object leads to that may have been written here lately."""
        kind, data = self._odb.read(id)
        if int(kind) == COMMIT:
            commit = parse(id, data, self.edge())
            recent = id in kept or commit.committer.time >= since
            return [*commit.parents, *({commit.tree} & {*kept})] if recent else []
        if int(kind) != TREE:
            return []
        return [each.id for each in self.entries(id) if each.id in kept]

    def _write(self, kind: int, content: bytes) -> str:
        return self._keep(str(self._odb.write(kind, content)))

    def _keep(self, id: str) -> str:
        """Keep what was just written. Raises OSError, as the library does, if it is gone again."""
        if not self._kept.keep(id) and id not in self._odb:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), id)
        self._written.append(id)
        return id

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
