"""The one thing that matters now: of one task, and of the whole store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from gittask.core.meaning import Meaning, meant, over
from gittask.core.record import Data, Reader, Record
from gittask.core.stamp import Stamp, creation, stamps
from gittask.core.text import one_line, shorten
from gittask.kinds import readable
from gittask.kinds.execution import FINAL
from gittask.kinds.handoff import last_handoff
from gittask.kinds.message import open_questions
from gittask.kinds.task import CLOSED
from gittask.views import graph, work
from gittask.views.listing import MEANINGS, ordered
from gittask.views.liveness import UNHEARD, Heard, current
from gittask.views.words import When, first_line, timed, when

LENGTH = 120
"""How many characters a status line has at most."""


def line(
    reader: Reader, task: Record, now: str, heard: Heard = UNHEARD, *, when: When = when
) -> str:
    """A task in one line that says who does, or waits for, what and since when.

    Of what could be said the first is taken: how it ended, what it waits for, a wait that
    expired, the review, the work, what blocks it, or that it is ready. The line carries the
    meaning of it.
    """
    said = next(_said(reader, task, now, heard, when))
    return over(lambda text: shorten(one_line(text), LENGTH), said)


def _said(reader: Reader, task: Record, now: str, heard: Heard, when: When) -> Iterator[str]:
    state = task.data["state"]
    if state["status"] in CLOSED:
        yield meant(_closed(task, when), MEANINGS[state["status"]])
    waits = graph.waits(reader, task.id, now)
    lasting = [each.wait for each in waits if each.end is None]
    if lasting:
        yield meant(_waiting(reader, lasting, when), "warning")
    for expired in (each.wait for each in waits if each.end == "expired"):
        yield meant(_expired(expired.data, when), "warning")
    if state["status"] == "review":
        yield meant(_in_review(reader, task, when), "review")
    yield from _sent_back(reader, task, when)
    if state["status"] == "active" or state["holder"]:
        yield _worked_on(reader, task, now, heard, when)
    yield from _in_the_way(reader, task, when)
    yield meant(_ready(reader, task, when), "ready")


def _set(task: Record, unit: str = "state") -> Stamp:
    """When a task came to stand as it does, and by whom; or a field of it."""
    return stamps(task.data).get(unit) or creation(task.data)


def _closed(task: Record, when: When) -> str:
    state, ended = task.data["state"], _set(task)
    how = state["reason"] if state["status"] == "cancelled" else state["outcome"]
    by = f"{state['status']} by {ended.by} {timed('at', when(ended.at))}"
    return f"{by}: {first_line(how or task.data['title'])}"


def _waiting(reader: Reader, waits: Sequence[Record], when: When) -> str:
    wait = waits[0].data
    since = f"since {when(wait['created']['at'])}"
    if wait["on"] == "time":
        target = f"{since} {timed('until', when(wait['until']))}"
    elif wait["on"] == "task":
        target = f"for task {wait['subject'] or ''}".rstrip() + f" {since}"
    else:
        target = f"for {wait['responder']} {since}"
    more = f" (and {len(waits) - 1} more)" if len(waits) > 1 else ""
    what = first_line(_asked(reader, wait) or wait["condition"])
    return f"{wait['created']['by']} waits {target}{more}: {what}"


def _asked(reader: Reader, wait: Data) -> str | None:
    """The question or the action that a wait is about, if it names one that is there."""
    subject = wait.get("subject")
    if not subject:
        return None
    if wait["on"] == "approval":
        found = graph.approval(reader, wait["task"], subject)
        return f"approve {found.data['action']}" if found else None
    if wait["on"] == "person":
        messages = reader.all("message", task=wait["task"])
        return next((message.data["body"] for message in messages if message.id == subject), None)
    return None


def _expired(wait: Data, when: When) -> str:
    who = wait.get("responder") or "it"
    otherwise = f"; now: {first_line(wait['otherwise'])}" if wait.get("otherwise") else ""
    what = first_line(wait["condition"])
    until = timed("until", when(wait["expires"]))
    return f"{wait['created']['by']} waited for {who} {until}: {what}{otherwise}"


def _in_review(reader: Reader, task: Record, when: When) -> str:
    handoff, decides = work.up_for_review(reader, task), f"{task.data['responsible']} decides"
    if handoff is None:
        return f"in review since {when(_set(task).at)}, {decides}: {first_line(task.data['title'])}"
    summary = first_line(handoff.data["summary"])
    review = work.review_of(reader, handoff)
    if review is None:
        return f"in review since {when(handoff.data['at'])}, {decides}: {summary}"
    by, at = review.data["created"]["by"], timed("at", when(review.data["created"]["at"]))
    if review.data["verdict"] == "changes_requested":
        found = next(iter(review.data.get("findings") or []), None)
        asked = f"{by} asked {handoff.data['actor']} for changes {at}"
        return f"{asked}: {first_line(found or summary)}"
    return f"in review, {review.data['verdict']} by {by} {at}, {decides}: {summary}"


def _sent_back(reader: Reader, task: Record, when: When) -> Iterator[str]:
    """That changes were asked for, while the holder has not said how it goes on."""
    holder = work.holder(reader, task) if task.data["state"]["status"] == "active" else None
    handoff = last_handoff(reader, task.id, holder.id) if holder else None
    if holder and handoff and work.last_report(reader, holder) == handoff.data["summary"]:
        review = work.review_of(reader, handoff)
        if review and review.data["verdict"] == "changes_requested":
            yield meant(_in_review(reader, task, when), "warning")


def _worked_on(reader: Reader, task: Record, now: str, heard: Heard, when: When) -> str:
    state = task.data["state"]
    execution = work.holder(reader, task)
    if execution is None:
        since = when(state["since"])
        said = f"{state['status']} since {since}, but it is not known who works on it"
        return meant(said, "warning")
    report = work.last_report(reader, execution)
    said = report or execution.data["objective"]
    found = current(reader, execution, task, heard, now)
    if found.state == "lost":
        who = f"{execution.data['actor']} lost since {when(found.since)} ({found.cause})"
        last = "last" if report else "no report yet"
        return meant(f"{who}; {last}: {first_line(said)}", "warning")
    actor, status = execution.data["actor"], execution.data["state"]["status"]
    since = when(execution.data["created"]["at"])
    doing = {
        "claimed": f"{actor} has claimed it since {since}, no report yet",
        "running": f"{actor} works on it since {since}",
    }
    ended = f"{actor} works no more, {status} since {when(execution.data['state']['at'])}"
    meaning: Meaning = "active" if status in doing else "warning"
    return meant(f"{doing.get(status, ended)}: {first_line(said)}", meaning)


def _in_the_way(reader: Reader, task: Record, when: When) -> Iterator[str]:
    """What the task needs first: its state, who works on it or else answers for it, its title."""
    blocking = graph.blocked_by(reader, task)
    if not blocking:
        return
    first = blocking[0]
    found = readable(reader, "task", first.id, task=None)
    who = found and (work.holding_actor(reader, found) or found.data["responsible"])
    stands = f"{first.status}, {who}" if who else first.status
    more = f" and {len(blocking) - 1} more" if len(blocking) > 1 else ""
    since = when(_set(task, f"depends_on.{first.id}").at)
    title = first_line(found.data["title"]) if found else "see it"
    yield meant(f"blocked by {first.id} ({stands}){more} since {since}: {title}", "warning")


def _ready(reader: Reader, task: Record, when: When) -> str:
    handoff = last_handoff(reader, task.id)
    following = f"; next: {first_line(handoff.data['next_action']['do'])}" if handoff else ""
    return f"ready: nobody holds it since {when(_set(task).at)}{following}"


# -- the whole store --------------------------------------------------------------------------


@dataclass
class Overview:
    """How things stand. ``holds``, ``questions``, ``waits`` and ``reviews`` are those of ``actor``;
    ``working`` is what others hold or review. ``waits`` are those that are about no question.

    A task is shown as ``{task, title, line}``, a question as ``{task, message, from, body}``, a
    wait as ``{task, wait, from, body}``, a conflict as ``{task, conflict, record, field}``, a
    circle as ``{tasks, remedy}``.
    """

    actor: str | None
    holds: list[Data] = field(default_factory=list)
    questions: list[Data] = field(default_factory=list)
    waits: list[Data] = field(default_factory=list)
    reviews: list[Data] = field(default_factory=list)
    working: list[Data] = field(default_factory=list)
    ready: list[Data] = field(default_factory=list)
    conflicts: list[Data] = field(default_factory=list)
    circles: list[Data] = field(default_factory=list)
    problems: list[Data] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The overview as ``--json`` shows it."""
        return asdict(self)


