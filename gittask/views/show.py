"""One record in full: a task with all that is computed of it, or any other record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from gittask.core.ids import SHORTEST
from gittask.core.record import Data, Reader, Record
from gittask.core.schema import Schemas
from gittask.core.stamp import creation, stamps
from gittask.core.text import one_line
from gittask.errors import Ambiguous, NotFound
from gittask.kinds import kind, newest
from gittask.kinds.handoff import last_handoff
from gittask.kinds.message import open_questions
from gittask.views import graph, work
from gittask.views.liveness import UNHEARD, Heard, Liveness, current
from gittask.views.status import line
from gittask.views.timeline import KINDS
from gittask.views.words import block, first_line, handoff, when

ANSWERS = 3
"""How many answers a task shows, the latest."""


def find(reader: Reader, schemas: Schemas, text: str) -> Record:
    """The record of any kind that a text names.

    A task's id or prefix; an actor's or project's id; the id of another record, its beginning or
    its random end; or the path of a file on the data branch. NotFound, Ambiguous, or Invalid.
    """
    if "/" in text or text.endswith(".yaml"):
        return _at_path(reader, schemas, text)
    wanted = text.strip().lower()
    found = [(name, wanted) for name in ("actor", "project") if wanted in reader.ids(name)]
    tasks = reader.ids("task")
    if wanted in tasks:
        found = [("task", wanted)]
    elif len(wanted) >= SHORTEST:
        found += [("task", id) for id in tasks if id.startswith(wanted)]
        found = found or [(name, id) for name in KINDS for id in _events(reader, name, wanted)]
    if len(found) > 1:
        shown = ", ".join(f"{name} {id}" for name, id in found[:5])
        raise Ambiguous(
            f"{one_line(text)!r} could be {len(found)} records: {shown}",
            hint="give more characters, or the path of the file (actors/NAME.yaml)",
            details={"candidates": [id for _, id in found]},
        )
    name, id = found[0] if found else ("task", wanted)
    record = reader.get(name, id, task=reader.owner(name, id) if name in KINDS else None)
    if record is None:
        raise NotFound(f"no record {one_line(text)!r}", hint="see: gittask list --closed --all")
    return record


def _at_path(reader: Reader, schemas: Schemas, path: str) -> Record:
    place = schemas.locate(path.strip().removeprefix("./"))
    found = place and reader.get(place.kind, place.id, task=place.task, project=place.project)
    if not found:
        raise NotFound(f"no record at {one_line(path)!r}", hint="give a path of the data branch")
    return found


def _events(reader: Reader, name: str, wanted: str) -> list[str]:
    known = reader.ids(name)
    return [id for id in known if id.startswith(wanted) or id.partition("-")[2] == wanted]


# -- a task -----------------------------------------------------------------------------------


def computed(reader: Reader, task: Record, now: str, heard: Heard = UNHEARD) -> dict[str, Any]:
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
        "status": line(reader, task, now, heard),
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


# -- a task for people ------------------------------------------------------------------------


def text(task: Record, found: Data) -> list[str]:
    """A task and what is computed of it, in lines for people."""
    data = task.data
    head = [f"{task.id}  {one_line(data['title'])}", found["status"], ""]
    parts = [
        *_texts(data),
        *_list("acceptance", [_criterion(item) for item in data.get("acceptance") or []]),
        *_tasks("depends on", found["depends_on"]),
        *_tasks("needed by", found["dependents"]),
        *_tasks("parts", found["children"]),
        *_list("circles", [" -> ".join(each["tasks"]) for each in found["circles"]]),
        *_list("waits", [_waits(each) for each in found["waits"]]),
        *_list("links", [_link(item) for item in data.get("links") or []]),
        *_list("attempts", [_attempt(one) for one in found["executions"]]),
        *_last_handoff(found["last_handoff"]),
        *_last_review_lines(found["last_review"]),
        *_list("decisions", [_decision(one) for one in found["decisions"]]),
        *_list("latest answers", [_answer(one) for one in found["answers"]]),
        *_list("open questions", [_question(one) for one in found["open_questions"]]),
        *_list("conflicts", [_conflict(one) for one in found["conflicts"]]),
    ]
    return [*head, *_fields(data, found), *parts]


def _fields(data: Data, found: Data) -> Iterator[str]:
    state = data["state"]
    status = f"{state['status']} (epoch {state['epoch']})"
    if found["holder"]:
        holder = found["holder"]
        status += f", held by {holder['actor']} under {holder['execution']}"
    shown = {
        "status": status,
        "priority": data.get("priority"),
        "type": data.get("type"),
        "labels": ", ".join(data.get("labels") or ()),
        "responsible": data["responsible"],
        "project": data.get("project"),
        "parent": data.get("parent"),
        "provider": data.get("provider"),
        "due": data.get("due"),
        "created": f"{when(data['created']['at'])} by {data['created']['by']}",
        "updated": when(found["updated"]),
    }
    for name, value in shown.items():
        if value not in (None, ""):
            yield f"{name:<12} {one_line(value)}"


def _texts(data: Data) -> Iterator[str]:
    said = {name: data.get(name) for name in ("why", "instructions")}
    for name, text in {**said, **{n: data["state"][n] for n in ("outcome", "reason")}}.items():
        if text:
            yield from ("", name, *block(text))


def _list(name: str, items: Sequence[str]) -> list[str]:
    return ["", name, *(f"  {one_line(item)}" for item in items)] if items else []


def _tasks(name: str, items: Sequence[Data]) -> list[str]:
    shown = [f"{one['id']} ({one['status']}) {one['title'] or ''}".rstrip() for one in items]
    return _list(name, shown)


def _criterion(item: Data) -> str:
    evidence = f" ({first_line(item['evidence'])})" if item["evidence"] else ""
    return f"[{'x' if item['met'] else ' '}] {item['id']} {first_line(item['text'])}{evidence}"


def _waits(each: Data) -> str:
    end = f" ({each['end']})" if each["end"] else ""
    responder = f" {each['responder']}" if each["responder"] else ""
    return f"{each['id']} for {each['on']}{responder}{end}: {first_line(each['condition'])}"


def _link(item: Data) -> str:
    return f"{item['rel']} {item['target']} {item['title'] or ''}".rstrip()


def _attempt(one: Data) -> str:
    lane = f"epoch {one['epoch']}" if one["lane"] == "edit" else "review"
    cause = f", {one['cause']}" if one["cause"] else ""
    return f"{one['id']} {one['actor']} as {one['role']} ({lane}): {one['status']}{cause}"


def _last_handoff(data: Data | None) -> list[str]:
    if data is None:
        return []
    head = f"last handoff {data['id']}, {when(data['at'])}, {data['actor']}"
    return ["", head, *(f"  {each}" for each in (_summary(data), *handoff(data)))]


def _last_review_lines(data: Data | None) -> list[str]:
    if data is None:
        return []
    created, verdict = data["created"], str(data["verdict"]).replace("_", " ")
    said = [verdict, data.get("synthesis")]
    said += [*(data.get("findings") or ()), *(data.get("questions") or ())]
    name = f"last review {data['id']}, {when(created['at'])}, {created['by']}"
    return _list(name, [first_line(each) for each in said if each])


def _decision(data: Data) -> str:
    return f"{data['id']} {first_line(data['title'])}: {first_line(data['outcome'])}"


def _answer(data: Data) -> str:
    return f"{data['id']} {data['from']}: {first_line(data['body'])}"


def _summary(data: Data) -> str:
    return f"{data['condition']}: {one_line(data['summary'])}"


def _question(data: Data) -> str:
    to = f" to {data['to']}" if data.get("to") else ""
    return f"{data['id']} {data['from']}{to}: {first_line(data['body'])}"


def _conflict(data: Data) -> str:
    return f"{data['id']} {kind('conflict').summary(data)}"
