"""The tasks that a range of commits carries, each with what it is known by.

Trailers say it first; then the name of the branch, the text of the pull request, and the commits
that handoffs name, by their ids and patches. Whatever a message or a text says is a claim: a task
that the store does not have is named so, and nothing is taken for an id that does not look like
one. What is reverted within the range, or by it, is not carried.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from itertools import chain

from gittask.core import trailers
from gittask.core.dataclass import dataclass
from gittask.core.ids import EVENT, SHORTEST
from gittask.core.record import Data, Reader
from gittask.core.seen import Range, Seen
from gittask.views.pr.part import tasks_of, without_part

HOW = {
    "call": "the call",
    "trailer": "a trailer of its commits",
    "branch": "the name of the branch",
    "workspace": "the branch that its record names",
    "text": "the text of the pull request",
    "commit": "a commit that a handoff names",
    "patch": "the patch of a commit that a handoff names",
}
"""By what a task is known, in words, and in the order in which it is said."""

_TASK = re.compile(r"[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{9}[0-9a-f]{2}")
_REVERT = re.compile(r"(?:\w+(?:\([^)]*\))?!?:\s*)?(?:revert|reapply)", re.IGNORECASE)
_PART = re.compile(r"[^0-9a-z]+")
_SHORT = 8
"""From so many characters on the beginning of an id in a branch's name may be letters alone."""


@dataclass
class Linked:
    """A task, or the id of one that the store does not have (``known``).

    ``commits`` are those of the range that are its own, the oldest first, ``reverted`` those of
    them, or of before, that were taken back; ``by`` those that did.
    """

    id: str
    known: bool = True
    how: list[str] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    reverted: list[str] = field(default_factory=list)
    by: list[str] = field(default_factory=list)

    @property
    def state(self) -> str:
        """``carried``, ``reverted``, or ``unknown``."""
        if not self.known:
            return "unknown"
        return "reverted" if self.reverted and not self.commits else "carried"

    def as_json(self) -> Data:
        """As ``--json`` shows it."""
        shown = {"id": self.id, "state": self.state, "found_by": sorted(self.how, key=[*HOW].index)}
        return shown | {"commits": self.commits, "reverted": self.reverted, "reverted_by": self.by}


def linked(reader: Reader, code: Range, text: str = "", asked: Sequence[str] = ()) -> list[Linked]:
    """The tasks of a range, in the order in which they are found.

    ``text`` is that of the pull request; ``asked`` are the ids of tasks that were named: then no
    other is meant.
    """
    found = _Linking(reader, code, asked).run(text)
    return [one for one in found if not asked or one.id in asked]


