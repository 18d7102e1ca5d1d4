"""The message of a commit of code, as git's hooks let it be completed.

``python -m gittask.message HOOK EXECUTION FILE [SOURCE]`` is what the installed hooks call: it
loads no more than it needs. Whatever goes wrong is said in a line at most, and the commit is made.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from gittask.core import names, trailers
from gittask.core.record import Record
from gittask.errors import GittaskError, NotFound
from gittask.kinds.execution import FINAL
from gittask.session import Session
from gittask.store import packaged
from gittask.store.git import setting
from gittask.store.local import Local
from gittask.store.repo import Repo

PREPARE = "prepare-commit-msg"
SETTLE = "commit-msg"
EDIT = "edit"
"""No hook of git: what is to be done before somebody edits a message that has the trailers."""

_NOT_WRITTEN_HERE = ("merge", "squash")
"""What git calls the sources of messages that join those of others."""

_REPLAYED = ("rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD")
"""What stands in git's folder while commits that were made before are made again."""


def run(hook: str, file: Path, source: str, execution: str | None) -> None:
    """Do what a hook, or ``EDIT``, is for. ``file`` holds the message, ``source`` is git's word
    for where it comes from, ``execution`` names one that goes before the work tree's current one.

    The repository is the one in whose folder the file is. Raises GittaskError, or OSError.
    """
    repo = Repo.discover(file.resolve().parent)
    message = Message(repo, file.resolve())
    if hook == SETTLE:
        message.settle()
    elif hook == EDIT:
        message.make_room()
    elif source not in _NOT_WRITTEN_HERE and not _elsewhere(repo):
        found = working(repo, execution)
        if found:
            message.complete(found, source)


def working(repo: Repo, named: str | None) -> Record | None:
    """The execution under which code is committed in a work tree: the one that is named, else
    the current one; None if there is none that has not ended."""
    current = Local(repo.common_dir).current(repo.worktree_key) or {}
    id = named or current.get("execution")
    if not id:
        return None
    task = current.get("task") if id == current.get("execution") else None
    try:
        found = names.event(
            Session(repo, packaged.schemas()).reader(), "execution", str(id), task=task
        )
    except NotFound:
        return None
    return None if found.data["state"]["status"] in FINAL else found


def _elsewhere(repo: Repo) -> bool:
    """Whether the commit is none of code, or one that was made before."""
    return repo.head_branch() == repo.branch or any(
        (repo.git_dir / name).exists() for name in _REPLAYED
    )


class Message:
    """A message that git is about to use, in its file."""

    def __init__(self, repo: Repo, file: Path) -> None:
        self._repo = repo
        self._file = file
        said = setting(repo.config, "core.commentstring") or setting(
            repo.config, "core.commentchar"
        )
        self._comment = said if said and said != "auto" else "#"

    def complete(self, execution: Record, source: str) -> None:
        """Add the trailers of an execution that are not there yet."""
        empty = not trailers.said(self._read(), self._comment)
        if empty and source in ("message", "commit"):
            return  # git refuses it, unless it is meant to be empty
        self._add(trailers.lines(execution.data["task"], execution.id))
        if empty:
            self.make_room()

    def make_room(self) -> None:
        """Let trailers that stand alone leave a line for the subject, and one between."""
        text = self._read()
        said = trailers.said(text, self._comment)
        if said and all(map(trailers.ours, said)):
            self._write("\n\n" + text.lstrip("\n"))

    def settle(self) -> None:
        """Once it was edited: trailers alone are no message, and git is to see that there is none.

        Text that was written below them goes above.
        """
        text = self._read()
        said = trailers.said(text, self._comment)
        if not said or not trailers.ours(said[0]):
            return
        self._write(trailers.without(text))
        if not all(map(trailers.ours, said)):
            self._add([line for line in said if trailers.ours(line)])

    def _add(self, lines: Sequence[str]) -> None:
        """By git, which knows comments, cut lines, and where the trailers of others stand."""
        how = ("--in-place", "--where", "end", "--if-exists", "addIfDifferent")
        options = [word for line in lines for word in ("--trailer", line)]
        command = ("interpret-trailers", *how, "--if-missing", "add", *options)
        self._repo.git(*command, str(self._file))

    def _read(self) -> str:
        return self._file.read_bytes().decode("utf-8", "surrogateescape")

    def _write(self, text: str) -> None:
        self._file.write_bytes(text.encode("utf-8", "surrogateescape"))


def main(argv: Sequence[str]) -> int:
    """Called by an installed hook. Never says that the commit is not to be made."""
    hook, execution, file, *rest = argv
    try:
        run(hook, Path(file), rest[0] if rest else "", execution or None)
    except GittaskError as error:
        print(f"gittask: the commit says no task: {error.message}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
