"""Reports of pull requests over records in memory, with one text in every place that takes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gittask.core.record import Data, Record
from gittask.core.seen import Placed, Range, Seen
from gittask.store.packaged import schemas
from gittask.views.pr.linked import linked
from gittask.views.pr.report import report
from tests.memory import MemoryReader, actor, at, event, task, task_id

HEAD, OLD, NEW, GONE = (letter * 40 for letter in "abcd")
PATCH = "e" * 40


def seen(sha: str, message: str = "Subject", patch: str | None = None, minute: int = 0) -> Seen:
    """A commit of code."""
    subject = message.split("\n")[0]
    return Seen(sha, at(minute), "Codex <c@example.org>", subject, message, patch)


def code(*commits: Seen, base: str | None = "0" * 40, **fields: Any) -> Range:
    """A range of commits, the newest first, one on top of the other."""
    shas = [one.sha for one in commits]
    parents = dict(zip(shas, [(sha,) for sha in (*shas[1:], "0" * 40)], strict=False))
    known: dict[str, Any] = {"head": shas[0] if shas else HEAD, "branches": (), "parents": parents}
    return Range(**{"base": base, **known, "commits": commits, **fields})


def trailers(id: str) -> str:
    """The message of a commit of a task."""
    return f"Subject\n\nTask: {task_id(id)}"


def evidence(commit: str | None, **fields: Any) -> Data:
    """A check of a handoff."""
    return {"claim": "it works", "command": "pytest", "exit_code": 0, "commit": commit, **fields}


def records(line: str, block: str) -> list[Record]:
    """A task and all that belongs to one, saying ``line`` or ``block`` wherever that is free."""
    short = block[:900]
    execution = event("execution", "abcd", 1, objective=block, role="editor")
    commits = [{"sha": HEAD, "patch_id": None, "branch": line, "subject": line, "at": at(2)}]
    check = {**evidence(HEAD), "claim": line, "command": line, "at": at(2), "tail": block}
    handoff = event(
        *("handoff", "abcd", 3),
        execution=execution.id,
        summary=line,
        changed=[{"path": line, "what": line}],
        commits=commits,
        verified=[check, {"claim": line}, evidence(GONE, claim=line)],
        not_verified=[{"claim": line, "why": line}],
        uncertain=[{"question": line, "impact": each, "who": line} for each in (line, f"{line} x")],
        next_action={"do": line, "by": line},
        contingencies=[line],
    )
    waives = {"handoff": handoff.id, "uncertain": 1}
    acceptance = [
        {"id": "a1", "text": short, "met": True, "evidence": short},
        {"id": "a2", "text": short, "met": False, "evidence": None},
    ]
    return [
        actor("alice", name=line),
        actor("codex-1", "agent", name=line),
        task("abcd", "active", title=line, why=block, acceptance=acceptance, reason=block),
        execution,
        handoff,
        event("decision", "abcd", 4, title=line, outcome=block, context=block),
        event("decision", "abcd", 5, title=line, outcome=block, created_by="alice", waives=waives),
        event("message", "abcd", 6, kind="question", body=block),
        event("wait", "abcd", 7, condition=block),
        event("approval", "abcd", 8, action=line),
        event("review", "abcd", 9, handoff=handoff.id, synthesis=block, findings=[short]),
        event("note", "abcd", 10, body=block),
        event("conflict", "abcd", 11, kept=block, lost=block),
    ]


def reported(
    found: Sequence[Record], commits: Range | None = None, placed: Placed | None = None
) -> Data:
    """The report of these records for a range, by default one commit of the task ``abcd``."""
    reader = MemoryReader(*found)
    commits = commits or code(seen(HEAD, trailers("abcd")))
    reached = frozenset({commits.head})
    placed = placed or Placed(reached, reached, reached)
    facts = report(reader, schemas(), commits, linked(reader, commits), placed, at(60))
    facts["records"] = None
    return facts
