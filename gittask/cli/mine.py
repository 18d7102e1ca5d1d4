"""The execution that a call is about, where its task need not be named."""

from __future__ import annotations

from gittask.actions import work as actions
from gittask.cli.context import Context
from gittask.core import names
from gittask.core.record import Record
from gittask.errors import NotFound
from gittask.kinds.execution import own


def chosen(here: Context, task: str | None) -> Record:
    """The caller's execution: as said, else the actor's on the task, else the current one."""
    reader, act = here.acting(task)
    said = here.said_execution
    if task is not None:
        found = actions.own_execution(reader, act, names.task(reader, task))
    elif said:
        known = here.current.get("task") if said == here.current.get("execution") else None
        found = names.event(reader, "execution", said, task=known)
    else:
        raise NotFound(
            "no execution is current here", hint="name a task, or --execution; or: gittask start"
        )
    own(found, act.actor, act.person)
    return found
