"""Commands that git calls on a server."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace

import click

from gittask.cli.command import Group
from gittask.cli.commands.verify import as_error, as_problem
from gittask.cli.context import Context, context
from gittask.errors import GittaskError, Invalid, Usage
from gittask.receive import receive
from gittask.signed import add_signatures
from gittask.verify import Report

REFUSED = 1
"""The exit code by which git refuses the whole push."""

MOST = 20
"""How many problems are told; who pushed sees all of them by ``gittask verify``."""

_LINE = re.compile(r"([0-9a-f]{40}) ([0-9a-f]{40}) (\S.*)")


@click.group("hook", cls=Group)
def hook_command() -> None:
    """For hooks of a server's repository: refuse what breaks a rule before it arrives."""


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
