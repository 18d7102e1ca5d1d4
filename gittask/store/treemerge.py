"""Two versions of the whole data branch become one: a three-way walk over its folders.

Folders are entered only where they differ, and only what both sides changed is merged:

- A record: by the rules of its kind. A version that cannot be read gives way to one that can.
- Another text: line by line, if no two edits touch. Else the greater content stands, which is
  the same on every machine, and the other becomes a conflict; save for the copies in
  ``schemas/``, which only the program writes.
- A file against a folder: the folder, and the file becomes a conflict.

What one side changed is taken as it is, links, submodules and unreadable files included; but a
record that one side deleted stays, since records are closed, never deleted. What one side
deleted and the other changed stays as well. No renames are guessed. Swapping the sides changes
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gittask.core.codec import encode
from gittask.core.dataclass import dataclass
from gittask.core.filemerge import NOBODY, conflict, merge_record, read
from gittask.core.merge import Conflict
from gittask.core.record import Data, Record
from gittask.core.schema import Schemas
from gittask.core.stamp import creation
from gittask.core.textmerge import merge_text
from gittask.errors import GittaskError, Invalid, RemoteError
from gittask.store.objects import MAX_DEPTH, Damaged
from gittask.store.repo import Entry, Repo
from gittask.store.trees import FILE, FOLDER

SMALL = 64 * 1024
"""Bytes of a lost text that are kept as a value; of more, the object's id."""

_MOST = 4
"""How many merge bases are merged, and how far back the bases of those are traced."""

_BLOB, _TREE = 3, 2  # git's numbers of the object types


@dataclass(frozen=True)
class MergedTree:
    """The one folder, the conflicts that it gained, and the paths that both sides had changed."""

    tree: str
    conflicts: tuple[Record, ...]
    merged: tuple[str, ...]


def merge_commits(
    repo: Repo, schemas: Schemas, ours: str, theirs: str, bases: Sequence[str] | None = None
) -> MergedTree:
    """Merge two commits from ``bases``, by default from all that they share; several are merged
    first."""
    shared = repo.merge_bases(ours, theirs) if bases is None else bases
    base = _common(repo, schemas, shared, _MOST)
    return merge_trees(repo, schemas, base, repo.tree(ours), repo.tree(theirs))


def _common(repo: Repo, schemas: Schemas, bases: Sequence[str], rounds: int) -> str | None:
    """The folder that several commits have in common; None stands for an empty one."""
    if not bases or not rounds:
        return None
    first, *others = bases[:_MOST]
    tree = repo.tree(first)
    for other in others:
        base = _common(repo, schemas, repo.merge_bases(first, other), rounds - 1)
        tree = merge_trees(repo, schemas, base, tree, repo.tree(other)).tree
    return tree


def merge_trees(
    repo: Repo, schemas: Schemas, base: str | None, ours: str, theirs: str
) -> MergedTree:
    """Merge two top folders, by id; ``base`` None stands for an empty one.

    A conflict whose file is there already, open or resolved, is not written again.
    """
    repo.fetch_missing(_needed(repo, base, ours, theirs))
    walk = _Walk(repo, schemas)
    tree = walk.folder(base, ours, theirs, "") or repo.write_tree(None, {})
    order = schemas.order("conflict")
    found = {schemas.path_of(record): record for record in walk.conflicts}
    new = {path: record for path, record in found.items() if not _stands(repo, tree, path)}
    merged = tuple(walk.merged)
    if not new:
        return MergedTree(tree, (), merged)
    # Merged in as well, for anything may stand where their folder should be.
    files = {path: encode(record.data, order) for path, record in new.items()}
    added = merge_trees(repo, schemas, None, tree, repo.write_tree(None, files))
    return MergedTree(added.tree, (*new.values(), *added.conflicts), merged)


def _needed(repo: Repo, base: str | None, ours: str, theirs: str) -> Iterator[str]:
    """The files that a merge may open: a partial clone fetches them at once."""
    for side in (ours, theirs):
        for _, before, after in repo.diff(base, side):
            for entry in (before, after):
                if entry and entry.mode not in (FOLDER, 0o160000):
                    yield entry.id


def _stands(repo: Repo, tree: str, path: str) -> bool:
    """Whether there is anything at a path of a folder."""
    name, _, rest = path.partition("/")
    found = next((entry for entry in repo.entries(tree) if entry.name == name), None)
    if found is None or not rest:
        return found is not None
    return found.is_tree and _stands(repo, found.id, rest)


