"""A task at a glance: how much of what is known, and of what is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gittask.core.record import Data
from gittask.views.pr.page import How

_WORDS = {"green": "green", "failed": "failed", "stale": "stale"}
_WORDS |= {"unknown": "unknown", "loose": "of no commit"}


def counts(task: Data) -> Iterator[tuple[How, str]]:
    """What counts of a carried task, each with whether that is good or bad."""
    if not task["reported"]:
        yield "bad", "nobody has reported yet"
        return
    open_doubts = sum(1 for item in task["uncertain"] if not item["waived"])
    waived = len(task["uncertain"]) - open_doubts
    more = f" ({waived} waived)" if waived else ""
    yield "bad" if open_doubts else "ours", f"{open_doubts} uncertain{more}"
    left = len(task["not_verified"])
    yield "bad" if left else "ours", f"{left} not verified"
    yield _evidence(Counter(check["verdict"] for check in task["evidence"]))
    criteria = task["acceptance"]
    met = sum(item["verdict"] == "met" for item in criteria)
    if criteria:
        yield "good" if met == len(criteria) else "bad", f"{met} of {len(criteria)} accepted"
    verdicts = {item["handoff"]: item["verdict"] for item in task["reviews"]}
    if verdicts and task["reported"]:
        said = verdicts.get(task["reported"][0])
        yield (
            "ours",
            "last report not reviewed" if said is None else f"review: {said.replace('_', ' ')}",
        )


def _evidence(found: Counter[str]) -> tuple[How, str]:
    if not found:
        return "bad", "no evidence"
    said = ", ".join(f"{found[name]} {words}" for name, words in _WORDS.items() if found[name])
    return "good" if set(found) == {"green"} else "bad", f"evidence: {said}"
