"""Looking a store over: its records, its history, this clone's setup; and mending what is safe.

Everything is found first, without a change; each finding knows what would mend it, or says what a
person can do. What is written to the branch is one new commit on top; history stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from gittask.core.codec import decode
from gittask.core.dataclass import dataclass
from gittask.core.progress import Progress, untold
from gittask.core.text import one_line
from gittask.errors import GittaskError, Invalid, Moved, RemoteError
from gittask.judging.verify import verify
from gittask.merging.handedits import stamped_edits
from gittask.merging.repair import repair
from gittask.session import Session
from gittask.setup.initialise import ATTRIBUTES
from gittask.store import layout, packaged, worktrees
from gittask.store.git import age_of, setting
from gittask.store.local import Local
from gittask.store.repo import Entry, Person

LOOSE = 50_000
"""Loose objects from which on git is slow, and packing is proposed."""

OLD_LOCK = 60
"""Seconds after which a lock of git is remarked on; it is never broken."""

_FAR = 1000
"""How many commits are looked through for the one that a work tree was left at."""


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it should be: a fault, or only ``advice`` on this clone's setup.

    ``area`` is setup, records, history or repository. What mends it: ``files`` of the branch by
    path, a ``setting`` of git's configuration, a work tree (``place``) to be brought from a
    commit to the tip, ``left`` files of this machine that are in ``files`` now, ``gone`` paths of
    the branch that are taken away. Without any of them ``hint`` says what a person can do.
    """

    area: str
    message: str
    hint: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    setting: tuple[str, str] | None = None
    place: tuple[Path, str] | None = None
    left: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    advice: bool = False

    @property
    def can_be_mended(self) -> bool:
        """Whether the program can mend it by itself."""
        return bool(self.files or self.setting or self.place or self.left or self.gone)

    def as_json(self) -> dict[str, Any]:
        """The finding as ``--json`` shows it."""
        return {
            "area": self.area,
            "severity": "advice" if self.advice else "fault",
            "message": self.message,
            "hint": self.hint,
            "can_be_mended": self.can_be_mended,
            "files": sorted([*self.files, *self.gone]),
        }


def examine(
    session: Session, settings: Mapping[str, str], now: str, progress: Progress = untold
) -> list[Finding]:
    """Everything that is not as it should be, without a change. Raises NoStore.

    ``settings`` are the variables by which git should merge and show records.
    """
    return list(_Examination(session, settings, now, progress).findings())


def mend(session: Session, found: list[Finding], committer: Callable[[], Person]) -> str | None:
    """Mend what can be mended; the commit that was made for it, if one was.

    Raises Moved if another process wrote to the branch meanwhile; then nothing of it was written.
    """
    repo = session.repo
    files = {path: content for one in found for path, content in one.files.items()}
    gone = _outermost(path for one in found for path in one.gone)
    commit = None
    if files or gone:
        commit = _written(session, files, gone, committer())
    for one in found:
        for name in one.left:
            Local(repo.common_dir).drop_pending(name)
        if one.setting:
            repo.git("config", "--local", *one.setting)
        if one.place:
            place, old = one.place
            if not worktrees.follow(place, old, repo.tip() or old):
                repo.behind(place)
    return commit


def _written(
    session: Session, files: Mapping[str, bytes], gone: Sequence[str], committer: Person
) -> str:
    """One commit of the program on top of the branch, with these files and without others."""
    repo = session.repo
    with repo.lock():
        here = repo.tip()
        tip = here or session.tip()  # in a fresh clone, what the remote has
        if tip is None:
            raise Moved
        touched = sorted([*files, *gone])
        what = f"restore: {len(touched)} file{'' if len(touched) == 1 else 's'} mended"
        # First what is to go: a file may come back where a link stands in place of its folder.
        tree = repo.write_tree(repo.tree(tip), dict.fromkeys(gone))
        tree = repo.write_tree(tree, dict(files))
        commit = session.own_commit([tip], tree, committer, what, touched)
        repo.move(here, commit, "gittask: doctor")
    return commit


def _outermost(paths: Iterable[str]) -> list[str]:
    """The paths that lie in none of the others."""
    found: list[str] = []
    for path in sorted(paths, key=lambda each: f"{each}/"):
        if not (found and f"{path}/".startswith(f"{found[-1]}/")):
            found.append(path)
    return found


