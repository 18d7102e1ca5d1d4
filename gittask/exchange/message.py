"""The message of a commit of code, as git's hooks let it be completed.

``python -m gittask.exchange.message HOOK EXECUTION FILE [SOURCE]`` is what the installed hooks
call, for each commit: so it asks the git program, as the library of git and what rests on it take
longer to load than all of this. Whatever goes wrong is said in a line at most, and the commit is
made.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from gittask.core import trailers
from gittask.core.codec import decode
from gittask.errors import GittaskError
from gittask.kinds.execution import FINAL
from gittask.store import git, packaged
from gittask.store.local import Local
from gittask.store.process import Completed

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
    message = Message(file.resolve())
    if hook == SETTLE:
        message.settle()
    elif hook == EDIT:
        message.make_room()
    elif source not in _NOT_WRITTEN_HERE:
        message.complete(execution, source)


class Message:
    """A message that git is about to use, in its file in git's folder of the work tree."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._git_dir = file.parent

    def complete(self, named: str | None, source: str) -> None:
        """Add the trailers of an execution that are not there yet: of the one that is named, else
        of the work tree's current one; unless it has ended, or the commit is none of its code."""
        found = None if self._elsewhere() else self._working(named)
        empty = not trailers.said(self._read(), self._comment)
        if found is None or (empty and source in ("message", "commit")):
            return  # git refuses an empty message, unless it is meant to be one
        self._add(trailers.lines(*found))
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

    def _working(self, named: str | None) -> tuple[str, str] | None:
        """The task and the id of the execution under which the commit is made, if any."""
        current = Local(self._git_dir).current("main") or {}
        id, task = str(current.get("execution") or ""), str(current.get("task") or "")
        if named and named != id:
            id, task = named, ""
        path = self._path(id, task) if id else None
        if path is None:
            return None
        data = decode(self._git("cat-file", "blob", f"{self._data}:{path}").stdout, name=path)
        try:
            return None if data["state"]["status"] in FINAL else (data["task"], data["id"])
        except (KeyError, TypeError):
            raise GittaskError(f"{path} is no execution") from None

    def _path(self, id: str, task: str) -> str | None:
        """The file of an execution on the data branch; of an unknown task it is looked for."""
        if task:
            return packaged.schemas().path("execution", id, task=task)
        listed = self._git("ls-tree", "-r", "-z", "--name-only", self._data).stdout.decode()
        ends = (f"/executions/{id}.yaml", f"-{id}.yaml")
        found = [each for each in listed.split("\0") if each.endswith(ends)]
        found = [each for each in found if "/executions/" in each]
        return found[0] if len(found) == 1 else None

    def _elsewhere(self) -> bool:
        """Whether the commit is none of code, or one that was made before."""
        if any((self._git_dir / name).exists() for name in _REPLAYED):
            return True
        head = self._git("symbolic-ref", "-q", "HEAD", check=False).stdout.decode().strip()
        return head == self._data

    @cached_property
    def _config(self) -> git.Config:
        return git.config(self._git_dir)

    @property
    def _data(self) -> str:
        return f"refs/heads/{git.setting(self._config, 'gittask.branch') or 'gittask'}"

    @property
    def _comment(self) -> str:
        keys = ("core.commentstring", "core.commentchar")
        said = next(filter(None, (git.setting(self._config, key) for key in keys)), "auto")
        return "#" if said == "auto" else said

    def _add(self, lines: Sequence[str]) -> None:
        """By git, which knows comments, cut lines, and where the trailers of others stand."""
        how = ("--in-place", "--where", "end", "--if-exists", "addIfDifferent")
        options = [word for line in lines for word in ("--trailer", line)]
        command = ("interpret-trailers", *how, "--if-missing", "add", *options)
        self._git(*command, str(self._file))

    def _git(self, *args: str, check: bool = True) -> Completed:
        return git.run(self._git_dir, *args, check=check)

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
