"""Signs of life, between the store's records and what this machine keeps and hears."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from gittask.cli.context import Context
from gittask.core import duration, names
from gittask.core.beat import LEASE, Signs
from gittask.core.record import Reader, Record
from gittask.errors import NotFound, RemoteError
from gittask.kinds import readable
from gittask.store.observed import Observer
from gittask.views.liveness import Liveness, current, is_over, watched


def listen(here: Context, *, fetched: bool = False, moved: bool = True) -> None:
    """Hear what beats at the remote, and remove what beats for nothing any more.

    ``fetched``: what beats there has just come here. Unless the branch has ``moved``, nothing is
    over since the last time. Without a remote nothing is done. One that cannot be reached is
    told, and no more.
    """
    remote = here.repo.remote
    if remote is None:
        return
    reader = cache(here.session.reader)  # opened if there is something to look up

    def is_done(execution: str, task: str) -> bool:
        return over(reader())(execution, task)

    try:
        if not fetched:
            here.beats.fetch(remote)
        here.beats.prune(remote, is_done)
    except RemoteError as error:
        here.output.warn(f"no signs of life from {remote}: {error.message}")
    if moved:
        here.beats.tidy(is_done)
        _observer(here).tidy(is_done)
    ids = sorted({beat.task for _, beat in here.beats.all_seen(remote)})
    tasks = [task for id in ids if (task := readable(reader(), "task", id, task=None))]
    _observer(here).observe(one for task in tasks for one in watched(reader(), task))


def over(reader: Reader) -> Callable[[str, str], bool]:
    """Whether an execution of a task is over; not of one that is not in the store."""

    def check(execution: str, task: str) -> bool:
        found = readable(reader, "execution", execution, task=task)
        owner = readable(reader, "task", task, task=None)
        return found is not None and owner is not None and is_over(found, owner)

    return check


def heard(here: Context, tasks: Iterable[Record], lease: str | None = None) -> dict[str, Signs]:
    """What is known of the life of the executions of tasks; ``lease`` is a length of time.

    Nothing is fetched: see ``listen``.
    """
    asked = [one for task in tasks for one in watched(here.reader, task)]
    return _observer(here).observe(asked, _lease(here.reader, lease)) if asked else {}


def _observer(here: Context) -> Observer:
    return Observer(here.repo, here.machine, here.beats)


def _lease(reader: Reader, said: str | None) -> float:
    """The silence that is borne, in seconds: as said, as the store says, or as ever."""
    store = readable(reader, "store", "", task=None)
    text = said or (store.data.get("lease") if store else None)
    return duration.seconds(text) if text else LEASE


def look(here: Context, execution: Record, task: Record, lease: str | None = None) -> Liveness:
    """How one execution stands."""
    return current(here.reader, execution, task, heard(here, [task], lease), here.at)


def named(reader: Reader, text: str) -> tuple[Record, Record]:
    """The execution that a text names, and its task.

    The text is an execution's id, its beginning or its random end; or names a task, and so the
    execution that holds it, else its last one.
    """
    task = names.task_or_event(reader, text, "execution")
    if task.kind == "execution":
        return task, names.task(reader, task.data["task"])
    holder = readable(reader, "execution", task.data["state"]["holder"], task=task.id)
    found = holder or next(iter([*reader.all("execution", task=task.id)][::-1]), None)
    if found is None:
        raise NotFound(
            f"nobody has worked on task {task.id}", hint=f"begin: gittask start {task.id}"
        )
    return found, task