class _Walk:
    """One merge of folders. Of three entries in a row the first is the base's."""

    def __init__(self, repo: Repo, schemas: Schemas) -> None:
        self._repo = repo
        self._schemas = schemas
        self.conflicts: list[Record] = []
        self.merged: list[str] = []

    def folder(
        self, base: str | None, ours: str | None, theirs: str | None, prefix: str
    ) -> str | None:
        """The id of the merged folder; None for nothing, on all sides."""
        if ours == theirs:
            return ours
        if base is None and (ours is None or theirs is None):
            return ours or theirs
        sides = [{e.name: e for e in self._entries(prefix, id)} for id in (base, ours, theirs)]
        names = sorted(sides[1].keys() | sides[2].keys() | sides[0].keys())
        merged = (self._entry(prefix + name, *(side.get(name) for side in sides)) for name in names)
        entries = [
            entry._replace(name=name) for name, entry in zip(names, merged, strict=True) if entry
        ]
        return self._write_folder(entries) if entries else None

    def _entry(
        self, path: str, base: Entry | None, ours: Entry | None, theirs: Entry | None
    ) -> Entry | None:
        """What stands at a path after the merge."""
        if ours == theirs:
            return ours
        folders = [entry.id if entry and entry.is_tree else None for entry in (base, ours, theirs)]
        is_record = self._schemas.locate(path) is not None
        if any(folders[1:]) and path.count("/") < MAX_DEPTH and not is_record:
            return self._tree(path, folders, base, ours, theirs)
        if ours == base or theirs == base:
            changed = theirs if ours == base else ours
            kept = changed is None and base and is_record and self._record(path, base)
            return base if kept else changed
        if ours is None or theirs is None:
            return ours or theirs
        sides = self._ordered(path, ours, theirs)
        if is_record:
            return self._merge_records(path, base, *sides)
        return self._merge_others(path, base, *sides)

    def _tree(self, path: str, folders: list[str | None], *entries: Entry | None) -> Entry | None:
        """The merged folder at a path where at least one side has one."""
        base, ours, theirs = entries
        tree = self.folder(folders[0], folders[1], folders[2], f"{path}/")
        file = next((e for e in (ours, theirs) if e and not e.is_tree), None)
        if tree is None:
            return file
        if file and file != base:
            self._lose(path, "(a folder)", file)
        return Entry("", FOLDER, tree)

    def _merge_records(self, path: str, base: Entry | None, greater: Entry, other: Entry) -> Entry:
        """The merged record at a path, or the better of two versions that cannot be merged."""
        one, two = self._record(path, greater), self._record(path, other)
        if one is None or two is None:
            kept, lost = (other, greater) if one is None and two is not None else (greater, other)
            self._lose(path, self._record(path, kept) or self._shown(path, kept), lost)
            return kept
        content, conflicts = merge_record(
            self._schemas, path, self._record(path, base) if base else None, one, two
        )
        self.merged.append(path)
        self.conflicts += conflicts
        return Entry("", FILE, self._repo.write_object(_BLOB, content))

    def _merge_others(self, path: str, base: Entry | None, greater: Entry, other: Entry) -> Entry:
        """Both sides' edits of a file that is no record, if it is text, or the greater one."""
        if path.startswith("schemas/") or greater.id == other.id:
            return greater
        texts = [self._text(path, entry) if entry else None for entry in (base, greater, other)]
        was, one, two = texts
        if was is not None and one is not None and two is not None:
            lines = merge_text(was, one, two)
            if lines is not None:
                self.merged.append(path)
                return Entry("", greater.mode, self._repo.write_object(_BLOB, lines.encode()))
        self._lose(path, self._shown(path, greater), other)
        return greater

    def _lose(self, path: str, kept: Data | str, lost: Entry) -> None:
        """Record that what one side had at a path does not stand."""
        stamp = creation(kept) if isinstance(kept, dict) else NOBODY
        value = self._record(path, lost) or self._shown(path, lost)
        found = Conflict("", None, kept, value, stamp, NOBODY)
        self.conflicts.append(conflict(self._schemas, path, found))

    # -- reading and writing ------------------------------------------------------------------

    def _entries(self, prefix: str, folder: str | None) -> Sequence[Entry]:
        try:
            return self._repo.entries(folder) if folder else ()
        except Damaged as error:
            raise error.at(prefix) from None

    def _ordered(self, path: str, ours: Entry, theirs: Entry) -> tuple[Entry, Entry]:
        """The two sides, the one that stands if nothing else decides first."""

        def weight(entry: Entry) -> tuple[bool, bytes, int, str]:
            return entry.is_file, self._content(path, entry) or b"", entry.mode, entry.id

        one, two = sorted((ours, theirs), key=weight, reverse=True)
        return one, two

    def _content(self, path: str, entry: Entry) -> bytes | None:
        """What is in a file or link of bearable size. Raises Damaged, which names the path."""
        if entry.mode in (FOLDER, 0o160000):
            return None
        try:
            return self._repo.blob(entry.id)
        except Damaged as error:
            raise error.at(path) from None
        except RemoteError:
            raise
        except GittaskError:  # too large, or no file at all, whatever its mode says
            return None

    def _record(self, path: str, entry: Entry) -> Data | None:
        content = self._content(path, entry) if entry.is_file else None
        if content is None or self._schemas.locate(path) is None:
            return None
        try:
            return read(self._schemas, path, content)
        except Invalid:
            return None

    def _text(self, path: str, entry: Entry) -> str | None:
        """The text in a small plain file; None where it is none."""
        content = self._content(path, entry) if entry.is_file else None
        try:
            return content.decode() if content is not None and len(content) <= SMALL else None
        except UnicodeDecodeError:
            return None

    def _shown(self, path: str, entry: Entry) -> str:
        """What stood at a path, as a conflict keeps it: its text, or where git has it."""
        text = self._text(path, entry)
        return f"(git object {entry.id}, mode {entry.mode:06o})" if text is None else text

    def _write_folder(self, entries: Sequence[Entry]) -> str:
        """A folder of exactly these entries, written by hand: the library refuses odd names."""
        named = [(e.name.encode("utf-8", "surrogateescape"), e) for e in entries]
        named.sort(key=lambda item: item[0] + (b"/" if item[1].is_tree else b""))
        lines = [b"%o %s\0%s" % (e.mode, name, bytes.fromhex(e.id)) for name, e in named]
        return self._repo.write_object(_TREE, b"".join(lines))
