"""What there is to say of the tasks of a pull request, as data; how it looks is decided later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from gittask.core.record import Data, Reader, Record, age
from gittask.core.schema import Schemas
from gittask.core.seen import Placed, Range
from gittask.core.stamp import latest
from gittask.kinds import kind, readable
from gittask.kinds.approval import of_task, standing
from gittask.kinds.message import open_questions
from gittask.views import graph, where, words, work
from gittask.views.late import Late
from gittask.views.pr import evidence
from gittask.views.pr.evidence import Places
from gittask.views.pr.linked import Linked
from gittask.views.pr.uncertain import standing as reports_standing
from gittask.views.pr.uncertain import uncertainties
from gittask.views.timeline import Timeline

MOST_ENTRIES = 500
"""So many entries of a task's timeline are told, the newest."""


def report(
    reader: Reader, schemas: Schemas, code: Range, tasks: Sequence[Linked], placed: Placed, at: str
) -> Data:
    """The whole report. ``at`` is the time of the records: nothing depends on that of the call.

    ``tasks`` holds, in their order, what is known of each; of one that is not carried only why.
    """
    shown = [
        _Task(reader, schemas, code, placed, at).shown(one, task)
        if (task := readable(reader, "task", one.id, task=None)) and one.state == "carried"
        else _only_named(one, task)
        for one in tasks
    ]
    return {
        "base": code.base,
        "head": code.head,
        "branches": list(code.branches),
        "commits": len(code.commits),
        "cut": code.cut,
        "complete": code.whole and not code.cut,
        "at": at,
        "tasks": shown,
    }


def _only_named(one: Linked, task: Record | None) -> Data:
    """What is said of a task that is not carried, or that cannot be read."""
    shown = {**one.as_json(), "title": task.data["title"] if task else None}
    unreadable = task is None and one.state == "carried"
    return {**shown, "state": "unreadable"} if unreadable else shown


