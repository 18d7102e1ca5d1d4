"""A task as somebody who speaks of it sees it: what happened, who works, what fits its state."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from datetime import UTC, datetime
from functools import cached_property

from gittask.core.dataclass import dataclass
from gittask.core.happening import Happening
from gittask.core.index import Known
from gittask.core.moment import written
from gittask.core.record import Reader, Record, age
from gittask.kinds import readable
from gittask.kinds.execution import FINAL, NO_LONGER_WORKING
from gittask.kinds.task import CLOSED
from gittask.views import work
from gittask.views.concerning import NOT_ENDED
from gittask.views.liveness import UNHEARD, Heard, Liveness, current
from gittask.views.words import first_line

FAILED = ("failed", "cancelled", "declined")
"""The ends of an attempt after which it may be tried again."""


@dataclass(frozen=True)
class Asker:
    """Who asks: the actor (None: nobody is known), those who work for them, and the task at work
    where they are."""

    actor: str | None = None
    agents: frozenset[str] = frozenset()
    here: str | None = None


def asker(reader: Reader, actor: str | None, here: str | None = None) -> Asker:
    """Who asks, with the agents that act on their behalf."""
    agents = reader.having("actor", "delegated_by", (actor,)) if actor else ()
    return Asker(actor, frozenset(one.id for one in agents), here)


DESCRIBED = ("created", "changed")
"""What happens to a task without anybody working on it."""


@dataclass(frozen=True)
class Fit:
    """How a task's state fits what is wanted (0, 0.5 or 1), and what there is to say of it."""

    value: float
    why: str


@dataclass(frozen=True, eq=False)
class Standing:
    """One task, for one who asks at a time (as records write it)."""

    reader: Reader
    known: Known
    task: Record
    asker: Asker
    at: str
    heard: Heard

    @cached_property
    def happened(self) -> list[Happening]:
        """What happened, in order of time; clocks elsewhere may run ahead."""
        return [each for each in self.known.told(self.task.id) if each.at <= self.at]

    @property
    def moved(self) -> str:
        """When anything happened last."""
        return self.happened[-1].at if self.happened else self.at

    @cached_property
    def own(self) -> str:
        """When the asker did anything last; empty if never."""
        return self._last_of({self.asker.actor})

    @cached_property
    def worked(self) -> str:
        """When the asker last did more than describe the task; empty if never."""
        return self._last_of({self.asker.actor}, but=DESCRIBED)

    @cached_property
    def concerns(self) -> str:
        """When anything happened last that is the asker's matter: they answer, or their agents."""
        if self.asker.actor and self.task.data["responsible"] == self.asker.actor:
            return self.moved
        return self._last_of(self.asker.agents)

    def _last_of(self, actors: Collection[str | None], but: Collection[str] = ()) -> str:
        did = (each.at for each in self.happened if each.by in actors and each.what not in but)
        return max(did, default="")

    @cached_property
    def attempt(self) -> Record | None:
        """The last attempt: the holder's, else the newest that could change anything."""
        tried = [
            one
            for one in self.reader.all("execution", task=self.task.id)
            if one.data["lane"] == "edit"
        ]
        holder = work.holder(self.reader, self.task)
        newest = max(tried, key=age, default=None)
        return holder or newest

    @cached_property
    def life(self) -> Liveness | None:
        """How the last attempt stands."""
        if self.attempt is None:
            return None
        return current(self.reader, self.attempt, self.task, self.heard, self.at)

    @property
    def worker(self) -> Record | None:
        """The execution that holds the task and still works on it."""
        holder = work.holder(self.reader, self.task)
        over = holder is None or holder.data["state"]["status"] in NO_LONGER_WORKING
        return None if over else holder

    @property
    def held(self) -> bool:
        """Whether the asker holds the task, and still works on it."""
        return self.worker is not None and self.worker.data["actor"] == self.asker.actor

    @property
    def came_to_nothing(self) -> str:
        """When the last attempt failed, or was lost; empty if it did neither."""
        if self.attempt is None or self.life is None or self.task.data["state"]["status"] in CLOSED:
            return ""
        status = self.attempt.data["state"]["status"]
        if self.life.state == "lost" or status in FAILED:
            return self.life.since or self.attempt.data["state"]["at"]
        return ""

    # -- what fits ----------------------------------------------------------------------------

    def fit(self, intent: str | None) -> Fit:
        """How well the state of the task fits an intent."""
        status = self.task.data["state"]["status"]
        if intent not in _FITS:
            return Fit(1.0, "")
        if status in CLOSED:
            return Fit(0.0, f"but it is {status}")
        return _FITS[intent](self)


