"""Asking the remote for a sync before all else is loaded: mostly there is nothing to exchange."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gittask.cli import atonce
from gittask.errors import GittaskError
from gittask.exchange.asked import TIMEOUT, Asked
from gittask.exchange.synced import Synced
from gittask.store.repo import Repo

_answers: list[Asked] = []
"""What was answered before the command was loaded that needs it; one at most."""


def answer(*, json: bool) -> int | None:
    """The exit code of a sync without options that had nothing to do; None if it is to go on."""
    if not atonce.is_plain() or sys.stderr is None or sys.stderr.isatty():
        return None
    asked = ask(Path(), TIMEOUT)
    done = asked.idle if asked else None
    if done and f"{done.remote}{done.branch}".isascii():
        text = done.summary
        if json:
            from json import dumps

            text = dumps(document(done), indent=2)
        return 0 if atonce.written(text) else None
    _answers[:] = [asked] if asked else []
    return None


def ask(
    folder: Path, timeout: float, progress: Callable[[str], None] = lambda _: None
) -> Asked | None:
    """What the remote of the repository around a folder answers, or has just answered.

    None if there is nobody to ask, for which there may be a reason.
    """
    if _answers:
        return _answers.pop()
    try:
        repo = Repo.discover(folder.resolve()) if folder.is_dir() else None
        if repo is None or repo.remote is None or repo.tip() is None:
            return None
        progress(f"fetching from {repo.remote}")
        return Asked(repo, repo.remote, timeout)
    except GittaskError:
        return None


def document(done: Synced, claims: Any = ()) -> dict[str, Any]:
    """The outcome as ``--json`` shows it, with what became of claims."""
    return {"sync": {**done.as_json(), "claims": [*claims]}}
