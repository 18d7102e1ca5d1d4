"""The records of one commit, read with suspicion: one bad file hides nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property

from gittask.core import filemerge
from gittask.core.queue import Scanning
from gittask.core.record import Data, Record
from gittask.core.schema import FORMAT, Place, Schemas, shard
from gittask.core.stamp import ABSURD, stamps
from gittask.core.text import is_text
from gittask.errors import GittaskError, Invalid, Problem, RemoteError
from gittask.store import layout, odd, sound
from gittask.store.repo import Entry, Repo

_KEPT = 50_000
"""How many records are kept for being asked for again: about 250 MB."""


class Snapshot(Scanning):
    """A Reader over one commit. ``commit`` None is a store with nothing in it yet."""

    def __init__(self, repo: Repo, schemas: Schemas, commit: str | None) -> None:
        self.repo = repo
        self.schemas = schemas
        self.commit = commit
        self._problems: dict[str, list[Problem]] = {}
        self._remarks: list[Problem] = []
        self._folders: dict[str, dict[str, Entry]] = {}
        self._read: dict[str, Record] = {}

    @property
    def problems(self) -> list[Problem]:
        """What could not be read so far, and what a survey found, by file."""
        read = [problem for problems in self._problems.values() for problem in problems]
        known = {problem.file for problem in read}
        return sorted([*read, *(one for one in self._remarks if one.file not in known)])

    def note_problems(self) -> None:
        """See that ``problems`` has all that cannot be read, of every kind."""
        for kind in self.schemas.kinds:
            for _ in self.all(kind):
                pass

    def survey(self) -> None:
        """Look over folders, tasks and the store's own file for what belongs in ``problems``.

        Only names, modes and what a task says of itself: not every record is read.
        """
        if self.commit is None:
            return
        self._remarks = sound.faults(self.repo, self.schemas, self.repo.tree(self.commit))
        for id in self.doubtful("forged"):
            with suppress(Invalid):
                task = self.get("task", id)
                self._remarks += self._made_up(task) if task else ()
        with suppress(Invalid):
            self.get("store", "")

    def _made_up(self, task: Record) -> Iterator[Problem]:
        """What a task says of itself that no honest program can have written."""
        yield from self.forged(task)
        yield from absurd_stamps(self.schemas.path_of(task), task.data)

    def forged(self, task: Record) -> Iterator[Problem]:
        """Whether a task's epoch is higher than it has executions: each claim makes one."""
        epoch, count = task.data["state"]["epoch"], len(self.ids("execution", task=task.id))
        if epoch > count:
            yield Problem(
                self.schemas.path_of(task),
                "state.epoch",
                f"is {epoch}, but the task has {count} executions, and each claim makes one",
                "somebody set it by hand; if nobody can claim the task any more, go on in a new "
                f"one: gittask cancel {task.id} --reason ...",
            )

    def get(
        self, kind: str, id: str, *, task: str | None = None, project: str | None = None
    ) -> Record | None:
        """The record, or None. Raises Invalid if its file cannot be read as this kind."""
        try:
            path = self.schemas.path(kind, id, task=task, project=project)
        except ValueError:
            return self._search(kind, id)
        entry = self.entry(path)
        if entry is None or self.schemas.locate(path) is None:
            self._refuse_within_damage(path.rpartition("/")[0])
            return None
        place = Place(kind, id, task=task, project=project)
        return self._record(path, entry, place)

    def _search(self, kind: str, id: str) -> Record | None:
        """A record of which only the id is known: whatever it is kept under."""
        for owner in self._owners(kind):
            if id in self.ids(kind, **owner):
                return self.get(kind, id, **owner)
        return None

    def near(self, kind: str, start: str) -> list[str]:
        """See ``Reader.near``. A whole id of a task is looked up in the one folder of its own."""
        if kind == "task" and re.fullmatch("[a-z0-9]{10}[0-9a-f]{2}", start):
            entry = self._folder(f"tasks/{shard(start)}").get(start)
            if entry and entry.is_tree:
                return [start]
        return super().near(kind, start)

    def ids(self, kind: str, *, task: str | None = None, project: str | None = None) -> list[str]:
        """The ids of a kind in order, by file name only."""
        if kind == "task":
            return self._tasks
        if kind == "project":
            found = self._folder("projects").values()
            return sorted(one.name for one in found if one.is_tree and is_text(one.name))
        if kind == "store":
            file = self.schemas.path(kind, "")
            return [file.removesuffix(".yaml")] if self._is_one(file) else []
        if task is None and project is None:
            owners = self._owners(kind)
            return sorted(id for owner in owners for id in self._kept(kind, owner))
        folder = self.schemas.path(kind, "-", task=task, project=project).rpartition("/")[0]
        return self._names(folder)

    def _names(self, folder: str) -> list[str]:
        names = (name for name in self._folder(folder) if name.lower().endswith(".yaml"))
        return sorted(
            name.removesuffix(".yaml") for name in names if self._is_one(f"{folder}/{name}")
        )

    def _is_one(self, path: str) -> bool:
        """Whether a record stands at a path; what only looks like one is noted: it may hide one."""
        entry = self.entry(path)
        if entry is None:
            return False
        fault = odd.no_record(self.schemas, path, entry)
        if fault:
            self._problems[path] = [fault]
        return fault is None

    def all(
        self, kind: str, *, task: str | None = None, project: str | None = None
    ) -> Iterator[Record]:
        """The readable records of a kind, in order of id; bad ones go to ``problems``."""
        owned = task is not None or project is not None
        owners = [{"task": task, "project": project}] if owned else self._owners(kind)
        for owner in owners:
            for id in self._kept(kind, owner):
                try:
                    record = self.get(kind, id, **owner)
                except Invalid:
                    continue
                if record is not None:
                    yield record

    def owner(self, kind: str, id: str) -> str | None:
        """The task under which a record of this kind and id is kept, or None."""
        for owner in self._owners(kind):
            if owner.get("task") and id in self.ids(kind, **owner):
                return owner["task"]
        return None

    def _kept(self, kind: str, owner: Mapping[str, str | None]) -> list[str]:
        """The ids of a kind under one owner; {} stands for a kind that is kept under none."""
        if owner or kind in ("task", "project", "store"):
            return self.ids(kind, **owner)
        return self._names(self.schemas.path(kind, "-").rpartition("/")[0])

    def _owners(self, kind: str) -> list[dict[str, str]]:
        """The tasks and projects under which records of a kind may be kept; {} stands for none."""
        owners: list[dict[str, str]] = []
        for folder in self.schemas.document(kind)["x-folder"]:
            if "{task" in folder:
                owners += [{"task": id} for id in self._tasks]
            elif "{project" in folder:
                owners += [{"project": id} for id in self.ids("project")]
            else:
                owners.append({})
        return owners

    @cached_property
    def _tasks(self) -> list[str]:
        return sorted(
            entry.name
            for part in self._folder("tasks").values()
            if part.is_tree and len(part.name) == 2
            for entry in self._folder(f"tasks/{part.name}").values()
            if entry.is_tree and shard(entry.name) == part.name and is_text(entry.name)
        )

    def _folder(self, path: str) -> dict[str, Entry]:
        """What stands in a folder, by name."""
        if path not in self._folders:
            self._folders[path] = {entry.name: entry for entry in self._entries(path)}
        return self._folders[path]

    def _entries(self, path: str) -> list[Entry]:
        if self.commit is None:
            return []
        if not path:
            return self.repo.entries(self.repo.tree(self.commit))
        parent, _, name = path.rpartition("/")
        entry = self._folder(parent).get(name)
        if entry is None:
            return []
        if not entry.is_tree:
            if odd.kept(self.schemas, path):
                self._problems[path] = [odd.no_folder(path, entry)]
            return []
        damage = self.repo.damage(entry)
        if damage is None:
            return self.repo.entries(entry.id)
        self._problems[path] = [odd.damaged(path, damage)]
        return []

    def entry(self, path: str) -> Entry | None:
        """What stands at a path; None too where nobody can tell."""
        folder, _, name = path.rpartition("/")
        return self._folder(folder).get(name)

    def _refuse_within_damage(self, folder: str) -> None:
        """Raise Invalid if nobody can tell what stands in a folder."""
        while folder:
            if folder in self._problems:
                raise Invalid(self._problems[folder], what="cannot read")
            folder = folder.rpartition("/")[0]

    def _record(self, path: str, entry: Entry, place: Place) -> Record:
        if path in self._read:
            return self._read[path]
        if path not in self._problems:
            if len(self._read) >= _KEPT:
                self._read.clear()
            try:
                self._read[path] = read(self.repo, self.schemas, path, entry, place)
                return self._read[path]
            except Invalid as error:
                self._problems[path] = list(error.problems)
        raise Invalid(self._problems[path], what="cannot read")


