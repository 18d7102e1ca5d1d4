"""What wants somebody: every question, uncertainty and conflict, with the command that settles it.

All of it is computed from the records, so that it goes away by itself once it is settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from gittask.core.record import Data, Reader, Record
from gittask.kinds import readable
from gittask.kinds.approval import refusal, standing
from gittask.kinds.execution import NO_LONGER_WORKING
from gittask.kinds.message import asked, open_questions
from gittask.views import concerning, conflicts, graph, unread, work
from gittask.views.following import following
from gittask.views.item import Item, item, short
from gittask.views.late import late_reports
from gittask.views.liveness import UNHEARD, Heard, current
from gittask.views.words import When, first_line, timed, when

KINDS = (
    *("question", "approval", "review", "changes", "answer", "handoff", "expired", "lost"),
    *("superseded", "late", "conflict", "circle", "verification", "unreadable"),
)
"""What an item can be, in the order of the inbox: first what somebody waits for."""

TROUBLE = KINDS[KINDS.index("expired") :]
"""The kinds that say that something went wrong."""


def inbox(
    reader: Reader,
    actor: str | None,
    now: str,
    heard: Heard = UNHEARD,
    failed: Mapping[str, str] = MappingProxyType({}),
    *,
    when: When = when,
) -> list[Item]:
    """The items that an actor can settle (None: that anybody can), by kind and age.

    ``heard`` is what is known of the life of executions; without it none is found lost.
    ``failed`` are ranges of commits that failed verification, and what was wrong first. Of records
    that cannot be read those are told of which the reader knows.
    """
    found = list(_Inbox(reader, actor, now, heard, when).items(failed))
    known = {(one.record, who) for one in found if one.kind != "handoff" for who in one.to}
    wanted = [
        replace(one, title=_title(reader, one.task))
        for one in found
        if (actor is None or actor in one.to)
        # Who is asked about a handoff already need not be told of it twice.
        and not (one.kind == "handoff" and (one.record, one.to[0]) in known)
    ]
    return sorted(
        wanted, key=lambda one: (KINDS.index(one.kind), one.at, not one.record, one.record)
    )


def _title(reader: Reader, task: str | None) -> str | None:
    found = readable(reader, "task", task, task=None)
    return found.data["title"] if found else None


class _Inbox:
    def __init__(
        self, reader: Reader, actor: str | None, now: str, heard: Heard, when: When
    ) -> None:
        self._reader = reader
        self._actor = actor
        self._now = now
        self._heard = heard
        self._when = when
        self._people = work.people(reader)

    def items(self, failed: Mapping[str, str]) -> Iterator[Item]:
        for task in concerning.unfinished(self._reader, self._people, self._actor):
            yield from self._unfinished(task)
        for id in self._reader.doubtful("late"):
            reported = readable(self._reader, "task", id, task=None)
            yield from self._late(reported) if reported else ()
        for approval in self._reader.having("approval", "state.status", ("requested",)):
            if approval.task is None:
                yield from self._approval(approval)
        for conflict in work.open_conflicts(self._reader):
            owner = readable(self._reader, "task", conflict.task, task=None)
            to = work.settlers(owner, self._people) if owner else self._people
            yield self._conflict(conflict, to)
        for circle in graph.all_circles(self._reader, self._now):
            text = f"each waits for the next: {circle}"
            yield self._for_people("circle", circle.ids[0], text, circle.remedy)
        for span, said in failed.items():
            text = f"failed verification: {said}"
            yield self._for_people("verification", span, text, f"gittask verify {span}")
        problems = self._reader.problems
        for problem in problems[: unread.MOST]:
            text = f"cannot be read: {problem}"
            yield self._for_people("unreadable", problem.file, text, "gittask verify")
        if more := unread.rest(problems):
            yield self._for_people("unreadable", "", more, unread.ALL)

    def _conflict(self, conflict: Record, to: tuple[str, ...]) -> Item:
        text = conflicts.within(self._reader, conflict)
        text += "; or: --keep lost" if conflicts.may_lose(self._reader, conflict) else ""
        return item("conflict", conflict, to, text, conflicts.command(conflict))

    def _for_people(self, kind: str, record: str, text: str, command: str) -> Item:
        return Item(kind, None, record, "", self._people, short(text), command)

    def _unfinished(self, task: Record) -> Iterator[Item]:
        settlers = work.settlers(task, self._people)
        put: dict[str, tuple[str, ...]] = {}
        for question in open_questions(self._reader, task.id):
            put[question.id] = asked(question, settlers)
            yield _question(question, put[question.id])
        for approval in self._reader.all("approval", task=task.id):
            yield from self._approval(approval)
        yield from self._review(task)
        yield from following(self._reader, task, self._people)
        for waiting in graph.waits(self._reader, task.id, self._now):
            if waiting.end == "expired":
                told = put.get(waiting.wait.data.get("subject") or "", ())
                yield self._expired(waiting.wait, settlers, told)
        yield from self._executions(task)

    def _expired(self, wait: Record, settlers: Sequence[str], told: Sequence[str]) -> Item:
        """A wait that expired, for all whom it concerns but those ``told`` of its question."""
        data: Data = wait.data
        waiter, responder = data["created"]["by"], data.get("responder")
        otherwise = f"; now: {first_line(data['otherwise'])}" if data.get("otherwise") else ""
        until = timed("until", self._when(data.get("expires")))
        text = f"{waiter} waited for {responder or data['on']} {until}: "
        text += f"{first_line(data['condition'])}{otherwise}"
        command = f'gittask wait {data["task"]} --cancel {wait.id} --reason "..."'
        concerned = dict.fromkeys([*settlers, waiter, *([responder] if responder else [])])
        to = [one for one in concerned if one not in told]
        return item("expired", wait, to, text, command, data.get("expires"))

    def _approval(self, approval: Record) -> Iterator[Item]:
        if standing(self._reader, approval, self._now) != "requested":
            return
        data = approval.data
        able = [id for id in self._reader.ids("actor") if refusal(self._reader, data, id) is None]
        text = f"{data['requested_by']} asks ({data['scope']}): {first_line(data['action'])}"
        command = f"gittask approve grant {approval.id}"
        yield item("approval", approval, able, text, command)

    def _review(self, task: Record) -> Iterator[Item]:
        """A handoff that waits for its review, or after an approval for the end of the task."""
        state = task.data["state"]
        if state["status"] != "review":
            return
        to = work.settlers(task, self._people)
        close = f'gittask close {task.id} --outcome "..."'
        handoff = work.up_for_review(self._reader, task)
        if handoff is None:
            yield item("review", task, to, "in review, without a handoff", close, state["since"])
            return
        data = handoff.data
        to = tuple(one for one in to if one != data["actor"]) or to  # nobody approves their own
        failed = [check for check in data["verified"] if check.get("exit_code")]
        text = f"{data['actor']} handed off ({data['condition']}): {first_line(data['summary'])}"
        if failed:
            text = f"{data['actor']} handed off although a check fails: {failed[0]['claim']}"
        review = work.review_of(self._reader, handoff)
        approved = review is not None and review.data["verdict"] == "approved"
        if approved or to == (data["actor"],):
            yield item("review", handoff, to, text, close)
        else:
            command = f'gittask review {handoff.id} --verdict approved --synthesis "..."'
            yield item("review", handoff, to, text, command)

    def _executions(self, task: Record) -> Iterator[Item]:
        for execution in self._reader.all("execution", task=task.id):
            if execution.data["state"]["status"] in NO_LONGER_WORKING:
                continue
            found = current(self._reader, execution, task, self._heard, self._now)
            if found.state not in ("lost", "superseded"):
                continue
            said = work.last_report(self._reader, execution)
            text = f"{execution.data['actor']} is {found.state} ({found.cause}); last report: "
            text += first_line(said) if said else "none"
            command = f"gittask recover {execution.id}"
            if found.state == "superseded":
                command = f'gittask release {task.id} --execution {execution.id} --reason "..."'
            to, since = work.settlers(task, self._people), found.since or ""
            yield item(found.state, execution, to, text, command, since)

    def _late(self, task: Record) -> Iterator[Item]:
        for record in late_reports(self._reader, task):
            data = record.data
            said = data["summary"] if record.kind == "handoff" else data["body"]
            text = f"{data['created']['by']} reported after losing the task: {first_line(said)}"
            command = f'gittask review {record.id} --verdict acknowledged --synthesis "..."'
            yield item("late", record, work.settlers(task, self._people), text, command)


def _question(question: Record, to: tuple[str, ...]) -> Item:
    data = question.data
    text = f"{data['from']} asks: {first_line(data['body'])}"
    command = f'gittask answer {question.id} "..."'
    return item("question", question, to, text, command)
