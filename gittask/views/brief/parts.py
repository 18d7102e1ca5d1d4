"""The parts of a brief that are never dropped, in the order in which a reader needs them."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Data, Record, age
from gittask.core.stamp import latest
from gittask.core.text import spaced
from gittask.kinds import kind
from gittask.kinds.approval import of_task, standing
from gittask.kinds.message import open_questions
from gittask.views import graph, words, work
from gittask.views.brief.item import CUT, About, Item, Section
from gittask.views.brief.rules import instructions
from gittask.views.brief.who import reach, who
from gittask.views.words import when

WEIGHTY = ("state", "title", "why", "acceptance", "instructions", "allowed", "approvers")
"""The fields of a task of which a conflict is always told."""


def needed(about: About) -> list[Section]:
    """All parts that are never dropped; those that have nothing to say may be left away."""
    report = Section("report", _report_title(about), [*_report(about)])
    who_and_what = [
        Section("who", "Who you are", [*who(about)]),
        Section("goal", "Goal", [*_goal(about)]),
        Section("acceptance", "Acceptance", [*_acceptance(about.task.data)]),
    ]
    found = [
        *([report, *who_and_what] if about.reviews else [*who_and_what, report]),
        Section("open", "Open questions and waits", _open(about)),
        Section("conflicts", "Conflicts", [*conflicts(about, weighty=True)]),
        Section("instructions", "Instructions that govern", [*instructions(about)]),
    ]
    return [section for section in found if section.items]


# -- the goal ---------------------------------------------------------------------------------


def _goal(about: About) -> Iterator[Item]:
    data, state = about.task.data, about.state
    said = [f"{state['status']} (epoch {state['epoch']})", f"priority {data.get('priority')}"]
    said += [f"{name} {data[name]}" for name in ("type", "project", "due") if data.get(name)]
    said += [f"responsible {data['responsible']}"]
    said += [f"part of {data['parent']}"] if data.get("parent") else []
    yield Item("Title", data["title"], latest(data, "title").by)
    yield Item(", ".join(said))
    if data.get("why"):
        yield Item("Why", data["why"], latest(data, "why").by)
    else:
        yield Item("Nobody said why, and no work starts without that")
    for label, name in (("Outcome", "outcome"), (f"Why it is {state['status']}", "reason")):
        if state[name]:
            yield Item(label, state[name], latest(data, "state").by)


def _acceptance(data: Data) -> Iterator[Item]:
    items = data.get("acceptance") or []
    if not items:
        yield Item("Nothing is written down that must be true at the end")
    for item in items:
        unit = f"acceptance.{item['id']}"
        met = "met" if item["met"] else "not met"
        yield Item(f"{item['id']}, {met}", item["text"], latest(data, f"{unit}.text").by)
        if item["evidence"]:
            by = latest(data, f"{unit}.evidence").by
            yield Item(f"{item['id']}, evidence", item["evidence"], by)


# -- the last report --------------------------------------------------------------------------


def _report_title(about: About) -> str:
    return "Handoff under review" if about.reviews and about.in_review else "Last report"


def _report(about: About) -> Iterator[Item]:
    report = about.report
    if report is None:
        yield Item("Nobody has handed off yet")
    else:
        yield from _handoff(about, report)
        standing = _before_late(about, report)
        if standing:
            yield from _handoff(about, standing)
    yield from _since(about, report)


def _before_late(about: About, report: Record) -> Record | None:
    """The last report that did not come late, if a later one did."""
    if not about.late(report):
        return None
    meant = (one for one in reversed(handoffs(about)) if one.data["kind"] != "auto")
    return next((one for one in meant if not about.late(one)), None)


def handoffs(about: About) -> list[Record]:
    """The handoffs of the task, oldest first."""
    found = about.reader.all("handoff", task=about.task.id)
    return sorted(found, key=age)


def headline(about: About, handoff: Record) -> str:
    """What sort of handoff it is, in the program's words."""
    data = handoff.data
    late = ", late: its execution had lost the task" if about.late(handoff) else ""
    kind = spaced(data["kind"])
    return f"Handoff {handoff.id} ({data['condition']}, {kind}, {when(data['at'])}{late})"


