"""A task in full: what was computed of it, and all of that in lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from gittask.core.meaning import joined, meant
from gittask.core.record import Data, Reader, Record
from gittask.core.stamp import latest
from gittask.core.text import one_line
from gittask.kinds import kind, newest, readable
from gittask.kinds.handoff import last_handoff
from gittask.kinds.message import open_questions
from gittask.views import graph, words, work
from gittask.views.liveness import UNHEARD, Heard, Liveness, current
from gittask.views.show.record import part, row, signed
from gittask.views.status import line
from gittask.views.words import When, block, first_line, timed, when

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
    circles = [one for one in graph.all_circles(reader, now) if task.id in one.ids]
    report = last_handoff(reader, task.id)
    needs = graph.dependencies(reader, task)
    return {
        "status": line(reader, task, now, heard, when=when),
        "ready": graph.is_ready(reader, task, now),
        "updated": latest(task.data).at,
        "holder": _holder(reader, task),
        "depends_on": [_around(reader, *each) for each in needs],
        "blocked_by": [each.id for each in needs if each.blocks],
        "missing": [each.id for each in needs if each.status == graph.MISSING],
        "dependents": _related(reader, "depends_on", task.id),
        "children": _related(reader, "parent", task.id),
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


def _around(reader: Reader, id: str, status: str) -> Data:
    found = readable(reader, "task", id, task=None)
    return {"id": id, "status": status, "title": found.data["title"] if found else None}


def _related(reader: Reader, field: str, id: str) -> list[Data]:
    found = reader.having("task", field, (id,))
    return [_around(reader, one.id, one.data["state"]["status"]) for one in found]


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


# -- for people -------------------------------------------------------------------------------


def text(task: Record, found: Data, *, when: When = when) -> Iterator[str]:
    """A task and what is computed of it, in lines for people.

    First what and why, then how it stands, what wants somebody, what was done, what is around.
    """
    data = task.data
    yield joined(meant(task.id, "id"), "  ", meant(one_line(data["title"]), "heading"))
    yield found["status"]
    yield from part("why", block(data.get("why") or _NO_REASON, ""))
    items = data.get("acceptance") or []
    met = sum(bool(item["met"]) for item in items)
    yield from _list(f"acceptance ({met} of {len(items)} met)", map(_criterion, items))
    yield from part("instructions", block(data.get("instructions") or "", ""))
    yield ""
    yield from _fields(data, found, when)
    yield from part("outcome", block(data["state"]["outcome"] or "", ""))
    yield from part("reason", block(data["state"]["reason"] or "", ""))
    yield from _list("open questions", map(_question, found["open_questions"]))
    yield from _list("waits", map(_waits, _other_waits(found)))
    yield from _list("conflicts", map(_conflict, found["conflicts"]))
    yield from _list("circles", (" -> ".join(each["tasks"]) for each in found["circles"]))
    yield from _handed_off(found["last_handoff"], when)
    yield from _reviewed(found["last_review"], when)
    yield from _list("latest answers", map(_answer, found["answers"]))
    yield from _list("decisions", map(_decision, found["decisions"]))
    yield from _list("attempts", (_attempt(one, when) for one in found["executions"]))
    yield from _list("depends on", map(_around_it, found["depends_on"]))
    yield from _list("needed by", map(_around_it, found["dependents"]))
    yield from _list("parts", map(_around_it, found["children"]))
    yield from _list("links", map(_link, data.get("links") or ()))


_NO_REASON = "not said yet, and no work starts without it"


def _fields(data: Data, found: Data, when: When) -> Iterator[str]:
    state = data["state"]
    status = f"{state['status']} (epoch {state['epoch']})"
    if found["holder"]:
        holder = found["holder"]
        status += f", held by {holder['actor']} under {holder['execution']}"
    yield from row("status", status)
    yield from row("priority", data.get("priority"))
    yield from row("type", data.get("type"))
    yield from row("labels", ", ".join(data.get("labels") or ()))
    for name in ("responsible", "project", "parent", "provider"):
        yield from row(name, data.get(name))
    yield from row("workspace", words.workspace(data.get("workspace") or {}))
    yield from row("due", data.get("due"))
    yield from row("created", signed(data["created"]["at"], data["created"]["by"], when))
    yield from row("updated", when(found["updated"]))


def _list(name: str, items: Iterable[str]) -> Iterator[str]:
    yield from part(name, map(one_line, items))


def _other_waits(found: Data) -> list[Data]:
    """The waits that are about no open question: those are shown as such."""
    asked = {one["id"] for one in found["open_questions"]}
    return [each for each in found["waits"] if each["subject"] not in asked]


def _around_it(one: Data) -> str:
    return f"{one['id']} ({one['status']}) {one['title'] or ''}".rstrip()


def _criterion(item: Data) -> str:
    evidence = f" ({first_line(item['evidence'])})" if item["evidence"] else ""
    return f"[{'x' if item['met'] else ' '}] {item['id']} {first_line(item['text'])}{evidence}"


def _waits(each: Data) -> str:
    end = f" ({each['end']})" if each["end"] else ""
    responder = f" {each['responder']}" if each["responder"] else ""
    return f"{each['id']} for {each['on']}{responder}{end}: {first_line(each['condition'])}"


def _link(item: Data) -> str:
    return f"{item['rel']} {item['target']} {item['title'] or ''}".rstrip()


def _attempt(one: Data, when: When) -> str:
    lane = f"epoch {one['epoch']}" if one["lane"] == "edit" else "review"
    since = f" {timed('since', when(one['since']))}" if one["since"] else ""
    cause = f", {one['cause']}" if one["cause"] else ""
    return f"{one['id']} {one['actor']} as {one['role']} ({lane}): {one['status']}{since}{cause}"


def _handed_off(data: Data | None, when: When) -> Iterator[str]:
    if data:
        head = f"last handoff {data['id']}, {when(data['at'])}, {data['actor']}"
        said = f"{data['condition']}: {one_line(data['summary'])}"
        yield from part(head, [said, *words.handoff(data)])


def _reviewed(data: Data | None, when: When) -> Iterator[str]:
    if data:
        created = data["created"]
        head = f"last review {data['id']}, {when(created['at'])}, {created['by']}"
        yield from part(head, map(first_line, words.review(data)))


def _decision(data: Data) -> str:
    return f"{data['id']} {first_line(data['title'])}: {first_line(data['outcome'])}"


def _answer(data: Data) -> str:
    return f"{data['id']} {data['from']}: {first_line(data['body'])}"


def _question(data: Data) -> str:
    to = f" to {data['to']}" if data.get("to") else ""
    return f"{data['id']} {data['from']}{to}: {first_line(data['body'])}"


def _conflict(data: Data) -> str:
    return f"{data['id']} {kind('conflict').summary(data)}"
