"""The command that checks what stands on the data branch."""

from __future__ import annotations

import click

from gittask.cli.command import command
from gittask.cli.context import Context, context
from gittask.cli.waiting import at_terminal
from gittask.core.text import one_line
from gittask.errors import Invalid, Problem, Usage
from gittask.judging.signed import add_signatures
from gittask.judging.verify import Finding, Report, verify


@command("verify")
@click.argument("commits", required=False, metavar="[COMMIT|OLD..NEW]")
@click.option("--signatures", "signed", is_flag=True, help="Also that each is signed by its actor.")
def verify_command(commits: str | None, signed: bool) -> None:
    """Check every record of the data branch, or the changes of a range of commits.

    Without an argument the tip is checked whole. A range is checked commit by commit, as a gate
    for what others push: there, each commit must also have been made by somebody who may. No
    record may be removed, and none that is written once altered; a task is changed by who holds
    it, and no merge takes a lower epoch's word. Exit code 5 says that something is wrong;
    warnings alone do not.

    \b
    gittask verify
    gittask verify gittask~1
    gittask verify origin/gittask..gittask
    gittask verify origin/gittask..gittask --signatures

    Signatures are looked at too where the store says so (signatures: warn or require). ssh keys
    are those of the actors' records, openpgp keys those that git trusts here.
    """
    here = context()
    report = verify(here.session, commits, here.at, at_terminal(here.output.message))
    add_signatures(here.session, report, signed)
    if commits in here.local.failed() and _by_person(here):  # somebody looks at it now
        with here.afterwards():
            here.local.keep_failed(commits, None)
    several = len(report.commits) > 1 or (commits is not None and ".." in commits)
    for finding in report.warnings:
        here.output.message(f"warning: {as_problem(finding, several)}")
    if report.errors:
        raise as_error(report, several)
    document = {
        "commits": report.commits,
        "files": report.files,
        "warnings": [finding.as_json() for finding in report.warnings],
    }
    checked = _count(report.files, "record") + " of " + _count(len(report.commits), "commit")
    here.output.result({"verify": document}, f"{checked} checked, nothing is wrong")


def _by_person(here: Context) -> bool:
    """Whether a person looks; an agent cannot make itself rely on what failed."""
    try:
        return bool(here.actor(here.reader).data["kind"] == "person")
    except Usage:
        return False


def as_error(report: Report, several: bool) -> Invalid:
    """All that is wrong, as the error of a command."""
    error = Invalid(as_problem(finding, several) for finding in report.errors)
    error.details = {
        "problems": [finding.as_json() for finding in report.errors],
        "warnings": [finding.as_json() for finding in report.warnings],
        "commits": report.commits,
        "files": report.files,
    }
    return error


def as_problem(finding: Finding, several: bool) -> Problem:
    """The problem as people read it: of several commits git's own ``COMMIT:path`` names a file."""
    problem = finding.problem
    file = one_line(problem.file)
    place = ":".join(filter(None, [finding.commit[:12], file])) if several else file
    return Problem(place, problem.field, problem.message, problem.hint, problem.line)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
