"""The one door to pygit2 (libgit2): finding and opening a repository, and telling its faults.

Only its compiled core is loaded, since all of pygit2 takes longer than most calls of this program
(docs/decisions/0020). What is used here is the same in both.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from gittask.errors import GittaskError, NoStore
from gittask.store import git, glance
from gittask.store.commits import Person

_CORE = "pygit2._pygit2"


class _Numbers(ModuleType):
    """Stands in for ``pygit2.enums``, which the core asks for: a mode or a type is a number."""

    def __getattr__(self, name: str) -> type[int]:
        if name.startswith("__"):
            raise AttributeError(name)
        return int


@cache
def _library() -> Any:
    """The core of pygit2, without the package; the package itself where that cannot be had.

    ``import pygit2`` works afterwards as always, and uses the same core.
    """
    try:
        if "pygit2" not in sys.modules and _CORE not in sys.modules:
            _load_core()
        return sys.modules[_CORE]
    except Exception:  # it is not public, and may be anything in another version
        sys.modules.pop(_CORE, None)
        import pygit2

        return pygit2


def _load_core() -> None:
    package = PathFinder.find_spec("pygit2")
    spec = package and PathFinder.find_spec(_CORE, package.submodule_search_locations)
    if not spec or not spec.loader:
        raise ImportError(_CORE)
    core = sys.modules[_CORE] = module_from_spec(spec)
    spec.loader.exec_module(core)
    stand_ins = ("pygit2", "pygit2.enums")
    sys.modules.update({name: _Numbers(name) for name in stand_ins})
    try:
        core._cache_enums()
    finally:
        for name in stand_ins:
            del sys.modules[name]


if TYPE_CHECKING:
    from pygit2 import GitError, Repository
else:

    def __getattr__(name: str) -> Any:
        """``GitError`` and ``Repository``, for which the library is loaded."""
        if name not in ("GitError", "Repository"):
            raise AttributeError(name)
        return getattr(_library(), name)


__all__ = [
    "GitError",
    "Repository",
    "commit_text",
    "faults",
    "open_from",
    "steadily",
    "write_commit",
]

T = TypeVar("T")

_COMMIT = 1  # git's number of the object type
_TRIES = 20

_UNSUPPORTED = {
    "refstorage": (
        "it keeps its references as reftable",
        "convert it: git refs migrate --ref-format=files; or keep the tasks in a repository of "
        "their own: gittask -C DIR ...",
    ),
    "sha256": (
        "its object ids are SHA-256, and only SHA-1 repositories can be read",
        "keep the tasks in a repository of their own beside it: gittask -C DIR ...",
    ),
}
"""What of a repository this program cannot open, by a word of the library's: why, what to do."""

_UNKNOWN = "see what it takes: git config --local --get-regexp extensions; a newer gittask may do"


def open_from(start: Path) -> Repository:
    """The repository around a directory, found upward from it, whatever GIT_DIR says.

    Raises NoStore if there is none, GittaskError if it cannot be used; nothing is written.
    """
    ceilings = os.environ.get("GIT_CEILING_DIRECTORIES", "")
    try:
        found = _library().discover_repository(str(start), False, ceilings)
    except _library().GitError as error:
        hint = "git finds none there either: git status"
        raise GittaskError(f"the repository cannot be found: {error}", hint=hint) from None
    if found is None:
        raise NoStore(
            f"not inside a git repository: {start}", hint="go into one, or make one with: git init"
        )
    if not glance.is_head(Path(found)):  # git would go on to the repository around this one
        raise GittaskError(
            f"this repository cannot be used: its HEAD is damaged ({Path(found) / 'HEAD'})",
            hint="write in it which branch was checked out: ref: refs/heads/BRANCH",
        )
    try:
        return _open(found)
    except _library().GitError as error:
        if "not owned by" in str(error):
            return _open_as_git_would(found, start)
        said = str(error)
        found_why = (why for word, why in _UNSUPPORTED.items() if word in said)
        reason, hint = next(found_why, (said, _UNKNOWN))
        raise GittaskError(f"this repository cannot be used: {reason}", hint=hint) from None


def _open(found: str) -> Repository:
    library = _library()
    whole = library.__name__ == "pygit2"
    opened: Repository = library.Repository(found if whole else library.init_file_backend(found))
    return opened


def _open_as_git_would(found: str, start: Path) -> Repository:
    """Open another user's repository if git trusts it; git sees more of safe.directory."""
    import pygit2  # all of it: the core has no settings

    git.run(start, "rev-parse", "--git-dir")
    pygit2.settings.owner_validation = False
    try:
        return _open(found)
    finally:
        pygit2.settings.owner_validation = True


@contextmanager
def faults(doing: str, error: Callable[[str], GittaskError] = GittaskError) -> Iterator[None]:
    """Turn what the library raises while ``doing`` something into a GittaskError."""
    try:
        yield
    except (_library().GitError, OSError, KeyError, ValueError) as fault:
        raise error(f"{doing}: {str(fault).strip(' :')}") from fault


def steadily(write: Callable[[], T]) -> T:
    """Write objects; again if a folder of theirs was removed meanwhile, as git gc does."""
    for _ in range(_TRIES):
        try:
            return write()
        except OSError as error:
            if os.strerror(errno.ENOENT) not in str(error):
                raise
    return write()


def commit_text(
    tree: str, parents: Sequence[str], author: Person, committer: Person, message: str
) -> str:
    """A commit as the text that is signed and stored; its tree and parents must be here.

    The library's own would read the parents, and refuse one that somebody's program wrote badly.
    """
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    lines += [f"author {_signature(author)}", f"committer {_signature(committer)}"]
    return "\n".join(lines) + "\n\n" + message


def _signature(person: Person) -> str:
    hours, minutes = divmod(abs(person.offset), 60)
    sign = "-" if person.offset < 0 else "+"
    return f"{person.name} <{person.email}> {person.time} {sign}{hours:02d}{minutes:02d}"


def write_commit(repository: Repository, text: str, signature: str | None) -> str:
    """Store a commit's text, with its signature if there is one; returns its id."""
    if signature is None:
        return str(repository.odb.write(_COMMIT, text.encode()))
    return str(repository.create_commit_with_signature(text, signature))
