"""The parts of a brief that are never dropped, in the order in which a reader needs them."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Data, Record
from gittask.kinds import kind
from gittask.kinds.approval import of_task
from gittask.kinds.message import open_questions
from gittask.views import graph, work
from gittask.views.brief.item import CUT, About, Item, Section, author
from gittask.views.brief.rules import instructions
from gittask.views.brief.who import who
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
        Section("open", "Open questions and waits", [*_open(about)]),
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
    yield Item("Title", data["title"], author(data, "title"))
    yield Item(", ".join(said))
    if data.get("why"):
        yield Item("Why", data["why"], author(data, "why"))
    else:
        yield Item("Nobody said why, and no work starts without that")
    for name in ("outcome", "reason"):
        if state[name]:
            yield Item(f"{name.title()} of its state", state[name], author(data, "state"))


def _acceptance(data: Data) -> Iterator[Item]:
    items = data.get("acceptance") or []
    if not items:
        yield Item("Nothing is written down that must be true at the end")
    for item in items:
        unit = f"acceptance.{item['id']}"
        met = "met" if item["met"] else "not met"
        yield Item(f"{item['id']}, {met}", item["text"], author(data, unit, f"{unit}.text"))
        if item["evidence"]:
            by = author(data, unit, f"{unit}.evidence")
            yield Item(f"{item['id']}, evidence", item["evidence"], by)


# -- the last report --------------------------------------------------------------------------


def _report_title(about: About) -> str:
    in_review = about.reviews and about.state["status"] == "review"
    return "Handoff under review" if in_review else "Last report"


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
    return sorted(found, key=lambda one: (one.data["at"], one.id))


def headline(about: About, handoff: Record) -> str:
    """What sort of handoff it is, in the program's words."""
    data = handoff.data
    late = ", late: its execution had lost the task" if about.late(handoff) else ""
    kind = str(data["kind"]).replace("_", " ")
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
        said = review.data
        words = [said.get("synthesis"), *said.get("findings", ()), *said.get("questions", ())]
        verdict = str(said["verdict"]).replace("_", " ").capitalize()
        label = f"{verdict}, {when(said['created']['at'])}"
        yield Item(label, "\n".join(filter(None, words)), said["created"]["by"])


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
        for note in about.reader.all("note", task=about.task.id)
        if note.data["kind"] == "progress" and note.data["created"]["at"] > after
    )
    return max(notes, key=lambda one: (one.data["created"]["at"], one.id), default=None)


# -- what is open -----------------------------------------------------------------------------


def _open(about: About) -> Iterator[Item]:
    questions = open_questions(about.reader, about.task.id)
    waits = graph.waits(about.reader, about.task.id, about.at)
    subjects = {each.wait.data.get("subject") for each in waits}
    for question in questions:
        data = question.data
        to = f" to {data['to']}" if data.get("to") else ""
        holds = ", the task waits for it" if question.id in subjects else ""
        label = f"Question {question.id}{to} ({when(data['created']['at'])}{holds})"
        yield Item(label, data["body"], data["from"])
    asked = {question.id for question in questions}
    for each in waits:
        if each.wait.data.get("subject") not in asked:
            yield _wait(each)
    waited_for = {each.wait.data.get("subject") for each in waits}
    for approval in of_task(about.reader, about.task):
        if approval.data["state"]["status"] == "requested" and approval.id not in waited_for:
            label = f"Asked for approval {approval.id} ({approval.data['scope']})"
            yield Item(label, approval.data["action"], approval.data["requested_by"])
    needs = graph.blocked_by(about.reader, about.task)
    if needs:
        shown = ", ".join(f"{each.id} ({each.status})" for each in needs)
        yield Item(f"To be done before: {shown}")
    if not (questions or waits or needs):
        yield Item("None")


def _wait(each: graph.Waiting) -> Item:
    data = each.wait.data
    responder = f" of {data['responder']}" if data.get("responder") else ""
    times = [f"{name} {when(data[name])}" for name in ("until", "expires") if data.get(name)]
    end = [f"has {each.end}" if each.end == "expired" else "is met"] if each.end else []
    said = f" ({', '.join([*times, *end])})" if times or end else ""
    otherwise = f"; otherwise: {data['otherwise']}" if data.get("otherwise") else ""
    text = f"{data['condition']}{otherwise}"
    return Item(
        f"Wait {each.wait.id} for {data['on']}{responder}{said}", text, data["created"]["by"]
    )


def conflicts(about: About, *, weighty: bool) -> Iterator[Item]:
    """The open conflicts of the task about what weighs, or about the rest."""
    for conflict in work.open_conflicts(about.reader, about.task.id):
        data = conflict.data
        about_task = data["record"].endswith("/task.yaml")
        if weighty == (about_task and data["field"].partition(".")[0] in WEIGHTY):
            label = f"Conflict {conflict.id}: two values met in a merge, and one was kept"
            by = data["lost_by"]["by"]
            yield Item(label, kind("conflict").summary(data), by, f"gittask show {conflict.id}")
