"""A folder of files that are made: only what changed is written, and only what was made goes.

A manifest in the folder says which files are ours, and of what each was made. Each file is written
beside and renamed. Before the first is, the manifest names all that will be there, and calls those
unknown that may change: a build that is killed leaves files of before and after, and the next one
makes the unknown ones again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from gittask.errors import GittaskError, Refused, Usage
from gittask.store.repo import Entry, Repo

MANIFEST = "gittask-site.json"
BESIDE = "gittask-site.new"
"""The name of a file while it is written."""
_FORMAT = 1
_NAME = re.compile(r"([a-z0-9][a-z0-9-]*/)*[a-z0-9][a-z0-9-]*\.(html|js|css)")
"""What a file of ours can be called: nothing that leads out of the folder."""
_EVERY = 500
"""After so many files that were made it is said how far it is."""


class Wanted(NamedTuple):
    """A file that is to be there: its name, the key of what it is made from, and how."""

    name: str
    key: str
    make: Callable[[], str]


class Built(NamedTuple):
    """How many files were written, left as they were, and removed."""

    written: int
    kept: int
    removed: int


_Known = tuple[str, str]
"""Of a file the key of what it was made from, and the digest of its content; "" is unknown."""


def digest(value: object) -> str:
    """A short text that differs where a JSON value does."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def folders(repo: Repo, commit: str) -> dict[str, str]:
    """The ids of the folders of a store in which the records of one thing are, by path."""
    found = {}
    for top in repo.entries(repo.tree(commit)):
        if not top.is_tree:
            continue
        found[top.name] = top.id
        for each in _inside(repo, top.id):
            found[f"{top.name}/{each.name}"] = each.id
            if top.name == "tasks" and each.is_tree:
                tasks = _inside(repo, each.id)
                found |= {f"tasks/{each.name}/{task.name}": task.id for task in tasks}
    return found


def _inside(repo: Repo, tree: str) -> list[Entry]:
    try:
        return repo.entries(tree)
    except GittaskError:  # damaged; whoever reads what is in it says so
        return []


