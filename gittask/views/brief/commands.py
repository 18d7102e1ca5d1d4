"""The exact commands by which the reader of a brief goes on with a task."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.record import Data
from gittask.kinds.approval import refusal
from gittask.kinds.handoff import unacknowledged
from gittask.kinds.message import asked, open_questions
from gittask.kinds.task import claimable
from gittask.views import graph, work
from gittask.views.brief.item import About
from gittask.views.onward import Step, beside, onward


def commands(about: About) -> list[Step]:
    """The commands in the order in which they are needed; ``...`` are the reader's own words."""
    found = [*_identity(about), *_begin(about), *_review(about), *_asked(about)]
    if about.working or not about.closed:
        found += _always(about)
    return [*found, *_hand_on(about), *_send(about)]


def _identity(about: About) -> Iterator[Step]:
    """How a shell that nobody prepared acts as the reader."""
    actor = about.actor
    if about.known or actor.data["kind"] == "agent":
        execution = about.execution
        under = f" GITTASK_EXECUTION={execution.id}" if execution and about.working else ""
        yield Step("Once in each shell", f"export GITTASK_ACTOR={actor.id}{under}")


def _begin(about: About) -> Iterator[Step]:
    """How to claim the task, or to look at it, if the reader does neither yet."""
    reader, task, role = about.reader, about.task, about.role
    if not about.closed:
        if about.working and about.execution and _reviewing(about.execution.data):
            return
        if about.holds and not about.holder_lost:
            return
        if role != "editor" and not about.holds:
            yield Step("Begin", beside(task.id, role))
            return
        if not (claimable(reader, task) or about.holder_lost):
            yield Step("Look beside the holder", beside(task.id, "reviewer"))
    yield onward(reader, task, about.actor.id, lost=about.holder_lost)


def _reviewing(execution: Data) -> bool:
    return bool(execution["lane"] == "review")


def _asked(about: About) -> Iterator[Step]:
    """How to answer what the reader is asked."""
    reader, id, me = about.reader, about.task.id, about.actor.id
    settlers = work.settlers(about.task, work.people(reader))
    for question in open_questions(reader, id):
        if me in asked(question, settlers):
            yield Step("Answer", f'gittask answer {question.id} "..."')
    for wait in graph.waiting_for(reader, id, about.at):
        if wait.data.get("responder") != me:
            continue
        subject = wait.data.get("subject")
        if wait.data["on"] == "approval" and subject and graph.approval(reader, id, subject):
            yield Step("Allow it", f"gittask approve grant {subject}")
            yield Step("Or refuse it", f'gittask approve deny {subject} --reason "..."')
        elif wait.data["on"] == "event" or not subject:
            yield Step("Once it is so", f'gittask wait {id} --met {wait.id} --reason "..."')


def _always(about: About) -> Iterator[Step]:
    """How to say, ask, and find out whether something is allowed."""
    id = about.task.id
    if about.working:
        yield Step("Say how it goes", f'gittask report {id} "..."')
    responsible = about.task.data["responsible"]
    to = f" --to {responsible}" if responsible != about.actor.id else ""
    stops = to and (about.person or about.holds or about.state["holder"] is None)
    yield Step("Ask; the task waits" if stops else "Ask", f'gittask ask {id} "..."{to}')
    yield Step("Keep what was seen", f'gittask note {id} "..."')
    if about.role == "editor" or about.holds:
        yield Step("Keep a decision", f'gittask decide {id} "..." --outcome "..."')
        if not about.overtaken:
            yield from _permission(about)


def _permission(about: About) -> Iterator[Step]:
    """How to find out whether something is allowed, and how to ask for it."""
    id, grants = about.task.id, _grants(about)
    yield Step("Is it allowed (exit 0)", f'gittask approve check {id} "ACTION"')
    if grants is not None:
        yield Step("Ask to be allowed", f'gittask approve request {id} "ACTION"{grants}')


def _grants(about: About) -> str | None:
    """Whom to ask for an approval: nothing to add, an option that names them, or nobody."""
    reader, task, actor = about.reader, about.task, about.actor
    request = {"requested_by": actor.id, "task": task.id}
    near = [task.data["responsible"], actor.data.get("delegated_by")]
    if any(one and refusal(reader, request, one) is None for one in near):
        return ""
    able = (one for one in reader.ids("actor") if refusal(reader, request, one) is None)
    found = next(able, None)
    return f" --to {found}" if found else None


def _review(about: About) -> Iterator[Step]:
    """How to say what the reader makes of a handoff; only one that is in review is approved."""
    reader, task, me = about.reader, about.task, about.actor.id
    if about.in_review and (about.reviews or about.person):
        handoff = work.up_for_review(reader, task)
        if handoff and handoff.data["actor"] != me:
            review = f"gittask review {handoff.id} --verdict"
            yield Step("Approve it", f'{review} approved --synthesis "..."')
            yield Step("Or send it back", f'{review} changes_requested --finding "..."')
    elif about.reviews and not about.closed:
        handoff = unacknowledged(reader, task.id, me)
        if handoff:
            review = f"gittask review {handoff.id} --verdict"
            yield Step("Say what you understood of it", f'{review} acknowledged --synthesis "..."')
            if handoff.data["execution"] == about.state["holder"]:
                yield Step("Or ask for changes", f'{review} changes_requested --finding "..."')
    if about.person and about.in_review:
        yield Step("End the task", f'gittask close {task.id} --outcome "..."')


def _hand_on(about: About) -> Iterator[Step]:
    """How the work of the reader's execution ends."""
    id, execution = about.task.id, about.execution
    if execution is None or not about.working:
        return
    if about.holds:
        for item in about.task.data.get("acceptance") or []:
            if not item["met"]:
                unit = f"acceptance.{item['id']}"
                words = f'{unit}.met=true {unit}.evidence="..."'
                yield Step("Once that is met", f"gittask set {id} {words}")
                break
    kind = "progress" if _reviewing(execution.data) else "deliverable"
    responsible = about.task.data["responsible"]
    yield Step(
        "Hand off (none is an answer; leave --changed out if git shows it; --run COMMAND, instead "
        "of --verified, keeps what a check came to)",
        f'gittask handoff {id} --kind {kind} --condition green --summary "..." '
        '--changed "PATH :: ..." --verified "..." --not-verified none --uncertain none '
        f'--next "..." --next-by {responsible}',
    )
    yield Step("Let go", f'gittask release {id} --reason "..."')


def _send(about: About) -> Iterator[Step]:
    """How what the reader writes leaves this clone."""
    if about.remote:
        yield Step("Send it to the others, now and then and at the end", "gittask sync")
