"""What a pull request brings: the commits of code from a base to a head.

A bounded number of git processes. In a shallow clone what is cut off is said, and never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import chain

from gittask.core.seen import Placed, Range, Seen
from gittask.errors import NotFound, Usage
from gittask.store.patches import patch_ids
from gittask.store.repo import Repo
from gittask.store.survey import FORM, MOST_PATCHES, MOST_SEEN, parsed

MAIN = ("main", "master")
"""What the default branch is called where nobody says it."""

MOST_MERGES = 20
"""Merges that are taken back of which it is looked at what came by them."""


def look(repo: Repo, base: str | None, head: str | None, branch: str | None) -> Range:
    """The commits in ``head`` (None: HEAD) that are not in ``base`` (None: the default branch).

    ``branch`` names the head's branch where git does not know it. Raises NotFound for a commit
    that is not here, save a base that a shallow clone has cut off, and Usage if no base is known.
    """
    tip = repo.resolve(head or "HEAD")
    edge = repo.edge()
    start, met = _start(repo, base, tip, shallow=bool(edge))
    options = ("-z", "--no-show-signature", "--encoding=UTF-8", "--topo-order", f"-{MOST_SEEN}")
    without = [f"^{start}"] if start else []
    found = parsed(repo.git("log", *options, FORM, tip, *without, "--").stdout)
    single = [sha for sha, (_, parents) in found.items() if len(parents) < 2 and sha not in edge]
    some = [] if repo.promisors else single[:MOST_PATCHES]
    patches = patch_ids(repo, some)
    reverted, every = _reverted(repo, [seen for seen, _ in found.values()])
    return Range(
        base=met,
        head=tip,
        branches=tuple(_branches(repo, head, tip, branch)),
        commits=tuple(replace(seen, patch_id=patches.get(sha)) for sha, (seen, _) in found.items()),
        parents={sha: parents for sha, (_, parents) in found.items()},
        earlier=_earlier(repo, {*reverted, *chain(*reverted.values())} - found.keys()),
        brought={merge: brought for merge, brought in reverted.items() if brought},
        cut=met is None or not edge.isdisjoint(found),
        whole=every and len(found) < MOST_SEEN and len(some) == len(single),
    )


def placed(repo: Repo, head: str, commits: Collection[str]) -> Placed:
    """Which of these commits are here, which are in ``head``, and which have all its files."""
    kept = _here(repo, {*commits, head})
    lines = "".join(f"{sha}\n" for sha in (*kept, f"^{head}")).encode()
    outside = set(repo.git("rev-list", "--stdin", input=lines).stdout.decode().split())
    tree = repo.tree(head)
    same = frozenset(sha for sha in kept if repo.tree(sha) == tree)
    edge = repo.edge()
    sure = not edge or edge.isdisjoint(repo.git("rev-list", head).stdout.decode().split())
    return Placed(frozenset(kept), frozenset(kept - outside), same, sure)


def first_of(repo: Repo, tip: str, paths: Collection[str]) -> str | None:
    """The last commit before the first one that touched any of these paths.

    None if there is none, or nobody can tell, as history is cut off.
    """
    edge = repo.edge()
    command = ("rev-list", "--topo-order", "--reverse", tip, "--", *paths)
    first = next(iter(repo.git("--literal-pathspecs", *command).stdout.decode().split()), None)
    parents = repo.commit_info(first).parents if first else ()
    return None if first in edge else next(iter(parents), None)


def default_branch(repo: Repo) -> str | None:
    """The full name of the remote's default branch or, without a remote, of what stands for it."""
    names = [f"refs/heads/{name}" for name in MAIN]
    if repo.remote is not None:
        there = f"refs/remotes/{repo.remote}"
        head = f"{there}/HEAD"
        named = repo.refs.symbolic(head) if repo.refs.read(head) else None
        names = [*filter(None, [named]), *(f"{there}/{name}" for name in MAIN), *names]
    return next((name for name in names if repo.refs.read(name)), None)


def _start(
    repo: Repo, base: str | None, tip: str, *, shallow: bool
) -> tuple[str | None, str | None]:
    """The commit from which on to look, and where it meets the head; None for what is cut off."""
    named = base or default_branch(repo)
    if named is None:
        raise Usage("no default branch is known to compare with", hint="name a base: --base MAIN")
    try:
        start = repo.resolve(named)
        bases = repo.merge_bases(start, tip)
    except NotFound:
        if not shallow:
            raise
        return None, None
    return start, next(iter(bases), None if shallow else start)


def _branches(repo: Repo, head: str | None, tip: str, branch: str | None) -> list[str]:
    """The names of the head's branch; the default branch, and those of its name, say nothing."""
    if branch:
        return [branch]
    full = repo.git("rev-parse", "--symbolic-full-name", head or "HEAD", check=False)
    names = full.stdout.decode("utf-8", "replace").split()
    if not names or names == ["HEAD"]:
        listed = repo.git("for-each-ref", f"--points-at={tip}", "--format=%(refname)")
        names = listed.stdout.decode("utf-8", "replace").split()
    short = (re.sub(r"^refs/(heads/|remotes/[^/]+/)", "", name) for name in names)
    main = default_branch(repo) or ""
    nothing = {*MAIN, "HEAD", repo.branch, main.rpartition("/")[2]}
    return sorted({name for name in short if name not in nothing and not name.startswith("refs/")})


def _reverted(repo: Repo, commits: Iterable[Seen]) -> tuple[dict[str, tuple[str, ...]], bool]:
    """The commits here that these, the newest first, say they take back, and whether that is all.

    Of a merge with those that came by it, which takes git once for each: so of the newest alone.
    """
    said = dict(pair for seen in commits for pair in seen.reverts)
    found: dict[str, tuple[str, ...]]
    found = dict.fromkeys(sorted(_here(repo, said)) if said else (), ())
    merges = [sha for sha in said if sha in found and said[sha] in repo.commit_info(sha).parents]
    for sha in merges[:MOST_MERGES]:
        listed = repo.git("rev-list", f"-{MOST_SEEN}", sha, f"^{said[sha]}", check=False)
        found[sha] = tuple(each for each in listed.stdout.decode().split() if each != sha)
    return found, len(merges) <= MOST_MERGES


def _earlier(repo: Repo, commits: Collection[str]) -> tuple[Seen, ...]:
    """The commits before the base that are taken back."""
    if not commits:
        return ()
    lines = "".join(f"{sha}\n" for sha in sorted(commits)).encode()
    options = ("-z", "--no-show-signature", "--encoding=UTF-8", "--no-walk", "--stdin")
    listed = parsed(repo.git("log", *options, FORM, input=lines).stdout)
    return tuple(seen for seen, _ in listed.values())


def _here(repo: Repo, commits: Collection[str]) -> set[str]:
    """Those of these commits that this clone has."""
    asked = "".join(f"{sha}\n" for sha in commits).encode()
    said = repo.git("cat-file", "--batch-check", input=asked).stdout.decode().splitlines()
    return {line.split()[0] for line in said if line.split()[1:2] == ["commit"]}
