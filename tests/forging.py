"""One task's honest history, and commits that no honest program would make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gittask.core.codec import decode, encode
from gittask.core.record import Data, Record
from gittask.judging.verify import Finding, verify
from gittask.store.packaged import schemas
from gittask.store.repo import CommitInfo, Person, Repo
from tests.memory import NOW
from tests.program import Program
from tests.stored import session

CODEX, CLAUDE = ("--as", "codex-1"), ("--as", "claude-1")
REPORT = (
    *("--condition", "watch", "--summary", "Half of it", "--changed", "none"),
    *("--verified", "none", "--not-verified", "none", "--uncertain", "none"),
    *("--next", "The rest", "--next-by", "editor"),
)


def agent(id: str) -> Person:
    """The author of an agent's commits."""
    return Person(id, f"{id}@actors.gittask.invalid", 1_796_000_000)


ANN = Person("Ann", "ann@example.org", 1_796_000_000)
MALLORY = Person("Mallory", "mallory@else.example", 1_796_000_000)
GITTASK = Person("gittask", "gittask@gittask.invalid", 1_796_000_000)


def findings(folder: Path, spec: str = "..gittask") -> list[Finding]:
    return verify(session(folder), spec, NOW).findings


def told(folder: Path, spec: str = "..gittask") -> list[str]:
    """Rule, field and message of each error; what to do is said for each."""
    found = [each for each in findings(folder, spec) if each.error]
    assert all(each.problem.hint for each in found)
    return [f"{each.rule}: {each.problem.field}: {each.problem.message}" for each in found]


Edits = Mapping[str, Mapping[str, Any] | None]
"""For a kind the fields to set (those of an object one by one), or None to remove the records."""


class Story:
    """A task in a repository: each step is honest, and ends with the commit that it is about."""

    def __init__(self, program: Program) -> None:
        self.gittask = program
        self.folder = program.folder
        self.task = program.new()
        self.holder = ""

    def start(self) -> None:
        self.holder = self.gittask("start", self.task, *CODEX).id

    def take_over(self) -> None:
        self.start()
        self.gittask("takeover", self.task, "--reason", "It is silent", *CLAUDE)

    def note(self) -> None:
        self.start()
        self.gittask("note", self.task, "Seen", *CODEX)

    def look(self) -> None:
        self.start()
        self.gittask("start", self.task, "--lane", "review", *CLAUDE)

    def finish(self) -> None:
        self.start()
        self.gittask("handoff", self.task, "--kind", "final", *REPORT, *CODEX)

    def describe(self) -> None:
        self.start()
        self.gittask("set", self.task, "title=Another", *CODEX)

    def grant(self) -> None:
        self.start()
        self.gittask("approve", "request", self.task, "drop index", *CODEX)
        self.gittask("approve", "grant", self.task, "--as", "ann")

    # -- forging ------------------------------------------------------------------------------

    def again(
        self,
        edits: Edits | None = None,
        author: Person | None = None,
        message: Callable[[str], str] = lambda text: text,
    ) -> None:
        """Make the last commit anew; ``edits`` are for the records that it changed."""
        repo, info = self._last()
        before = repo.tree(info.parents[0])
        touched = [path for path, _, _ in repo.diff(before, info.tree)]
        tree = self._edited(repo, info.tree, touched, edits or {})
        author, said = author or info.author, message(info.message)
        made = repo.create_commit(tree, info.parents, author, info.committer, said)
        repo.move(info.id, made, "test")

    def commit(self, edits: Edits, author: Person, *trailers: str, subject: str = "x") -> str:
        """Commit edits of all records of some kinds on top; returns the commit."""
        repo, info = self._last()
        everything = [path for path, _ in repo.files(info.tree)]
        tree = self._edited(repo, info.tree, everything, edits)
        message = "\n".join([subject, "", *trailers, ""])
        made = repo.create_commit(tree, [info.id], author, author, message)
        repo.move(info.id, made, "test")
        return made

    def add(self, record: Record, author: Person) -> str:
        """Commit a record as it is; returns the commit."""
        repo, info = self._last()
        order = schemas().order(record.kind)
        files: dict[str, bytes | None] = {schemas().path_of(record): encode(record.data, order)}
        made = repo.commit(info.id, files, author, author, "x\n")
        repo.move(info.id, made, "test")
        return made

    def _last(self) -> tuple[Repo, CommitInfo]:
        repo = Repo.discover(self.folder)
        tip = repo.tip()
        assert tip is not None
        return repo, repo.commit_info(tip)

    def _edited(self, repo: Repo, tree: str, paths: list[str], edits: Edits) -> str:
        files: dict[str, bytes | None] = {}
        entries = dict(repo.files(tree))
        for path in paths:
            place = schemas().locate(path)
            if place and place.kind in edits:
                fields = edits[place.kind]
                data = decode(repo.blob(entries[path].id), name=path)
                files[path] = None if fields is None else _encoded(place.kind, data, fields)
        assert files or not edits
        return repo.write_tree(tree, files)


def _encoded(kind: str, data: Data, fields: Mapping[str, Any]) -> bytes:
    merged = {
        name: {**data[name], **value} if isinstance(value, dict) else value
        for name, value in fields.items()
    }
    return encode({**data, **merged}, schemas().order(kind))
