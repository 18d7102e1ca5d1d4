"""Whatever two agents and a person do to a task in whatever order, what must hold, holds."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import pygit2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gittask.actions import handoff, tasks, work
from gittask.core.change import Act, Change
from gittask.core.ids import event_id
from gittask.core.record import Data, Reader, Record
from gittask.errors import GittaskError
from gittask.kinds.execution import FINAL
from gittask.kinds.task import CLOSED
from gittask.session import Session, Writer
from gittask.store.packaged import schemas
from gittask.store.repo import Person, Repo
from tests.memory import actor, at, task
from tests.stored import write

TASK = task("abcd")
ANN = Person("Ann", "ann@example.org", 1_800_000_000)
ACTORS = {"alice": True, "codex-1": False, "codex-2": False}
LISTS: Data = {name: [] for name in ("changed", "verified", "not_verified", "uncertain")}
REPORT: Data = {"condition": "watch", "summary": "s", "next_action": {"do": "look", "by": "alice"}}

Step = Callable[[Reader, Act], Change]
STEPS: dict[str, Step] = {
    "start": lambda reader, act: work.start(reader, act, TASK.id),
    "review": lambda reader, act: work.start(reader, act, TASK.id, lane="review"),
    "takeover": lambda reader, act: work.start(reader, act, TASK.id, takeover="silent"),
    "report": lambda reader, act: work.report(reader, act, TASK.id, "so far"),
    "release": lambda reader, act: work.release(reader, act, TASK.id, None),
    "close": lambda reader, act: tasks.close(reader, act, TASK.id, "it works"),
    "cancel": lambda reader, act: tasks.cancel(reader, act, TASK.id, "no longer"),
    "reopen": lambda reader, act: tasks.reopen(reader, act, TASK.id, "again"),
    **{
        kind: lambda reader, act, kind=kind: handoff.handoff(  # type: ignore[misc]
            reader, act, TASK.id, {**REPORT, **LISTS, "kind": kind}
        )
        for kind in ("progress", "review_request", "deliverable", "retry_context", "final", "auto")
    },
    "final and close": lambda reader, act: handoff.handoff(
        reader, act, TASK.id, {**REPORT, **LISTS, "kind": "final"}, close="it works"
    ),
}
steps = st.lists(
    st.tuples(st.sampled_from(sorted(STEPS)), st.sampled_from(sorted(ACTORS))),
    min_size=4,
    max_size=12,
)


class Store:
    """A store with one task, and the clock of a history."""

    def __init__(self, folder: Path) -> None:
        pygit2.init_repository(str(folder), bare=True)
        write(folder, TASK, *(actor(n, "person" if p else "agent") for n, p in ACTORS.items()))
        self.session = Session(Repo.discover(folder), schemas())
        self.chance = random.Random(1)
        self.minute = 0

    def do(self, step: str, actor: str) -> bool:
        """Try one step under the execution that the actor holds or last began."""
        self.minute += 1
        act = Act(
            actor=actor,
            person=ACTORS[actor],
            at=at(self.minute),
            entropy=lambda: self.chance.randbytes(16),
            execution=self._execution(actor),
        )
        try:
            self.session.run(lambda reader: STEPS[step](reader, act), act, Writer(ANN, ANN))
        except GittaskError:
            return False
        return True

    def _execution(self, actor: str) -> str | None:
        mine = [one for one in self.executions() if one.data["actor"] == actor]
        working = [one.id for one in mine if one.data["state"]["status"] not in FINAL]
        return working[-1] if working and not ACTORS[actor] else None

    def task(self) -> Data:
        found = self.session.reader().get("task", TASK.id)
        assert found is not None
        return found.data

    def executions(self) -> list[Record]:
        return list(self.session.reader().all("execution", task=TASK.id))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_what_must_hold_holds(history: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        before = store.task()
        known: dict[str, Data] = {}
        for step, actor in history:
            done = store.do(step, actor)
            after, now = store.task(), {one.id: one.data for one in store.executions()}
            state, was = after["state"], before["state"]
            holder = now.get(state["holder"])

            # A refused step changes nothing.
            assert done or (after, now) == (before, known)
            # The epoch grows by one, with a claim and with nothing else.
            claimed = done and step in ("start", "takeover")
            assert state["epoch"] == was["epoch"] + claimed
            # Whoever holds a task has an execution of the edit lane and of the task's epoch.
            if state["holder"]:
                assert holder is not None
                assert (holder["lane"], holder["epoch"]) == ("edit", state["epoch"])
            assert not (state["holder"] and state["status"] in (*CLOSED, "open"))
            assert state["holder"] or state["status"] != "active"
            # Only a claim makes somebody else the holder.
            assert claimed or state["holder"] in (None, was["holder"])
            # What has ended has ended, and nothing is taken away.
            assert known.keys() <= now.keys()
            for id, execution in known.items():
                if execution["state"]["status"] in FINAL:
                    assert now[id] == execution
            # Nobody takes a task from one who works on it, but by a takeover or as a person.
            if done and was["holder"] and state["holder"] != was["holder"]:
                previous = known[was["holder"]]
                own = previous["actor"] == actor or ACTORS[actor]
                idle = previous["state"]["status"] in ("reported", *FINAL)
                assert own or idle or step == "takeover"
            # One at most works in the edit lane under the authority of this epoch.
            edit = [one for one in now.values() if one["lane"] == "edit"]
            assert len([one for one in edit if one["epoch"] == state["epoch"]]) <= 1
            before, known = after, now


def test_every_step_can_be_done(tmp_path: Path) -> None:
    """The property above says something of each step: there is a history in which it is done."""
    done = set()
    for number, step in enumerate(sorted(STEPS)):
        store = Store(tmp_path / str(number))
        opening = {"reopen": "close", "start": "report", "review": "report", "takeover": "start"}
        store.do(opening.get(step, "start"), "codex-1")
        if store.do(step, "codex-1"):
            done.add(step)
    assert done == STEPS.keys()


def test_ids_follow_the_clock(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for step in ("start", "release", "start"):
        assert store.do(step, "codex-1")
    first, second = store.executions()
    assert first.id < second.id
    assert first.id[:16] == event_id(at(1), b"\0" * 16)[:16]
