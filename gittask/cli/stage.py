"""A throwaway folder in which real commands run, cut off from the user's own git and gittask."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gittask.core.dataclass import dataclass
from gittask.core.text import many_lines
from gittask.errors import GittaskError

WIDEST = 80
"""How many columns are used, where the terminal has as many."""

PATIENCE = 120.0
"""Seconds after which one command is given up."""

_PERSONAL = ("EDITOR", "VISUAL", "PAGER", "XDG_CONFIG_HOME")

_CONFIG = """\
[user]
    name = Alice
    email = alice@example.org
[init]
    defaultBranch = main
[safe]
    directory = *
[gc]
    auto = 0
[maintenance]
    auto = false
"""


@dataclass(frozen=True)
class Step:
    """One command that ran: in which folder, as one would type it, and what came of it."""

    folder: str
    command: str
    exit_code: int
    output: str


class Stage:
    """Runs commands in the folders below ``root``, shows each, and keeps what came of it.

    ``show`` takes text for people, several lines at once. ``actors`` names who acts in a folder,
    where that is not the person whose name and address git has.
    """

    def __init__(
        self, root: Path, show: Callable[[str], None], actors: Mapping[str, str] | None = None
    ) -> None:
        self.root = root
        self.steps: list[Step] = []
        self._show = show
        self._actors = actors or {}
        self._environment = _isolated(root)
        self._width = min(shutil.get_terminal_size().columns, WIDEST)

    def say(self, text: str) -> None:
        """Explain what follows."""
        self._show("\n" + textwrap.fill(text, self._width) + "\n")

    def run(self, folder: str, *words: str, exit_code: int = 0, shows: Sequence[str] = ()) -> str:
        """Run a command in a folder and return what it printed.

        Raises GittaskError if it ends with another exit code, or if its output lacks any of what
        ``shows`` names.
        """
        command = _typed(words, self._width - len(f"[{folder}] $ "))
        self._show(f"[{folder}] $ {command}")
        step = self._execute(folder, words, command)
        if step.output:
            self._show(_fitted(step.output, self._width))
        if exit_code:
            self._show(f"(exit code {step.exit_code})")
        self.steps.append(step)
        _check(step, exit_code, shows)
        return step.output

    def prepare(self, folder: str, *words: str) -> None:
        """Run a command that is no part of what is shown. Raises GittaskError if it fails."""
        _check(self._execute(folder, words, shlex.join(words)), 0, ())

    def _execute(self, folder: str, words: Sequence[str], command: str) -> Step:
        program = [sys.executable, "-m", "gittask"] if words[0] == "gittask" else [words[0]]
        actor = self._actors.get(folder)
        done = subprocess.run(
            [*program, *words[1:]],
            cwd=self.root / folder,
            env=self._environment | ({"GITTASK_ACTOR": actor} if actor else {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
        )
        output = many_lines(done.stdout.decode("utf-8", "replace")).rstrip("\n")
        return Step(folder, command, done.returncode, output)

    def as_json(self) -> dict[str, Any]:
        """The steps as ``--json`` shows them."""
        return {"steps": [asdict(step) for step in self.steps], "total": len(self.steps)}


def _isolated(root: Path) -> dict[str, str]:
    """An environment of the user's in which nothing of theirs is configured, and no network."""
    home = root / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(_CONFIG, encoding="utf-8")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GIT_", "GITTASK_")) and name not in _PERSONAL
    }
    return kept | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "HOME": str(home),
        "USERPROFILE": str(home),
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(root),
        "GIT_ALLOW_PROTOCOL": "file",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "LC_ALL": "C",
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
    }


def _typed(words: Sequence[str], width: int) -> str:
    """A command as one would type it, over several lines if it is long."""
    parts: list[str] = []
    for word in words:
        if parts and parts[-1].startswith("-") and not word.startswith("-"):
            parts[-1] += f" {_quoted(word)}"  # an option and its value stay in one line
        else:
            parts.append(_quoted(word))
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + len("  \\") > width:
            lines[-1] += " \\"
            lines.append(f"    {part}")
        else:
            lines[-1] += f" {part}"
    return "\n".join(lines)


def _quoted(word: str) -> str:
    if shlex.quote(word) == word:
        return word
    return shlex.quote(word) if any(char in word for char in '"$`\\!') else f'"{word}"'


def _fitted(output: str, width: int) -> str:
    """Output with its long lines broken, for screens that are not wide."""
    lines = []
    for line in output.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        fitted = textwrap.wrap(
            line,
            width,
            subsequent_indent=indent,
            drop_whitespace=len(line) > width,
            break_on_hyphens=False,
        )
        lines += fitted or [""]
    return "\n".join(lines)


def _check(step: Step, exit_code: int, shows: Sequence[str]) -> None:
    """Raise GittaskError unless a step came out as it should."""
    missing = [text for text in shows if text not in step.output]
    if step.exit_code != exit_code:
        what = f"ended with exit code {step.exit_code}, not {exit_code}"
    elif missing:
        what = f"does not show {missing[0]!r}"
    else:
        return
    raise GittaskError(
        f"the demonstration went wrong in {step.folder!r}: `{step.command}` {what}",
        hint="please report it; --keep DIR leaves the folder to look at",
        details=asdict(step),
    )
