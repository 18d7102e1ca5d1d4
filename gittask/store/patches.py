"""Patches of code, by the ids that stay the same whatever a patch stands on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from gittask.core.moment import written
from gittask.store.repo import Repo

_PLAIN = ("--no-renames", "--no-ext-diff", "--no-textconv", "--full-index", "--binary")
"""A patch that is the same on every machine, and that says how binary files changed."""


def patch_ids(repo: Repo, commits: Sequence[str]) -> dict[str, str]:
    """The id of each commit's patch, whatever it stands on; merges and empty ones have none."""
    if not commits:
        return {}
    ids = "".join(f"{sha}\n" for sha in commits).encode()
    shown = repo.git("diff-tree", "--stdin", "--root", "-p", *_PLAIN, input=ids)
    found = repo.git("patch-id", "--stable", input=shown.stdout).stdout.decode()
    return {sha: patch for patch, sha in map(str.split, found.splitlines())}


def patch_of(repo: Repo, base: str, head: str) -> str | None:
    """The id of the patch from one commit to another: that of a squash of all between."""
    shown = repo.git("diff-tree", "-p", *_PLAIN, base, head)
    found = repo.git("patch-id", "--stable", input=shown.stdout).stdout.decode().split()
    return found[0] if found else None


def time(seconds: str) -> str | None:
    """An author's date as records write it; None for one that no calendar has."""
    try:
        return written(datetime.fromtimestamp(int(seconds), UTC))
    except (ValueError, OverflowError, OSError):
        return None
