"""The gates of a pull request: each a named rule, judged from the facts of its report.

A rule that is off is not judged. What cannot be known does not pass: it is said, with what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gittask.core.dataclass import dataclass
from gittask.core.record import Data
from gittask.core.schema import Schemas
from gittask.core.text import one_line, spaced
from gittask.errors import Problem
from gittask.kinds.gates import RULES, Level, strictest


@dataclass(frozen=True)
class Finding:
    """What a rule found: an ``error``, or else a warning. ``file`` is a path on the data branch,
    if it is about one, and ``task`` the id of a task."""

    rule: str
    message: str
    hint: str = ""
    task: str | None = None
    file: str = ""
    error: bool = True

    def as_json(self) -> Data:
        """As ``--json`` shows it."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class Checked:
    """What came of all rules: the level of each, and what was found, in order of the rules.

    Those that are not ``judged`` had nothing to look at: no task is linked.
    """

    levels: Mapping[str, Level]
    findings: tuple[Finding, ...]
    judged: frozenset[str] = frozenset(RULES)

    @property
    def failed(self) -> bool:
        """Whether the pull request does not pass."""
        return any(finding.error for finding in self.findings)

    def state(self, rule: str) -> str:
        """``off``, ``skipped`` (nothing to judge), ``passed``, ``warned`` or ``failed``."""
        found = [finding for finding in self.findings if finding.rule == rule]
        if any(finding.error for finding in found):
            return "failed"
        if found or self.levels[rule] == "off":
            return "warned" if found else "off"
        return "passed" if rule in self.judged else "skipped"

    def as_json(self) -> Data:
        """As ``--json`` shows it."""
        rules = {
            rule: {"level": level, "state": self.state(rule)} for rule, level in self.levels.items()
        }
        findings = [finding.as_json() for finding in self.findings]
        return {"passed": not self.failed, "rules": rules, "findings": findings}


def check(
    schemas: Schemas,
    report: Data,
    levels: Mapping[str | None, Mapping[str, Level]],
    records: Mapping[str, Sequence[Problem]],
) -> Checked:
    """Judge a report: each task by the levels of its project, the rest by the strictest.

    ``levels`` are by project, of all that tasks are in, None for those in none. ``records`` holds
    what ``verify`` found in the history of the records, for ``authority`` and ``signatures``.
    """
    of_all = strictest(levels.values())
    found: list[Finding] = []
    for rule in RULES:
        judged = [*_PULL[rule](report)] if rule in _PULL else []
        judged += [
            Finding(rule, problem.message, problem.hint, file=problem.file)
            for problem in records.get(rule, ())
        ]
        found += _counted(rule, judged, of_all[rule], None)
        for task in report["tasks"]:
            if task["state"] == "carried" and rule in _TASK:
                level = levels[task["project"]][rule]
                found += _counted(rule, _TASK[rule](schemas, task), level, task["id"])
    carried = any(task["state"] == "carried" for task in report["tasks"])
    looked_at = frozenset(("linked", *(_TASK if carried else ()), *records))
    return Checked(of_all, tuple(found), looked_at)


def _counted(
    rule: str, found: Iterable[Finding], level: Level, task: str | None
) -> Iterator[Finding]:
    """What a rule found, as much as that matters."""
    for each in found if level != "off" else ():
        yield replace(each, rule=rule, task=task, error=each.error and level == "fail")


def _linked(report: Data) -> Iterator[Finding]:
    """Any task that is carried passes; one that does not exist never does."""
    states = [task["state"] for task in report["tasks"]]
    if "carried" not in states:
        hint = "name it in a commit (Task: ID), in the branch's name or the text, or by --task"
        yield Finding("", "no task is linked with this change", hint)
    for task in report["tasks"]:
        if task["state"] == "unknown":
            message = f"{one_line(task['id'])} is named, and is no task of this store"
            yield Finding("", message, "is the data branch up to date? gittask sync")


def _handoff(schemas: Schemas, task: Data) -> Iterator[Finding]:
    if not task["reported"]:
        hint = f"gittask handoff {task['id']} ..."
        yield _of_task(schemas, task, "nobody has handed off yet", hint)


