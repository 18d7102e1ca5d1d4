"""Checking what stands on the data branch, whoever put it there and by whichever program.

What is wrong is an error: a record that cannot be read, breaks its schema, stands in the wrong
place or names another that does not exist; tasks that wait for each other in a circle; a store of
an unknown format; in a range of commits also whatever somebody did without the authority for it
(see ``gittask.kinds.authority``). What only looks unusual is a warning: a form that a hand wrote,
a file or field that this program does not know, a time in the future.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from datetime import datetime, timedelta
from typing import Any

from gittask.core.codec import encode
from gittask.core.dataclass import dataclass
from gittask.core.ids import AUTHOR
from gittask.core.progress import Progress, counted, untold
from gittask.core.record import Data, Record
from gittask.core.schema import FORMAT, Place, Reference, Schemas
from gittask.core.stamp import creation, stamps
from gittask.errors import GittaskError, Invalid, Problem, RemoteError, Usage
from gittask.judging.circling import may_circle
from gittask.judging.lineage import Lineage
from gittask.kinds.authority import judge
from gittask.session import Session
from gittask.store import layout
from gittask.store.repo import CommitInfo, Entry, Repo
from gittask.store.snapshot import Snapshot, absurd_stamps, read
from gittask.store.trees import EMPTY
from gittask.views.graph import Circle, circles

STORE = "gittask.yaml"
_FOLDERS = tuple(f"{name}/" for name in layout.RECORDS)

_MOST_CHANGED = 1000

AHEAD = timedelta(hours=24)
"""How far in the future a time may be before it is remarked on."""


@dataclass(frozen=True)
class Finding:
    """One problem of one file in one commit; an error, or else a warning.

    ``rule`` names the rule of authority that found it, and is empty for any other check.
    """

    commit: str
    problem: Problem
    error: bool
    rule: str = ""

    def as_json(self) -> dict[str, Any]:
        """The finding as ``--json`` shows it."""
        rule = {"rule": self.rule} if self.rule else {}
        return {"commit": self.commit, **rule, **self.problem.as_json()}


@dataclass
class Report:
    """What was checked and what was found. ``files`` counts each version of a record once."""

    commits: list[str] = field(default_factory=list)
    files: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def errors(self) -> list[Finding]:
        """What is wrong."""
        return [finding for finding in self.findings if finding.error]

    @property
    def warnings(self) -> list[Finding]:
        """What is only unusual."""
        return [finding for finding in self.findings if not finding.error]


def verify(session: Session, spec: str | None, now: str, progress: Progress = untold) -> Report:
    """Check one commit whole (by default the tip), or each commit of a range ``OLD..NEW``.

    Of the commits of a range, oldest first, only what differs from a parent is checked, and
    whether whoever committed it had the authority for that. No OLD, or one of zeros, stands for
    the beginning; no NEW for the tip. Raises NotFound or Usage for what names no commits.
    """
    check = _Check(session.repo, session.schemas, now, progress)
    if spec is None or ".." not in spec:
        check.whole(session.repo.resolve(spec) if spec else _tip(session))
        return check.report
    old, new = ends(session, spec)
    commits = list(session.repo.walk(old, new))[::-1]
    for info in counted(commits, "checking: {:,} commits so far", progress):
        check.changes(info)
    if commits:
        check.changed_together(old, new, session)
    return check.report


def changed_by(repo: Repo, commits: Iterable[str]) -> tuple[str, ...]:
    """The paths of what commits have otherwise than every parent of theirs.

    Of very much only an empty path is told.
    """
    found: set[str] = set()
    for info in map(repo.commit_info, commits):
        trees = [repo.tree(parent) for parent in info.parents]
        differing = (repo.diff(tree, info.tree, tolerant=True) for tree in trees or (None,))
        found |= set.intersection(*({path for path, _, _ in each} for each in differing))
        if len(found) > _MOST_CHANGED:
            return ("",)
    return tuple(sorted(found))


def _tip(session: Session) -> str:
    commit = session.tip() or session.reader().commit
    assert commit is not None  # the reader of a session has one, or there is no store
    return commit


def ends(session: Session, spec: str) -> tuple[str | None, str]:
    """The commits that a range ``OLD..NEW`` names; None for the beginning."""
    old, _, new = spec.partition("..")
    if new.startswith("."):
        raise Usage(f"{spec!r} is not a range", hint="write OLD..NEW, with two dots")
    tip = session.repo.resolve(new) if new else _tip(session)
    beginning = not old or re.fullmatch("0{40}", old)
    return (None if beginning else session.repo.resolve(old)), tip


class _Check:
    """One run: what is known so far, and what was found."""

    def __init__(self, repo: Repo, schemas: Schemas, now: str, progress: Progress) -> None:
        self.repo = repo
        self._progress = progress
        self.schemas = schemas
        self.report = Report()
        self._lineage = Lineage(repo, schemas)
        limit = datetime.fromisoformat(now) + AHEAD
        self._limit = limit.strftime("%Y-%m-%dT%H:%M:%S.") + now[20:]
        self._seen: set[tuple[str, str]] = set()
        self._tasks: set[str] = set()

    def whole(self, commit: str) -> None:
        """Check all files of a commit."""
        self.report.commits.append(commit)
        at = _Commit(self, commit)
        tree = self.repo.tree(commit)
        self._found(commit, layout.faults(self.repo, self.schemas, None, tree))
        files = self.repo.files(tree)
        for path, entry in counted(files, "checking: {:,} files so far", self._progress):
            self._file(at, path, entry)
        self.together(commit)

    def changes(self, info: CommitInfo) -> None:
        """Check what a commit changed, and that its author could change that."""
        self.report.commits.append(info.id)
        at = _Commit(self, info.id)
        self._found(info.id, self._new_faults(info))
        changes = self._lineage.changes(info)
        for path, (before, new) in changes.items():
            if new is not None and new != before[0] and (path, new.id) not in self._seen:
                self._seen.add((path, new.id))
                self._file(at, path, new)
        if info.tree != EMPTY and self._is_edge(info):
            hint = "fetch the whole history first: git fetch --unshallow"
            self._error(info.id, "", "", "cannot be judged: its parents are not here", hint)
            return
        for fault in judge(self._lineage.commit(info, changes)):
            self.report.findings.append(Finding(info.id, fault.problem, fault.error, fault.rule))

    def _new_faults(self, info: CommitInfo) -> list[Problem]:
        """What is wrong with the folders of a commit, and not already in one of its parents."""
        befores: list[str | None] = [self.repo.tree(parent) for parent in info.parents]
        first, *others = (
            [*layout.faults(self.repo, self.schemas, before, info.tree)]
            for before in befores or [None]
        )
        return [one for one in first if all(one in other for other in others)]

    def _is_edge(self, info: CommitInfo) -> bool:
        """Whether a commit has no parents only because this is a shallow clone."""
        return not info.parents and (self.repo.common_dir / "shallow").exists()

    def together(self, commit: str) -> None:
        """Check what no file shows by itself: the store, and circles among tasks."""
        reader = Snapshot(self.repo, self.schemas, commit)
        self._store(commit)
        tasks = reader.all("task")
        self._found(commit, (problem for task in tasks for problem in reader.forged(task)))
        self._circles(commit, circles(reader.all("task")))

    def changed_together(self, old: str | None, commit: str, session: Session) -> None:
        """The same of what changed since a commit; opens other tasks only if one may matter."""
        self._store(commit)
        before, after = (session.reader(each) if each else None for each in (old, commit))
        if after is None or not may_circle(before, after, self._tasks):
            return
        # At the tip the index knows it, which is not made for a check that needs no more.
        reader = session.reader() if commit == session.tip() else after
        if self._tasks & set(reader.circling()):
            found = circles(reader.all("task"))
            self._circles(commit, (one for one in found if self._tasks & set(one.ids)))

    def _store(self, commit: str) -> None:
        if self.repo.lookup(commit, STORE) is None:
            self._error(commit, STORE, "", "is missing", "gittask init makes it")

    def _circles(self, commit: str, found: Iterable[Circle]) -> None:
        for circle in found:
            path = self.schemas.path("task", circle.ids[0])
            hint = f"take one of these away, perhaps: {circle.remedy}"
            self._error(commit, path, "depends_on", f"stands in a circle: {circle}", hint)

    def _file(self, at: _Commit, path: str, entry: Entry) -> None:
        place = self.schemas.locate(path)
        if place is None or entry.is_tree:
            if entry.is_file and path.startswith(_FOLDERS):
                hint = "it is kept as it is; a newer program may know it"
                self._warn(at.id, path, "", "is no record of a known kind", hint)
            return
        self.report.files += 1
        try:
            record = read(self.repo, self.schemas, path, entry, place)
            if place.kind == "task":
                self._tasks.add(record.id)
            self._record(at, path, entry, place, record)
        except Invalid as error:
            self._found(at.id, error.problems)

    def _record(self, at: _Commit, path: str, entry: Entry, place: Place, record: Record) -> None:
        """Check a readable record beyond its own shape."""
        data = record.data
        if place.kind == "store" and data["format"] > FORMAT:
            message = f"is {data['format']}, newer than this program knows ({FORMAT})"
            self._error(at.id, path, "format", message, "upgrade gittask to check this store")
        for reference in self.schemas.references(place.kind, data):
            if not at.has(reference, place):
                message = f"names the {reference.kind} {reference.id!r}, which does not exist"
                self._error(at.id, path, reference.field, message, "name an existing one")
        written = encode(self.schemas.complete(place.kind, data), self.schemas.order(place.kind))
        if self.repo.blob(entry.id) != written:
            hint = "it is read all the same; the next change of it by gittask mends the form"
            self._warn(at.id, path, "", "has a hand-written form", hint)
        for name in self.schemas.unknown(place.kind, data):
            hint = "a slip of the pen, or a newer program's; it is kept"
            self._warn(at.id, path, name, "is a field that this program does not know", hint)
        self._found(at.id, absurd_stamps(path, data))
        for name, time in _times(data):
            if time > self._limit:
                hint = "was a clock wrong? times decide nothing, but people read them"
                self._warn(at.id, path, name, f"is in the future: {time}", hint)

    def _found(self, commit: str, problems: Iterable[Problem]) -> None:
        self.report.findings += [Finding(commit, problem, True) for problem in problems]

    def _error(self, commit: str, path: str, name: str, message: str, hint: str) -> None:
        self.report.findings.append(Finding(commit, Problem(path, name, message, hint), True))

    def _warn(self, commit: str, path: str, name: str, message: str, hint: str) -> None:
        self.report.findings.append(Finding(commit, Problem(path, name, message, hint), False))


class _Commit:
    """Which records a commit holds, asked by name: nothing is opened for it."""

    def __init__(self, check: _Check, commit: str) -> None:
        self.id = commit
        self._repo = check.repo
        self._schemas = check.schemas
        self._reader = Snapshot(check.repo, check.schemas, commit)
        self._known: dict[tuple[str, str, str | None], bool] = {}

    def has(self, reference: Reference, place: Place) -> bool:
        """Whether the record that a reference names is there, where its kind is kept."""
        if reference.kind == "actor" and reference.id == AUTHOR:
            return True
        task = place.task or (place.id if place.kind == "task" else None)
        key = (reference.kind, reference.id, task)
        if key not in self._known:
            self._known[key] = any(self._there(path) for path in self._paths(*key))
        return self._known[key] or (
            task is None and self._reader.owner(reference.kind, reference.id) is not None
        )

    def _paths(self, kind: str, id: str, task: str | None) -> Iterator[str]:
        """Where a record may be kept that a record of this task, or of no task, names."""
        folders = self._schemas.document(kind)["x-folder"]
        for folder in folders:
            if "{task" in folder and task:
                yield self._schemas.path(kind, id, task=task)
            elif "{project}" in folder:
                for project in self._reader.ids("project"):
                    yield self._schemas.path(kind, id, project=project)
            elif "{task" not in folder:
                yield self._schemas.path(kind, id)

    def _there(self, path: str) -> bool:
        try:
            return self._repo.lookup(self.id, path) is not None
        except RemoteError:
            raise
        except GittaskError:  # in a folder that is lost; that is told of the folder
            return True


def _times(data: Data) -> Iterator[tuple[str, str]]:
    """The times at which a record says that it was made and changed."""
    yield "created.at", creation(data).at
    for unit, stamp in stamps(data).items():
        yield f"changed.{unit}", stamp.at
