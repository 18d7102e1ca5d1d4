"""The parts of a brief that follow by worth, as far as its budget goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gittask.core.record import Data, Record, age
from gittask.core.text import spaced
from gittask.kinds.approval import of_task, standing
from gittask.kinds.message import open_questions
from gittask.views import words, work
from gittask.views.brief.item import About, Item, Section, counted, listed
from gittask.views.brief.parts import conflicts, handoffs, headline, said_since
from gittask.views.brief.rules import SHOW_FILE, files
from gittask.views.words import when


def by_worth(about: About) -> list[Section]:
    """The sections, the worthiest first, and in each the worthiest items first."""
    id, report = about.task.id, about.report
    timeline = f"gittask timeline {id} --all"
    messages, notes = (f"{timeline} --kind {kind}" for kind in ("message", "note"))
    every = f"gittask find --kind decision --project {about.task.data.get('project')} --all"
    task, project = _decisions(about)
    evidence = Section(
        "evidence",
        "What changed and was verified",
        [*_evidence(about)],
        [f"gittask show {report.id}"] if report else [],
    )
    found = [
        Section("decisions", "Decisions", task, [f"{timeline} --kind decision"]),
        Section("project", "Decisions of the project", project, [every]),
        Section("constraints", "Constraints", _constraints(about), [notes]),
        *([] if about.reviews else [evidence]),
        Section("refused", "Not allowed", [*_refused(about)], [f"gittask approve list {id} --all"]),
        Section("files", "What the files above say (FILE)", [*files(about)], [SHOW_FILE]),
        Section("discussion", "Discussion", _discussion(about), [messages, notes]),
        Section("handoffs", "Older handoffs", _older(about), [f"{timeline} --kind handoff"]),
        Section("conflicts", "Other conflicts", [*conflicts(about, weighty=False)], [timeline]),
    ]
    found = [evidence, *found] if about.reviews else found
    return [section for section in found if section.items]


# -- decisions --------------------------------------------------------------------------------


def _decisions(about: About) -> tuple[list[Item], list[Item]]:
    """The accepted decisions of the task, and of its project, the newest first."""
    reader, project = about.reader, about.task.data.get("project")
    of_the_task = list(reader.all("decision", task=about.task.id))
    of_its_project = list(reader.all("decision", project=project)) if project else []
    ids = [one.id for one in (*of_the_task, *of_its_project)]
    # A decision of any project may replace one of a task or of another project.
    replaced = {
        one.data["supersedes"]
        for one in (reader.having("decision", "supersedes", ids) if ids else ())
        if one.task in (None, about.task.id)
    }
    task, others = (
        [_decision(one) for one in _newest(found) if one.id not in replaced]
        for found in (of_the_task, of_its_project)
    )
    return task, others


def _decision(record: Record) -> Item:
    data = record.data
    parts = [f"{data['title']}: {data['outcome']}"]
    parts += [f"{name}: {data[name]}" for name in ("context", "consequences") if data.get(name)]
    parts += [f"considered: {option}" for option in data.get("options") or ()]
    label, by = f"Decision {record.id} of {listed(data['deciders'])}", data["created"]["by"]
    return Item(label, "\n".join(parts), by, f"gittask show {record.id}", "written down")


def _newest(found: Sequence[Record]) -> list[Record]:
    return sorted(found, key=age, reverse=True)


# -- what changed, what was verified ----------------------------------------------------------


def _evidence(about: About) -> Iterator[Item]:
    """What the last report says of the code, and whether its checks were of the present code."""
    if about.report is None:
        return
    data = about.report.data
    by, see = data["actor"], f"gittask show {about.report.id}"
    for check in data["verified"]:
        yield Item(f"Verified: {_outcome(about, check)}", _claim(check), by, see)
    if data["changed"]:
        changed = "\n".join(f"{item['path']}: {item['what']}" for item in data["changed"])
        yield Item(f"Changed, {counted(len(data['changed']), 'file')}", changed, by, see)
    if data.get("commits"):
        commits = [f"{one['sha'][:12]} {one.get('subject') or ''}" for one in data["commits"]]
        yield Item(counted(len(commits), "commit").capitalize(), "\n".join(commits), by, see)
    for item in data["not_verified"]:
        yield Item("Not verified", f"{item['claim']}, because {item['why']}", by, see)
    for text in data.get("contingencies") or ():
        yield Item("If it goes otherwise", text, by, see)


def _claim(check: Data) -> str:
    command = f" (`{check['command']}`)" if check.get("command") else ""
    return f"{check['claim']}{command}"


def _outcome(about: About, check: Data) -> str:
    """How a check ended, and whether that still says something of the present code."""
    code, commit = check.get("exit_code"), check.get("commit")
    ended = (
        "only said, not run" if code is None else f"{'failed' if code else 'passed'}, exit {code}"
    )
    if not commit:
        return f"{ended}, of no known commit"
    age = about.code.age(commit)
    said = {"present": "", "stale": "stale, ", "unknown": "unknown whether stale, "}[age]
    dirty = " with uncommitted changes" if check.get("dirty") else ""
    return f"{ended}, {said}at {commit[:12]}{dirty}"


# -- what was said ----------------------------------------------------------------------------


def _constraints(about: About) -> list[Item]:
    return [_note(about, one) for one in _newest(_notes(about)) if _binds(one)]


def _binds(note: Record) -> bool:
    return bool(note.data["kind"] == "constraint")


def _notes(about: About) -> list[Record]:
    """The notes of the task, less the one that is never dropped."""
    shown = said_since(about, about.report)
    return [note for note in about.notes if shown is None or note.id != shown.id]


def _note(about: About, note: Record) -> Item:
    data, created = note.data, note.data["created"]
    late = ", late" if about.late(note) else ""
    text = "\n".join([data["body"], *words.note(data)])
    label = f"{data['kind'].capitalize()}, {when(created['at'])}{late}"
    return Item(label, text, created["by"], f"gittask show {note.id}")


def _discussion(about: About) -> list[Item]:
    """Messages and notes, the newest first, but answers before all others."""
    asked = {question.id for question in open_questions(about.reader, about.task.id)}
    messages = [
        one for one in about.reader.all("message", task=about.task.id) if one.id not in asked
    ]
    by_id = {one.id: one for one in messages}
    answers = [one for one in messages if one.data["kind"] == "answer"]
    answered = {one.data.get("in_reply_to") for one in answers}
    said = [one for one in messages if one.data["kind"] != "answer" and one.id not in answered]
    said += [note for note in _notes(about) if not _binds(note)]
    return [
        *(_answer(one, by_id.get(one.data.get("in_reply_to") or "")) for one in _newest(answers)),
        *(_note(about, one) if one.kind == "note" else _message(one) for one in _newest(said)),
    ]


def _message(message: Record) -> Item:
    data = message.data
    to = f" to {data['to']}" if data.get("to") else ""
    by = "" if data["channel"] == "cli" else f" by {data['channel']}"
    label = f"{data['kind'].capitalize()}{to}{by}, {when(data['created']['at'])}"
    return Item(label, data["body"], data["from"], f"gittask show {message.id}")


def _answer(answer: Record, question: Record | None) -> Item:
    """An answer with what was asked, for one says little without the other."""
    found = _message(answer)
    if question is None:
        return found
    asked = question.data
    text = f"{answer.data['body']}\n\nAsked by {asked['from']}: {asked['body']}"
    return Item(found.label, text, found.by, found.see)


def _refused(about: About) -> Iterator[Item]:
    """What was asked for, and is not or no longer allowed."""
    for one in of_task(about.reader, about.task):
        how = standing(about.reader, one, about.at)
        if how in ("denied", "revoked", "void"):
            data = one.data
            reason = f"\nbecause: {data['state']['reason']}" if data["state"]["reason"] else ""
            label = f"{how.capitalize()} by {data['state']['by']}, {when(data['state']['at'])}"
            text, see = f"{data['action']}{reason}", f"gittask show {one.id}"
            yield Item(label, text, data["requested_by"], see, "asked for")


# -- older handoffs ---------------------------------------------------------------------------


def _older(about: About) -> list[Item]:
    """The handoffs before the last one, the newest first, each after what a review made of it."""
    last = about.report.id if about.report else None
    older = [one for one in reversed(handoffs(about)) if one.id != last]
    return [item for one in older for item in (*_reviewed(about, one), _handoff(about, one))]


def _reviewed(about: About, handoff: Record) -> Iterator[Item]:
    """What the last review of an older handoff said."""
    review = work.review_of(about.reader, handoff)
    verdict, *said = words.review(review.data) if review else [""]
    if review and said:
        created = review.data["created"]
        label = f"{verdict.capitalize()} of handoff {handoff.id}, {when(created['at'])}"
        yield Item(label, "\n".join(said), created["by"], f"gittask show {review.id}")


def _handoff(about: About, handoff: Record) -> Item:
    data = handoff.data
    text = "\n".join([data["summary"], *words.handoff(data)])
    reviewed = work.review_of(about.reader, handoff)
    verdict = f", {spaced(reviewed.data['verdict'])}" if reviewed else ""
    checks = [check["commit"] for check in data["verified"] if check.get("commit")]
    ages = Counter(about.code.age(commit) for commit in checks)
    old = "".join(
        f", {ages[age]} of {len(checks)} checks {said}"
        for age, said in _NOT_PRESENT.items()
        if ages[age]
    )
    label = f"{headline(about, handoff)}{verdict}{old}"
    return Item(label, text, data["actor"], f"gittask show {handoff.id}")


_NOT_PRESENT = {"stale": "stale", "unknown": "unknown whether stale"}
"""What is said of checks whose commit is not the present one."""