def overview(
    reader: Reader,
    actor: str | None,
    now: str,
    heard: Heard = UNHEARD,
    *,
    when: When = when,
) -> Overview:
    """How the store stands, and what of it is the actor's; None for nobody in particular.

    A question is the actor's if it is put to them, or to nobody on a task they answer for.
    """
    found = Overview(actor)
    tasks = ordered(reader.all("task"))
    for task in tasks:
        if task.data["state"]["status"] not in CLOSED:
            _sort_in(found, reader, task, now, line(reader, task, now, heard, when=when))
    found.conflicts = [_conflict(record) for record in work.open_conflicts(reader)]
    found.circles = [
        {"tasks": list(circle.ids), "remedy": circle.remedy}
        for circle in graph.circles(tasks, graph.task_waits(reader, tasks, now))
    ]
    found.problems = [problem.as_json() for problem in reader.problems]
    return found


def _sort_in(found: Overview, reader: Reader, task: Record, now: str, said: str) -> None:
    """Put an unfinished task, of which its line is ``said``, into the parts it belongs to."""
    data = task.data
    shown = {"task": task.id, "title": data["title"], "line": said}
    responsible = found.actor is not None and data["responsible"] == found.actor
    execution = work.holder(reader, task)
    working = execution is not None and execution.data["state"]["status"] not in FINAL
    in_review = data["state"]["status"] == "review"
    if in_review and responsible:
        found.reviews.append(shown)
    elif execution and working and execution.data["actor"] == found.actor:
        found.holds.append(shown)
    elif in_review or data["state"]["holder"]:
        found.working.append(shown)
    elif graph.is_ready(reader, task, now):
        found.ready.append(shown)
    if found.actor:
        _ask(found, reader, task, now, responsible)


def _ask(found: Overview, reader: Reader, task: Record, now: str, responsible: bool) -> None:
    """Add what somebody wants to know or to have from the actor."""
    asked = open_questions(reader, task.id)
    for question in asked:
        data = question.data
        if data.get("to") == found.actor or (data.get("to") is None and responsible):
            shown = {"from": data["from"], "body": data["body"]}
            found.questions.append({"task": task.id, "message": question.id, **shown})
    known = {question.id for question in asked}
    for wait in graph.waiting_for(reader, task.id, now):
        data = wait.data
        if data.get("responder") == found.actor and data.get("subject") not in known:
            body = _asked(reader, data) or data["condition"]
            shown = {"from": data["created"]["by"], "body": body}
            found.waits.append({"task": task.id, "wait": wait.id, **shown})


def _conflict(record: Record) -> Data:
    return {
        "task": record.data.get("task"),
        "conflict": record.id,
        "record": record.data["record"],
        "field": record.data["field"],
    }
