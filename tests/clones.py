"""Clones of one remote, each with an actor who works in it: real git, and time that is told."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import gittask
from gittask.actions import records, tasks
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader, Record
from gittask.core.schema import Schemas
from gittask.exchange.sync import Pace, sync
from gittask.exchange.synced import Synced
from gittask.session import Outcome, Session, Writer
from gittask.setup.initialise import Initialised, Plan, clone_settings, initialise
from gittask.store import packaged
from gittask.store.repo import Person, Repo
from gittask.store.snapshot import Snapshot
from tests.branch import commit_to

SECONDS = 1_796_000_000  # 2026-11-30
_ticks = count(1)
SETTINGS = {
    **clone_settings(sys.executable, Path(gittask.__file__).parent),
    "merge.gittask.driver": "false",
}
"""What init sets here, but that merging by git fails unless a test asks for it."""


def at(seconds: int) -> str:
    """A time of the tests, ``seconds`` after their beginning."""
    return f"2026-11-30T{seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.000Z"


def still() -> Pace:
    """A pace at which no time passes."""
    return Pace(clock=lambda: 0.0, sleep=lambda _: None, chance=lambda: 0.0)


@dataclass
class Clone:
    """One working copy. Everything is read anew each time, as by a process of its own."""

    folder: Path
    actor: str

    @property
    def session(self) -> Session:
        return Session(Repo.discover(self.folder), packaged.schemas())

    @property
    def reader(self) -> Snapshot:
        return self.session.reader()

    @property
    def tip(self) -> str | None:
        return Repo.discover(self.folder).tip()

    @property
    def tree(self) -> str:
        """The id of all that the data branch holds."""
        return self.git("rev-parse", "gittask^{tree}")

    def git(self, *args: str, check: bool = True, err: bool = False) -> str:
        """What git wrote: on standard output or, for ``err``, on standard error."""
        done = subprocess.run(["git", "-C", self.folder, *args], capture_output=True, text=True)
        assert done.returncode == 0 or not check, done.stderr
        return (done.stderr if err else done.stdout).strip()

    def who(self, reader: Reader, seconds: int = 0) -> Writer:
        person = Person(self.actor, f"{self.actor}@example.org", SECONDS + seconds)
        data = {
            "id": self.actor,
            "kind": "person",
            "name": person.name,
            "email": person.email,
            "created": {"at": at(seconds), "by": self.actor},
        }
        known = reader.get("actor", self.actor)
        return Writer(person, person, None if known else Record("actor", self.actor, data))

    def init(self, **asked: Any) -> Initialised:
        tick = next(_ticks)
        plan = Plan(**{"name": "Store", "settings": SETTINGS, **asked})
        entropy = random.Random(f"{self.actor} {tick}").randbytes(16)
        session = self.session
        return initialise(session, plan, lambda reader: self.who(reader, tick), at(tick), entropy)

    def act(self, decide: Callable[[Reader, Act], Change]) -> Outcome:
        tick = next(_ticks)
        chance = random.Random(f"{self.actor} {tick}")
        act = Act(self.actor, True, at(tick), lambda: chance.randbytes(16))
        session = self.session
        writer = self.who(session.reader(), tick)
        return session.run(lambda reader: decide(reader, act), act, writer)

    def new(self, title: str, **fields: Any) -> str:
        """Make a task; returns its id."""
        return self.act(lambda reader, act: tasks.new(reader, act, title, **fields)).change.main.id

    def set(self, id: str, **fields: Any) -> None:
        """Set fields of a task."""

        def decide(reader: Reader, _: Act) -> Change:
            task = reader.get("task", id)
            assert task is not None
            after = Record("task", id, {**task.data, **fields})
            return Change(after, (after,), "set", ", ".join(fields))

        self.act(decide)

    def note(self, id: str, body: str) -> str:
        """Add a note to a task; returns its id."""
        outcome = self.act(lambda reader, act: records.note(reader, act, id, body, "observation"))
        return outcome.change.main.id

    def sync(self, pace: Pace | None = None) -> Synced:
        session = self.session
        return sync(session, lambda: self.who(session.reader()).committer, pace or still())

    def sync_here(self) -> Synced:
        """Fetch and merge, without a push."""
        session = self.session
        committer = self.who(session.reader()).committer
        return sync(session, lambda: committer, still(), push=False)

    def task(self, id: str) -> Data:
        found = self.reader.get("task", id)
        assert found is not None
        return found.data

    def path(self, id: str) -> str:
        return self.session.schemas.path("task", id)

    def conflicts(self) -> list[Data]:
        return [record.data for record in self.reader.all("conflict")]

    def by_hand(self, path: str, edit: Callable[[str], str | None], name: str = "Hand") -> None:
        """Commit an edit of a file of the data branch with git alone; None deletes the file."""
        text = edit(self.git("show", f"gittask:{path}") + "\n")
        files = {path: None if text is None else text.encode()}
        repo = Repo.discover(self.folder)
        person = Person(name, f"{name.lower()}@hand.example", SECONDS + next(_ticks))
        commit_to(repo, repo.tip(), files, person, person, "by hand\n")


def shared(folders: list[Path]) -> list[Clone]:
    """Clones of one remote, in these folders, that have a store; the first one made it."""
    clones = [Clone(folder, f"actor{number}") for number, folder in enumerate(folders)]
    for clone in clones:
        clone.init()
        clone.sync()
    return clones


def meet(*clones: Clone) -> None:
    """Sync until all have everything, and check that they have the same."""
    for clone in (*clones, *clones[:-1]):
        clone.sync()
    assert len({clone.tip for clone in clones}) == 1


def everything(clone: Clone) -> Iterator[tuple[str, bytes]]:
    """All files of a clone's data branch."""
    repo = Repo.discover(clone.folder)
    tip = repo.tip()
    assert tip is not None
    for path, entry in repo.files(repo.tree(tip)):
        yield path, repo.blob(entry.id)


def schemas() -> Schemas:
    return packaged.schemas()
