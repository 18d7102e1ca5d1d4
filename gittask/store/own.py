"""Whose the commits are that stand on the branch since an execution began.

A trailer that names an execution decides. Of a commit without one it is guessed, by what git keeps
of it in a rebase, an amendment or a squash: its author and the author's date. It is the
execution's own if one of that author and date was made in this work tree since the start, as the
log of HEAD says; or if an earlier handoff of the execution named the same patch. Where that log
does not go back to the start, as in another clone, what git's own user wrote counts, unless it
stands on a remote's branch of another name, or is from before the start.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field
from datetime import datetime
from itertools import islice

from gittask.core import trailers
from gittask.core.dataclass import dataclass
from gittask.store.patches import patch_ids, time
from gittask.store.repo import Repo

MOST_SEEN = 20_000
"""Commits since the start, and lines of the log of HEAD, that are looked at."""

_FIELDS = 5

_COMMITTED = ("commit", "revert")
_AMENDED = "commit (amend)"
_CARRIED = ("cherry-pick", "am:")
"""How the log of HEAD begins for commits that were made, and for those that were brought here."""

_MERGED = ("Merge made", "commit (merge)")
"""What the log of HEAD says of a merge that was made."""

Key = tuple[str, str]
"""An author's address, and the author's date in seconds."""


@dataclass(frozen=True)
class Begun:
    """An execution as its commits are known by: its id, when and on which commit it began.

    ``named`` are the dates and patches of the commits that its handoffs named before.
    """

    execution: str
    at: str
    head: str | None
    named: frozenset[tuple[str | None, str]] = frozenset()


@dataclass(frozen=True)
class Own:
    """The commits of an execution, oldest first, merges left out.

    ``onto`` is the commit on which they stand together, so that what is between it and the branch
    is their doing; None where others' commits are mixed with them. ``guessed`` counts those that
    no trailer names, ``left_out`` the commits since the start that are not the execution's.
    """

    commits: list[str] = field(default_factory=list)
    onto: str | None = None
    guessed: int = 0
    left_out: int = 0


@dataclass(frozen=True)
class _Commit:
    sha: str
    parents: list[str]
    key: Key
    named: set[str]
    """The executions that its trailers name."""


@dataclass(frozen=True)
class _Line:
    """One move of HEAD in this work tree: to which commit, when (in seconds), and why."""

    sha: str
    key: Key
    at: int
    why: str


def own(repo: Repo, begun: Begun, base: str, head: str) -> Own:
    """The commits of an execution among those since ``base``, where the start and ``head`` part."""
    since = _commits(repo, f"{base}..{head}")
    single = [each for each in since if len(each.parents) < 2]
    certain = {each.sha for each in single if begun.execution in each.named}
    log = list(_log(repo))
    guessed = _guessed(repo, begun, base, [each for each in single if not each.named], log)
    mine = certain | guessed
    made = mine | {line.sha for line in log if any(words in line.why for words in _MERGED)}
    return Own(
        [each.sha for each in reversed(single) if each.sha in mine],
        _onto(since, made, base),
        len(guessed),
        len(single) - len(mine),
    )


def _guessed(
    repo: Repo, begun: Begun, base: str, unnamed: Sequence[_Commit], log: Sequence[_Line]
) -> set[str]:
    """Those of the commits that no trailer names which may well be the execution's."""
    if not unnamed:
        return set()
    named = _named(repo, begun, unnamed)
    earlier = {each.key for each in _commits(repo, f"{base}..{begun.head}")}
    start = int(datetime.fromisoformat(begun.at).timestamp())
    if not any(line.sha == begun.head or line.at < start for line in log):
        return named | {
            each.sha for each in _by_user(repo, base, unnamed) if each.key not in earlier
        }
    log = [line for line in log if line.at >= start]
    here = {line.sha for line in log}
    amended = {line.key for line in log if line.why.startswith(_AMENDED)}
    committed = {line.key for line in log if line.why.startswith(_COMMITTED)}
    carried = {line.key for line in log if line.why.startswith(_CARRIED)}
    return named | {
        each.sha
        for each in unnamed
        if each.key in (committed - earlier) | amended or (each.key in carried and each.sha in here)
    }


def _named(repo: Repo, begun: Begun, unnamed: Sequence[_Commit]) -> set[str]:
    """Those whose date and patch an earlier handoff of the execution named."""
    dates = {date for date, _ in begun.named}
    likely = {each.sha: at for each in unnamed if (at := time(each.key[1])) in dates}
    patches = patch_ids(repo, list(likely))
    return {sha for sha, at in likely.items() if (at, patches.get(sha)) in begun.named}


def _by_user(repo: Repo, base: str, unnamed: Sequence[_Commit]) -> Iterator[_Commit]:
    """Those that git's user wrote, and that no other branch of a remote has."""
    said = repo.git("var", "GIT_AUTHOR_IDENT", check=False).stdout.decode("utf-8", "replace")
    address = said.rpartition("<")[2].partition(">")[0]
    others = (f"--exclude=*/{repo.head_branch()}", "--exclude=*/HEAD", "--remotes")
    listed = repo.git("rev-list", "HEAD", f"^{base}", "--not", *others).stdout.decode().split()
    apart = set(listed)
    return (each for each in unnamed if each.key[0] == address and each.sha in apart)


def _onto(since: Sequence[_Commit], made: Collection[str], base: str) -> str | None:
    """The one commit that has all of what others did, and nothing of what was made here."""
    theirs = {each.sha for each in since if each.sha not in made}
    below = {parent for each in since if each.sha in theirs for parent in each.parents}
    tops = theirs - below
    if not tops:
        return base
    reached = set(tops)
    for each in since:  # children first
        if each.sha in reached:
            reached.update(each.parents)
    return tops.pop() if len(tops) == 1 and not reached & set(made) else None


def _commits(repo: Repo, which: str) -> list[_Commit]:
    """The commits of a range, children first."""
    form = "--format=%H%x00%P%x00%ae%x00%at%x00%B"
    options = ("-z", "--topo-order", "--no-show-signature", "--encoding=UTF-8", form)
    listed = repo.git("log", f"-{MOST_SEEN}", *options, which, "--").stdout
    words = iter(listed.decode("utf-8", "replace").split("\0"))
    found = []
    while len(row := list(islice(words, _FIELDS))) == _FIELDS:
        sha, parents, address, at, message = row
        named = trailers.values(message, trailers.EXECUTION)
        found.append(_Commit(sha, parents.split(), (address, at), named))
    return found


def _log(repo: Repo) -> Iterator[_Line]:
    """The moves of HEAD in this work tree, the latest first; none where git keeps no log."""
    form = "--format=%H%x00%ae%x00%at%x00%gd%x00%gs"
    options = ("-g", "--date=unix", "--no-show-signature", f"-{MOST_SEEN}", form, "HEAD", "--")
    listed = repo.git("log", *options, check=False).stdout.decode("utf-8", "replace")
    for line in listed.split("\n"):
        sha, *rest = line.split("\0", 4)
        if len(rest) == 4:
            address, date, when, why = rest
            yield _Line(sha, (address, date), int(when.partition("{")[2].rstrip("}")), why)
