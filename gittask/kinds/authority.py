"""Whether a commit could have been made by who says so: the third place of the fence.

A writer is judged before it writes, and a merge keeps what the higher epoch says. But anybody can
commit with git alone, merge by hand or push what another program made. So each commit is judged
once more, against its parents, by the rules below. They are pure; each yields what is wrong, as
problems that say what to do. What the program itself would have refused is refused here by the
same code (``allowed``), so that the two cannot drift apart.

Names prove nothing by themselves: whoever commits under another's name is found out by signatures
only. The rules find what does not fit together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce

from gittask.core import merge as merging
from gittask.core.dataclass import dataclass
from gittask.core.ids import AUTHOR
from gittask.core.record import Data, Reader, same
from gittask.errors import Invalid, Problem, Refused
from gittask.kinds.commit import PROTECTED, Commit, Edit
from gittask.kinds.kind import Attempt, kind, readable
from gittask.kinds.preference import BY_PEOPLE

REAPPLIED = "reapply:"
"""How the subject of a commit begins that brings work onto a history that was rewritten."""

_UNANSWERED = ("open", "requested")
"""The states in which a hand may make a record: nothing was done or granted yet."""

_CIRCLES = ("depends_on", "parent", "subject")
"""The fields of circles: those are looked for in the whole store, not commit by commit."""

Rule = Callable[[Commit], Iterator[Problem]]


@dataclass(frozen=True)
class Fault:
    """What a rule found; an error, or else only something to look at."""

    rule: str
    problem: Problem
    error: bool


def judge(commit: Commit) -> Iterator[Fault]:
    """Everything that the rules find in a commit."""
    for rule in (*RECORDS, *(BY_PROGRAM if commit.by_program else WRITERS)):
        yield from (Fault(rule.__name__, problem, True) for problem in rule(commit))
    for rule in UNUSUAL:
        yield from (Fault(rule.__name__, problem, False) for problem in rule(commit))


# -- records, whoever commits -----------------------------------------------------------------


def removed(commit: Commit) -> Iterator[Problem]:
    """No record is removed: tasks are closed, and the rest is history."""
    for edit in commit.edits:
        if edit.removed:
            hint = f"bring it back: git checkout COMMIT~ -- {edit.path}"
            yield Problem(edit.path, "", "was removed; records are never removed", hint)


def altered(commit: Commit) -> Iterator[Problem]:
    """A record that is written once stays as it was written, or becomes that again."""
    for edit in commit.edits:
        stays = edit.rules.mutable or edit.came or edit.removed or edit.taken
        if not stays and not _restored(commit, edit):
            hint = "take the edit back, and say what is new in a record of its own"
            message = f"was altered; a {edit.kind} is written once"
            yield Problem(edit.path, "", message, hint)


def _restored(commit: Commit, edit: Edit) -> bool:
    *_, first = (None, *commit.known(edit.path))
    return first is not None and same(first, edit.after)


def fixed(commit: Commit) -> Iterator[Problem]:
    """Some fields are set once: who made a record, whose execution it is, and its epoch."""
    for edit in commit.own:
        for name in edit.touched if edit.before is not None else ():
            if edit.rules.rule(name).name == "fixed":
                yield Problem(edit.path, name, "was altered; it never changes", "set it back")


def merge(commit: Commit) -> Iterator[Problem]:
    """A merge keeps what follows from what was done as the rules of merging say.

    So of a task the state of the highest epoch survives, whichever side is merged into which. An
    older state of the same claim is no breach (see ``older``). Nor does a merge choose the policy.
    """
    for edit, name in _lost(commit):
        if not _of_same_claim(edit, name):
            assert edit.merged is not None
            stands, now = edit.merged.get(name), (edit.after or {}).get(name)
            message = f"is {_words(now)}, but of what its parents have, {_words(stands)} stands"
            hint = "undo the merge, and let gittask do it: gittask sync"
            yield Problem(edit.path, name, message, hint)


def _lost(commit: Commit) -> Iterator[tuple[Edit, str]]:
    """Each protected field, and policy, that is not as merging its sources makes it."""
    for edit in commit.edits:
        for name in (*PROTECTED, *BY_PEOPLE) if edit.joins and edit.after is not None else ():
            merged = edit.merged or {}
            if name in merged and not same(merged[name], (edit.after or {}).get(name)):
                yield edit, name


def _of_same_claim(edit: Edit, name: str) -> bool:
    """Whether a merge took, of two states of a task under one claim, the one set earlier."""
    if edit.kind != "task" or name != "state":
        return False
    stands: Data = (edit.merged or {}).get(name) or {}
    now: Data = (edit.after or {}).get(name) or {}
    if not any(same(now, source.get(name)) for source in edit.sources):
        return False
    return all(stands.get(part) == now.get(part) for part in ("epoch", "since"))


def _words(value: object) -> str:
    """The value of a field that a merge keeps, in a few words."""
    if isinstance(value, list):
        items = (each.values() if isinstance(each, dict) else [each] for each in value)
        return ", ".join(" ".join(map(str, each)) for each in items) or "nothing"
    if not isinstance(value, dict):
        return "nothing" if value is None else str(value)
    said = [str(value.get("status") or f"by {value.get('by')}")]
    if "epoch" in value:
        said += [f"epoch {value['epoch']}", f"held by {value['holder'] or 'nobody'}"]
    return f"({', '.join(said)})"


# -- what a writer commits --------------------------------------------------------------------


def author(commit: Commit) -> Iterator[Problem]:
    """The author is the actor that the commit names, or without a name an actor of the store."""
    if not commit.own or commit.is_the_actors:
        return
    named = commit.trailers.get("Actor")
    hint = "make the address known: gittask actor add NAME --email ADDRESS, or actor set"
    if named is None:
        yield Problem("", "", f"its author {commit.author} is no actor of this store", hint)
    elif commit.actor is None:
        yield Problem("", "", f"names the actor {named!r}, which does not exist", hint)
    else:
        message = f"its author {commit.author} is not {named}, whom it names as its actor"
        hint = "commit by the program, or keep the author when you rebase, squash or amend"
        yield Problem("", "", message, hint)


def names(commit: Commit) -> Iterator[Problem]:
    """Who made a record, set a field or gave an answer is the actor of the commit.

    Relaying is allowed where the format has a place for it: ``from`` of a message is whose words
    it holds, which people and services say (see ``allowed``), and a person may begin an execution
    for another, or report for it.
    """
    actor = commit.actor
    for edit in commit.own if actor else ():
        if commit.merges and _is_conflict_of_merge(edit):
            continue
        for field, by in _signatures(edit):
            if actor and by != actor.id:
                hint = f"who commits says so by their own name: {actor.id}"
                yield Problem(edit.path, field, f"is {by}, but the commit is {actor.id}'s", hint)


def _signatures(edit: Edit) -> Iterator[tuple[str, str]]:
    """Each place in which an edit says who acted, with the actor."""
    before, after = edit.before or {}, edit.after or {}
    if edit.came:
        yield "created.by", after["created"]["by"]
    for unit, stamp in edit.new_stamps:
        yield f"changed.{unit}", stamp.by
    for name in PROTECTED:
        value = after.get(name)
        answer = value.get("by") if isinstance(value, dict) else None
        if answer and not same(before.get(name), value):
            yield f"{name}.by", answer


def _is_conflict_of_merge(edit: Edit) -> bool:
    """Whether a record is new, and holds what a merge could not keep."""
    return edit.came and edit.kind == "conflict" and (edit.after or {})["created"]["by"] == AUTHOR


def execution(commit: Commit) -> Iterator[Problem]:
    """An execution acts for its own actor, and under its own epoch; people may settle things."""
    said = commit.trailers.get("Execution")
    found = _execution(commit.after, said, _task(commit)) if commit.own else None
    if said and commit.own and found is None:
        yield Problem("", "", f"names the execution {said!r}, which cannot be found", _SAY_WHO)
    if found and commit.trailers.get("Epoch", str(found["epoch"])) != str(found["epoch"]):
        epoch = commit.trailers["Epoch"]
        message = f"names epoch {epoch}, but execution {said} has epoch {found['epoch']}"
        yield Problem("", "", message, _SAY_WHO)
    under: list[tuple[str, Data | None]] = [("", found)]
    for edit in commit.own:
        data = edit.after or {}
        if edit.came and edit.kind != "execution" and data.get("execution") != said:
            under.append((edit.path, _execution(commit.after, data.get("execution"), edit.task)))
    for path, data_of in under:
        if data_of and commit.actor and not commit.person and data_of["actor"] != commit.actor.id:
            message = f"acts under execution {data_of['id']}, which is {data_of['actor']}'s"
            yield Problem(path, "", f"{commit.actor.id} {message}", _SAY_WHO)


_SAY_WHO = "commit by the program, which says who acts and under what"


def _task(commit: Commit) -> str | None:
    """The task that a commit is about."""
    tasks = (edit.task for edit in commit.own)
    return commit.trailers.get("Task") or next(filter(None, tasks), None)


def _execution(reader: Reader, id: str | None, task: str | None) -> Data | None:
    """An execution's data; None if there is none, or none that can be read."""
    found = readable(reader, "execution", id, task=task)
    return found.data if found else None


