"""Editing a record's YAML in the user's editor, losing nothing they wrote."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from gittask.cli.context import Context
from gittask.core.codec import decode, encode
from gittask.core.record import Data, Record, same
from gittask.core.text import one_line
from gittask.errors import GittaskError, Invalid, Problem, Usage

NOTE = "# Lines that begin with # are dropped. An empty file leaves everything as it is.\n"


def edit_record(here: Context, record: Record) -> Data:
    """The record's data as the user left it, valid; the same data if they changed nothing.

    The text is kept in a file beside the repository until it was taken: an editor that fails, or
    a mistake that stays, loses nothing. Raises Usage without an editor, Invalid if the user gave
    up on a mistake.
    """
    schemas = here.session.schemas
    path = here.repo.common_dir / "gittask" / "edit" / f"{record.id}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = encode(record.data, schemas.order(record.kind)).decode()
    path.write_text(NOTE + text, encoding="utf-8")
    while True:
        before = path.read_bytes()
        _open(here, path)
        written = path.read_bytes()
        if not _content(written).strip():
            path.unlink()
            return record.data
        try:
            data = _checked(here, record, written)
        except Invalid as error:
            if written == before:
                kept = f"your text is kept in {path}"
                raise Invalid(error.problems, what="edit refused", hint=kept) from None
            path.write_bytes(_with_problems(written, error))
            continue
        path.unlink()
        return data


def _checked(here: Context, record: Record, written: bytes) -> Data:
    data = decode(written, name="")
    schemas = here.session.schemas
    if not isinstance(data, dict):
        raise Invalid([Problem("", "", "is not a record", "write field: value lines")])
    problems = schemas.check(record.kind, schemas.complete(record.kind, data))
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
        if not sys.stdin.isatty():
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
        raise GittaskError(
            f"the editor ended with exit code {code}", hint=f"your text is kept in {path}"
        )
