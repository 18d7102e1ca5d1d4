"""What the inbox finds by what is open is what a look at every task finds."""

from __future__ import annotations

from typing import Any
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from gittask.core.record import Reader, Record
from gittask.kinds.task import CLOSED
from gittask.views import concerning, graph
from gittask.views.inbox import inbox
from gittask.views.liveness import UNHEARD
from tests.memory import NOW, MemoryReader, actor, at, event, project, task, task_id

TASKS = ("a", "b")
ACTORS = (actor("alice"), actor("bob"), actor("codex-1", "agent"), actor("codex-2", "agent"))
NAMES = st.sampled_from([one.id for one in ACTORS])
MINUTES = st.integers(0, 2)


@st.composite
def tasks(draw: st.DrawFn, name: str) -> Record:
    return task(
        name,
        status=draw(st.sampled_from(["open", "active", "review", "done"])),
        holder=draw(st.none() | claims(name).map(lambda one: one.id)),
        epoch=draw(st.integers(0, 2)),
        responsible=draw(NAMES),
        depends_on=draw(st.lists(st.sampled_from(TASKS), unique=True)),
    )


@st.composite
def claims(draw: st.DrawFn, of: str) -> Record:
    epoch = draw(st.integers(1, 2))
    state = {"status": draw(st.sampled_from(["claimed", "reported", "done"])), "reason": None}
    return event("execution", of, epoch, actor=f"codex-{epoch}", epoch=epoch, state=state)


@st.composite
def events(draw: st.DrawFn, of: str) -> list[Record]:
    """A record of a task, and those that it is about."""
    minute, by = draw(MINUTES), draw(NAMES)
    kind = draw(st.sampled_from([*_MADE]))
    if kind == "answer":
        question = event("message", of, 0, **{"kind": "question", "from": draw(NAMES)})
        said: dict[str, Any] = {"kind": "answer", "from": by, "in_reply_to": question.id}
        return [question, event("message", of, minute, **said)]
    if kind in ("handoff", "review"):
        claim = draw(claims(of))
        whose = {"execution": claim.id, "actor": claim.data["actor"]}
        next_action = {"do": "more", "by": draw(st.sampled_from(["editor", " Alice", "codex-2"]))}
        handoff = event("handoff", of, minute, next_action=next_action, **whose)
        verdict = draw(st.sampled_from(["acknowledged", "changes_requested"]))
        review = event("review", of, minute, handoff=handoff.id, verdict=verdict)
        return [claim, handoff, review] if kind == "review" else [claim, handoff]
    return [event(_MADE[kind] or kind, of, minute, **_fields(draw, kind, of, by))]


_MADE = {
    "execution": "",
    "note": "",
    "wait": "",
    "approval": "",
    "conflict": "",
    "handoff": "",
    "review": "",
    "question": "message",
    "answer": "message",
}


def _fields(draw: st.DrawFn, kind: str, of: str, by: str) -> dict[str, Any]:
    if kind == "question":
        return {"kind": "question", "from": by, "to": draw(st.none() | NAMES)}
    if kind == "note":
        return {"execution": draw(claims(of)).id, "kind": "progress", "created_by": by}
    if kind == "wait":
        about = {"on": "task", "subject": task_id(draw(st.sampled_from(TASKS)))}
        lapsed = {"expires": draw(st.sampled_from([None, at(5), "2027-01-01T00:00:00.000Z"]))}
        return draw(st.sampled_from([about, lapsed]))
    if kind in ("approval", "conflict"):
        settled = {"approval": "granted", "conflict": "resolved"}[kind]
        return draw(st.sampled_from([{}, {"state": {"status": settled, "by": "bob"}}]))
    return {}


@given(st.data())
def test_nothing_is_overlooked(data: st.DataObject) -> None:
    found = [data.draw(tasks(name)) for name in TASKS]
    for name in TASKS:
        for each in data.draw(st.lists(events(name), max_size=4)):
            found += each
    reader = MemoryReader(*ACTORS, project("p"), *found)
    for who in ("alice", "codex-1", None):
        with mock.patch.object(concerning, "unfinished", every_unfinished):
            expected = inbox(reader, who, NOW, UNHEARD)
        assert inbox(reader, who, NOW, UNHEARD) == expected
    waits = graph.task_waits(reader, reader.all("task"), NOW)
    named = [one.record for one in expected if one.kind == "circle"]
    assert named == [one.ids[0] for one in graph.circles(reader.all("task"), waits)]


def every_unfinished(reader: Reader, *_: object) -> list[Record]:
    return [one for one in reader.all("task") if one.data["state"]["status"] not in CLOSED]