def by_hand(commit: Commit) -> Iterator[Problem]:
    """A commit without an actor's name is an edit by hand: it describes, and decides nothing."""
    for edit in commit.own if "Actor" not in commit.trailers else ():
        state = (edit.after or {}).get("state")
        new = edit.came and state and state["status"] in _UNANSWERED
        for name in PROTECTED if not new else ():
            if name in edit.touched:
                hint = "let the program do it: gittask start, close, approve ..."
                yield Problem(edit.path, name, "was set by hand, which decides nothing", hint)


def claim(commit: Commit) -> Iterator[Problem]:
    """A task is claimed by a new execution of the actor, and such an execution claims its task."""
    for edit in commit.own:
        data = edit.after or {}
        if edit.kind == "task":
            yield from _claimed(commit, edit, data["state"])
        elif edit.kind == "execution" and edit.came:
            if commit.actor and not commit.person and data["actor"] != commit.actor.id:
                message = f"is {data['actor']}, for whom only a person may begin it"
                yield Problem(edit.path, "actor", message, _SAY_WHO)
            task = readable(commit.after, "task", data["task"], task=None)
            # One that another claim overtook, as a rebase brings it, holds nothing and is kept.
            if task and data["lane"] == "edit" and data["epoch"] > task.data["state"]["epoch"]:
                message = f"is {data['epoch']}, but the task was not claimed with it"
                yield Problem(edit.path, "epoch", message, "claim by: gittask start")


