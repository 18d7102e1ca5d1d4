"""Every write is a sign of life of the execution under which it was made."""

from __future__ import annotations

from contextlib import suppress

from gittask.core.change import Change
from gittask.kinds.execution import FINAL, last_runtime
from gittask.store.beats import Beats
from gittask.views.liveness import WRITTEN


def keep_signs(beats: Beats, change: Change) -> None:
    """Keep that something was written under an execution: every write is a sign of life."""
    id, task = change.execution, change.main.task
    if id is None or task is None:
        return
    records = change.records
    execution = next((one for one in records if (one.kind, one.id) == ("execution", id)), None)
    count = sum(one.kind in WRITTEN and one.data.get("execution") == id for one in records)
    with suppress(OSError):  # what was written is written
        if execution and execution.data["state"]["status"] in FINAL:
            beats.forget(id)
            return
        runtime = last_runtime(execution.data) if execution else None
        kept = beats.local(id)
        if runtime and (kept is None or kept.runtime != runtime["id"]):
            beats.beat(id, task, runtime=runtime["id"], process=runtime.get("pid"), written=count)
        else:
            beats.beat(id, task, written=count)
