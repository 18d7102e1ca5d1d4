"""The exact commands by which the reader of a brief goes on with a task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gittask.core.record import Data
from gittask.kinds.approval import refusal
from gittask.kinds.execution import NO_LONGER_WORKING
from gittask.kinds.handoff import last_handoff
from gittask.kinds.message import open_questions
from gittask.kinds.task import CLOSED
from gittask.views import graph
from gittask.views.brief.item import About


class Command(NamedTuple):
    """A command as it can be pasted, and what it is for. ``...`` are the reader's own words."""

    what: str
    line: str

    def __str__(self) -> str:
        return f"{self.what}: `{self.line}`"


def commands(about: About) -> list[Command]:
    """The commands in the order in which they are needed."""
    found = [*_identity(about), *_begin(about), *_review(about), *_asked(about)]
    if about.state["status"] not in CLOSED or about.working:
        found += _always(about)
    return [*found, *_hand_on(about)]


def _identity(about: About) -> Iterator[Command]:
    """How a shell that nobody prepared acts as the reader."""
    actor = about.actor
    if actor.id in about.reader.ids("actor") or actor.data["kind"] == "agent":
        execution = about.execution
        under = f" GITTASK_EXECUTION={execution.id}" if execution and about.working else ""
        yield Command("Once in each shell", f"export GITTASK_ACTOR={actor.id}{under}")


def _begin(about: About) -> Iterator[Command]:
    """How to claim the task, or to look at it, if the reader does neither yet."""
    id, role = about.task.id, about.role
    if about.state["status"] in CLOSED:
        yield Command("Go on with it after all", f'gittask reopen {id} --reason "..."')
        return
    if about.working and (about.holds or (about.execution and _reviewing(about.execution.data))):
        return
    if role != "editor":
        yield Command("Begin", f"gittask start {id} --lane review --role {role}")
        return
    holder = about.holder
    if holder and holder.data["state"]["status"] not in NO_LONGER_WORKING:
        yield Command("Look beside the holder", f"gittask start {id} --lane review --role reviewer")
        yield Command("Take it over, if that is needed", f'gittask takeover {id} --reason "..."')
        return
    why = "" if about.task.data.get("why") else ' --why "..."'
    yield Command("Claim it", f"gittask start {id}{why}{_acknowledgement(about)}")


def _reviewing(execution: Data) -> bool:
    return bool(execution["lane"] == "review")


def _acknowledgement(about: About) -> str:
    """What a claim needs that takes up another's handoff: what was understood of it."""
    last = last_handoff(about.reader, about.task.id)
    if last is None or last.data["actor"] == about.actor.id:
        return ""
    reviews = (review.data for review in about.reader.all("review", task=about.task.id))
    mine = (each for each in reviews if each["created"]["by"] == about.actor.id)
    return "" if any(each.get("handoff") == last.id for each in mine) else ' --ack "..."'


def _asked(about: About) -> Iterator[Command]:
    """How to answer what the reader is asked."""
    reader, id, me = about.reader, about.task.id, about.actor.id
    answers_for = about.task.data["responsible"] == me
    for question in open_questions(reader, id):
        to = question.data.get("to")
        if to == me or (to is None and answers_for and question.data["from"] != me):
            yield Command("Answer", f'gittask answer {question.id} "..."')
    for wait in graph.waiting_for(reader, id, about.at):
        if wait.data.get("responder") != me:
            continue
        subject = wait.data.get("subject")
        if wait.data["on"] == "approval" and subject and graph.approval(reader, id, subject):
            yield Command("Allow it", f"gittask approve grant {subject}")
            yield Command("Or refuse it", f'gittask approve deny {subject} --reason "..."')
        elif wait.data["on"] == "event" or not subject:
            yield Command("Once it is so", f'gittask wait {id} --met {wait.id} --reason "..."')


def _always(about: About) -> Iterator[Command]:
    """How to say, ask, and find out whether something is allowed."""
    id = about.task.id
    if about.working:
        yield Command("Say how it goes", f'gittask report {id} "..."')
    responsible = about.task.data["responsible"]
    to = f" --to {responsible}" if responsible != about.actor.id else ""
    yield Command("Ask; the task waits", f'gittask ask {id} "..."{to}')
    yield Command("Keep what was seen", f'gittask note {id} "..."')
    if about.role == "editor" or about.holds:
        yield Command("Keep a decision", f'gittask decide {id} "..." --outcome "..."')
        yield Command("Is it allowed (exit 0)", f'gittask approve check {id} "ACTION"')
        grants = _grants(about)
        if grants is not None:
            yield Command("Ask to be allowed", f'gittask approve request {id} "ACTION"{grants}')


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


def _review(about: About) -> Iterator[Command]:
    """How to say what the reader makes of a handoff."""
    handoff, id = about.report, about.task.id
    if handoff is None or not (about.reviews or about.person):
        return
    if handoff.data["actor"] != about.actor.id and about.state["status"] not in CLOSED:
        review = f"gittask review {handoff.id} --verdict"
        yield Command("Approve it", f'{review} approved --synthesis "..."')
        yield Command("Or send it back", f'{review} changes_requested --finding "..."')
    if about.person and about.state["status"] == "review":
        yield Command("End the task", f'gittask close {id} --outcome "..."')


def _hand_on(about: About) -> Iterator[Command]:
    """How the work of the reader's execution ends."""
    id, execution = about.task.id, about.execution
    if execution is None or not about.working:
        return
    if about.holds:
        for item in about.task.data.get("acceptance") or []:
            if not item["met"]:
                unit = f"acceptance.{item['id']}"
                words = f'{unit}.met=true {unit}.evidence="..."'
                yield Command("Once that is met", f"gittask set {id} {words}")
                break
    kind = "progress" if _reviewing(execution.data) else "deliverable"
    responsible = about.task.data["responsible"]
    yield Command(
        "Hand off (none is an answer; leave --changed out if git shows it; --run COMMAND, instead "
        "of --verified, keeps what a check came to)",
        f'gittask handoff {id} --kind {kind} --condition green --summary "..." '
        '--changed "PATH :: ..." --verified "..." --not-verified none --uncertain none '
        f'--next "..." --next-by {responsible}',
    )
    yield Command("Let go", f'gittask release {id} --reason "..."')
