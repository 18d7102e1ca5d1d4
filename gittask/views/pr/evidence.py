"""Where the commits that records name stand to the head of a pull request.

Evidence is of the commit on which it was made. It counts for the head if that commit is the head
or one of its ancestors, if it has the head's files, or if its patch is in the head under another
id. What merely looks alike (a trailer, a date, a subject) is no evidence of the same code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from gittask.core.record import Data, Record
from gittask.core.seen import Placed, Range, Survey
from gittask.views import where

SAME_PATCH = ("patch", "patch of all")
GREEN, FAILED, STALE, UNKNOWN, LOOSE = "green", "failed", "stale", "unknown", "loose"
"""What evidence comes to: it holds for the head; it failed; it is of other code; nobody can tell,
as history is cut off; it names no commit, or one with changes that nobody committed."""

_SHA = re.compile(r"(?<!\w)[0-9a-f]{7,64}(?!\w)")


def named(handoffs: Sequence[Record]) -> list[str]:
    """The commits that handoffs name: as their own, and as those of their evidence."""
    found = [one.sha for one in where.wanted(handoffs)]
    for handoff in handoffs:
        found += [check["commit"] for check in handoff.data["verified"] if check.get("commit")]
    return list(dict.fromkeys(found))


class Places:
    """Where each commit of some handoffs stands, in a range and what git knows of them."""

    def __init__(self, code: Range, placed: Placed, handoffs: Sequence[Record]) -> None:
        self._code = code
        self._placed = placed
        complete = code.whole and not code.cut
        survey = Survey(
            placed.reached, placed.kept, code.commits, "", len(code.commits), complete=complete
        )
        wanted = where.wanted(handoffs)
        self.found = {one.wanted.sha: one for one in where.find(wanted, survey)}
        self._known = named(handoffs)

    def of(self, sha: str) -> Data:
        """``{sha, state, now, after}`` of a commit.

        ``state`` is head (the head itself, or the same files), in (an ancestor of the head), patch
        (its patch is in the head), stale or unknown; ``now`` the commits in the head that stand
        for it, ``after`` how many came after these in the range.
        """
        state, now = self._state(sha)
        after = 0 if state == "head" else min(map(self._after, now), default=0)
        return {"sha": sha, "state": state, "now": now, "after": after}

    def _state(self, sha: str) -> tuple[str, list[str]]:
        if sha == self._code.head or sha in self._placed.same:
            return "head", [sha]
        if sha in self._placed.reached:
            return "in", [sha]
        found = self.found.get(sha)
        if found and set(found.how) & set(SAME_PATCH):
            return "patch", [seen.sha for seen in found.new]
        sure = self._placed.sure and self._code.whole
        return ("stale" if sure else "unknown"), []

    def _after(self, sha: str) -> int:
        """How many commits of the range, merges aside, are not among those of a commit."""
        before, todo = set(), [sha]
        while todo:
            one = todo.pop()
            if one not in before:
                before.add(one)
                todo += self._code.parents.get(one, ())
        single = (one for one, parents in self._code.parents.items() if len(parents) < 2)
        return sum(one not in before for one in single)

    def verdict(self, check: Data) -> Data:
        """A check of a handoff with where its commit stands, and what it comes to."""
        place = self.of(check["commit"]) if check.get("commit") else None
        return {**check, "place": place, "verdict": _verdict(check, place)}

    def in_text(self, text: str) -> Iterator[Data]:
        """Where the commits stand that a text names by (the beginning of) an id which is known."""
        for part in _SHA.findall(text):
            known = [sha for sha in self._all if sha.startswith(part)]
            if len(known) == 1:
                yield self.of(known[0])

    @cached_property
    def _all(self) -> list[str]:
        return list(dict.fromkeys((*self._known, *self._code.parents)))


def _verdict(check: Data, place: Data | None) -> str:
    if check.get("exit_code"):
        return FAILED
    if place is None or check.get("dirty"):
        return LOOSE
    if place["state"] in (STALE, UNKNOWN):
        return str(place["state"])
    return GREEN