def _to_continue(standing: Standing) -> Fit:
    if standing.worker is None:
        return Fit(1.0, "nobody works on it")
    actor = standing.worker.data["actor"]
    return Fit(1.0, "you hold it" if actor == standing.asker.actor else f"{actor} holds it")


def _to_review(standing: Standing) -> Fit:
    if standing.task.data["state"]["status"] == "review":
        return Fit(1.0, "it is in review")
    if standing.attempt is None:
        return Fit(0.5, "but nobody has worked on it yet")
    actor = standing.attempt.data["actor"]
    return Fit(1.0, f"beside {actor}, who {'edits' if standing.worker else 'edited'} it")


def _to_retry(standing: Standing) -> Fit:
    if standing.attempt is None:
        return Fit(0.0, "but nobody has tried it yet")
    actor, state = standing.attempt.data["actor"], standing.attempt.data["state"]
    if standing.came_to_nothing:
        status = state["status"] if state["status"] in FINAL else "lost"
        reason = f": {first_line(state['reason'])}" if state["reason"] else ""
        return Fit(1.0, f"the attempt of {actor} is {status}{reason}")
    if standing.worker:
        return Fit(0.0, f"but {actor} still works on it")
    return Fit(0.5, f"though the attempt of {actor} is {state['status']}")


_FITS = {"continue": _to_continue, "review": _to_review, "retry": _to_retry}
"""What fits each intent; to the others any state does."""


class Standings:
    """All tasks, each looked at when it is asked for, for one who asks at ``now``.

    What is told of many at once by their ids is asked of what is known, without a look at any.
    """

    def __init__(
        self, reader: Reader, known: Known, asker: Asker, now: datetime, heard: Heard = UNHEARD
    ) -> None:
        self.known = known
        self.asker = asker
        self.at = written(now.astimezone(UTC))
        self._reader = reader
        self._heard = heard
        self._found: dict[str, Standing | None] = {}

    def get(self, id: str) -> Standing | None:
        """The task of this id, if it can be read."""
        if id not in self._found:
            task = readable(self._reader, "task", id, task=None)
            self._found[id] = self._standing(task) if task else None
        return self._found[id]

    def _standing(self, task: Record) -> Standing:
        return Standing(self._reader, self.known, task, self.asker, self.at, self._heard)

    def __getitem__(self, id: str) -> Standing:
        found = self.get(id)
        if found is None:
            raise KeyError(id)
        return found

    def those(self, ids: Iterable[str]) -> list[Standing]:
        """Those of some ids that can be read, in order."""
        return [found for id in sorted(ids) if (found := self.get(id))]

    # -- of many at once ----------------------------------------------------------------------

    @cached_property
    def worked(self) -> Mapping[str, str]:
        """The tasks that the asker worked on, with ``Standing.worked`` of each."""
        actor = self.asker.actor
        return self.known.did((actor,), self.at, DESCRIBED) if actor else {}

    @cached_property
    def matters(self) -> Mapping[str, str]:
        """The tasks that are the asker's matter, with the later of ``own`` and ``concerns``."""
        actor, agents = self.asker.actor, self.asker.agents
        found = dict(self.known.did({*agents, *([actor] if actor else [])}, self.at, ()))
        for id, at in (self.known.answered(actor, self.at) if actor else {}).items():
            found[id] = max(at, found.get(id, ""))
        return found

    @cached_property
    def unfinished(self) -> Set[str]:
        """The tasks that are not closed."""
        return self.known.unfinished()

    @cached_property
    def tried(self) -> Set[str]:
        """The tasks with an attempt, and perhaps others."""
        return self.known.met(("started",))

    @cached_property
    def perhaps_to_retry(self) -> Set[str]:
        """All tasks of which the last attempt came to nothing, and others."""
        at_work = self._reader.having("execution", "state.status", NOT_ENDED)
        return {*self.known.met(FAILED), *(one.task for one in at_work if one.task)}
