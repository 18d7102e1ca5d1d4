"""One git repository: what the rest of the program knows of git.

The repository is the one found from the working directory upward. GIT_DIR and its like, which a
hook exports, are ignored both by the library and by the git program that is called; all linked
worktrees share one data branch. The user's work tree, index, HEAD and hooks are never touched.

Durability is libgit2's default: nothing is flushed to the disk at once, unless git's
``core.fsyncObjectFiles`` says so. The reflog follows ``core.logAllRefUpdates``.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gittask.errors import GittaskError, RemoteError, Usage
from gittask.store import commitgraph, glance, history, lock, packing, signing, worktrees
from gittask.store.commits import CommitInfo, Person
from gittask.store.configured import configuration
from gittask.store.git import Config, failure, quarantine, run, setting, truth
from gittask.store.glance import Place
from gittask.store.kept import FOLDERS, SPAN, Kept
from gittask.store.library import open_from
from gittask.store.names import branch_fault, remote_fault
from gittask.store.process import Completed
from gittask.store.refs import Refs
from gittask.store.trees import Entry
from gittask.store.writing import Writing

if TYPE_CHECKING:
    from gittask.store.library import Repository

__all__ = ["CommitInfo", "Entry", "Person", "Repo"]

_NOBODY = Person("gittask", "gittask@gittask.invalid", 1_767_225_600)  # 2026-01-01T00:00:00Z
_LOST = (
    r"bad (tree )?object|unable to read (tree|[0-9a-f]{40})|Could not read [0-9a-f]{40}"
    r"|missing (blob|tree) object|does not point to a valid object"
)
"""What git says of an object that is not there."""
_CUT_SHORT = r"(?m)^error: Could not read [0-9a-f]{40}"
"""What git says of a history that it shows up to where something is lost, as if that were all."""

_ROOT_MESSAGE = "gittask: root of a task store\n"


class Repo(Writing):
    """A repository: its objects (inherited), its data branch, its configuration.

    Ids are 40 hexadecimal digits. Configuration is read once; discover again to see it change.
    """

    def __init__(self, place: Place, repository: Callable[[], Repository]) -> None:
        """``repository`` opens the one at this place, once it is needed."""
        self.git_dir = place.git_dir
        """Git's folder of this worktree; for a linked one its own, not the shared one."""
        self.common_dir = place.common_dir
        """Git's folder that all worktrees share."""
        self.worktree = place.worktree
        """The top of the work tree; None in a bare repository."""
        super().__init__(
            repository,
            self.common_dir / "shallow",
            self.fetch_missing,
            Kept(self.common_dir, self.restore_recent),
            lambda payload, committer: signing.sign(payload, committer, self.config),
            self.git,
        )
        self.refs = Refs(lambda: self._repository, self.common_dir, self.git)
        self.behind: Callable[[Path], None] = lambda _: None
        """Told of a work tree whose files could not follow when the data branch moved."""
        found = self.worktree is not None and (self.worktree / ".git").exists()
        self._directory = self.worktree if self.worktree and found else self.git_dir
        self._quarantine = quarantine(self.common_dir)
        self.in_quarantine = bool(self._quarantine)
        """Whether this runs in a hook for a push whose objects are not the repository's yet."""

    @cached_property
    def _odb(self) -> Any:
        odb = super()._odb
        if self._quarantine:
            odb.add_disk_alternate(self._quarantine)
        return odb

    @classmethod
    def discover(cls, start: Path) -> Repo:
        """The repository around a directory.

        Raises NoStore if there is none, and GittaskError, before anything is written, if it
        belongs to another user or is of a kind that cannot be read.
        """
        seen = glance.place(start)
        if seen is not None:
            return cls(seen, lambda: open_from(start))
        opened = open_from(start)
        git_dir = Path(opened.path)
        workdir = Path(opened.workdir) if opened.workdir else None
        return cls(Place(git_dir, _common(git_dir), workdir), lambda: opened)

    @property
    def worktree_key(self) -> str:
        """Which worktree this is: "main", or "worktrees/NAME" for a linked one."""
        if self.git_dir == self.common_dir:
            return "main"
        return f"worktrees/{self.git_dir.name}"

    def git(
        self,
        *args: str,
        input: bytes | None = None,
        check: bool = True,
        timeout: float | None = None,
        env_extra: Mapping[str, str] | None = None,
        hooks: bool = False,
    ) -> Completed:
        """Run git in this repository (see ``git.run``); once more if it misses what was pruned."""
        env = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": self._quarantine} if self._quarantine else {}
        call = partial(
            run,
            self._directory,
            *args,
            input=input,
            timeout=timeout,
            env_extra=env | dict(env_extra or {}),
            hooks=hooks,
        )
        done = call(check=False)
        if _lacks(done):
            self.restore_recent()
            done = call(check=False)
        if check and (done.code or ("rev-list" in args and _lacks(done))):
            raise failure(done, *args, folder=self._directory)
        return done

    @cached_property
    def config(self) -> Config:
        """The configuration that git sees here, all values of each key."""
        return configuration(self._directory, self.git_dir, self.common_dir)

    @cached_property
    def branch(self) -> str:
        """The name of the data branch (``gittask.branch``); a bad one raises Usage."""
        name = setting(self.config, "gittask.branch")
        name = "gittask" if name is None else name
        if fault := branch_fault(name):
            raise Usage(
                f"gittask.branch cannot be {name!r}: {fault}",
                hint="choose another: git config gittask.branch NAME",
            )
        return name

    @property
    def ref(self) -> str:
        """The full name of the data branch."""
        return f"refs/heads/{self.branch}"

    @cached_property
    def remote(self) -> str | None:
        """The remote that the data branch is shared with, or None.

        ``gittask.remote``, or the branch's own, or ``origin``, or the only one. A name that is
        no configured remote raises Usage.
        """
        names = {key.split(".", 1)[1].rsplit(".", 1)[0] for key in self.config if _is_url(key)}
        for key in ("gittask.remote", f"branch.{self.branch}.remote"):
            name = setting(self.config, key)
            if name is None:
                continue
            if fault := remote_fault(name, names):
                hint = f"choose another: git config {key} NAME"
                raise Usage(f"{key} cannot be {name!r}: {fault}", hint=hint)
            return name
        if "origin" in names:
            return "origin"
        return names.pop() if len(names) == 1 else None

    @cached_property
    def promisors(self) -> list[str]:
        """The remotes that have what is missing here, if this is a partial clone."""
        keys = [key for key in self.config if key.endswith(".promisor") and truth(self.config, key)]
        return [key.removeprefix("remote.").removesuffix(".promisor") for key in keys]

    def tip(self) -> str | None:
        """The commit that the data branch stands at; None if there is no such branch."""
        return self.refs.read(self.ref)

    def tracking(self) -> str | None:
        """Where the remote's data branch was last seen; None if it never was."""
        if self.remote is None:
            return None
        return self.refs.read(f"refs/remotes/{self.remote}/{self.branch}")

    def head(self) -> str | None:
        """The commit of the user's HEAD; None before the first one."""
        return glance.head(self.git_dir, self.common_dir) or self.refs.read("HEAD")

    def head_branch(self) -> str | None:
        """The branch that is checked out here; None if HEAD is detached."""
        name = self.refs.symbolic("HEAD")
        return None if name is None else name.removeprefix("refs/heads/")

    def resolve(self, rev: str) -> str:
        """The id of the commit that a revision expression names. Raises NotFound."""
        return history.resolve(self.git, rev)

    def merge_bases(self, a: str, b: str) -> list[str]:
        """All best common ancestors of two commits, in order of id; none if unrelated."""
        return history.merge_bases(self.git, a, b)

    def log(self, tip: str, path: str | None = None) -> Iterator[CommitInfo]:
        """The history of a commit, children first; with ``path``, what changed that file."""
        return map(self.commit_info, history.revisions(self.git, tip, path=path))

    def walk(self, old: str | None, new: str) -> Iterator[CommitInfo]:
        """The commits in ``new`` that are not in ``old``, children first."""
        return map(self.commit_info, history.revisions(self.git, new, old))

    def replaced(self, old: str | None, new: str) -> list[tuple[str, str]]:
        """What commits in ``new`` and not in ``old`` removed or changed (``history.replaced``)."""
        return history.replaced(self.git, new, old)

    def added(self, old: str | None, new: str) -> list[tuple[str, str]]:
        """What commits in ``new`` and not in ``old`` gave to files (``history.added``)."""
        return history.added(self.git, new, old)

    def edited(self, old: str | None, new: str) -> Iterator[tuple[str, str, str, str]]:
        """What commits with one parent, in ``new`` and not in ``old``, changed
        (``history.edited``)."""
        return history.edited(self.git, new, old)

    def versions(self, tip: str, path: str) -> list[str]:
        """The ids of what stood at a path in the history of a commit, the latest first."""
        commits = history.revisions(self.git, tip, path=path)
        return [id for id in history.contents(self.git, commits, path) if id]

    def commit(
        self,
        onto: str | None,
        files: Mapping[str, bytes | None],
        author: Person,
        committer: Person,
        message: str,
    ) -> str:
        """Store a commit of changed files on top of another (None: the first); nothing moves."""
        tree = self.write_tree(self.tree(onto) if onto else None, files)
        return self.create_commit(tree, [onto] if onto else [], author, committer, message)

    def move(self, old: str | None, new: str, reason: str) -> None:
        """Set the data branch to ``new`` if it stands at ``old`` (see ``Refs.move``).

        Work trees on it follow; each that cannot is given to ``behind``. Where many objects are
        loose by now, or came in packs, git puts them in order behind us.
        """
        self.restore_written()
        self.refs.move(self.ref, old, new, reason)
        self.restore_written()
        self._written.clear()
        if not self._quarantine:
            self._keep_up()
        for place in self.checked_out() if old else ():
            if not worktrees.follow(place, str(old), new):
                self.behind(place)

    def _keep_up(self) -> None:
        """Let git do behind us what makes it quick, where that is due."""
        if packing.due(self.common_dir, self.config):
            packing.start(self._directory)
        elif commitgraph.due(self.common_dir, self.config):
            commitgraph.start(self.common_dir, self._directory)

    def restore_recent(self) -> None:
        """See that nothing of the data branch was pruned while it was written."""
        tip = self.tip()
        if tip is not None:
            self.restore_history(tip, int(time.time()) - FOLDERS * SPAN)

    def forget_written(self) -> None:
        """Let go of the second names of what was written (``kept``)."""
        self._kept.forget()

    def checked_out(self) -> list[Path]:
        """The work trees in which the data branch is checked out."""
        return worktrees.checked_out(self.git, self.common_dir, self.ref)

    def root(self) -> str:
        """The first commit of every data branch, written if it is not here.

        It is the same in every repository of the world, so that two machines that both make a
        store never have unrelated histories.
        """
        tree = self.write_tree(None, {})
        return self.create_commit(tree, [], _NOBODY, _NOBODY, _ROOT_MESSAGE, signed=False)

    def lock(self) -> AbstractContextManager[bool]:
        """Keep other writers of this repository waiting, 10 seconds at most (see ``lock``)."""
        return lock.hold(self.common_dir / "gittask" / "lock")

    def fetch_missing(self, ids: Iterable[str]) -> None:
        """In a partial clone, fetch those of these objects that are not here, all at once.

        Elsewhere nothing is done. Raises RemoteError if the remote does not give them.
        """
        if not self.promisors:
            return
        missing = sorted({each for each in ids if not self.exists(each)})
        if not missing:
            return
        remote = self.promisors[0]
        options = ("--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--stdin")
        command = ("-c", "fetch.negotiationAlgorithm=noop", "fetch", remote, *options)
        wanted = "\n".join(missing).encode()
        try:
            self.git(*command, "--filter=blob:none", input=wanted)
        except GittaskError as error:
            raise RemoteError(
                f"this is a partial clone, and {len(missing)} objects could not be fetched: "
                f"{error.message}",
                hint=f"see that the remote {remote!r} can be reached, and call again",
            ) from None


def _lacks(done: Completed) -> bool:
    """Whether git missed an object."""
    return bool(re.search(_LOST if done.code else _CUT_SHORT, done.stderr))


def _common(git_dir: Path) -> Path:
    try:
        text = (git_dir / "commondir").read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return git_dir
    return (git_dir / text).resolve()


def _is_url(key: str) -> bool:
    return key.startswith("remote.") and key.endswith(".url")
