"""Where results and messages go: one JSON document, or text for people."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from gittask.cli.terminal import Terminal, styled, terminal
from gittask.core.text import UNSAFE, many_lines
from gittask.errors import GittaskError


class Output:
    """The two streams of a command. Standard output carries the result and nothing else.

    ``paging`` says whether a long text may go through a pager, ``folder`` where git is asked which.
    """

    def __init__(self, *, json: bool) -> None:
        self.json = json
        self.warnings: list[str] = []
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
        self.terminal = Terminal() if json else terminal(sys.stdout, os.environ)

    def result(
        self, document: dict[str, Any], text: str | Iterable[str], *, page: bool = False
    ) -> None:
        """The result of the command: the document under ``--json``, else the lines of text.

        Each line is written as soon as it is there. With ``page`` a person at a terminal gets
        them through their pager.
        """
        if self.json:
            if self.warnings:
                document = {**document, "warnings": self.warnings}
            click.echo(as_json(document))
            return
        lines = [text] if isinstance(text, str) else text
        if not (page and self._page(lines)):
            for line in lines:
                self.text(line)

    def _page(self, lines: Iterable[str]) -> bool:
        """Show lines through the pager, if there is to be one."""
        if not self.paging or not self.terminal.pages:
            return False
        from gittask.cli.pager import chosen_pager, through

        pager = chosen_pager(self.folder)
        if pager:
            self.flush()
            through(pager, map(self._shown, lines))
        return pager is not None

    def text(self, line: str) -> None:
        """A line of result for people, in which text from records cannot do harm."""
        click.echo(self._shown(line), color=self.terminal.colours)

    def _shown(self, line: str) -> str:
        return styled(line) if self.terminal.colours else many_lines(line)

    def message(self, text: str) -> None:
        """Something to know beside the result; not under ``--json``."""
        if not self.json:
            click.echo(many_lines(text), err=True)

    def warn(self, text: str) -> None:
        """Something to look at, although the command did what was asked."""
        self.warnings.append(text)
        self.message(f"warning: {text}")

    def error(self, error: GittaskError) -> int:
        """Say what went wrong and what to do; returns the exit code."""
        if self.json:
            click.echo(as_json(error.as_json()))
            return error.exit
        problems = getattr(error, "problems", ())
        if len(problems) > 1:
            lines = [f"error: {len(problems)} problems"] + [f"  {problem}" for problem in problems]
        else:
            lines = [f"error: {error.message}"]
        if error.hint:
            lines.append(f"hint: {error.hint}")
        for line in lines:
            click.echo(many_lines(line), err=True)
        return error.exit

    def flush(self) -> None:
        """Hand everything over now, so that a closed pipe is noticed here."""
        sys.stdout.flush()

    def abandon(self) -> None:
        """Drop what could not be written: Python would complain of it once more at its exit."""
        with suppress(OSError, AttributeError):  # not a real file, or none at all
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def as_json(document: Any) -> str:
    """One JSON document, readable, with every character escaped that could control a terminal."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    return re.sub(f"[{UNSAFE}]", lambda match: json.dumps(match[0])[1:-1], text)
