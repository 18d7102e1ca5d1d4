"""What to do about an execution that came to nothing, by the cause."""

from __future__ import annotations

from dataclasses import asdict

from gittask.core.dataclass import dataclass
from gittask.core.record import Data, Record
from gittask.views.liveness import WORKING, Liveness


@dataclass(frozen=True)
class Advice:
    """What is proposed for an execution: ``same``, ``new``, ``retry`` or ``none``; why, and how.

    ``command`` carries it out; for ``none`` it shows more.
    """

    proposal: str
    why: str
    command: str

    def as_json(self) -> Data:
        """As ``--json`` shows it."""
        return asdict(self)


def advise(
    execution: Record,
    task: Record,
    found: Liveness,
    *,
    polluted: bool,
    claimable: bool,
    own: bool = True,
) -> Advice:
    """What to do about an execution that stands as found.

    A process that died leaves its execution as it is: a new process goes on in it. Where nobody
    knows whether it still works, or what it knows cannot be trusted any more (``polluted``), a
    new execution takes over, so that whatever the old one still writes is late. ``claimable``
    says whether the task could be claimed by anybody, ``own`` whether who asks may act in the
    execution.
    """
    id, state = execution.id, found.state
    if state in ("ended", "superseded"):
        if claimable and execution.data["state"]["status"] != "done":
            return Advice("retry", "the task is free to claim", f"gittask retry {id}")
        return Advice("none", "there is nothing to go on with", f"gittask show {task.id}")
    if polluted:
        command = f"gittask recover {id} --new --polluted"
        return Advice("new", "what it knows is not to be trusted", command)
    if found.gone and own:
        command = f"gittask recover {id} --same"
        return Advice("same", "its process is gone, its claim is not", command)
    if state == "lost":
        why = "its process is gone" if found.gone else "nobody knows whether it still works"
        return Advice("new", why, f"gittask recover {id} --new")
    if state in WORKING:
        return Advice("none", "it works, as far as is known", f"gittask status {task.id}")
    return Advice("none", "it has reported", f"gittask show {task.id}")