class _Linking:
    def __init__(self, reader: Reader, code: Range, asked: Sequence[str]) -> None:
        self._reader = reader
        self._asked = asked
        self._code = code
        self._found: dict[str, Linked] = {}

    def run(self, text: str) -> list[Linked]:
        for id in self._asked:
            self._add(id, "call")
        undone = self._undone()
        others = [seen for seen in self._code.commits if not self._by_trailers(seen, undone)]
        for name in self._code.branches:
            self._by_branch(name)
        for id in self._named(sorted(trailers.values(without_part(text), trailers.TASK))):
            self._add(id, "text")
        for seen in reversed(others):
            self._by_handoff(seen, undone)
        for id in tasks_of(text):
            if id not in self._found:  # else a second part would not be the first to the byte
                self._add(id, "text")
        return list(self._found.values())

    def _add(self, id: str, how: str) -> Linked:
        if id not in self._found:
            self._found[id] = Linked(id, id in self._reader.near("task", id))
        one = self._found[id]
        if how not in one.how:
            one.how.append(how)
        return one

    def _own(self, id: str, how: str, seen: Seen, by: str | None) -> None:
        """Note a commit of a task, and the one that takes it back, if one does."""
        one = self._add(id, how)
        (one.reverted if by else one.commits).append(seen.sha)
        one.by += [by] if by and by not in one.by else []

    # -- trailers -----------------------------------------------------------------------------

    def _by_trailers(self, seen: Seen, undone: dict[str, str]) -> bool:
        """Whether the message of a commit says whose it is, or that it only takes back."""
        names = self._said(seen.message)
        back = [each for sha in self._back(seen) if (each := self._whose(sha))]
        for id, how, old in back if seen.sha not in undone else ():
            self._own(id, how, old, seen.sha)
        for id in names:
            if id not in {task for task, _, _ in back}:
                self._own(id, "trailer", seen, undone.get(seen.sha))
        return bool(names or back)

    def _said(self, message: str) -> list[str]:
        """The tasks that the trailers of a message name."""
        tasks = [*self._named(sorted(trailers.values(message, trailers.TASK)))]
        for execution in sorted(trailers.values(message, trailers.EXECUTION)):
            if any(execution in self._reader.ids("execution", task=id) for id in tasks):
                continue
            owner = self._reader.owner("execution", execution)
            if owner or (not tasks and re.fullmatch(EVENT, execution)):
                tasks.append(owner or execution)
        return list(dict.fromkeys(tasks))

    def _named(self, values: Iterable[str]) -> Iterator[str]:
        """The tasks of which these are the ids, or the beginnings of one's id."""
        for value in values:
            found = self._beginning(value.lower())
            if found:
                yield found
            elif _TASK.fullmatch(value):
                yield value

    def _beginning(self, text: str) -> str | None:
        found = self._reader.near("task", text) if len(text) >= SHORTEST else []
        return text if text in found else found[0] if len(found) == 1 else None

    # -- reverts ------------------------------------------------------------------------------

    def _undone(self) -> dict[str, str]:
        """The commits that are taken back by one which is not, with that one: newest first."""
        undone: dict[str, str] = {}
        for seen in self._code.commits:
            if seen.sha not in undone:
                undone |= dict.fromkeys(self._back(seen), seen.sha)
        return undone

    def _back(self, seen: Seen) -> list[str]:
        """The commits that this one takes back: of a merge also those that came by it."""
        named = _reverts(seen)
        return [*named, *chain(*(self._code.brought.get(sha, ()) for sha in named))]

    def _whose(self, sha: str) -> tuple[str, str, Seen] | None:
        """The task of a commit from before the range, and by what that is known."""
        if sha in self._code.parents:
            return None  # which says so itself
        seen = self._earlier.get(sha)
        said = self._said(seen.message) if seen else []
        task = next(iter(said), None) or self._commits.get(sha)
        old = seen or Seen(sha, None, "", "", "")
        return (task, "trailer" if said else "commit", old) if task else None

    # -- the branch ---------------------------------------------------------------------------

    def _by_branch(self, name: str) -> None:
        for part in _PART.split(name.lower()):
            likely = len(part) >= _SHORT or re.search(r"\d", part)
            if likely and (id := self._beginning(part)):
                self._add(id, "branch")
        for id in self._worked_on(name):
            self._add(id, "workspace")

    # -- handoffs -----------------------------------------------------------------------------

    def _by_handoff(self, seen: Seen, undone: dict[str, str]) -> None:
        by = undone.get(seen.sha)
        if id := self._commits.get(seen.sha):
            self._own(id, "commit", seen, by)
        for id in self._patches.get(seen.patch_id or "", ()):
            self._own(id, "patch", seen, by)

    @cached_property
    def _earlier(self) -> dict[str, Seen]:
        return {seen.sha: seen for seen in self._code.earlier}

    def _worked_on(self, branch: str) -> list[str]:
        """The tasks that may be meant of which the record names a branch."""
        found = self._reader.having("task", "workspace.branch", (branch,))
        return [task.id for task in found if not self._asked or task.id in self._asked]

    @cached_property
    def _commits(self) -> dict[str, str]:
        """The task of each commit that matters here and that a handoff names."""
        commits = self._code.commits
        wanted = {sha for seen in commits for sha in (seen.sha, *self._back(seen))}
        return {
            commit["sha"]: data["task"]
            for data in self._handoffs("commits.sha", wanted)
            for commit in data.get("commits") or ()
        }

    @cached_property
    def _patches(self) -> dict[str, list[str]]:
        """The tasks whose handoffs name a patch of the range, of a commit or of all together."""
        found: dict[str, list[str]] = {}
        wanted = {seen.patch_id for seen in self._code.commits if seen.patch_id}
        named = (self._handoffs(field, wanted) for field in ("patch_id", "commits.patch_id"))
        handoffs = {(data["task"], data["id"]): data for each in named for data in each}
        for (task, _), data in sorted(handoffs.items()):
            for patch in (data, *(data.get("commits") or ())):
                tasks = found.setdefault(patch.get("patch_id") or "", [])
                tasks += [] if task in tasks else [task]
        found.pop("", None)
        return found

    def _handoffs(self, field: str, values: Collection[str]) -> Iterator[Data]:
        """Those of the tasks that may be meant of which a field has one of these values."""
        for one in self._reader.having("handoff", field, values):
            if not self._asked or one.task in self._asked:
                yield one.data


def _reverts(seen: Seen) -> list[str]:
    """The commits that this one takes back, as its message says.

    A squash repeats the messages of others: only what is called a revert is one.
    """
    if not _REVERT.match(seen.subject):
        return []
    return [sha for sha, _ in seen.reverts]
