"""From what somebody typed to the one record that is meant, or a refusal to guess."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from gittask.core.ids import AUTHOR, SHORTEST, ending
from gittask.core.record import Reader, Record
from gittask.core.text import one_line
from gittask.errors import Ambiguous, Hidden, NotFound

_SHARD = "tasks(/[0-9a-f]{2})?"
"""A folder of tasks: whoever cannot open it does not know which are in it."""


def task(reader: Reader, text: str) -> Record:
    """The task of this id or unique prefix, in any case. NotFound, Ambiguous, or Invalid."""
    id = task_id(reader, text)
    found = reader.get("task", id)
    if found is None:
        raise NotFound(
            f"task {id} has records, but its own file is missing",
            hint="restore it from an earlier commit: gittask verify names what is left",
        )
    return found


def task_id(reader: Reader, text: str) -> str:
    """The id of the task of this id or unique prefix.

    Raises Hidden, which is a NotFound too, where a folder that cannot be read may hold it.
    """
    wanted = text.strip().lower()
    found = reader.near("task", wanted) if len(wanted) >= SHORTEST else []
    if wanted in found:
        return wanted
    reader.get("task", wanted)  # raises Invalid if it is in what cannot be read
    if len(wanted) < SHORTEST:
        raise NotFound(
            f"no task {one_line(text)!r}",
            hint=f"give at least {SHORTEST} characters of a task's id: gittask list",
        )
    if not found:
        refuse_hidden(reader, text)
    return _only(found, text, "task", "gittask list --all")


def event(reader: Reader, kind: str, text: str, *, task: str | None = None) -> Record:
    """The record of this kind whose id is, begins or ends as given."""
    wanted = text.strip().lower()
    if task is None:
        found = reader.near(kind, wanted) if len(wanted) >= SHORTEST else []
    else:
        known = reader.ids(kind, task=task) if len(wanted) >= SHORTEST else []
        found = [id for id in known if id.startswith(wanted) or ending(id) == wanted]
    found = [wanted] if wanted in found else found
    id = _only(found, text, kind, "gittask timeline TASK")
    record = reader.get(kind, id, task=task or reader.owner(kind, id))
    if record is None:
        raise NotFound(f"no {kind} {one_line(text)!r}", hint="see: gittask timeline TASK")
    return record


def refuse_hidden(reader: Reader, text: str) -> None:
    """Raise Hidden where a folder that cannot be read may hold a task that was not found."""
    hiding = [one for one in reader.problems if re.fullmatch(_SHARD, one.file)]
    if hiding:
        raise Hidden(hiding, what=f"no task {one_line(text)!r} in what can be read")


def task_or_event(reader: Reader, text: str, *kinds: str) -> Record:
    """The task that a text names, or else the record of the first of these kinds that it names."""
    try:
        id = task_id(reader, text)
    except NotFound as no_task:
        for kind in kinds[:-1]:
            with suppress(NotFound):
                return event(reader, kind, text)
        try:
            return event(reader, kinds[-1], text)
        except NotFound:
            if isinstance(no_task, Hidden):
                raise no_task from None
            raise
    return task(reader, id)


def named(reader: Reader, kind: str, text: str) -> Record:
    """The actor or project of exactly this id."""
    found = reader.get(kind, text.strip().lower())
    if found is None:
        known = ", ".join(reader.ids(kind)[:10]) or "none yet"
        add = f"gittask {kind} add {one_line(text)}"
        if kind == "actor":
            add += " --kind person (or --kind agent)"
        raise NotFound(f"no {kind} {one_line(text)!r}", hint=f"known: {known}; add one: {add}")
    return found


def maker(reader: Reader, text: str) -> str:
    """The id of whoever can have made a record: an actor of exactly this id, or the program."""
    wanted = text.strip().lower()
    known = wanted == AUTHOR or wanted in reader.ids("actor")
    return wanted if known else named(reader, "actor", text).id


def store(reader: Reader) -> Record:
    """The store's own record."""
    found = reader.get("store", "")
    if found is None:
        raise NotFound(
            "the store's own file is missing",
            hint="restore gittask.yaml from an earlier commit, or: gittask sync",
        )
    return found


def sole(found: Sequence[Record], *, none: str, see: str, many: str, hint: str) -> Record:
    """The only one of these records.

    Raises NotFound(``none``) with ``see`` as its hint, or Ambiguous(``many``) with ``hint``.
    """
    if not found:
        raise NotFound(none, hint=see)
    if len(found) > 1:
        candidates = {"candidates": [one.id for one in found]}
        raise Ambiguous(many, hint=hint, details=candidates)
    return found[0]


def _only(found: Sequence[str], text: str, kind: str, see: str) -> str:
    if not found:
        raise NotFound(f"no {kind} {one_line(text)!r}", hint=f"see: {see}")
    if len(found) > 1:
        shown = ", ".join(found[:5]) + (" ..." if len(found) > 5 else "")
        raise Ambiguous(
            f"{one_line(text)!r} could be {len(found)} {kind}s: {shown}",
            hint="give more characters",
            details={"candidates": list(found)},
        )
    return found[0]


def shortest(known: Sequence[str], id: str) -> str:
    """The shortest prefix of ``id``, of at least four characters, that no other id has."""
    for length in range(SHORTEST, len(id)):
        if sum(other.startswith(id[:length]) for other in known) <= 1:
            return id[:length]
    return id
