"""What should not stand on the data branch, looked for only where it changed.

The last tree in which nothing was wrong is kept in ``gittask/sound`` in git's common folder, with
the rules and the schemas by which it was looked at.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from gittask.core.schema import Schemas
from gittask.errors import Problem
from gittask.store import layout
from gittask.store.local import replace_file
from gittask.store.repo import Repo

RULES = 1
"""Grows whenever ``layout.faults`` comes to find more."""


def faults(repo: Repo, schemas: Schemas, tree: str) -> list[Problem]:
    """As ``layout.faults`` says it of a whole tree."""
    by = f"{RULES}-{schemas.digest}"
    before = _sound(repo, by)
    if before == tree:
        return []
    found = list(layout.faults(repo, schemas, before, tree))
    if not found and not repo.in_quarantine:
        with suppress(OSError):  # a repository that may only be read
            replace_file(_file(repo), f"{by} {tree}\n".encode())
    return found


def forget(repo: Repo) -> None:
    """Remove what is kept of it."""
    with suppress(OSError):
        _file(repo).unlink()


def _sound(repo: Repo, by: str) -> str | None:
    """The tree that is known to be sound by some rules, if it is still there."""
    with suppress(OSError, ValueError):
        rules, tree = _file(repo).read_text(encoding="ascii").split()
        if rules == by and repo.exists(tree):
            return tree
    return None


def _file(repo: Repo) -> Path:
    return repo.common_dir / "gittask" / "sound"
