"""State of this machine, never of the branch: the current execution, conflicts to be recorded.

It stands in ``gittask/`` under git's own directory: the common one, or for what belongs to one
linked worktree, that worktree's, so that it goes when the worktree is removed. Every file is
written whole beside its place and renamed into it. What cannot be read counts as absent.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

_NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]*"


def _read_map(path: Path) -> dict[str, Any] | None:
    """The JSON object in a file; None where there is none that can be read."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


class Failed(NamedTuple):
    """What was wrong first in a range of commits, and the paths of all that the bad ones changed;
    an empty path stands for anything."""

    said: str
    paths: tuple[str, ...]


def _failure(kept: object) -> Failed:
    match kept:
        case {"said": str(said), "paths": [*paths]}:
            return Failed(said, tuple(map(str, paths)))
    return Failed(str(kept), ("",))


class Local:
    """The local state of one repository, by its common directory (``Repo.common_dir``)."""

    def __init__(self, common_dir: Path) -> None:
        self._common_dir = common_dir
        self._pending = common_dir / "gittask" / "pending"
        self._failed = common_dir / "gittask" / "failed.json"
        self._initialised = common_dir / "gittask" / "init.json"

    def current(self, worktree_key: str) -> dict[str, str] | None:
        """What was last set as current for a worktree (``Repo.worktree_key``), or None."""
        found = _read_map(self._current(worktree_key))
        if found is None:
            return None
        return {name: value for name, value in found.items() if isinstance(value, str)}

    def set_current(self, worktree_key: str, value: Mapping[str, str]) -> None:
        """Keep what is current for a worktree."""
        text = json.dumps(dict(value), ensure_ascii=True, indent=1)
        replace_file(self._current(worktree_key), text.encode())

    def clear_current(self, worktree_key: str) -> None:
        """Forget what is current for a worktree."""
        self._current(worktree_key).unlink(missing_ok=True)

    def failed(self) -> dict[str, Failed]:
        """Ranges of commits that failed verification when they came."""
        found = _read_map(self._failed) or {}
        return {span: _failure(said) for span, said in found.items()}

    def keep_failed(self, span: str, failure: Failed | None) -> None:
        """Keep a range that failed verification; None: a person has looked at it."""
        kept = {other: one for other, one in self.failed().items() if other != span}
        if failure is not None:
            kept[span] = failure
        text = json.dumps({span: one._asdict() for span, one in kept.items()}, indent=1)
        replace_file(self._failed, text.encode())

    def initialised(self) -> dict[str, Any]:
        """What ``init`` set in this repository; empty if it set nothing."""
        return _read_map(self._initialised) or {}

    def keep_initialised(self, value: Mapping[str, Any]) -> None:
        """Keep what ``init`` set."""
        replace_file(self._initialised, json.dumps(dict(value), indent=1).encode())

    def forget_initialised(self) -> None:
        """Forget what ``init`` set; and the folder, unless something else is kept there."""
        self._initialised.unlink(missing_ok=True)
        folder = self._common_dir / "gittask"
        names = ("lock", "site.lock", "graph-asked")
        for file in (*(folder / name for name in names), *folder.glob("config-*.json")):
            file.unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()

    def add_pending(self, name: str, content: bytes) -> None:
        """Keep a file that the next sync is to commit; ``name`` is a plain file name."""
        if not re.fullmatch(_NAME, name):
            raise ValueError(f"not a plain file name: {name!r}")
        replace_file(self._pending / name, content)

    def pending(self) -> list[tuple[str, bytes]]:
        """The files that wait to be committed, in order of name; empty what cannot be read."""
        found = []
        for path in sorted(self._pending.glob("*")):
            with suppress(FileNotFoundError):  # another process may just have committed it
                if re.fullmatch(_NAME, path.name):
                    found.append((path.name, _content(path)))
        return found

    def drop_pending(self, name: str) -> None:
        """Forget a file that was committed."""
        if re.fullmatch(_NAME, name):
            (self._pending / name).unlink(missing_ok=True)

    def _current(self, worktree_key: str) -> Path:
        folder = self._common_dir if worktree_key == "main" else self._common_dir / worktree_key
        return folder / "gittask" / "current.json"


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError:
        return b""


def replace_file(path: Path, content: bytes) -> None:
    """Write a file whole beside its place, and rename it into it. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fd, temporary = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