def read(repo: Repo, schemas: Schemas, path: str, entry: Entry, place: Place) -> Record:
    """The record in one file. Raises Invalid with everything that is wrong with it."""
    if not entry.is_file:
        raise no_file(path, entry)
    data = filemerge.read(schemas, path, content(repo, path, entry.id))
    return Record(place.kind, data["id"], data)


def no_file(path: str, entry: Entry) -> Invalid:
    """What is said of a link or a submodule where a record should be."""
    what = layout.KINDS.get(entry.mode, "of an unknown sort")
    return Invalid([Problem(path, "", f"is {what}, not a file", "replace it by a plain file")])


def content(repo: Repo, path: str, id: str) -> bytes:
    """The bytes of a file. Raises Invalid for what is lost, damaged or too large to be read: that
    is the fault of this file alone."""
    try:
        return repo.blob(id)
    except RemoteError:
        raise
    except GittaskError as error:
        raise Invalid([Problem(path, "", error.message, error.hint)]) from None


def newer_format(snapshot: Snapshot) -> int | None:
    """The store's format, if this program is too old to write it; else None."""
    store = snapshot.get("store", "")
    found = store.data["format"] if store else FORMAT
    return found if found > FORMAT else None


def absurd_stamps(path: str, data: Data) -> Iterator[Problem]:
    """The stamps of a record that no honest program can have written."""
    for unit, stamp in stamps(data).items():
        if stamp.counter >= ABSURD:
            message = f"has the counter {stamp.counter}, which nobody gets to by changing it"
            hint = "later edits of it may not stand: go on in a new record"
            yield Problem(path, f"changed.{unit}", message, hint)
