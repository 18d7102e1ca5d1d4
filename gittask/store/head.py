"""The code at the commit that HEAD names, as far as somebody has to be told of it."""

from __future__ import annotations

from gittask.errors import GittaskError
from gittask.store.repo import Repo

LARGEST_TEXT = 256 * 1024
"""Bytes of a file that are read to be shown."""


class Head:
    """The code at the commit that HEAD names: nothing of the work tree, nothing from a remote."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self.commit = repo.head()

    def age(self, commit: str) -> str:
        """``present`` if a commit has the same files as the present one, else ``stale``.

        ``unknown`` if the commit is not in this clone, or there is no present one.
        """
        if self.commit is None or len(commit) != len(self.commit):  # SHA-1 and SHA-256
            return "unknown"
        if not self._repo.exists(commit):
            return "unknown"
        try:
            same = self._repo.tree(commit) == self._repo.tree(self.commit)
        except GittaskError:  # no commit, or a damaged one
            return "unknown"
        return "present" if same else "stale"

    def read(self, path: str) -> tuple[str, str | None]:
        """What is at a path, in words, and its text if it is a text of a bearable size.

        Links are not followed, and a path never leads out of the commit.
        """
        if self.commit is None:
            return "there is no commit yet", None
        if not path or {"", ".", ".."} & set(path.split("/")) or "\\" in path or ":" in path:
            return "no path in the repository, so not looked for", None
        try:
            entry = self._repo.lookup(self.commit, path)
            if entry is None:
                return "no such file there", None
            if not entry.is_file:
                return "no plain file, so not read", None
            if not self._repo.exists(entry.id):
                return "there, but not in this clone", None
            if self._repo.size(entry.id) > LARGEST_TEXT:
                return "there, but too large to show", None
            return "there", self._repo.blob(entry.id).decode("utf-8")
        except UnicodeDecodeError:
            return "there, but no text", None
        except GittaskError:
            return "cannot be read", None
