"""What came back to those who work on a task: the next action, answers, changes to make.

Each goes away once the one whom it is for took it up: by going on with the task, or by saying
anything on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gittask.core.record import Reader, Record
from gittask.kinds.execution import NO_LONGER_WORKING
from gittask.kinds.handoff import last_handoff
from gittask.views import work
from gittask.views.item import Item, item
from gittask.views.words import first_line


def following(reader: Reader, task: Record, people: Collection[str]) -> Iterator[Item]:
    """The items of a task that is not closed, for the one who is to go on with it."""
    yield from _next_action(reader, task, people)
    yield from _changes(reader, task)
    yield from _answers(reader, task, people)


def _next_action(reader: Reader, task: Record, people: Collection[str]) -> Iterator[Item]:
    """The last handoff, for the actor whom its next action names."""
    handoff = last_handoff(reader, task.id)
    if handoff is None:
        return
    data = handoff.data
    named = data["next_action"]["by"].strip().lower()
    holder = work.holder(reader, task)
    works = holder and holder.data["state"]["status"] not in NO_LONGER_WORKING
    if named not in reader.ids("actor") or (works and holder and holder.data["actor"] == named):
        return
    if work.said_after(reader, handoff, named):
        return
    command = f'gittask start {task.id} --ack "..."'
    in_review = task.data["state"]["status"] == "review"
    beside = any(
        one.data["actor"] == named and one.data["lane"] == "review"
        for one in reader.all("execution", task=task.id)
        if one.data["state"]["status"] not in NO_LONGER_WORKING
    )
    reviews = in_review and (named in people or beside)
    if named != data["actor"] and (works or reviews):
        verdict = "approved" if reviews else "acknowledged"
        command = f'gittask review {handoff.id} --verdict {verdict} --synthesis "..."'
    text = f"{data['actor']} hands on to {named}: {first_line(data['next_action']['do'])}"
    yield item("handoff", handoff, (named,), text, command)


def _changes(reader: Reader, task: Record) -> Iterator[Item]:
    """The changes that a review asked for, while the holder has not said how it goes on."""
    found = work.changes_wanted(reader, task)
    if found is None or task.data["state"]["status"] != "active":
        return
    handoff, review = found
    data, to = review.data, (handoff.data["actor"],)
    wanted = [*(data.get("findings") or ()), *(data.get("questions") or ()), data.get("synthesis")]
    text = f"{data['created']['by']} asks for changes: {first_line(wanted[0] or 'see the review')}"
    yield item("changes", review, to, text, f'gittask report {task.id} "..."')


def _answers(reader: Reader, task: Record, people: Collection[str]) -> Iterator[Item]:
    """The answers to questions of those who are no people, and so have nobody to tell them."""
    if not reader.ids("message", task=task.id):
        return
    messages = {message.id: message for message in reader.all("message", task=task.id)}
    for answer in messages.values():
        question = messages.get(answer.data.get("in_reply_to") or "")
        if answer.data["kind"] != "answer" or question is None:
            continue
        asker, by = question.data["from"], answer.data["from"]
        if asker in people or asker == by or work.said_after(reader, answer, asker):
            continue
        text = f"{by} answers: {first_line(answer.data['body'])}"
        yield item("answer", answer, (asker,), text, f'gittask note {task.id} "..."')
