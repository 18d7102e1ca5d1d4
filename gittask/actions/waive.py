"""Living with what is uncertain: a decision of a person, with the reason."""

from __future__ import annotations

from gittask.actions.records import made
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader, Record
from gittask.core.text import shorten

LONGEST = 400
"""How much of a question the title of the decision repeats."""


def waive(reader: Reader, act: Act, handoff: Record, place: int, reason: str) -> Change:
    """The decision to go on although something is uncertain: the ``place``-th thing (from 1) that
    a handoff calls so."""
    task = names.task(reader, handoff.data["task"])
    question = handoff.data["uncertain"][place - 1]["question"]
    title = f"Go on without knowing: {shorten(question, LONGEST)}"
    fields: Data = {"title": title, "scope": "task", "outcome": reason, "deciders": [act.actor]}
    fields["waives"] = {"handoff": handoff.id, "uncertain": place}
    record = made(act, "decision", task, fields)
    return Change(record, (record,), "decide", title, act.execution)
