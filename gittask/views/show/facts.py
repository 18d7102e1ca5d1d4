"""What follows from the records about a task, and so stands in none of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from gittask.core.record import Data, Reader, Record
from gittask.core.stamp import creation, stamps
from gittask.kinds import newest
from gittask.kinds.handoff import last_handoff
from gittask.kinds.message import open_questions
from gittask.views import graph, work
from gittask.views.liveness import UNHEARD, Heard, Liveness, current
from gittask.views.status import line
from gittask.views.words import When, when

ANSWERS = 3
"""How many answers a task shows, the latest."""


def computed(
    reader: Reader, task: Record, now: str, heard: Heard = UNHEARD, *, when: When = when
) -> dict[str, Any]:
    """What follows from the records about a task, and so stands in none of them.

    ``status`` is its status line. Tasks around it are ``{id, status, title}``; ``last_handoff``,
    ``last_review``, ``open_questions``, ``answers`` (the latest), ``decisions`` and ``conflicts``
    are records as they are.
    """
    everything = {other.id: other for other in reader.all("task")}
    waits = graph.task_waits(reader, everything.values(), now)
    circles = [one for one in graph.circles(everything.values(), waits) if task.id in one.ids]
    report = last_handoff(reader, task.id)
    needs = graph.dependencies(reader, task)
    return {
        "status": line(reader, task, now, heard, when=when),
        "ready": graph.is_ready(reader, task, now),
        "updated": max([creation(task.data).at, *(s.at for s in stamps(task.data).values())]),
        "holder": _holder(reader, task),
        "depends_on": [_around(everything, *each) for each in needs],
        "blocked_by": [each.id for each in needs if each.blocks],
        "missing": [each.id for each in needs if each.status == graph.MISSING],
        "dependents": _related(everything, lambda data: task.id in (data.get("depends_on") or ())),
        "children": _related(everything, lambda data: data.get("parent") == task.id),
        "circles": [{"tasks": list(circle.ids), "remedy": circle.remedy} for circle in circles],
        "waits": [_wait(each) for each in graph.waits(reader, task.id, now)],
        "executions": [
            _execution(one, current(reader, one, task, heard, now))
            for one in reader.all("execution", task=task.id)
        ],
        "last_handoff": report.data if report else None,
        "last_review": _last_review(reader, task),
        "answers": _answers(reader, task),
        "decisions": [one.data for one in reader.all("decision", task=task.id)],
        "open_questions": [one.data for one in open_questions(reader, task.id)],
        "conflicts": [one.data for one in work.open_conflicts(reader, task.id)],
    }


def _last_review(reader: Reader, task: Record) -> Data | None:
    found = next(newest(reader, "review", task=task.id), None)
    return found.data if found else None


def _answers(reader: Reader, task: Record) -> list[Data]:
    found = newest(reader, "message", task=task.id)
    answers = (one.data for one in found if one.data["kind"] == "answer")
    return list(islice(answers, ANSWERS))[::-1]


def _holder(reader: Reader, task: Record) -> Data | None:
    state = task.data["state"]
    if not state["holder"]:
        return None
    actor = work.holding_actor(reader, task)
    return {"execution": state["holder"], "actor": actor, "since": state["since"]}


def _around(everything: dict[str, Record], id: str, status: str) -> Data:
    found = everything.get(id)
    return {"id": id, "status": status, "title": found.data["title"] if found else None}


def _related(everything: dict[str, Record], is_so: Callable[[Data], bool]) -> list[Data]:
    return [
        _around(everything, id, other.data["state"]["status"])
        for id, other in everything.items()
        if is_so(other.data)
    ]


def _wait(each: graph.Waiting) -> Data:
    fields = ("id", "on", "subject", "responder", "condition", "until", "expires")
    return {name: each.wait.data.get(name) for name in fields} | {"end": each.end}


def _execution(record: Record, found: Liveness) -> Data:
    data = record.data
    status = data["state"]["status"] if found.state == "ended" else found.state
    return {
        "id": record.id,
        "actor": data["actor"],
        "role": data["role"],
        "lane": data["lane"],
        "epoch": data["epoch"],
        "status": status,
        "since": found.since,
        "cause": "" if found.state == "ended" else found.cause,
    }
