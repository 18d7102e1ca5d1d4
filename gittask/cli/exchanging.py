"""An exchange with the remote that may have something to do, and all that is said of it."""

from __future__ import annotations

from collections.abc import Sequence

from gittask.cli import life
from gittask.cli.arrived import arrivals_judged
from gittask.cli.asking import progress
from gittask.cli.claiming import pace
from gittask.cli.context import Context, context
from gittask.core import names
from gittask.core.record import Data, Record
from gittask.exchange.asked import Asked
from gittask.exchange.sync import sync
from gittask.exchange.synced import Synced
from gittask.kinds.kind import readable
from gittask.kinds.task import describe_holder
from gittask.views import conflicts, unread
from gittask.views.graph import all_circles


def exchange(asked: Asked | None, to: str | None, timeout: float) -> None:
    """Carry out ``gittask sync``. ``asked`` is the remote's first answer, if that is there."""
    here = context()
    claims = _provisional(here, asked.tracking if asked else here.repo.tracking())
    with arrivals_judged(here):
        done = sync(
            here.session,
            here.committer,
            pace(),
            progress=progress(here.output),
            timeout=timeout,
            to=to,
            asked=asked,
        )
    settled = _settle(here, done, claims)
    life.listen(here, fetched=asked is not None and asked.heard, moved=done.moved)
    for text in _findings(here, done):
        here.output.warn(text)
    here.output.result({"sync": {**done.as_json(), "claims": settled}}, done.summary)


def _provisional(here: Context, seen: str | None) -> list[Record]:
    """The executions that hold a task here, and not at the remote as it was ``seen`` before."""
    repo, schemas = here.repo, here.session.schemas
    tip = repo.tip()
    if tip is None or repo.remote is None or tip == seen:
        return []
    reader = here.session.reader(tip)
    found = []
    was = repo.tree(seen) if seen else None
    for path, before, _ in repo.diff(was, repo.tree(tip), tolerant=True):
        place = schemas.locate(path)
        if before is None and place and place.kind == "execution" and place.task:
            task = readable(reader, "task", place.task, task=None)
            execution = readable(reader, "execution", place.id, task=place.task)
            if task and execution and task.data["state"]["holder"] == execution.id:
                found.append(execution)
    return found


def _settle(here: Context, done: Synced, claims: Sequence[Record]) -> list[Data]:
    """Say what became of claims that were provisional before the sync."""
    reader = here.session.reader(done.tip)
    settled = []
    for execution in claims:
        task = names.task(reader, execution.data["task"])
        state = task.data["state"]
        stands = state["epoch"] == execution.data["epoch"] and state["holder"] == execution.id
        confirmed = stands and not done.proposed
        settled.append({"task": task.id, "execution": execution.id, "confirmed": confirmed})
        if stands and done.proposed:
            here.output.warn(f"the claim of {task.id} is provisional until that is merged")
        elif stands:
            here.output.message(f"the claim of {task.id} is confirmed")
        else:
            here.output.warn(
                f"the claim of {task.id} is superseded: it is "
                f"{describe_holder(reader, task.id, state)}; what you report is kept as late: "
                f"gittask handoff {task.id} ..."
            )
    return settled


def _findings(here: Context, done: Synced) -> list[str]:
    """What a person should look at after a sync."""
    found = unread.sentences(done.bad, "exchanged, but cannot be read")
    reader = here.session.reader(done.tip)
    found += [
        f"conflict: {conflicts.sentence(reader, one)}; settle it: {conflicts.command(one)}"
        for one in done.conflicts
    ]
    if done.rewritten:
        found.append(
            f"the history of {done.remote}/{done.branch} was rewritten; what was done here since "
            f"was applied to the new one; as it was here before: git log {done.before}"
        )
    aside = {here.session.schemas.path_of(one) for one in done.conflicts}
    found += [
        f"removed, altered, or lost in a merge, and brought back: {path}"
        for path in done.restored
        if path not in aside
    ]
    found += [f"left behind by a rebase here, and in no commit now: {path}" for path in done.left]
    if done.left_at:
        found.append(
            f"how it was before that rebase: git log {done.left_at}; to have it back, where the "
            f"branch is checked out: git merge -s gittask {done.left_at}; gittask sync"
        )
    found += [f"taken out there, so your change was not applied: {path}" for path in done.dropped]
    if done.pulled and done.pushed:  # two edits of different tasks may close a circle
        circles = all_circles(reader, here.at)
        found += [f"tasks wait for each other: {c}; break it: {c.remedy}" for c in circles]
    return found
