"""From the facts of a report to a page: what is said, in which order, and what it is worth.

What is not known comes first: a reviewer should not have to look for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from gittask.core.record import Data
from gittask.core.text import spaced
from gittask.views.pr import items
from gittask.views.pr.counts import counts
from gittask.views.pr.linked import HOW
from gittask.views.pr.page import Bit, Chapter, Line, Page, Section, code, ours, text

Mode = Literal["body", "comment", "summary"]


def page(report: Data, mode: Mode) -> Page:
    """The page of a report: all of it (``body``), the same folded (``comment``), or what matters
    at a glance (``summary``)."""
    carried = [task for task in report["tasks"] if task["state"] == "carried"]
    return Page(
        tuple(task["id"] for task in carried),
        tuple(_begin(carried)),
        tuple(_chapter(task, mode) for task in carried),
        tuple(_end(report)),
    )


def _begin(carried: Sequence[Data]) -> Iterator[Line]:
    if not carried:
        yield (ours("No task is linked with this change: it does not say why it exists."),)
        return
    yield (
        ours(
            "Why this change exists, what was checked and what is not known, as those who did the "
            "work recorded it."
        ),
    )


def _end(report: Data) -> Iterator[Line]:
    for task in report["tasks"]:
        if task["state"] == "unknown":
            yield ours("Named, but not in the task store: "), code(task["id"])
        if task["state"] == "unreadable":
            yield ours("Its record cannot be read: task "), code(task["id"])
        if task["state"] == "reverted":
            by = ", ".join(sha[:12] for sha in task["reverted_by"])
            title = [text(task["title"]), ours(" (")] if task["title"] else [ours("(")]
            yield ours("Reverted: "), *title, code(task["id"]), ours("), by "), code(by)
    if report["cut"]:
        yield (
            ours(
                "The history of the code is cut off here: commits may be missing, or belong to the "
                "base, and evidence of a commit that is not here is called unknown."
            ),
        )
    elif not report["complete"]:
        yield (ours("Not all commits were looked at, as there are very many."),)
    records = report.get("records")
    if records and records["url"]:
        yield ours("All records since the work began: "), Bit("link", records["url"])
    elif records and records["command"]:
        yield ours("All records since the work began: "), code(records["command"])
    elif records:
        yield (
            ours("The records are those of "),
            code(records["to"][:12]),
            ours(", whose history is cut off here, so that no comparison can be shown."),
        )


# -- one task ---------------------------------------------------------------------------------


def _chapter(task: Data, mode: Mode) -> Chapter:
    id = task["id"]
    how = ", ".join(HOW[each] for each in task["found_by"])
    head: Line = (ours("Task "), code(id), ours(", "), Bit("mark", spaced(task["status"])))
    head += (ours(", "), code(task["responsible"]), ours(f" answers for it; known by {how}"))
    sections = [_unknown(task)] if mode == "summary" else [*_sections(task)]
    sections = [one for one in sections if one.items or one.empty]
    if mode == "comment":
        sections = [one if one.name == "unknown" else replace(one, folded=True) for one in sections]
    return Chapter(id, task["title"], (head, tuple(_counted(task))), tuple(sections))


def _counted(task: Data) -> Iterator[Bit]:
    for number, (how, words) in enumerate(counts(task)):
        yield from [ours("; ")] if number else []
        yield Bit(how, words)


def _sections(task: Data) -> Iterator[Section]:
    id = task["id"]
    yield _unknown(task)
    yield Section(
        "why", "Why", tuple(items.reasons(task)), "Nobody said why.", see=f"gittask show {id}"
    )
    nothing = "Nothing is written down that must be true at the end."
    acceptance = tuple(map(items.criterion, task["acceptance"]))
    yield Section("acceptance", "Acceptance", acceptance, nothing, see=f"gittask show {id}")
    checks = tuple(map(items.evidence, task["evidence"]))
    see = f"gittask timeline {id} --kind handoff --all"
    yield Section("evidence", "Evidence", checks, "Nothing was verified.", see=see)
    decisions = tuple(map(items.decision, task["decisions"]))
    see_decisions = f"gittask timeline {id} --kind decision --all"
    yield Section("decisions", "Decisions", decisions, old_first=True, see=see_decisions)
    newest = task["handoffs"][::-1]
    handoffs = tuple(items.handoff(one, last=number == 0) for number, one in enumerate(newest))
    nobody = "Nobody has handed off yet."
    yield Section("handoffs", "What changed", handoffs, nobody, see=see)
    columns = ("Who", "As", "Execution", "From", "State", "Objective")
    people = tuple(map(items.execution, task["executions"]))
    see = f"gittask timeline {id} --kind claim --all"
    yield Section("who", "Who did what", people, columns=columns, old_first=True, see=see)
    to_do = (*items.following(task), *map(items.unsettled, task["open"]))
    title = "What comes next, questions and waits"
    yield Section("open", title, to_do, "None.", see=f"gittask show {id}")
    reviews = tuple(map(items.review, task["reviews"]))
    see = f"gittask timeline {id} --kind review --all"
    yield Section("reviews", "Reviews", reviews, "Nobody has reviewed it.", old_first=True, see=see)
    entries = tuple(map(items.entry, task["timeline"]))
    see_all = f"gittask timeline {id} --all"
    newest_of = "the newest " if task["timeline_more"] else ""
    title = f"Timeline, {newest_of}{len(entries)} entries"
    yield Section("timeline", title, entries, folded=True, old_first=True, see=see_all)


# -- what is not known ------------------------------------------------------------------------


def _unknown(task: Data) -> Section:
    found = tuple(items.doubts(task))
    empty = "Nothing, says the last report."
    if not task["reported"]:
        empty = "Nobody has reported yet, so that nothing is known of what was checked."
    see = f"gittask brief {task['id']}"
    return Section("unknown", "Not known, and not checked", found, empty, see=see)
