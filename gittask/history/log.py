"""The history of the data branch: what each commit did, who made it, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.emit import MAX_BYTES
from gittask.errors import GittaskError, RemoteError
from gittask.history.authors import Authors
from gittask.judging.lineage import Lineage, trailers
from gittask.kinds import readable
from gittask.kinds.actor import PROGRAM
from gittask.store.repo import CommitInfo, Entry
from gittask.store.snapshot import Snapshot
from gittask.views import textconv
from gittask.views.patch import TOO_LONG, patch


@dataclass(frozen=True)
class Changed:
    """What a commit did to one file: ``how`` is added, changed or removed.

    ``kind`` and ``id`` name the record that it holds, if it holds one. ``lines`` are what went
    and came, as ``patch`` has it, of a merge against the first parent that has the file.
    """

    path: str
    how: str
    kind: str | None
    id: str | None
    lines: Sequence[str]


@dataclass(frozen=True)
class Logged:
    """A commit. ``at`` is its author's time; ``actor`` who acted, of what the program did by
    itself the one for whom; ``title`` that of the task now, None where it cannot be read."""

    commit: str
    parents: Sequence[str]
    at: str
    actor: str
    subject: str
    task: str | None
    title: str | None
    execution: str | None

    def as_json(self) -> dict[str, Any]:
        """The commit as ``--json`` shows it."""
        return {**self.__dict__, "parents": list(self.parents)}


class Log:
    """Commits in words, each read when its turn has come."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._repo = snapshot.repo
        self._snapshot = snapshot
        self._authors = Authors(snapshot)
        self._title = cache(self._read_title)

    def entry(self, commit: str) -> Logged:
        """What a commit did. Raises GittaskError where it cannot be read."""
        info = self._repo.commit_info(commit)
        said = trailers(info.message)
        # The program is the author of the merges that it makes for somebody.
        who = info.committer if info.author.email == PROGRAM else info.author
        task = said.get("Task")
        return Logged(
            info.id,
            info.parents,
            info.author.at,
            said.get("Actor") or self._authors.actor(who),
            info.subject,
            task,
            self._title(task) if task else None,
            said.get("Execution"),
        )

    def changes(self, commit: str) -> Iterator[Changed]:
        """What a commit changed, file by file; a merge, what it has unlike all of its parents."""
        info: CommitInfo = self._repo.commit_info(commit)
        for path, (before, after) in sorted(self._lineage.changes(info).items()):
            if len(info.parents) > 1 and after in before:
                continue
            old = next(filter(None, before), None)
            how = "added" if old is None else "changed" if after else "removed"
            place = self._snapshot.schemas.locate(path)
            kind, id = (place.kind, place.id or None) if place else (None, None)
            yield Changed(path, how, kind, id, self._compared(path, old, after))

    @cached_property
    def _lineage(self) -> Lineage:
        return Lineage(self._repo, self._snapshot.schemas)

    def _read_title(self, task: str) -> str | None:
        found = readable(self._snapshot, "task", task, task=None)
        return found.data["title"] if found else None

    def _compared(self, path: str, old: Entry | None, new: Entry | None) -> list[str]:
        if not path.endswith(".yaml"):
            return []
        try:
            before, after = ([] if each is None else self._lines(each) for each in (old, new))
        except RemoteError:
            raise
        except GittaskError as error:
            return [f"({error.message})"]
        return [TOO_LONG] if before is None or after is None else list(patch(before, after))

    def _lines(self, entry: Entry) -> list[str] | None:
        """A file in words; None for one that is larger than any record."""
        if not entry.is_file:
            return ["gittask shows no content here: it is no file"]
        if self._repo.size(entry.id) > MAX_BYTES:
            return None
        return list(textconv.lines(self._repo.blob(entry.id)))
