"""The command that looks a store over, and mends what is safe to mend."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

import gittask
from gittask.cli.command import command
from gittask.cli.context import context
from gittask.cli.waiting import at_terminal
from gittask.errors import Contention, Invalid, Moved, Problem
from gittask.judging.doctor import Finding, examine, mend
from gittask.session import Session
from gittask.setup.initialise import clone_settings
from gittask.store.packaged import schemas
from gittask.store.repo import Repo


@command("doctor")
@click.option("--fix", is_flag=True, help="Mend what is safe to mend, by one new commit.")
@click.option("--dry-run", is_flag=True, help="With --fix: only say what would be mended.")
def doctor_command(fix: bool, dry_run: bool) -> None:
    """Look over the records, the history of the branch, and the setup of this clone.

    Found are, beside all that `gittask verify` finds: what merges and rebases by other programs
    lost or mixed, records that were removed, altered or made unreadable, a merge driver that is
    not registered, work trees whose files are behind, locks that were left over. What --fix
    mends is marked; it makes new commits, and never rewrites any. Exit code 5 says that
    something is left that a person should look at. What only this clone's setup lacks is
    advice, and no fault: a clone in which one merely reads needs none of it.

    \b
    gittask doctor
    gittask doctor --fix --dry-run
    gittask doctor --fix
    """
    here = context()
    settings = clone_settings(sys.executable, Path(gittask.__file__).parent)
    found = examine(here.session, settings, here.at, at_terminal(here.output.message))
    mended: list[Finding] = []
    commit = None
    if fix and not dry_run:
        mended = [one for one in found if one.can_be_mended]
        try:
            commit = mend(here.session, mended, here.committer)
        except Moved:
            raise Contention("another process wrote to the branch", hint="try again") from None
        if mended:  # seen anew, as by a process of its own
            again = Session(Repo.discover(here.repo.worktree or here.repo.git_dir), schemas())
            found = examine(again, settings, here.at)
    document = {
        "findings": [one.as_json() for one in found],
        "mended": [one.as_json() for one in mended],
        "commit": commit,
    }
    faults = [one for one in found if not one.advice]
    if faults and not dry_run:
        error = Invalid(
            [Problem("", one.area, one.message, _hint(one)) for one in faults],
            what="the store or this clone is not as it should be",
        )
        error.details = document
        for one in mended:
            here.output.message(f"mended: {one.message}")
        for one in found:
            if one.advice:
                here.output.message(_advice(one))
        raise error
    here.output.result({"doctor": document}, _lines(found, mended, dry_run))


def _hint(one: Finding) -> str:
    return "gittask doctor --fix mends it" if one.can_be_mended else one.hint


def _advice(one: Finding) -> str:
    return f"advice: {one.message} ({_hint(one)})"


def _lines(found: list[Finding], mended: list[Finding], dry_run: bool) -> Iterator[str]:
    yield from (f"mended: {one.message}" for one in mended)
    for one in found:
        if dry_run and one.can_be_mended:
            yield f"would mend: {one.message}"
        else:
            yield _advice(one) if one.advice else f"{one.message} ({one.hint})"
    if not mended and all(one.advice for one in found):
        yield "nothing is damaged" if found else "all is well"
