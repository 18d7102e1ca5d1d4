"""Records in a real repository, written without the program's own rules and checks."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from gittask.core.codec import encode
from gittask.core.record import Record
from gittask.session import Session
from gittask.store.packaged import schemas
from gittask.store.repo import Person, Repo
from tests.branch import commit_to
from tests.memory import actor, store

AUTHOR = Person("Alice", "alice@example.org", 1_796_032_800)
BASIS = (store(), actor("alice"), actor("bob"), actor("codex-1", "agent"))
"""What every store of a test holds."""


def session(folder: Path) -> Session:
    """The store of a repository, read afresh."""
    return Session(Repo.discover(folder), schemas())


def path(record: Record) -> str:
    """Where a record is kept."""
    return schemas().path_of(record)


def content(record: Record) -> bytes:
    """A record as it is written."""
    return encode(record.data, schemas().order(record.kind))


def write(folder: Path, *records: Record, files: Mapping[str, bytes | None] | None = None) -> str:
    """Commit records, and files as they are (None removes one); returns the commit."""
    repo = Repo.discover(folder)
    if repo.tip() is None:
        repo.move(None, repo.root(), "test")
        records = (*BASIS, *records)
    changes: dict[str, bytes | None] = {path(record): content(record) for record in records}
    return commit_to(repo, repo.tip(), {**changes, **(files or {})}, AUTHOR, AUTHOR, "test\n")


def lose(folder: Path, id: str) -> None:
    """Lose an object of a repository: its file, and the second name that it has for an hour."""
    file = folder / ".git" / "objects" / id[:2] / id[2:]
    file.chmod(0o600)
    file.unlink()
    shutil.rmtree(folder / ".git" / "gittask" / "kept", ignore_errors=True)


def commit(
    folder: Path,
    parents: list[str],
    *records: Record,
    files: Mapping[str, bytes | None] | None = None,
) -> str:
    """Store a commit on these parents, with the files of the first; the branch stays."""
    repo = Repo.discover(folder)
    changes: dict[str, bytes | None] = {path(record): content(record) for record in records}
    tree = repo.write_tree(repo.tree(parents[0]), {**changes, **(files or {})})
    return repo.create_commit(tree, parents, AUTHOR, AUTHOR, "test\n")