def _claimed(commit: Commit, edit: Edit, state: Data) -> Iterator[Problem]:
    """What is wrong with the claim that a task shows, if it shows a new one."""
    old = (edit.before or {}).get("state") or {"epoch": 0, "holder": None}
    if state["epoch"] == old["epoch"] and state["holder"] in (None, old["holder"]):
        return
    if edit.came and state["epoch"] != (1 if state["holder"] else 0):
        hint = "a new task has epoch 0, and nobody holds it"
        yield Problem(edit.path, "state.epoch", f"begins at {state['epoch']}", hint)
    found = _execution(commit.after, state["holder"], edit.id)
    if found and (found["epoch"], found["lane"]) != (state["epoch"], "edit"):
        message = f"is an execution of epoch {found['epoch']} ({found['lane']}), not of this claim"
        yield Problem(edit.path, "state.holder", message, "claim by: gittask start")
    if found and commit.actor and not commit.person and found["actor"] != commit.actor.id:
        message = f"is {found['actor']}'s execution, but {commit.actor.id} claims"
        yield Problem(edit.path, "state.holder", message, "claim by: gittask start")


def allowed(commit: Commit) -> Iterator[Problem]:
    """What each kind allows: the rules by which the program judges what it is to write.

    So a stale holder, a holder that has ended, a task that another holds, an epoch that skips or
    falls, a takeover without a reason, an answer to an approval by somebody who may not answer.
    """
    for edit in commit.own if commit.actor else ():
        try:
            for problem in _attempted(commit, edit):
                if problem.field.partition(".")[0] not in _CIRCLES:
                    yield Problem(edit.path, problem.field, problem.message, problem.hint)
        except Refused as refused:
            yield Problem(edit.path, "", refused.message, refused.hint)
        except Invalid:
            continue  # a file that it depends on cannot be read, and is reported itself