def _evidence(schemas: Schemas, task: Data) -> Iterator[Finding]:
    if not task["reported"]:
        yield _of_task(schemas, task, "nobody has handed off, so that there is no evidence")
        return
    hint = f"check again, and hand that off: gittask handoff {task['id']} --run ..."
    if not any(check["place"] for check in task["evidence"]):
        message = "the last handoff has no evidence that names a commit"
        yield _of_handoff(schemas, task, task["reported"][0], message, hint)
    for check in task["evidence"]:
        said = _why_not(check)
        if said:
            message = f"{one_line(check['claim'])!r} {said}"
            found = _of_handoff(schemas, task, check["handoff"], message, hint)
            yield replace(found, error=check["verdict"] != "green")


def _why_not(check: Data) -> str:
    """Why a check is no evidence of the head; empty if it is some, or names no commit."""
    place = check["place"] or {}
    sha, after = place.get("sha", "")[:12], place.get("after", 0)
    if check["verdict"] == "green":
        return f"was checked at {sha}, {after} commits before the head" if after else ""
    words = {
        "failed": f"failed with exit code {check.get('exit_code')}",
        "stale": f"was checked at {sha}, which is not in the head",
        "unknown": f"was checked at {sha}: history is cut off here, so that nobody can tell "
        "whether that is in the head; fetch more of it",
        "loose": "was checked with changes that nobody committed" if check["place"] else "",
    }
    return words[check["verdict"]]


def _uncertain(schemas: Schemas, task: Data) -> Iterator[Finding]:
    if not task["reported"]:
        yield _of_task(schemas, task, "nobody has handed off, so that what is uncertain is unknown")
    for item in task["uncertain"]:
        if not item["waived"]:
            waive = f"gittask pr waive {task['id']} --uncertain {item['n']} --reason ..."
            message = f"uncertain: {one_line(item['question'])}"
            hint = f"answer it in a new handoff, or as a person: {waive}"
            yield _of_handoff(schemas, task, item["handoff"], message, hint)


def _acceptance(schemas: Schemas, task: Data) -> Iterator[Finding]:
    words = {"open": "is not met", "missing": "is met without evidence"}
    words["stale"] = "is met, by evidence of a commit that is not in the head"
    for item in task["acceptance"]:
        if item["verdict"] != "met":
            message = f"{item['id']} {words[item['verdict']]}: {one_line(item['text'])}"
            hint = f"gittask set {task['id']} acceptance.{item['id']}.met=yes"
            yield _of_task(schemas, task, message, hint)


def _acknowledged(schemas: Schemas, task: Data) -> Iterator[Finding]:
    if not task["reported"]:
        yield _of_task(schemas, task, "nobody has handed off, so that there is nothing to review")
        return
    last = task["reported"][0]
    by = next(one["by"] for one in task["handoffs"] if one["id"] == last)
    said = [one for one in task["reviews"] if one["handoff"] == last and one["by"] != by]
    hint = f"gittask review {task['id']} --verdict acknowledged --synthesis ..."
    if not said:
        yield _of_handoff(schemas, task, last, "the last handoff is not reviewed", hint)
    elif said[-1]["verdict"] == "changes_requested":
        verdict = spaced(said[-1]["verdict"])
        message = f"the last review, by {said[-1]['by']}, says: {verdict}"
        yield _of_handoff(schemas, task, last, message, hint)


def _of_task(schemas: Schemas, task: Data, message: str, hint: str = "") -> Finding:
    return Finding("", message, hint, file=schemas.path("task", task["id"]))


def _of_handoff(schemas: Schemas, task: Data, id: str, message: str, hint: str) -> Finding:
    path = schemas.path("handoff", id, task=task["id"])
    return Finding("", message, hint, file=path)


_PULL: dict[str, Callable[[Data], Iterator[Finding]]] = {"linked": _linked}
_TASK: dict[str, Callable[[Schemas, Data], Iterator[Finding]]] = {
    "handoff": _handoff,
    "evidence": _evidence,
    "uncertain": _uncertain,
    "acceptance": _acceptance,
    "acknowledged": _acknowledged,
}