def _handoff(about: About, handoff: Record) -> Iterator[Item]:
    data = handoff.data
    by = data["actor"]
    yield Item(headline(about, handoff), data["summary"], by)
    for item in data["uncertain"]:
        could = f"; {item['who']} could say" if item["who"] else ""
        yield Item("Uncertain", f"{item['question']} (matters for: {item['impact']}{could})", by)
    if not data["uncertain"]:
        yield Item("Uncertain: none, it says")
    following = data["next_action"]
    yield Item("Next action", f"{following['do']} (by {following['by']})", by)
    review = work.review_of(about.reader, handoff)
    if review:
        created = review.data["created"]
        verdict, *said = words.review(review.data)
        label = f"{verdict.capitalize()}, {when(created['at'])}"
        yield Item(label, "\n".join(said), created["by"])


def _since(about: About, report: Record | None) -> Iterator[Item]:
    """What was last said in passing, if that was after the last report."""
    last = said_since(about, report)
    if last:
        created, body = last.data["created"], last.data["body"]
        late = ", late" if about.late(last) else ""
        label = f"Said since, {when(created['at'])}{late}"
        item = Item(label, body, created["by"])
        if item.is_long:
            item = Item(f"{label}, shortened (gittask show {last.id})", item.said(CUT), item.by)
        yield item


def said_since(about: About, report: Record | None) -> Record | None:
    """The last progress that was noted after a report."""
    after = report.data["at"] if report else ""
    notes = (
        note
        for note in about.notes
        if note.data["kind"] == "progress" and note.data["created"]["at"] > after
    )
    return max(notes, key=age, default=None)


# -- what is open -----------------------------------------------------------------------------


def _open(about: About) -> list[Item]:
    """What is asked, waited for and to be done first."""
    questions = open_questions(about.reader, about.task.id)
    waits = [
        each for each in graph.waits(about.reader, about.task.id, about.at) if each.end != "met"
    ]
    awaited = {each.wait.data.get("subject") for each in waits}
    asked = {question.id for question in questions}
    found = [_question(question, awaits=question.id in awaited) for question in questions]
    found += [_wait(about, each) for each in waits if each.wait.data.get("subject") not in asked]
    for approval in of_task(about.reader, about.task):
        open_still = standing(about.reader, approval, about.at) == "requested"
        if open_still and approval.id not in awaited:
            label = f"Approval {approval.id} is open, {reach(approval.data)}"
            by = approval.data["requested_by"]
            found.append(Item(label, approval.data["action"], by, did="asked for"))
    needs = graph.blocked_by(about.reader, about.task)
    if needs:
        shown = ", ".join(f"{each.id} ({each.status})" for each in needs)
        found.append(Item(f"To be done before: {shown}"))
    return found or [Item("None")]


def _question(question: Record, *, awaits: bool) -> Item:
    data = question.data
    to = f" to {data['to']}" if data.get("to") else ""
    holds = ", the task waits for the answer" if awaits else ""
    label = f"Question {question.id}{to} ({when(data['created']['at'])}{holds})"
    return Item(label, data["body"], data["from"])


def _wait(about: About, each: graph.Waiting) -> Item:
    data = each.wait.data
    times = [f"{name} {when(data[name])}" for name in ("until", "expires") if data.get(name)]
    said = [_awaited(data), *times, *(["has expired"] if each.end else [])]
    otherwise = f"; otherwise: {data['otherwise']}" if data.get("otherwise") else ""
    text = f"{data['condition']}{otherwise}"
    asked = data["on"] == "approval" and data.get("subject")
    approval = graph.approval(about.reader, data["task"], asked) if asked else None
    if approval and approval.data["action"] not in text:  # what is granted is this, to the letter
        text += f"\nasked for, {reach(approval.data)}: {approval.data['action']}"
    return Item(f"Wait {each.wait.id} {', '.join(said)}", text, data["created"]["by"])


def _awaited(wait: Data) -> str:
    who = wait.get("responder")
    found = {
        "person": f"for {who}",
        "approval": f"for approval by {who}",
        "event": f"for something to happen that {who} can tell of",
        "task": "for another task",
        "time": "for a time",
    }
    return found[wait["on"]]


def conflicts(about: About, *, weighty: bool) -> Iterator[Item]:
    """The open conflicts of the task about what weighs, or about the rest."""
    for conflict in work.open_conflicts(about.reader, about.task.id):
        data = conflict.data
        about_task = data["record"].endswith("/task.yaml")
        if weighty == (about_task and data["field"].partition(".")[0] in WEIGHTY):
            label = f"Conflict {conflict.id}: two values met in a merge, and one was kept"
            by = data["lost_by"]["by"]
            yield Item(label, kind("conflict").summary(data), by, f"gittask show {conflict.id}")
