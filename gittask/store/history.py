"""History, asked of the git program: it knows shallow clones, commit graphs and all bases."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from gittask.errors import NotFound
from gittask.store.commits import storable
from gittask.store.process import Completed

Git = Callable[..., Completed]
"""Runs git in one repository (``Repo.git``)."""


def resolve(git: Git, rev: str) -> str:
    """The id of the commit that a revision expression names. Raises NotFound."""
    # neither an option nor an exclusion, and something that can be an argument at all
    if not rev.startswith(("-", "^")) and storable(rev) == rev:
        named = git("rev-parse", "--verify", "-q", rev, check=False).stdout.decode().strip()
        commit = git("rev-parse", "--verify", "-q", f"{named}^{{commit}}", check=False)
        if named and commit.code == 0:
            return commit.stdout.decode().strip()
    raise NotFound(f"no commit is called {rev!r}", hint="see what there is: git log --all")


def merge_bases(git: Git, a: str, b: str) -> list[str]:
    """All best common ancestors of two commits, in a fixed order; none for unrelated ones."""
    if a == b:
        return [a]
    found = git("merge-base", "--all", a, b, check=False)
    if found.code > 1:
        raise NotFound(f"no merge base of {a} and {b}: {found.stderr.strip()}")
    return sorted(found.stdout.decode().split())


def revisions(
    git: Git,
    new: str,
    old: str | None = None,
    path: str | None = None,
    *,
    by_date: bool = False,
) -> list[str]:
    """The commits reached from ``new`` and not from ``old``, children first.

    With ``path``, those in which it differs from a parent, on every side of every merge. What is
    not in line with each other is kept together or, ``by_date``, the latest comes first.
    """
    order = "--date-order" if by_date else "--topo-order"
    command = ["--literal-pathspecs", "rev-list", order, new]
    command += [f"^{old}"] if old else []
    command += ["--full-history", "--", path] if path else ["--"]
    return git(*command).stdout.decode().split()


def merges(git: Git, tip: str, path: str) -> list[str]:
    """The merge commits reached from ``tip`` in which a path is unlike in any of their parents."""
    command = ("rev-list", "--merges", "--full-history", "--topo-order", tip, "--", path)
    return git("--literal-pathspecs", *command).stdout.decode().split()


def versions(git: Git, tip: str, path: str) -> dict[str, list[str]]:
    """The history of one file: the commits in which it is unlike in their parents, children first
    and else the latest, by their authors.

    Each with those of them that it comes of: more than one where lines of history meet in which
    the file went different ways. One that comes of none brought the file, or is the first commit
    that a shallow clone has.
    """
    command = ("rev-list", "--parents", "--simplify-merges", "--format=%at", tip, "--", path)
    listed = iter(git("--literal-pathspecs", *command).stdout.decode().splitlines())
    parents, times = {}, {}
    for line, time in zip(listed, listed, strict=True):  # "commit ID PARENT ...", then the time
        _, commit, *parents[commit] = line.split()
        times[commit] = int(time or 0)
    return {commit: parents[commit] for commit in latest_first(parents, times)}


def latest_first(parents: Mapping[str, list[str]], times: Mapping[str, int]) -> Iterator[str]:
    """Commits, each after all that come of it, and else the latest first.

    Git has this order as well, but opens every commit of the branch for it.
    """
    children = Counter(above for each in parents.values() for above in each)
    free = [(-times[commit], commit) for commit in parents if commit not in children]
    heapq.heapify(free)
    while free:
        _, commit = heapq.heappop(free)
        yield commit
        for above in parents[commit]:
            children[above] -= 1
            if not children[above]:
                heapq.heappush(free, (-times[above], above))


def contents(git: Git, commits: Sequence[str], path: str) -> list[str | None]:
    """The id of what stands at a path, a file or a folder, in each of some commits."""
    asked = "".join(f"{commit}:{path}\n" for commit in commits).encode()
    said = git("cat-file", "--batch-check=%(objectname)", input=asked).stdout.decode()
    return [None if " " in line else line for line in said.splitlines()]


def replaced(git: Git, new: str, old: str | None) -> list[tuple[str, str]]:
    """Each file that a commit in ``new`` and not in ``old`` has otherwise than a parent, or not at
    all, the latest first: its path, and the id of its content in that parent."""
    return [(path, before) for _, path, before, _ in _changes(git, new, old, "DMT", "-m")]


def added(git: Git, new: str, old: str | None) -> list[tuple[str, str]]:
    """Each content that a commit in ``new`` and not in ``old`` gave a file: path and id."""
    return [(path, after) for _, path, _, after in _changes(git, new, old, "AMT", "-m")]


def edited(git: Git, new: str, old: str | None) -> Iterator[tuple[str, str, str, str]]:
    """Each file that a commit with one parent, in ``new`` and not in ``old``, changed: the commit,
    the path, and the ids of its content before and after."""
    return _changes(git, new, old, "M", "--no-merges")


def _changes(
    git: Git, new: str, old: str | None, which: str, how: str
) -> Iterator[tuple[str, str, str, str]]:
    command = ("log", "--topo-order", "--raw", how, "--no-abbrev", "--no-renames")
    since = [f"^{old}"] if old else []
    listed = git(*command, f"--diff-filter={which}", "-z", "--format=%H", new, *since).stdout
    words = iter(listed.decode("utf-8", "surrogateescape").split("\0"))
    commit = ""
    for word in words:
        said = word.strip("\n")
        if said.startswith(":"):
            _, _, before, after, _ = said.split()
            yield commit, next(words), before, after
        elif said:
            commit = said
