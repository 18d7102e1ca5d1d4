"""Where the commits of a handoff are now: found by what is certain, else said to be gone.

A rebase, an amendment, a cherry-pick or a squash makes new commits from old ones. What they leave
to know them by is the patch, the author's date, the trailers, and what the message says. Nothing
is taken for a handoff's commit because of its subject alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from gittask.core import trailers
from gittask.core.dataclass import dataclass
from gittask.core.record import Data, Record
from gittask.core.seen import Seen, Survey

MOST_BRANCHES = 5

_HOW = {
    "id": "its id",
    "patch": "its patch",
    "trailer": "its trailer",
    "date": "its date",
    "subject": "its subject",
    "message": "what the message says",
    "patch of all": "the patch of all together",
}
"""By what a commit is known, in words."""

_BULLET = re.compile(r"^[*-] ")
_NUMBER = re.compile(r" \(#\d+\)$")


@dataclass
class Wanted:
    """A commit that handoffs name: what they say of it, of the execution, and of all together."""

    data: Data
    task: str
    handoff: str
    execution: str
    beside: frozenset[str]
    """The other commits of the same handoff."""
    dates: tuple[str, ...]
    """The dates of those."""
    wholes: set[str] = field(default_factory=set)
    """The patches of all commits of each handoff that names it, where those are several."""

    @property
    def sha(self) -> str:
        return str(self.data["sha"])


@dataclass
class Found:
    """Where a commit is: ``here``, ``moved``, ``squashed`` or ``gone``.

    ``how`` says by what that is known, ``new`` the commits that stand for it (of one that is
    here: copies of it), ``reverted`` those that take it back, and ``others`` what the same
    execution committed besides, where it is gone.
    """

    wanted: Wanted
    state: str
    how: list[str]
    new: list[Seen] = field(default_factory=list)
    reverted: list[str] = field(default_factory=list)
    others: list[Seen] = field(default_factory=list)


def wanted(handoffs: Sequence[Record]) -> list[Wanted]:
    """The commits that handoffs name, each once, in the order in which they are named."""
    found: dict[str, Wanted] = {}
    for handoff in handoffs:
        commits = handoff.data.get("commits") or []
        for data in commits:
            rest = [each for each in commits if each["sha"] != data["sha"]]
            one = found.setdefault(
                data["sha"],
                Wanted(
                    data,
                    handoff.data["task"],
                    handoff.id,
                    handoff.data["execution"],
                    frozenset(each["sha"] for each in rest),
                    tuple(each["at"] for each in rest if each.get("at")),
                ),
            )
            if len(commits) > 1 and handoff.data.get("patch_id"):
                one.wholes.add(handoff.data["patch_id"])
    return list(found.values())


def likely(commits: Sequence[Wanted], seen: Seen) -> bool:
    """Whether a commit may well be one of those that are looked for."""
    named = trailers.values(seen.message, trailers.EXECUTION)
    return any(
        (seen.at is not None and seen.at == each.data.get("at")) or each.execution in named
        for each in commits
    )


def find(commits: Sequence[Wanted], survey: Survey) -> list[Found]:
    """Where each commit is now."""
    found = [_find(each, survey) for each in commits]
    for one in found:
        into = _into(one)
        if into and any(_into(other) == into and _together(one, other) for other in found):
            one.state = "squashed"  # several became one
    taken = {seen.sha for one in found for seen in one.new} | {each.sha for each in commits}
    for one in found:
        one.reverted = _reverts({one.wanted.sha, *(seen.sha for seen in one.new)}, survey)
        if one.state == "gone":
            one.others = [
                seen
                for seen in survey.commits
                if seen.sha not in taken and _by(one.wanted.execution, seen)
            ]
    return found


def _find(one: Wanted, survey: Survey) -> Found:
    candidates = [s for s in survey.commits if s.sha != one.sha and s.sha not in one.beside]
    copies = {seen.sha: reasons for seen in candidates if (reasons := _moved(one, seen))}
    new = [seen for seen in candidates if seen.sha in copies]
    if one.sha in survey.reached:
        return Found(one, "here", ["id"], new)
    if new:
        return Found(one, "moved", _each_once(copies), new)
    squashes = {seen.sha: reasons for seen in candidates if (reasons := _squashed(one, seen))}
    if squashes:
        new = [seen for seen in candidates if seen.sha in squashes]
        return Found(one, "squashed", _each_once(squashes), new)
    return Found(one, "gone", [])


def _each_once(reasons: Mapping[str, Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(reason for each in reasons.values() for reason in each))


def _moved(one: Wanted, seen: Seen) -> list[str]:
    """By what a commit is known to be this one, made again; empty if it is not."""
    data = one.data
    how = []
    if data.get("patch_id") and data["patch_id"] == seen.patch_id:
        how.append("patch")
    if f"(cherry picked from commit {one.sha})" in seen.message:
        how.append("message")
    if _by(one.execution, seen) and _same_date(one, seen):
        how += ["trailer", "date" if data.get("at") else "subject"]
    return how


def _same_date(one: Wanted, seen: Seen) -> bool:
    """Whether a commit has this one's date, and no other commit's of the handoff.

    Records of before the date was kept have the subject instead.
    """
    at = one.data.get("at")
    if at is None:
        return bool(one.data.get("subject")) and one.data["subject"] == seen.subject
    same = one.data.get("subject") == seen.subject
    return bool(at == seen.at and (same or at not in one.dates))


def _squashed(one: Wanted, seen: Seen) -> list[str]:
    """By what a commit is known to have this one in it; empty if it is not."""
    if seen.patch_id is not None and seen.patch_id in one.wholes:
        return ["patch of all"]
    lines = [line.strip() for line in seen.message.split("\n")]
    if f"commit {one.sha}" in lines:
        return ["message"]
    subject = one.data.get("subject")
    if not subject or not _by(one.execution, seen):
        return []
    titles = {_BULLET.sub("", line) for line in lines[1:]}
    titled = _NUMBER.sub("", seen.subject) == subject != seen.subject
    return ["trailer", "subject"] if titled or subject in titles else []


def _by(execution: str, seen: Seen) -> bool:
    return execution in trailers.values(seen.message, trailers.EXECUTION)


def _into(one: Found) -> set[str]:
    """The new commits that stand for one that is not here any more."""
    return set() if one.state == "here" else {seen.sha for seen in one.new}


def _together(one: Found, other: Found) -> bool:
    """Whether a handoff named both, so that they are not two versions of one commit."""
    return other.wanted.sha in one.wanted.beside


def _reverts(shas: set[str], survey: Survey) -> list[str]:
    """The commits that take one of these back, and are not taken back themselves."""
    reverts = {seen.sha: {sha for sha, _ in seen.reverts} for seen in survey.commits}
    undone = set().union(*reverts.values()) if reverts else set()
    return [sha for sha, what in reverts.items() if what & shas and sha not in undone]


def as_json(one: Found) -> Data:
    """What was found of a commit, but for the branches on which it is."""
    return {
        "sha": one.wanted.sha,
        "subject": one.wanted.data.get("subject"),
        "branch": one.wanted.data.get("branch"),
        "at": one.wanted.data.get("at"),
        "handoff": one.wanted.handoff,
        "execution": one.wanted.execution,
        "state": one.state,
        "how": one.how,
        "new": [_named(seen) for seen in one.new],
        "reverted_by": one.reverted,
        "others": [_named(seen) for seen in one.others],
    }


def _named(seen: Seen) -> Data:
    return {"sha": seen.sha, "subject": seen.subject, "author": seen.author, "at": seen.at}


def lines(document: Data) -> Iterator[str]:
    """What ``gittask where`` found, for people."""
    for commit in document["commits"]:
        yield f"{commit['sha'][:12]} {commit['subject'] or ''}".rstrip()
        yield from (f"  {line}" for line in _said(commit, document["searched"]))


def _said(commit: Data, searched: Data) -> Iterator[str]:
    how = " and ".join(_HOW[reason] for reason in commit["how"])
    if commit["state"] == "here":
        yield f"here, on {_list(commit['branches'])}"
        yield from (f"also as {_one(seen)}" for seen in commit["new"])
    elif commit["state"] == "gone":
        yield from _gone(commit, searched)
    else:
        word = "in" if commit["state"] == "squashed" else "as"
        yield from (f"{commit['state']}: now {word} {_one(seen)}" for seen in commit["new"])
        yield f"known by {how}"
    yield from (f"taken back by {sha[:12]}" for sha in commit["reverted_by"])


def _gone(commit: Data, searched: Data) -> Iterator[str]:
    yield "gone: on no branch here, and no other commit is known to be it"
    if not searched["complete"]:
        yield "(not all was searched: the history here is cut off, or too long)"
    if commit["kept"]:
        yield f"this clone still has it, until it is pruned: git show {commit['sha'][:12]}"
    for name, tip in commit["tips"].items():
        yield f"its branch is at {tip[:12]} now ({name})"
    if commit["branch"] and not commit["tips"]:
        yield f"its branch {commit['branch']} is gone too"
    yield from (f"its execution also committed {_one(seen)}" for seen in commit["others"])


def _one(seen: Data) -> str:
    on = f", on {_list(seen['branches'])}" if "branches" in seen else ""
    return f"{seen['sha'][:12]} {seen['subject']} ({seen['author']}){on}"


def _list(branches: Sequence[str]) -> str:
    shown = ", ".join(branches[:MOST_BRANCHES])
    more = len(branches) - MOST_BRANCHES
    return f"{shown} and {more} more" if more > 0 else shown or "a detached HEAD"
