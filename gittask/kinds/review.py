"""What a receiver says of a handoff, or of a note that came late."""

from __future__ import annotations

from collections.abc import Iterator

from gittask.core.text import spaced
from gittask.errors import Problem, Refused
from gittask.kinds.kind import Attempt, Kind, readable


def _may(attempt: Attempt) -> Iterator[Problem]:
    data = attempt.after.data
    verdict, reviewer = data["verdict"], data["created"]["by"]
    handoff = readable(attempt.reader, "handoff", data.get("handoff"), task=data["task"])
    if verdict == "approved" and handoff and handoff.data["actor"] == reviewer:
        raise Refused(
            f"handoff {handoff.id} is {reviewer}'s own, so {reviewer} may not approve it",
            hint=f"ask another: gittask start {data['task']} --lane review --role reviewer",
        )
    if verdict == "acknowledged" and not data.get("synthesis"):
        hint = "say in your own words what you understood"
        yield Problem("", "synthesis", "is missing", hint)
    if verdict == "changes_requested" and not (data.get("findings") or data.get("questions")):
        hint = "say what is to change (--finding), or what is to be answered (--question)"
        yield Problem("", "findings", "are missing", hint)
    if data.get("note") and verdict != "acknowledged":
        hint = "only a handoff is approved or sent back"
        yield Problem("", "verdict", "must be acknowledged for a note", hint)


KIND = Kind("review", summary=lambda data: spaced(data["verdict"]), may=_may)
