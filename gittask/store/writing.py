"""Writing objects: files, folders and commits; no reference is moved by it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gittask.errors import GittaskError, NoIdentity
from gittask.store.commits import Person, parse, storable
from gittask.store.git import failure
from gittask.store.kept import Kept, is_pack
from gittask.store.library import commit_text, faults, steadily, write_commit
from gittask.store.objects import Fetch, Objects
from gittask.store.pack import Pack
from gittask.store.process import Completed
from gittask.store.trees import COMMIT, EMPTY, SUBMODULE, TREE, Builder, nest

if TYPE_CHECKING:
    from gittask.store.library import Repository

Sign = Callable[[bytes, Person], str | None]
"""The signature of a commit's text by its committer, or None where none is wanted."""

MANY = 100
"""From so many files on they become one pack: of so many objects git keeps one that it fetched."""


class Writing(Objects):
    """The objects of one repository, and new ones; each is kept for a while (see ``kept``)."""

    def __init__(
        self,
        repository: Callable[[], Repository],
        shallow: Path,
        fetch: Fetch,
        kept: Kept,
        sign: Sign,
        git: Callable[..., Completed],
    ) -> None:
        """As ``Objects``; ``git`` runs git in the repository."""
        super().__init__(repository, shallow, fetch, kept)
        self._sign = sign
        self._git = git
        self._written: list[str] = []

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

            if len(files) < MANY:
                builder = Builder(self.lines, self._write, check)
                return steadily(lambda: builder.build(base, changes))
            pack = Pack()
            tree = Builder(self.lines, pack.put, check).build(base, changes)
            steadily(lambda: self._write_pack(pack))
            return tree

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

    def _write_pack(self, pack: Pack) -> None:
        done = self._git("index-pack", "--stdin", input=pack.content(), check=False)
        if done.code and os.strerror(errno.ENOENT) in done.stderr:  # git pruned what it wrote here
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "a pack")
        if done.code:
            raise failure(done, "index-pack", "--stdin")
        self._keep(f"pack-{done.stdout.split()[-1].decode()}")

    def _keep(self, name: str) -> str:
        """Keep what was just written. Raises OSError, as the library does, if it is gone again."""
        if not self._kept.keep(name) and (is_pack(name) or name not in self._odb):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        self._written.append(name)
        return name