def _attempted(commit: Commit, edit: Edit) -> Iterator[Problem]:
    assert commit.actor is not None
    before, after = edit.records()
    execution = commit.trailers.get("Execution")
    attempt = Attempt(commit.before, before, after, commit.actor.id, commit.person, execution)
    return kind(edit.kind).may(attempt)


# -- what the program commits by itself -------------------------------------------------------


def program(commit: Commit) -> Iterator[Problem]:
    """The program by itself decides nothing: it merges, keeps what lost, and stamps.

    It may also bring back what all versions in the history come to; but no task falls back to a
    lower epoch.
    """
    for edit in commit.own:
        data = edit.after or {}
        known = [*commit.known(edit.path)] if edit.touched else []
        if edit.kind == "task" and _epoch(data) < _epoch(edit.before or {}):
            message = f"falls from {_epoch(edit.before or {})} to {_epoch(data)}"
            yield Problem(edit.path, "state.epoch", message, "merge again: gittask sync")
        if _is_conflict_of_merge(edit):
            continue
        if commit.subject.startswith(REAPPLIED):
            for name in (name for name in edit.touched if name in _TRUSTED and data.get(name)):
                message = "says who may do what, and was applied again by the program"
                hint = "take the remote's branch, and set it again as yourself"
                yield Problem(edit.path, name, message, hint)
            continue
        known = _together(edit, known)
        made = [n for n in edit.touched if not any(same(old.get(n), data.get(n)) for old in known)]
        if made:
            message = "was set in the program's own name, which decides nothing"
            yield Problem(edit.path, "" if edit.came else made[0], message, "commit as an actor")


_TRUSTED = ("allowed", "approvers", "signatures", "email", "identities", "keys")
"""The fields by which people say whom to trust, and with what."""


def _together(edit: Edit, known: list[Data]) -> list[Data]:
    """What all versions of a record come to: so a field is that another program's merge lost.

    Any single older version would do for one that is written once; of another it would be stale.
    """
    if not edit.rules.mutable or not known:
        return known
    return [reduce(lambda one, other: merging.merge(edit.rules, None, one, other).value, known)]


def _epoch(task: Data) -> int:
    state: Data = task.get("state") or {"epoch": 0}
    return int(state["epoch"])


# -- unusual ----------------------------------------------------------------------------------


def older(commit: Commit) -> Iterator[Problem]:
    """A merge that takes an older state of the same claim."""
    for edit, name in _lost(commit):
        if _of_same_claim(edit, name):
            assert edit.merged is not None
            message = f"is not the later of its parents': {_words(edit.merged[name])}"
            yield Problem(edit.path, name, message, "see that it is meant: gittask show TASK")


def reapplied(commit: Commit) -> Iterator[Problem]:
    """Work of many that was brought onto a rewritten history in one commit of the program."""
    if commit.by_program and commit.own and commit.subject.startswith(REAPPLIED):
        message = "holds work that was applied again by the program; who wrote it cannot be judged"
        yield Problem("", "", message, "see that the history of the branch was meant to change")


RECORDS: tuple[Rule, ...] = (removed, altered, fixed, merge)
"""The rules for every commit."""

WRITERS: tuple[Rule, ...] = (author, names, execution, by_hand, claim, allowed)
"""The rules for commits by somebody."""

BY_PROGRAM: tuple[Rule, ...] = (program,)
"""The rules for commits by the program itself."""

UNUSUAL: tuple[Rule, ...] = (older, reapplied)
"""What is remarked on, and no error."""
