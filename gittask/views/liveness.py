"""Whether an execution lives, as far as anybody here can know.

Records say what an execution made of itself; signs of life say whether it was heard of late. What
is only silent is *lost*: that is uncertainty, not failure, and ends when it is heard again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import NamedTuple

from gittask.core import duration
from gittask.core.beat import Signs, Watched
from gittask.core.moment import written
from gittask.core.record import Data, Reader, Record
from gittask.kinds.execution import FINAL, last_runtime
from gittask.kinds.task import CLOSED
from gittask.views.graph import waiting_for

STATES = ("claimed", "running", "waiting", "reported", "lost", "superseded", "ended")
WORKING = STATES[:3]
"""The states in which nothing is wrong, and nothing has come of it yet."""

Heard = Mapping[str, Signs]
"""What is known of the life of executions, by id; those that are not in it were not watched."""

UNHEARD: Heard = MappingProxyType({})
"""Nobody was watched."""


class Liveness(NamedTuple):
    """The state of an execution (one of ``STATES``), why, and since when.

    ``cause`` is empty where the state says everything. ``since`` is a record's time; for one that
    is lost it is the time here when it was last heard. ``gone`` says that its process is known
    to have ended, rather than only silent.
    """

    state: str
    cause: str
    since: str | None
    gone: bool = False

    def as_json(self) -> Data:
        """As ``--json`` shows it."""
        return self._asdict()


def liveness(
    execution: Record, task: Record, signs: Signs | None, now: str, *, waiting: bool = False
) -> Liveness:
    """How an execution of a task stands at ``now``; ``signs`` None: nobody listened for it.

    Of what could be said the first is taken: that it ended, that it no longer holds the task,
    that it reported, that it waits for somebody, that it is lost, that it runs, that it was
    claimed. Whoever waits may be silent.
    """
    state = execution.data["state"]
    status, at = state["status"], state["at"]
    if status in FINAL:
        said = f"{status}: {state['reason']}" if state["reason"] else status
        return Liveness("ended", said, at)
    overtaken = superseded(execution, task)
    if overtaken:
        newer = task.data["state"]["epoch"] > execution.data["epoch"]
        return Liveness("superseded", overtaken, task.data["state"]["since"] if newer else None)
    if status == "reported":
        return Liveness("reported", "", at)
    if waiting:
        return Liveness("waiting", "", at)
    lost = _lost(signs) if signs else None
    if signs and lost:
        return Liveness("lost", lost, _before(now, signs.silence), signs.gone is not None)
    return Liveness(status, "", at)


def superseded(execution: Record, task: Record) -> str | None:
    """Why an execution no longer holds its task, if it ever did and holds it no more."""
    held = task.data["state"]
    if execution.data["lane"] != "edit" or held["holder"] == execution.id:
        return None
    if held["epoch"] > execution.data["epoch"]:
        because = f", because {held['reason']}" if held["reason"] else ""
        return f"overtaken by epoch {held['epoch']}{because}"
    if held["status"] in CLOSED:
        return f"the task is {held['status']}"
    return "it holds the task no more"


def _lost(signs: Signs) -> str | None:
    if signs.gone:
        return signs.gone
    return f"silent for {duration.words(signs.silence)}" if signs.silence >= signs.lease else None


def _before(now: str, seconds: float) -> str:
    """The record's time that was so many seconds before another."""
    time = datetime.fromisoformat(now) - timedelta(seconds=min(seconds, _CENTURY))
    return written(time)


_CENTURY = 100 * 365 * 86400


def current(reader: Reader, execution: Record, task: Record, heard: Heard, now: str) -> Liveness:
    """How an execution stands, by all that the store and the observer know."""
    waiting = any(
        wait.data.get("execution") in (None, execution.id)
        for wait in waiting_for(reader, task.id, now)
    )
    return liveness(execution, task, heard.get(execution.id), now, waiting=waiting)


def is_over(execution: Record, task: Record) -> bool:
    """Whether nothing more is expected of an execution, so that nobody listens for it."""
    return execution.data["state"]["status"] in FINAL or superseded(execution, task) is not None


WRITTEN = ("note", "handoff", "message", "decision", "review")
"""The kinds that are written once, so that each record is one sign of life."""


def watched(reader: Reader, task: Record) -> Iterator[Watched]:
    """The executions of a task of which more is expected, as an observer asks about them."""
    expected = [one for one in reader.all("execution", task=task.id) if not is_over(one, task)]
    if not expected:
        return
    written = Counter(
        record.data.get("execution")
        for kind in WRITTEN
        for record in reader.all(kind, task=task.id)
    )
    for one in expected:
        last = last_runtime(one.data)
        runtimes = {runtime["id"] for runtime in one.data.get("runtimes") or []}
        former = frozenset(runtimes - {last["id"]} if last else runtimes)
        yield Watched(one.id, task.id, former, written[one.id])
