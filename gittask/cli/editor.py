"""Editing a record's YAML in the user's editor, losing nothing they wrote."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from gittask.cli.context import Context
from gittask.core.codec import decode, encode
from gittask.core.record import Data, Record, same
from gittask.core.text import one_line
from gittask.errors import GittaskError, Invalid, Problem, Usage
from gittask.session import Outcome

NOTE = "# Lines that begin with # are dropped. An empty file leaves everything as it is.\n"

REOPENED = 3
"""How often the editor opens again on a mistake where no person sits at a terminal."""


def edit_record(here: Context, record: Record, take: Callable[[Data], Outcome]) -> Outcome | None:
    """Let the user edit a record's data, and hand what they wrote to ``take``; None: no change.

    What ``take`` finds invalid comes back to the editor; without a terminal only a few times. The
    text is kept in a file beside the repository until it was taken: an editor that fails, a
    mistake that stays, or another who changed the same in between loses nothing. Raises what
    ``take`` raises, Usage without an editor, and Invalid if the user gave up on a mistake; the
    hint names the file.
    """
    text = encode(record.data, here.session.schemas.order(record.kind))
    path = _draft(here, record.id, NOTE.encode() + text)
    shown = _read(path)
    try:
        opened = 0
        while True:
            before = _read(path)
            _open(here, path)
            opened += 1
            written = _read(path)
            try:
                data = _checked(here, record, written)
                outcome = None if same(data, record.data) else take(data)
            except Invalid as error:
                if written == before or (opened > REOPENED and not _at_terminal()):
                    problems = [each._replace(file=str(path)) for each in error.problems]
                    raise Invalid(problems, what="edit refused") from None
                path.write_bytes(_with_problems(written, error))
                continue
            path.unlink(missing_ok=True)
            return outcome
    except GittaskError as error:
        if _read(path) == shown:
            path.unlink()
        else:
            kept = f"your text is kept in {path}"
            error.hint = f"{error.hint}; {kept}" if error.hint else kept
        raise


def _draft(here: Context, id: str, content: bytes) -> Path:
    """A file of its own for each edit, so that none overwrites what another one left."""
    folder = here.repo.common_dir / "gittask" / "edit"
    folder.mkdir(parents=True, exist_ok=True)
    fd, name = tempfile.mkstemp(prefix=f"{id}-", suffix=".yaml", dir=folder)
    with os.fdopen(fd, "wb") as file:
        file.write(content)
    return Path(name)


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _checked(here: Context, record: Record, written: bytes) -> Data:
    """The data that was written, with the default for each line that was taken out."""
    if not _content(written).strip():
        return record.data
    data = decode(written, name="")
    schemas = here.session.schemas
    if not isinstance(data, dict):
        raise Invalid([Problem("", "", "is not a record", "write field: value lines")])
    data = schemas.complete(record.kind, data)
    problems = schemas.check(record.kind, data)
    before = set(schemas.unknown(record.kind, record.data))
    for field in schemas.unknown(record.kind, data):
        if field not in before:
            problems.append(Problem("", field, "is not a field", f"gittask schema {record.kind}"))
    for field in ("id", "created", "changed", "state"):
        if field in record.data and not same(data.get(field), record.data[field]):
            hint = "put it back; the state changes by start, handoff, close ..."
            problems.append(Problem("", field, "cannot be edited", hint))
    if problems:
        raise Invalid(problems)
    return data


def _content(written: bytes) -> bytes:
    return b"".join(line for line in written.splitlines(keepends=True) if not line.startswith(b"#"))


def _with_problems(written: bytes, error: Invalid) -> bytes:
    told = "".join(f"#! {one_line(problem)}\n" for problem in error.problems)
    lines = written.splitlines(keepends=True)
    rest = b"".join(line for line in lines if not line.startswith((b"#!", NOTE.encode())))
    return (told + NOTE).encode() + rest


def _open(here: Context, path: Path) -> None:
    editor = (
        os.environ.get("GIT_EDITOR")
        or here.git("core.editor")
        or os.environ.get("VISUAL")
        or os.environ.get("EDITOR")
    )
    if not editor:
        if not _at_terminal():
            raise Usage(
                "no editor is set and there is no terminal",
                hint="set EDITOR, or use: gittask set TASK field=value",
            )
        editor = "vi"
    argv = [*shlex.split(editor), str(path)]
    try:
        code = subprocess.call(argv)
    except OSError as error:
        raise GittaskError(
            f"the editor {editor!r} cannot be started: {error.strerror}", hint="set EDITOR"
        ) from None
    if code != 0:
        raise GittaskError(f"the editor ended with exit code {code}", hint="nothing was written")


def _at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()
