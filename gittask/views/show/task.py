"""A task in full, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gittask.core.meaning import joined, meant
from gittask.core.record import Data, Record
from gittask.core.text import one_line
from gittask.kinds import kind
from gittask.views.words import When, block, first_line, handoff, when, workspace


def text(task: Record, found: Data, *, when: When = when) -> list[str]:
    """A task and what is computed of it (see ``show.computed``), in lines for people.

    First what and why, then how it stands, what wants somebody, what was done, what is around.
    """
    data = task.data
    title = joined(meant(task.id, "id"), "  ", meant(one_line(data["title"]), "heading"))
    why = data.get("why") or "not said yet, and no work starts without it"
    return [
        *(title, found["status"]),
        *_text("why", why),
        *_acceptance(data.get("acceptance") or []),
        *_text("instructions", data.get("instructions")),
        "",
        *_fields(data, found, when),
        *_text("outcome", data["state"]["outcome"]),
        *_text("reason", data["state"]["reason"]),
        *_list("open questions", [_question(one) for one in found["open_questions"]]),
        *_list("waits", [_waits(each) for each in found["waits"]]),
        *_list("conflicts", [_conflict(one) for one in found["conflicts"]]),
        *_list("circles", [" -> ".join(each["tasks"]) for each in found["circles"]]),
        *_last_handoff(found["last_handoff"], when),
        *_last_review(found["last_review"], when),
        *_list("latest answers", [_answer(one) for one in found["answers"]]),
        *_list("decisions", [_decision(one) for one in found["decisions"]]),
        *_list("attempts", [_attempt(one, when) for one in found["executions"]]),
        *_tasks("depends on", found["depends_on"]),
        *_tasks("needed by", found["dependents"]),
        *_tasks("parts", found["children"]),
        *_list("links", [_link(item) for item in data.get("links") or []]),
    ]


def _fields(data: Data, found: Data, when: When) -> Iterator[str]:
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
        "workspace": workspace(data.get("workspace") or {}),
        "due": data.get("due"),
        "created": f"{when(data['created']['at'])} by {data['created']['by']}",
        "updated": when(found["updated"]),
    }
    for name, value in shown.items():
        if value not in (None, ""):
            yield f"{name:<12} {one_line(value)}"


def _text(name: str, text: str | None) -> list[str]:
    return ["", meant(name, "heading"), *block(text)] if text else []


def _acceptance(items: Sequence[Data]) -> list[str]:
    met = sum(bool(item["met"]) for item in items)
    return _list(f"acceptance ({met} of {len(items)} met)", [_criterion(item) for item in items])


def _list(name: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    return ["", meant(name, "heading"), *(f"  {one_line(item)}" for item in items)]


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


def _attempt(one: Data, when: When) -> str:
    lane = f"epoch {one['epoch']}" if one["lane"] == "edit" else "review"
    since = f" since {when(one['since'])}" if one["since"] else ""
    cause = f", {one['cause']}" if one["cause"] else ""
    return f"{one['id']} {one['actor']} as {one['role']} ({lane}): {one['status']}{since}{cause}"


def _last_handoff(data: Data | None, when: When) -> list[str]:
    if data is None:
        return []
    head = f"last handoff {data['id']}, {when(data['at'])}, {data['actor']}"
    return ["", meant(head, "heading"), *(f"  {each}" for each in (_summary(data), *handoff(data)))]


def _last_review(data: Data | None, when: When) -> list[str]:
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
