"""Clones on machines whose clocks the tests set, where executions beat and are watched."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gittask.core.beat import Beat, Signs, Watched
from gittask.store.beats import Beats
from gittask.store.machine import Machine, this_machine
from gittask.store.observed import Observer
from gittask.store.repo import Repo
from tests.memory import task_id

TASK = task_id("a")
X = "20261130t100411z-k3m9q2"
Y = "20261130t100412z-k3m9q3"
REAL = this_machine()


@dataclass
class Clock:
    """The clocks of one machine."""

    uptime: float = 1000.0
    wall: float = 1_796_000_000.0
    name: str = "one"
    boot: str | None = "boot"
    space: str | None = "space"

    def machine(self) -> Machine:
        return Machine(self.name, self.boot, self.space, lambda: self.uptime, lambda: self.wall)

    def pass_(self, seconds: float) -> None:
        self.uptime += seconds
        self.wall += seconds


@dataclass
class Place:
    """A clone on a machine."""

    folder: Path
    clock: Clock = field(default_factory=Clock)

    @property
    def repo(self) -> Repo:
        return Repo.discover(self.folder)

    @property
    def beats(self) -> Beats:
        return Beats(self.repo, self.clock.machine())

    def beat(self, id: str = X, **how: object) -> Beat:
        return self.beats.beat(id, TASK, **how)  # type: ignore[arg-type]

    def look(self, id: str = X, *, written: int = 0, former: tuple[str, ...] = ()) -> Signs:
        observer = Observer(self.repo, self.clock.machine(), self.beats)
        return observer.observe([Watched(id, TASK, frozenset(former), written)])[id]
