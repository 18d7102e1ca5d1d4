"""The one thing that matters now: of one task, and of the whole store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, field, replace
from itertools import islice
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.meaning import Meaning, meant, over
from gittask.core.queue import UNFINISHED, Query, ordered
from gittask.core.record import Data, Reader, Record
from gittask.core.stamp import latest
from gittask.core.text import one_line, shorten, spaced
from gittask.errors import Problem
from gittask.kinds import readable
from gittask.kinds.execution import FINAL
from gittask.kinds.handoff import last_handoff
from gittask.kinds.message import asked, open_questions
from gittask.kinds.task import CLOSED, find_loop
from gittask.views import concerning, conflicts, graph, unread, work
from gittask.views.listing import MEANINGS, Filter, count, listed
from gittask.views.liveness import UNHEARD, Heard, current
from gittask.views.words import When, first_line, timed, when

LENGTH = 120
"""How many characters a status line has at most."""


def line(
    reader: Reader, task: Record, now: str, heard: Heard = UNHEARD, *, when: When = when
) -> str:
    """A task in one line that says who does, or waits for, what and since when.

    Of what could be said the first is taken: how it ended, the changes that a review wants, what
    it waits for, a wait that expired, the review, the work, what blocks it, or that it is ready.
    The line carries the meaning of it.
    """
    said = next(_said(reader, task, now, heard, when))
    return over(lambda text: shorten(one_line(text), LENGTH), said)


def marked(said: str, *, provisional: bool) -> str:
    """A status line, with the mark of a claim that may still fall through."""
    if not provisional:
        return said
    return over(lambda text: shorten(f"provisional: {text}", LENGTH), said)


def _said(reader: Reader, task: Record, now: str, heard: Heard, when: When) -> Iterator[str]:
    state = task.data["state"]
    if state["status"] in CLOSED:
        yield meant(_closed(task, when), MEANINGS[state["status"]])
    changes = work.changes_wanted(reader, task)
    if changes:
        yield meant(_sent_back(*changes, when), "warning")
    waits = graph.waits(reader, task.id, now)
    lasting = [each.wait for each in waits if each.end is None]
    if lasting:
        yield meant(_waiting(reader, task, lasting, when), "warning")
    for expired in (each.wait for each in waits if each.end == "expired"):
        yield meant(_expired(expired.data, when), "warning")
    if state["status"] == "review":
        yield meant(_in_review(reader, task, when), "review")
    if state["status"] == "active" or state["holder"]:
        yield _worked_on(reader, task, now, heard, when)
    yield from _in_the_way(reader, task, when)
    yield meant(_ready(reader, task, when), "ready")


def _closed(task: Record, when: When) -> str:
    state, ended = task.data["state"], latest(task.data, "state")
    how = state["reason"] if state["status"] == "cancelled" else state["outcome"]
    by = f"{state['status']} by {ended.by} {timed('at', when(ended.at))}"
    return f"{by}: {first_line(how or task.data['title'])}"


def _waiting(reader: Reader, task: Record, waits: Sequence[Record], when: When) -> str:
    """Who holds the task waits, also where another asked before; without a holder, who asked."""
    wait = waits[0].data
    asker, at = wait["created"]["by"], when(wait["created"]["at"])
    holder = work.holding_actor(reader, task)
    who = asker if holder in (None, wait.get("responder")) else holder
    if wait["on"] == "time":
        target = timed("until", when(wait["until"]))
    elif wait["on"] == "task":
        target = f"for task {wait['subject'] or ''}".rstrip()
    else:
        target = f"for {wait['responder']}"
    if who != asker:
        said = f"{who} waits {target}, as {asker} asked {timed('at', at)}"
    elif wait["on"] == "time":  # what matters is until when
        said = f"{who} waits {target}"
    else:
        said = f"{who} has waited {target} {timed('since', at)}"
    more = f", {timed('until', when(wait['expires']))}" if wait.get("expires") else ""
    more += f" (and {len(waits) - 1} more)" if len(waits) > 1 else ""
    return f"{said}{more}: {first_line(_asked(reader, wait) or wait['condition'])}"


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
    if handoff and handoff.data["actor"] == task.data["responsible"]:
        decides = "another decides"  # nobody approves what they handed off themselves
    review = work.review_of(reader, handoff) if handoff else None
    at = handoff.data["at"] if handoff else latest(task.data, "state").at
    what = first_line(handoff.data["summary"] if handoff else task.data["title"])
    if review is None:
        return f"in review {timed('since', when(at))}, {decides}: {what}"
    created, verdict = review.data["created"], spaced(review.data["verdict"])
    by = f"{verdict} by {created['by']} {timed('at', when(created['at']))}"
    return f"in review, {by}, {decides}: {what}"


def _sent_back(handoff: Record, review: Record, when: When) -> str:
    by, at = review.data["created"]["by"], timed("at", when(review.data["created"]["at"]))
    what = _wanted(review) or first_line(handoff.data["summary"])
    return f"{by} asked {handoff.data['actor']} for changes {at}: {what}"


def _wanted(review: Record) -> str:
    """The first of what a review wants to be changed."""
    return first_line(next(iter(review.data.get("findings") or ()), ""))


def _worked_on(reader: Reader, task: Record, now: str, heard: Heard, when: When) -> str:
    state = task.data["state"]
    execution = work.holder(reader, task)
    if execution is None:
        since = timed("since", when(state["since"]))
        said = f"{state['status']} {since}, but it is not known who works on it"
        return meant(said, "warning")
    report = work.last_report(reader, execution)
    said = report or execution.data["objective"]
    found = current(reader, execution, task, heard, now)
    if found.state == "lost":
        since = timed("since", when(found.since))
        who = f"{execution.data['actor']} lost {since} ({found.cause})"
        last = "last" if report else "no report yet"
        return meant(f"{who}; {last}: {first_line(said)}", "warning")
    actor, status = execution.data["actor"], execution.data["state"]["status"]
    begun = when(execution.data["created"]["at"])
    doing = {
        "claimed": f"{actor} claimed it {timed('at', begun)}, no report yet",
        "running": f"{actor} has worked on it {timed('since', begun)}",
    }
    ended = f"{actor} works no more, {status} {timed('at', when(execution.data['state']['at']))}"
    meaning: Meaning = "active" if status in doing else "warning"
    return meant(f"{doing.get(status, ended)}: {first_line(said)}", meaning)


def _in_the_way(reader: Reader, task: Record, when: When) -> Iterator[str]:
    """What the task needs first: its state, who works on it or else answers for it, its title."""
    blocking = graph.blocked_by(reader, task)
    if not blocking:
        return
    first = blocking[0]
    found = readable(reader, "task", first.id, task=None)
    circle = find_loop(reader, task.data, lambda data: data.get("depends_on") or [])
    if circle:
        said = f"in a circle, so that it can never start: {' -> '.join(circle)}"
        yield meant(said, "warning")
    who = found and (work.holding_actor(reader, found) or found.data["responsible"])
    stands = f"{first.status}, {who}" if who else first.status
    more = f" and {len(blocking) - 1} more" if len(blocking) > 1 else ""
    since = timed("since", when(latest(task.data, f"depends_on.{first.id}").at))
    title = first_line(found.data["title"]) if found else "see it"
    yield meant(f"blocked by {first.id} ({stands}){more} {since}: {title}", "warning")


def _ready(reader: Reader, task: Record, when: When) -> str:
    handoff = last_handoff(reader, task.id)
    following = f"; next: {first_line(handoff.data['next_action']['do'])}" if handoff else ""
    if handoff and handoff.data["condition"] == "blocked":
        following = f"; {handoff.data['actor']} was blocked: {first_line(handoff.data['summary'])}"
    review = work.review_of(reader, handoff) if handoff else None
    if review and review.data["verdict"] == "changes_requested":
        following = f"; {review.data['created']['by']} wants changes: {_wanted(review)}"
    if not task.data.get("why"):
        following = "; it does not say why yet, as it must to start"
    since = timed("since", when(latest(task.data, "state").at))
    return f"ready: nobody has held it {since}{following}"


# -- the whole store --------------------------------------------------------------------------


@dataclass
class Overview:
    """How things stand. ``holds``, ``questions``, ``waits`` and ``reviews`` are those of ``actor``;
    ``working`` is what others hold or review. ``waits`` are those that are about no question.

    A task is shown as ``{task, title, line}``, a question as ``{task, message, from, body}``, a
    wait as ``{task, wait, from, body}``, a conflict as ``{task, conflict, record, field, text,
    command}``, a circle as ``{tasks, remedy}``.
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
    problems: list[Problem] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The overview as ``--json`` shows it."""
        return asdict(replace(self, problems=[])) | unread.fields(self.problems)

    def count_ready(self, reader: Reader, now: str) -> int:
        """How many tasks are ready, also of those that are not in ``ready``."""
        return count(reader, READY, now)


READY = Filter(ready=True)


def overview(
    reader: Reader,
    actor: str | None,
    now: str,
    heard: Heard = UNHEARD,
    *,
    when: When = when,
    most: int | None = None,
) -> Overview:
    """How the store stands, and what of it is the actor's; None for nobody in particular.

    A question is the actor's if it is put to them, or to nobody on a task that they settle. Of
    what is ready at most ``most`` tasks are named.
    """
    found, people = Overview(actor), work.people(reader)

    def shown(task: Record) -> Data:
        said = line(reader, task, now, heard, when=when)
        return {"task": task.id, "title": task.data["title"], "line": said}

    for task in ordered(_in_hand(reader)):
        _sort_in(found, reader, task, shown(task))
    found.ready = [shown(task) for task in islice(listed(reader, READY, now), most)]
    for task in ordered(concerning.asked(reader)) if actor else ():
        _ask(found, reader, task, now, work.settlers(task, people))
    found.conflicts = [_conflict(reader, record) for record in work.open_conflicts(reader)]
    found.circles = [
        {"tasks": list(circle.ids), "remedy": circle.remedy}
        for circle in graph.all_circles(reader, now)
    ]
    found.problems = reader.problems
    return found


def _in_hand(reader: Reader) -> list[Record]:
    """The unfinished tasks that somebody holds or is to review."""
    held = reader.tasks(Query(UNFINISHED, held=True))
    reviewed = reader.tasks(Query(("review",)))
    return [*{task.id: task for task in (*held, *reviewed)}.values()]


def _sort_in(found: Overview, reader: Reader, task: Record, shown: Data) -> None:
    """Put a task that is in hand into the part it belongs to, as it is ``shown``."""
    data = task.data
    responsible = found.actor is not None and data["responsible"] == found.actor
    execution = work.holder(reader, task)
    working = execution is not None and execution.data["state"]["status"] not in FINAL
    in_review = data["state"]["status"] == "review"
    if in_review and responsible:
        found.reviews.append(shown)
    elif execution and working and execution.data["actor"] == found.actor:
        found.holds.append(shown)
    else:
        found.working.append(shown)


def _ask(found: Overview, reader: Reader, task: Record, now: str, settlers: Sequence[str]) -> None:
    """Add what somebody wants to know or to have from the actor."""
    questions = open_questions(reader, task.id)
    for question in questions:
        if found.actor in asked(question, settlers):
            shown = {"from": question.data["from"], "body": question.data["body"]}
            found.questions.append({"task": task.id, "message": question.id, **shown})
    known = {question.id for question in questions}
    for wait in graph.waiting_for(reader, task.id, now):
        data = wait.data
        if data.get("responder") == found.actor and data.get("subject") not in known:
            body = _asked(reader, data) or data["condition"]
            shown = {"from": data["created"]["by"], "body": body}
            found.waits.append({"task": task.id, "wait": wait.id, **shown})


def _conflict(reader: Reader, record: Record) -> Data:
    return {
        "task": record.data.get("task"),
        "conflict": record.id,
        "record": record.data["record"],
        "field": record.data["field"],
        "text": conflicts.sentence(reader, record),
        "command": conflicts.command(record),
    }