class Pages:
    """The folder. Raises Usage or Refused, before anything is written, for one that is not ours."""

    def __init__(self, folder: Path, of: str) -> None:
        """``of`` names what the files are made of: those of another are not touched."""
        self.folder = folder.resolve()
        self._of = of
        self._safe: set[Path] = set()
        manifest = self._manifest()
        self._made: str = manifest["made"]
        self._known: dict[str, _Known] = {
            name: (key, said) for name, (key, said) in manifest["files"].items()
        }

    def unchanged(self, made: str) -> Built | None:
        """If all of it was made from this, and nothing of it is gone since: that it is kept."""
        if self._made != made or not all(map(self._stands, self._known)):
            return None
        return Built(0, len(self._known), 0)

    def forget(self) -> None:
        """Take nothing that is there for what it should be."""
        self._made = ""
        self._known = dict.fromkeys(self._known, ("", ""))

    def build(
        self, made: str, wanted: Iterable[Wanted], progress: Callable[[int, int], None]
    ) -> Built:
        """Bring the files to what is wanted, and remove those that no longer are.

        ``made`` is the key of it all, as ``unchanged`` is asked for it. ``progress`` is told now
        and then how many files of how many are done. Raises Refused, before anything is written,
        if a file that is not ours is in the way.
        """
        files = list(wanted)
        self._refuse_others(files)
        names = {file.name for file in files}
        same = {file.name for file in files if file.key == self._known.get(file.name, ("", ""))[0]}
        found = {name: known if name in same else ("", "") for name, known in self._known.items()}
        found |= dict.fromkeys(names - found.keys(), ("", ""))
        self._put(MANIFEST, self._as_text("", found))
        count = made_now = 0
        for number, file in enumerate(files, 1):
            known = self._known.get(file.name, ("", ""))
            if file.name not in same or not self._stands(file.name):
                text = file.make()
                made_now += 1
                if made_now % _EVERY == 0:
                    progress(number, len(files))
                known, before = (file.key, digest(text)), known
                if known[1] != before[1] or not self._stands(file.name):
                    self._put(file.name, text)
                    count += 1
            found[file.name] = known
        gone = found.keys() - names
        for name in gone:
            self._remove(name)
            del found[name]
        self._put(MANIFEST, self._as_text(made, found))
        self._made, self._known = made, found
        return Built(count, len(files) - count, len(gone))

    # -- the manifest -------------------------------------------------------------------------

    def _manifest(self) -> Any:
        """What the manifest says; of a folder that is new or empty, that there is nothing."""
        shown = repr(str(self.folder))
        hint = "name a new or an empty folder"
        try:
            content = (self.folder / MANIFEST).read_bytes()
        except NotADirectoryError:
            raise Usage(f"{shown} is no folder", hint=hint) from None
        except FileNotFoundError:
            if self.folder.exists() and any(self.folder.iterdir()):
                message = f"{shown} is not empty, and no site that gittask made"
                raise Refused(message, hint=hint) from None
            return {"made": "", "files": {}}
        manifest = _understood(content)
        if manifest is None:
            message = f"the manifest of {shown} is damaged, or of another version of gittask"
            raise Refused(message, hint=f"{hint}, or remove {MANIFEST} and what is beside it")
        if manifest["of"] != self._of:
            raise Refused(f"{shown} is the site of another store", hint=hint)
        return manifest

    def _as_text(self, made: str, files: dict[str, _Known]) -> str:
        document = {"format": _FORMAT, "of": self._of, "made": made, "files": files}
        return json.dumps(document, sort_keys=True, separators=(",", ":")) + "\n"

    # -- files --------------------------------------------------------------------------------

    def _stands(self, name: str) -> bool:
        return (self.folder / name).is_file()

    def _refuse_others(self, files: Iterable[Wanted]) -> None:
        for file in files:
            if not _NAME.fullmatch(file.name):
                raise ValueError(file.name)
            if file.name not in self._known and os.path.lexists(self.folder / file.name):
                raise Refused(
                    f"{str(self.folder / file.name)!r} is in the way, and gittask did not make it",
                    hint="move it elsewhere",
                )

    def _put(self, name: str, text: str) -> None:
        """Write a file whole: beside it, and then renamed."""
        place, beside = self.folder / name, self.folder / BESIDE
        self._secure(place.parent)
        with suppress(FileNotFoundError):
            beside.unlink()  # of a build that was killed
        with beside.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        beside.replace(place)

    def _secure(self, folder: Path) -> None:
        """Make a folder of ours. Raises Refused where a link would lead out of it."""
        if folder in self._safe:
            return
        if folder != self.folder:
            self._secure(folder.parent)
            if folder.is_symlink():
                raise Refused(f"{str(folder)!r} is a link", hint="remove it: nothing leads outside")
        folder.mkdir(parents=folder == self.folder, exist_ok=True)
        self._safe.add(folder)

    def _remove(self, name: str) -> None:
        """Remove a file, and the folders that are empty without it."""
        place = self.folder / name
        for parent in reversed(place.parents[: name.count("/")]):
            if parent.is_symlink():
                return
        place.unlink(missing_ok=True)
        with suppress(OSError):
            for parent in place.parents[: name.count("/")]:
                parent.rmdir()


def _understood(content: bytes) -> Any:
    """What a manifest says; None if it is not as we write them."""
    try:
        manifest = json.loads(content)
        names = manifest["files"]
        texts = [manifest["of"], manifest["made"]]
        for known in names.values():
            _, _ = known
            texts += known
        right = manifest["format"] == _FORMAT and all(isinstance(text, str) for text in texts)
        return manifest if right and all(map(_NAME.fullmatch, names)) else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
