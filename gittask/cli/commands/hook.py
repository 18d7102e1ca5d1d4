"""Hooks: one that a server's git calls, and those that complete the message of a commit of code."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

import gittask
from gittask.cli.command import Group
from gittask.cli.commands.verify import as_error, as_problem
from gittask.cli.context import Context, context
from gittask.errors import GittaskError, Invalid, Usage
from gittask.exchange.message import PREPARE, SETTLE, run
from gittask.judging.receive import receive
from gittask.judging.signed import add_signatures
from gittask.judging.verify import Report
from gittask.store.hooks import Hooks, Wanted

REFUSED = 1
"""The exit code by which git refuses the whole push."""

MOST = 20
"""How many problems are told; who pushed sees all of them by ``gittask verify``."""

_LINE = re.compile(r"([0-9a-f]{40}) ([0-9a-f]{40}) (\S.*)")


@click.group("hook", cls=Group)
def hook_command() -> None:
    """Hooks of git: say the task in commits of code; on a server, refuse what breaks a rule."""


@hook_command.command("pre-receive")
@click.option("--strict", is_flag=True, help="Refuse what is only unusual as well.")
def pre_receive(strict: bool) -> int:
    """Judge a push to the data branch. Git says on standard input what was pushed.

    Each new commit is checked as by verify OLD..NEW. A push that removes the branch, or takes
    commits out of it, is refused too. Pushes to other branches pass. In the server's repository
    (hooks/pre-receive, executable):

    \b
    #!/bin/sh
    exec gittask hook pre-receive
    """
    here = context()
    checked = []
    for old, new, ref in _pushed():
        if ref != here.repo.ref:
            continue
        try:
            report = receive(here.session, old, new, here.at)
            add_signatures(here.session, report)
            _refuse(here, report, strict)
        except GittaskError as error:
            here.output.message(f"gittask refuses the push to {here.repo.branch}:")
            here.output.error(error)
            return REFUSED
        checked.append({"old": old, "new": new, "commits": report.commits, "files": report.files})
    here.output.result({"hook": {"checked": checked}}, [])
    return 0


_HOOKS = (
    Wanted(
        PREPARE,
        """
case ${2-} in merge | squash) exit 0 ;; esac
[ -d "$git/rebase-merge" ] || [ -d "$git/rebase-apply" ] && exit 0
grep -qxF "Execution: $GITTASK_EXECUTION" "$1" && exit 0
""",
    ),
    Wanted(
        SETTLE,
        """
while IFS= read -r line; do
  case $line in
    "Task: "* | "Execution: "*) break ;;
    "Signed-off-by: "*) ;;
    [[:alnum:]]*) exit 0 ;;
  esac
done <"$1"
case $line in "Task: "* | "Execution: "*) ;; *) exit 0 ;; esac
""",
    ),
)
"""What stands for the one hook that people ask for: the second lets an empty message stay one."""

_NAMES = [each.name for each in _HOOKS]

_which = click.argument("name", metavar="NAME", type=click.Choice([PREPARE]), expose_value=False)


@hook_command.command("install")
@_which
def install_command() -> None:
    """Let plain git commit say the task: NAME is prepare-commit-msg.

    From then on a commit that is made while an execution is current in its work tree (or named by
    GITTASK_EXECUTION) ends with the lines Task: and Execution:. Merges, squashes, and commits
    that are made again by a rebase or a cherry-pick are left as they are. A second hook,
    commit-msg, sees to it that a message with nothing else still counts as empty.

    A hook that is there already is kept, and runs first. The folder is git's (core.hooksPath).

    \b
    gittask hook install prepare-commit-msg
    """
    here = context()
    here.session.reader()  # without a store there is nothing to say
    hooks = Hooks(here.repo)
    if hooks.warning:
        here.output.warn(hooks.warning)
    program = Path(gittask.__file__).parent / "__main__.py"
    changed = hooks.install(_HOOKS, sys.executable, program, "gittask.exchange.message")
    _told(here, hooks, "installed" if changed else "installed already")


@hook_command.command("uninstall")
@_which
def uninstall_command() -> None:
    """Take the hook out again: every byte is as it was before.

    \b
    gittask hook uninstall prepare-commit-msg
    """
    here = context()
    hooks = Hooks(here.repo)
    changed = hooks.uninstall(_NAMES)
    _told(here, hooks, "taken out" if changed else "not installed")


@hook_command.command("status")
def status_command() -> None:
    """Show whether the hook for commits of code is installed, and what runs before it."""
    here = context()
    hooks = Hooks(here.repo)
    if hooks.warning:
        here.output.warn(hooks.warning)
    _told(here, hooks, None)


@hook_command.command("run")
@click.argument("name", metavar="NAME", type=click.Choice(_NAMES))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.argument("source", metavar="[SOURCE]", default="")
@click.argument("commit", metavar="[COMMIT]", default="", expose_value=False)
def run_command(name: str, file: Path, source: str) -> None:
    """Do what the hook does, from a hook of your own. It never fails a commit.

    \b
    gittask hook run prepare-commit-msg "$@"
    gittask hook run commit-msg "$@"
    """
    here = context()
    try:
        run(name, file, source, os.environ.get("GITTASK_EXECUTION"))
    except (GittaskError, OSError) as error:
        here.output.warn(f"the commit says no task: {error}")
    here.output.result({"hook": {"name": name}}, [])


def _told(here: Context, hooks: Hooks, what: str | None) -> None:
    found = [hooks.look(name) for name in _NAMES]
    shown = [
        {"path": str(hook.path), "state": hook.state, "kept": hook.kept and str(hook.kept)}
        for hook in found
    ]
    lines = [
        f"{hook.path}: {hook.state}" + (f", after {hook.kept.name}" if hook.kept else "")
        for hook in found
    ]
    here.output.result({"hook": {"hooks": shown}}, lines)
    if what:
        here.output.message(f"{PREPARE}: {what}")


def _pushed() -> Iterator[tuple[str, str, str]]:
    """Old commit, new commit and reference of each move that git is asked for."""
    if sys.stdin is None or sys.stdin.isatty():
        raise Usage(
            "git is to call this, with what was pushed on standard input",
            hint="see: gittask hook --help",
        )
    for line in sys.stdin.buffer.read().decode("utf-8", "surrogateescape").splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            raise Usage(f"{line[:100]!r} is not OLD NEW REF", hint="call it as git's pre-receive")
        yield match[1], match[2], match[3]


def _refuse(here: Context, report: Report, strict: bool) -> None:
    """Raise Invalid if anything is wrong; say what is only unusual."""
    if strict:
        report.findings = [replace(finding, error=True) for finding in report.findings]
    for finding in report.warnings:
        here.output.message(f"warning: {as_problem(finding, several=True)}")
    if not report.errors:
        return
    error = as_error(report, several=True)
    more = len(error.problems) - MOST
    if more > 0 and not here.output.json:
        error = Invalid(error.problems[:MOST], hint=f"{more} more: gittask verify OLD..NEW")
    raise error
