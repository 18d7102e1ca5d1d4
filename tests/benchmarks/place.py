"""Where it is measured: the stores, and copies of them that may be written to."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random

from gittask.core.change import Act
from gittask.core.codec import decode, encode
from gittask.core.record import Data
from gittask.session import Session, Writer
from gittask.store.packaged import schemas
from gittask.store.repo import Person, Repo
from tests.benchmarks.generate import Store, store

ANN = Person("Ann", "ann@example.org", 1_790_000_000)
AT = "2026-09-21T13:33:20.000Z"


@dataclass(frozen=True)
class Place:
    """The stores in ``cache``; what is written goes to copies in ``scratch``, beside them."""

    cache: Path
    scratch: Path
    commits: int = 100_000
    """How long a long history is."""

    def store(self, tasks: int) -> Store:
        """A store to read from."""
        return store(tasks, cache=self.cache)

    def long(self) -> Store:
        """A store of 1,000 tasks with a long history."""
        return store(1000, tail=self.commits, cache=self.cache)

    def copy(self, of: Store) -> Store:
        """A copy to write to. Objects, which are never changed in place, are hard links."""
        folder = self.scratch / f"copy{next(_copies)}"
        shutil.copytree(of.folder, folder, copy_function=_link_objects)
        return replace(of, folder=folder)


_copies = count()


def _link_objects(source: str, target: str) -> None:
    if f"{os.sep}objects{os.sep}" in source:
        os.link(source, target)
    else:
        shutil.copy2(source, target)


def opened(made: Store) -> Session:
    """A store as a process that has just begun sees it."""
    return Session(Repo.discover(made.folder), schemas())


def holder(made: Store) -> str:
    """Who holds the active task."""
    reader, id = opened(made).reader(), made.picks["active"]
    (execution,) = reader.all("execution", task=id)
    actor: str = execution.data["actor"]
    return actor


def ann() -> tuple[Act, Writer]:
    """One who may do everything, with fresh ids each time."""
    chance = Random(time.perf_counter_ns())
    return Act("ann", True, AT, lambda: chance.randbytes(16)), Writer(ANN, ANN)


def task_paths(made: Store) -> list[str]:
    """The paths of all tasks, in order."""
    session = opened(made)
    return [session.schemas.path("task", id) for id in session.reader().ids("task")]


def task_path(id: str) -> str:
    """Where a task is kept."""
    return schemas().path("task", id)


def task_data(repo: Repo, commit: str, path: str) -> Data:
    """A task as it stands at a commit."""
    entry = repo.lookup(commit, path)
    assert entry is not None
    data: Data = decode(repo.blob(entry.id))
    return data


def changed(data: Data, **fields: object) -> bytes:
    """The file of a task with fields set by Ann, stamped."""
    stamps = {name: f"{100 + len(data['changed'])} {AT} ann" for name in fields}
    after = {**data, **fields, "changed": {**data["changed"], **stamps}}
    return encode(after, schemas().order("task"))


def commit(repo: Repo, onto: str, files: Mapping[str, bytes | None]) -> str:
    """A commit of Ann's on top of another; nothing moves."""
    return repo.commit(onto, files, ANN, ANN, "set: many tasks\n\nActor: ann\n")
