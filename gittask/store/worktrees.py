"""Work trees in which the data branch is checked out: they follow when it moves.

A branch that moves under a work tree leaves files and index behind, and a commit from there would
take back what others did. So what nobody changed there is brought up to date, as a merge by git
would do it; what somebody is editing is never touched.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from gittask.errors import GittaskError
from gittask.store.git import run
from gittask.store.process import Completed


def checked_out(git: Callable[..., Completed], common_dir: Path, ref: str) -> list[Path]:
    """The tops of the work trees whose HEAD is this reference."""
    if not any(_names(head, ref) for head in _heads(common_dir)):
        return []
    listed = git("worktree", "list", "--porcelain").stdout.decode("utf-8", "surrogateescape")
    found = []
    for block in listed.split("\n\n"):
        lines = block.splitlines()
        if f"branch {ref}" in lines and "bare" not in lines:
            place = Path(lines[0].removeprefix("worktree "))
            found += [place] if place.is_dir() else []
    return found


def follow(place: Path, old: str, new: str) -> bool:
    """Bring index and files of a work tree from one commit to another.

    False where something stands in the way: edits that are in no commit, or a lock. Then nothing
    is changed.
    """
    try:
        run(place, "read-tree", "-m", "-u", old, new)
    except GittaskError:
        return False
    return True


def _heads(common_dir: Path) -> Iterator[Path]:
    yield common_dir / "HEAD"
    with suppress(OSError):  # no linked work trees
        for name in os.listdir(common_dir / "worktrees"):  # noqa: PTH208 - asked by each write
            yield common_dir / "worktrees" / name / "HEAD"


def _names(head: Path, ref: str) -> bool:
    try:
        return head.read_bytes().strip() == f"ref: {ref}".encode("utf-8", "surrogateescape")
    except OSError:
        return False
