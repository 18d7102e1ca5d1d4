"""Where results and messages go: one JSON document, or text for people."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click

from gittask.cli.terminal import Terminal, styled, terminal, wrapped
from gittask.core.meaning import over
from gittask.core.text import UNSAFE, many_lines
from gittask.errors import GittaskError


class Unwritten(OSError):
    """The result cannot be written: a full disk, say."""


class Output:
    """The two streams of a command. Standard output carries the result and nothing else.

    With ``lines`` that is one line of JSON a row, and standard error has the rest, as JSON too.

    ``paging`` says whether a long text may go through a pager, ``folder`` where git is asked which;
    ``failed`` is set once an error is said.
    """

    def __init__(self, *, json: bool, lines: bool = False) -> None:
        self.json = json or lines
        self.lines = lines
        self.warnings: list[str] = []
        self.failed = False
        self.paging = True
        self.folder = Path()
        # A closed stream is as good as /dev/null. Opening it also keeps its number from others.
        sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115
        sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
        if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
            # PYTHONUNBUFFERED: a write that a closing pipe cuts short would pass for a whole one.
            sys.stdout = open(sys.stdout.fileno(), "w", closefd=False)  # noqa: SIM115
        for stream in (sys.stdout, sys.stderr):
            # A locale that cannot write a character must not end a command.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        self.terminal = Terminal() if self.json else terminal(sys.stdout, os.environ)

    def use_json(self) -> None:
        """Answer in JSON from here on, as after ``--json``."""
        self.json, self.terminal = True, Terminal()

    def result(
        self, document: dict[str, Any], text: str | Iterable[str], *, page: bool = False
    ) -> None:
        """The result of the command: the document under ``--json``, else the lines of text.

        Each line is written as soon as it is there. With ``page`` a person at a terminal gets
        them through their pager.
        """
        if self.lines:
            self.rows([document])
        elif self.json:
            if self.warnings:
                document = {**document, "warnings": self.warnings}
            self._write([as_json(document)])
        else:
            lines = [text] if isinstance(text, str) else text
            shown = (each for line in lines for each in self._shown(line))
            self._write(self._paged(shown) if page else shown)

    def rows(self, rows: Iterable[dict[str, Any]]) -> None:
        """The rows of a list, each as one line of JSON, as soon as it is there."""
        self._write(as_json(row, indent=None) for row in rows)

    def text(self, line: str) -> None:
        """A line of the result for people, at once."""
        self._write(self._shown(line))

    def exactly(self, text: str) -> None:
        """A text that is not for people's eyes, to the byte; no line break is added."""
        try:
            sys.stdout.write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Unwritten(error.errno, error.strerror) from None

    def _write(self, lines: Iterable[str]) -> None:
        for line in lines:
            try:
                click.echo(line, color=self.terminal.colours)
            except BrokenPipeError:
                raise
            except OSError as error:
                raise Unwritten(error.errno, error.strerror) from None

    def _shown(self, line: str) -> Iterable[str]:
        """A line as it is shown here, in which text from records cannot do harm."""
        width, safe = self.terminal.width, over(many_lines, line)
        fitting = [safe] if width is None else wrapped(safe, width)
        return map(styled, fitting) if self.terminal.colours else fitting

    def _paged(self, lines: Iterator[str]) -> Iterable[str]:
        """Show lines through the pager, if there is to be one; returns what it did not take."""
        first = list(islice(lines, 1))
        if not (first and self.paging and self.terminal.pages):
            return chain(first, lines)
        from gittask.cli.pager import chosen_pager, through

        pager = chosen_pager(self.folder)
        if pager is None:
            return chain(first, lines)
        self.flush()
        return through(pager, chain(first, lines))

    def message(self, text: str) -> None:
        """Something to know beside the result; not under ``--json``."""
        if not self.json:
            self._aside(many_lines(text))

    def warn(self, text: str) -> None:
        """Something to look at, although the command did what was asked."""
        self.warnings.append(text)
        self.message(f"warning: {text}")
        if self.lines:
            self._aside(as_json({"warning": text}, indent=None))

    def error(self, error: GittaskError) -> int:
        """Say what went wrong and what to do; returns the exit code."""
        self.failed = True
        document = error.as_json()
        if self.lines:
            document["error"]["exit"] = error.exit
            self._aside(as_json(document, indent=None))
            return error.exit
        if self.json:
            self._write([as_json(document)])
            return error.exit
        problems = getattr(error, "problems", ())
        if len(problems) > 1:
            lines = [f"error: {len(problems)} problems"] + [f"  {problem}" for problem in problems]
        else:
            lines = [f"error: {error.message}"]
        if error.hint:
            lines.append(f"hint: {error.hint}")
        for line in lines:
            self._aside(many_lines(line))
        return error.exit

    def _aside(self, line: str) -> None:
        """A line on standard error; where that is full, result and exit code still count."""
        try:
            click.echo(line, err=True)
        except BrokenPipeError:
            raise
        except OSError:
            pass

    def flush(self) -> None:
        """Hand everything over now, so that a closed pipe is noticed here."""
        sys.stdout.flush()

    def abandon(self) -> None:
        """Drop what could not be written: Python would complain of it once more at its exit."""
        with suppress(OSError, AttributeError):  # not a real file, or none at all
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def as_json(document: Any, *, indent: int | None = 2) -> str:
    """One JSON document, readable, or on one line without ``indent``, with every character escaped
    that could control a terminal."""
    text = json.dumps(document, ensure_ascii=False, indent=indent)
    return re.sub(UNSAFE, lambda match: json.dumps(match[0])[1:-1], text)
