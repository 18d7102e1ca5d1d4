"""Committing onto the data branch past all rules, as a test prepares it."""

from __future__ import annotations

from collections.abc import Mapping

from gittask.store.repo import Person, Repo


def commit_to(
    repo: Repo,
    onto: str | None,
    files: Mapping[str, bytes | None],
    author: Person,
    committer: Person,
    message: str,
) -> str:
    """Commit changed files onto the data branch; Moved if it does not stand at ``onto``."""
    commit = repo.commit(onto, files, author, committer, message)
    repo.move(onto, commit, f"gittask: {message.partition(chr(10))[0]}")
    return commit