class _Examination:
    def __init__(
        self, session: Session, settings: Mapping[str, str], now: str, progress: Progress
    ) -> None:
        self._session = session
        self._progress = progress
        self._repo = session.repo
        self._settings = settings
        self._now = now
        self._tip = session.reader().commit or ""

    def findings(self) -> Iterator[Finding]:
        yield from self._setup()
        yield from self._branch_files()
        yield from self._left_over()
        yield from self._history()
        yield from self._records()
        yield from self._work_trees()
        yield from self._repository()

    # -- this clone ---------------------------------------------------------------------------

    def _setup(self) -> Iterator[Finding]:
        if self._repo.tip() is None:
            hint = "adopt it: gittask init"
            message = f"this clone has no branch {self._repo.branch!r} yet"
            yield Finding("setup", message, hint, advice=True)
            return
        for key, value in self._settings.items():
            if setting(self._repo.config, key) != value:
                what = "is not registered here" if key.endswith(".driver") else "is not set here"
                name = "the merge driver" if key.endswith(".driver") else key
                yield Finding("setup", f"{name} {what}", setting=(key, value), advice=True)
        tag = self._repo.refs.read(f"refs/tags/{self._repo.branch}")
        if tag:
            hint = f"delete it: git tag -d {self._repo.branch}"
            message = f"a tag is called {self._repo.branch!r} too"
            yield Finding("setup", message, hint, advice=True)

    def _branch_files(self) -> Iterator[Finding]:
        """What of the branch's own files beside the records is not as this program makes it."""
        wanted = {".gitattributes": ATTRIBUTES.encode()}
        wanted |= {f"schemas/{name}": text for name, text in packaged.schema_texts().items()}
        for path, content in wanted.items():
            entry = self._repo.lookup(self._tip, path)
            if entry is None or not entry.is_file or not self._holds(entry, content):
                message = f"{path} is {'missing' if entry is None else 'not as it should be'}"
                yield Finding("setup", message, files={path: content})

    def _holds(self, entry: Entry, content: bytes) -> bool:
        """Whether a file is this one; a great one is not read for it."""
        return self._repo.size(entry.id) == len(content) and self._repo.blob(entry.id) == content

    def _left_over(self) -> Iterator[Finding]:
        """Conflicts that the merge driver met in merges by git, and that are in no commit yet."""
        schemas = self._session.schemas
        for name, content in Local(self._repo.common_dir).pending():
            try:
                data = decode(content)
            except Invalid:
                data = None
            if isinstance(data, dict) and schemas.valid("conflict", data):
                path = schemas.path("conflict", data["id"], task=data.get("task"))
                said = f"a value that lost in a merge by git is not committed yet: {data['field']}"
                there = self._repo.lookup(self._tip, path) is not None
                yield Finding("records", said, files={} if there else {path: content}, left=(name,))
            else:
                place = self._repo.common_dir / "gittask" / "pending" / name
                hint = f"look at it, then delete it: {place}"
                yield Finding("records", f"a left-over conflict cannot be read: {name}", hint)

    # -- the branch ---------------------------------------------------------------------------

    def _history(self) -> Iterator[Finding]:
        """What was lost, mixed or edited by hand since the beginning."""
        if (self._repo.common_dir / "shallow").exists():
            hint = "to look through all of it: git fetch --unshallow"
            yield Finding("history", "this is a shallow clone: its history was not looked at", hint)
            return
        schemas, tip = self._session.schemas, self._tip
        seen = self._repo.tracking()
        stamped = stamped_edits(self._repo, schemas, seen, tip) if seen and seen != tip else {}
        try:
            found = repair(
                self._repo, schemas, None, tip, broken=True, progress=self._progress
            ).files
        except RemoteError:
            raise
        except GittaskError as error:
            hint = error.hint or "see what is damaged with: git fsck"
            yield Finding("history", f"it cannot be looked through: {error.message}", hint)
            return
        for path, content in {**found, **stamped}.items():
            what = "was edited by hand, and has no stamp for that yet"
            if path in found:
                what = "is not as its history says: removed, altered, broken, or lost in a merge"
            yield Finding("history", f"{path} {what}", files={path: content})

    def _records(self) -> Iterator[Finding]:
        for each in verify(self._session, None, self._now, self._progress).findings:
            problem = each.problem
            place = ": ".join(filter(None, [one_line(problem.file), problem.field]))
            gone = (problem.file,) if self._can_go(problem.file) else ()
            yield Finding("records", f"{place}: {problem.message}", problem.hint, gone=gone)

    def _can_go(self, path: str) -> bool:
        try:
            entry = self._repo.lookup(self._tip, path)
        except GittaskError:
            return False
        return entry is not None and layout.can_be_taken_away(self._session.schemas, path, entry)

    # -- the repository -----------------------------------------------------------------------

    def _work_trees(self) -> Iterator[Finding]:
        """Work trees on the branch whose index is that of an earlier commit of it."""
        tip = self._repo.tip()
        for place in self._repo.checked_out() if tip else ():
            index = self._repo.git("-C", str(place), "write-tree", check=False)
            tree = index.stdout.decode().strip()
            if tip is None or index.code or tree == self._repo.tree(tip):
                continue
            message = f"{place} has the branch checked out, and its files are behind"
            earlier = (one.id for _, one in zip(range(_FAR), self._repo.log(tip), strict=False))
            old = next((one for one in earlier if self._repo.tree(one) == tree), None)
            hint = "" if old else "see: git status; what is staged there is in no commit"
            yield Finding("repository", message, hint, place=(place, old) if old else None)

    def _repository(self) -> Iterator[Finding]:
        for lock in self._locks():
            age = age_of(lock)
            if age is not None and age > OLD_LOCK:
                what = lock.name.removesuffix(".lock")
                what = "the branch" if what == self._repo.branch else what
                hint = f"if no git process runs any more, delete it: rm '{lock}'"
                yield Finding("repository", f"{what} is locked for {age} s: {lock}", hint)
        counted = self._repo.git("count-objects").stdout.split()
        if int(counted[0]) > LOOSE:
            hint = "pack them: git gc, or regularly: git maintenance start"
            message = f"{int(counted[0])} objects are loose"
            yield Finding("repository", message, hint, advice=True)

    def _locks(self) -> Iterator[Path]:
        """The files by which a git process, perhaps a dead one, locks what this program writes."""
        repo = self._repo
        yield from (repo.common_dir / name for name in ("config.lock", "packed-refs.lock"))
        yield repo.refs.lock(repo.ref)
        if repo.remote:
            yield repo.refs.lock(f"refs/remotes/{repo.remote}/{repo.branch}")
        yield from sorted((repo.common_dir / "refs" / "gittask").rglob("*.lock"))
