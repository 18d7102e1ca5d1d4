"""Running the program as a user would: in this process for speed, or as a process of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from gittask.cli import main
from gittask.core.codec import decode, encode
from gittask.session import Session
from gittask.store.packaged import schemas
from gittask.store.repo import Person, Repo
from tests.branch import commit_to

RAW = set(range(32)) - {9, 10} | set(range(127, 160))
"""The code points by which text controls a terminal."""


@dataclass(frozen=True)
class Result:
    """How a call ended, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def id(self) -> str:
        """The only line of the result: the id of what was made."""
        (line,) = self.out.splitlines()
        return line

    @property
    def document(self) -> Any:
        """The one JSON document that standard output is."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The error of a call with ``--json``: the only key of the only document."""
        document = self.document
        assert list(document) == ["error"], document
        error: dict[str, Any] = document["error"]
        return error

    @property
    def problems(self) -> dict[str, str]:
        """The message of each problem of an ``invalid`` error, by field."""
        found: list[dict[str, str]] = self.error["details"]["problems"]
        return {problem.get("field", ""): problem["message"] for problem in found}


class Program:
    """The program in a folder: ``gittask("new", "Fix it").id``.

    A call must end with exit code ``code`` (None: with any). ``input`` is what standard input
    holds; it is never a terminal.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *args: str, input: str | bytes = b"", code: int | None = 0) -> Result:
        result = self._here(args, input.encode() if isinstance(input, str) else input)
        assert code is None or result.code == code, (args, result)
        return result

    def json(self, *args: str, input: str | bytes = b"") -> Any:
        """The document that a call that succeeds prints under ``--json``."""
        result = self("--json", *args, input=input)
        assert result.err == ""
        return result.document

    def task(self, id: str) -> dict[str, Any]:
        """A task as it is stored."""
        task: dict[str, Any] = self.json("show", id)["task"]
        return task

    def records(self, kind: str) -> list[dict[str, Any]]:
        """All readable records of a kind as they are stored, in order of id."""
        reader = Session(self._repo(), schemas()).reader()
        return [record.data for record in reader.all(kind)]

    def stored(self, path: str) -> bytes:
        """The content of a file on the data branch."""
        return self._repo().blob(self._entry(path))

    def push(self, files: Mapping[str, bytes | None]) -> None:
        """Commit files past all checks, as somebody with plain git could; None removes one."""
        repo = self._repo()
        someone = Person("Mallory", "m@example.org", 1_800_000_000)
        commit_to(repo, repo.tip(), files, someone, someone, "pushed")

    def change(self, path: str, **fields: Any) -> None:
        """Set fields of a record by hand, without a stamp."""
        self.push({path: encode({**decode(self.stored(path)), **fields})})

    def _repo(self) -> Repo:
        return Repo.discover(self.folder)

    def _entry(self, path: str) -> str:
        repo = self._repo()
        id = repo.tree(repo.tip() or "")
        for name in path.split("/"):
            id = next(entry.id for entry in repo.entries(id) if entry.name == name)
        return id

    def new(self, title: str = "A task", *args: str) -> str:
        """The id of a new task that says why it exists."""
        return self("new", title, "--why", "It is needed", *args).id

    def process(
        self, *args: str, input: bytes | None = None, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """A call as a process of its own, without a terminal."""
        return subprocess.run(
            [sys.executable, "-m", "gittask", *args],
            cwd=self.folder,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL if input is None else None,
            input=input,
            capture_output=True,
        )

    def _here(self, args: tuple[str, ...], input: bytes) -> Result:
        out, err = io.BytesIO(), io.BytesIO()
        with contextlib.chdir(self.folder), _streams(input, out, err):
            code = main(args)
            sys.stdout.flush()
            sys.stderr.flush()
            return Result(code, out.getvalue().decode(), err.getvalue().decode())


@contextlib.contextmanager
def _streams(input: bytes, out: io.BytesIO, err: io.BytesIO) -> Iterator[None]:
    wrapped = [io.TextIOWrapper(raw, encoding="ascii") for raw in (io.BytesIO(input), out, err)]
    with (
        mock.patch("sys.stdin", wrapped[0]),
        mock.patch("sys.stdout", wrapped[1]),
        mock.patch("sys.stderr", wrapped[2]),
    ):
        yield


def path_of(task: str) -> str:
    """The path of a task's file on the data branch."""
    return f"tasks/{task[-2:]}/{task}/task.yaml"


def controls(text: str) -> set[str]:
    """The characters of a text that would control a terminal."""
    return {char for char in text if ord(char) in RAW}