class _Task:
    """The facts of one task, gathered with what git knows of the code."""

    def __init__(
        self, reader: Reader, schemas: Schemas, code: Range, placed: Placed, at: str
    ) -> None:
        self._reader = reader
        self._schemas = schemas
        self._code = code
        self._placed = placed
        self._at = at

    def shown(self, link: Linked, task: Record) -> Data:
        data = task.data
        executions = sorted(self._reader.all("execution", task=task.id), key=age)
        handoffs = sorted(self._reader.all("handoff", task=task.id), key=age)
        late = Late(self._reader, task, executions)
        places = Places(self._code, self._placed, handoffs)
        meant = reports_standing(self._reader, task)
        by_id = {one.id: one.data for one in executions}
        return {
            **link.as_json(),
            "title": data["title"],
            "why": data.get("why"),
            "why_by": latest(data, "why").by,
            "status": data["state"]["status"],
            "outcome": data["state"]["outcome"],
            "reason": data["state"]["reason"],
            "responsible": data["responsible"],
            "project": data.get("project"),
            "reported": [one.id for one in meant],
            "uncertain": self._uncertain(task),
            "not_verified": [
                {**item, "handoff": one.id, "by": one.data["actor"]}
                for one in meant
                for item in one.data["not_verified"]
            ],
            "evidence": [
                {**places.verdict(check), "handoff": one.id, "by": one.data["actor"]}
                for one in meant
                for check in one.data["verified"]
            ],
            "next_action": meant[0].data["next_action"] if meant else None,
            "acceptance": [_criterion(data, item, places) for item in data["acceptance"]],
            "decisions": self._decisions(task),
            "handoffs": [self._handoff(one, by_id, places, late(one)) for one in handoffs],
            "executions": [self._execution(one) for one in executions],
            "open": self._open(task),
            "reviews": self._reviews(task),
            **self._timeline(task),
        }

    def _uncertain(self, task: Record) -> list[Data]:
        found = []
        for number, one in enumerate(uncertainties(self._reader, task), 1):
            who = {"handoff": one.handoff.id, "by": one.handoff.data["actor"]}
            found.append({"n": number, **one.data, **who, "waived": _waived(one.waiver)})
        return found

    def _decisions(self, task: Record) -> list[Data]:
        found = list(self._reader.all("decision", task=task.id))
        gone = {one.data.get("supersedes"): one.id for one in found}
        names = ("id", "title", "outcome", "deciders", "context", "consequences", "waives")
        return [
            {name: one.data.get(name) for name in names}
            | {"at": one.data["created"]["at"], "by": one.data["created"]["by"]}
            | {"superseded_by": gone.get(one.id)}
            for one in sorted(found, key=age)
        ]

    def _handoff(
        self, handoff: Record, executions: Mapping[str, Data], places: Places, late: bool
    ) -> Data:
        data = handoff.data
        execution = executions.get(data["execution"]) or {}
        review = work.review_of(self._reader, handoff)
        names = ("id", "at", "execution", "kind", "condition", "summary", "changed")
        commits = [places.found[commit["sha"]] for commit in data.get("commits") or ()]
        return {
            **{name: data[name] for name in names},
            "by": data["actor"],
            "role": execution.get("role"),
            "late": late,
            "commits": [
                where.as_json(one) | {"place": places.of(one.wanted.sha)} for one in commits
            ],
            "verdict": review.data["verdict"] if review else None,
        }

    def _execution(self, execution: Record) -> Data:
        data = execution.data
        actor = readable(self._reader, "actor", data["actor"], task=None)
        runs = data.get("runtimes") or []
        models = {" ".join(filter(None, (run.get("provider"), run.get("model")))) for run in runs}
        names = ("id", "actor", "role", "lane", "epoch", "objective")
        return {
            **{name: data[name] for name in names},
            "kind": actor.data["kind"] if actor else None,
            "status": data["state"]["status"],
            "since": data["created"]["at"],
            "until": data["state"]["at"],
            "models": sorted(models - {""}),
        }

    def _open(self, task: Record) -> list[Data]:
        """What is asked, waited for, to be approved, and in conflict."""
        reader, found = self._reader, []
        for question in open_questions(reader, task.id):
            said: Data = {"text": question.data["body"], "to": question.data.get("to")}
            found.append(_row("question", question, question.data["from"], **said))
        asked = {one["id"] for one in found}
        for each in graph.waits(reader, task.id, self._at):
            data = each.wait.data
            if each.end != "met" and data.get("subject") not in asked:
                names = {"text": "condition", "to": "responder", "expires": "expires"}
                said = {name: data.get(field) for name, field in names.items()}
                found.append(_row("wait", each.wait, **said))
        for approval in of_task(reader, task):
            if standing(reader, approval, self._at) == "requested":
                by = approval.data["requested_by"]
                found.append(_row("approval", approval, by, text=approval.data["action"]))
        for conflict in work.open_conflicts(reader, task.id):
            text = kind("conflict").summary(conflict.data)
            found.append(_row("conflict", conflict, text=text))
        return found

    def _reviews(self, task: Record) -> list[Data]:
        found = sorted(self._reader.all("review", task=task.id), key=age)
        names = ("id", "handoff", "note", "verdict", "synthesis", "findings", "questions")
        return [
            {name: one.data.get(name) for name in names}
            | {"at": one.data["created"]["at"], "by": one.data["created"]["by"]}
            for one in found
        ]

    def _timeline(self, task: Record) -> Data:
        view = Timeline(self._reader, self._schemas, task)
        rows: list[Data]
        newest = list(islice(view.entries(reverse=True), MOST_ENTRIES + 1))
        some = newest[:MOST_ENTRIES][::-1]
        rows = [
            {"at": each.at, "by": each.by, "kind": each.kind, "text": words.first_line(each.text)}
            | {"id": each.id, "execution": each.execution, "late": each.late}
            for each in some
        ]
        return {"timeline": rows, "timeline_more": len(newest) > MOST_ENTRIES}


def _waived(waiver: Record | None) -> Data | None:
    if waiver is None:
        return None
    created = waiver.data["created"]
    said = {"reason": waiver.data["outcome"], "decision": waiver.id}
    return {"by": created["by"], "at": created["at"], **said}


def _row(kind: str, record: Record, by: str | None = None, **said: object) -> Data:
    created = record.data["created"]
    by = by or created["by"]
    return {"kind": kind, "id": record.id, "by": by, "at": created["at"], **said}


def _criterion(data: Data, item: Data, places: Places) -> Data:
    """A point of acceptance: ``verdict`` is met, open, missing (its evidence) or stale."""
    commits = list(places.in_text(item["evidence"] or ""))
    verdict = "met" if item["met"] else "open"
    if item["met"] and not (item["evidence"] or "").strip():
        verdict = "missing"
    elif item["met"] and any(one["state"] == evidence.STALE for one in commits):
        verdict = "stale"
    by = latest(data, f"acceptance.{item['id']}.met").by if item["met"] else None
    return {**item, "by": by, "commits": commits, "verdict": verdict}
