"""One merge as git asks its driver for it, without the commands: git calls it for each file.

It is also what the command does. Whatever does not go well is left to the command, which starts
again and can say what is wrong: a merge that fails leaves everything as it was.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from gittask.errors import GittaskError
from gittask.merging.driver import keeper, merge_file
from gittask.store import packaged

INTERRUPTED = 130


def drive(base: Path, ours: Path, theirs: Path, path: str) -> int:
    """Merge three versions of the file at a path into ``ours``; 1 if that left conflicts, else 0.

    Raises GittaskError.
    """
    keep = keeper(Path.cwd(), os.environ.get("GIT_DIR"))
    try:
        clean = merge_file(packaged.schemas(), base, ours, theirs, path, keep)
    except OSError as error:
        raise GittaskError(f"{path} cannot be merged: {error}") from None
    return 0 if clean else 1


def answer(argv: Sequence[str]) -> int | None:
    """The exit code of a call of git's (``merge-driver %O %A %B %P``); None if it is not done."""
    _, *words = argv
    if len(words) != 4 or any(word.startswith("-") for word in words):
        return None
    base, ours, theirs, path = words
    try:
        return drive(Path(base), Path(ours), Path(theirs), path)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:
        return None
