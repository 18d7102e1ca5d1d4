"""The commands for pull requests: what a reviewer sees, what CI asks, and what a person waives."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

from gittask import __version__
from gittask.actions.waive import waive
from gittask.cli.command import Group
from gittask.cli.complete import TASK
from gittask.cli.context import Context, context, read_text
from gittask.cli.output import as_json
from gittask.cli.pulled import Asked, pulled
from gittask.cli.result import told
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.meaning import meant
from gittask.core.record import Data, Reader
from gittask.errors import Invalid, NotFound, Problem, Refused, Usage
from gittask.judging.signed import signatures
from gittask.judging.verify import verify
from gittask.kinds.gates import Level, levels, strictest
from gittask.store.snapshot import Snapshot
from gittask.views.pr import layout, outcome, part
from gittask.views.pr.checks import check
from gittask.views.pr.layout import Mode
from gittask.views.pr.markdown import GITHUB, GITLAB, length, markdown
from gittask.views.pr.plain import plain
from gittask.views.pr.uncertain import uncertainties

FAILED = Refused.exit
_LEAST = 1000


@click.group("pr", cls=Group)
def pr_command() -> None:
    """Pull requests: why the change exists, what was checked, and what is not known."""


def _range(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that name the code, and the tasks."""
    for option in (
        click.option("--text", metavar="FILE", help="The pull request's text; - is stdin."),
        click.option("--task", "tasks", multiple=True, type=TASK, help="Only this task."),
        click.option("--branch", metavar="NAME", help="The head's branch, if git cannot tell."),
        click.option("--head", metavar="COMMIT", help="The last commit of the change; HEAD."),
        click.option("--base", metavar="COMMIT", help="What it goes to; the default branch."),
    ):
        command = option(command)
    return command


# -- render -----------------------------------------------------------------------------------


@pr_command.command("render")
@_range
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "html", "json", "text"]),
    help="How it is written; text if nothing is said.",
)
@click.option(
    "--mode",
    type=click.Choice(["body", "comment", "summary"]),
    default="body",
    show_default=True,
    help="All of it, all of it folded, or the short form.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=_LEAST),
    default=GITHUB,
    show_default=True,
    help=f"The most characters of Markdown; GitLab takes {GITLAB}.",
)
@click.option("--into", metavar="FILE", help="Print this text with our part of it replaced.")
def pr_render(
    form: str | None, mode: Mode, limit: int, into: str | None, text: str | None, **asked: Any
) -> None:
    """Show what a pull request is for: its tasks, with what is not known first.

    The tasks are those that the commits from the base to the head name, by their trailers, the
    name of the branch, the text of the pull request, or their patches. Evidence is green only
    for code that is in the head. The same records and the same code give the same bytes.

    \b
    gittask pr render
    gittask pr render --base origin/main --head topic --format md
    gittask pr render --format md --into body.md > new-body.md
    gittask pr render --format html > review.html
    gittask pr render --format md --mode summary >> "$GITHUB_STEP_SUMMARY"
    """
    here = context()
    if into is not None and form not in (None, "md"):
        raise Usage("--into replaces a part of a Markdown text", hint="leave --format out")
    if into == text == "-":
        raise Usage("standard input can be read once", hint="give one of them as a file")
    body = _read(into)
    said = body if text is None else _read(text)
    reader, facts = pulled(here, Asked(text=said, **asked))
    page = layout.page(facts, mode)
    _warn(here, reader, facts)
    if form == "json":
        here.output.use_json()
    form = "md" if into is not None else form or ("json" if here.output.json else "text")
    document: Data = {"pr": facts}
    shown = ""
    if form == "md":
        shown = markdown(page, max(limit - length(part.room(body)), 1))
        shown = part.put(body, shown) if into is not None else f"{shown}\n"
    elif form == "html":
        from gittask.views.pr.html import html  # only here: it loads a library

        shown = html(page)
    if here.output.json:
        here.output.result(document | ({"rendered": shown} if shown else {}), ())
    elif form == "text":
        here.output.result({}, plain(page), page=True)
    elif sys.stdout.isatty():  # what the text holds may not control it
        here.output.result({}, meant(shown, "verbatim"))
    else:
        here.output.exactly(shown)


def _read(file: str | None) -> str:
    return "" if file is None else read_text(file)


def _warn(here: Context, reader: Snapshot, facts: Data) -> None:
    for problem in reader.problems:
        here.output.warn(f"unreadable: {problem}")
    for task in facts["tasks"]:
        if task["state"] == "unknown":
            here.output.warn(f"{task['id']} is named, and is no task of this store")


# -- check ------------------------------------------------------------------------------------


@pr_command.command("check")
@_range
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "sarif", "github", "junit"]),
    default="text",
    show_default=True,
    help="How the outcome is written.",
)
def pr_check(form: str, text: str | None, **asked: Any) -> int:
    """Judge a pull request by the checks of its project and store. Exit code 4 if one fails.

    linked: a task says why. handoff: its work was handed off. evidence: what was verified is of
    this head. uncertain: nothing is, or a person waived it. acceptance: all is met. acknowledged:
    another reviewed the last handoff. authority and signatures: the records of the tasks are
    right (see verify). Each is off, warn or fail, as people set it.

    \b
    gittask pr check
    gittask pr check --base origin/main --format github
    gittask store set checks+=acceptance:fail
    gittask project set routing checks+=evidence:warn
    """
    here = context()
    if here.output.json and form != "text":
        raise Usage("--json has a form of its own", hint="leave --format out, or --json")
    reader, facts = pulled(here, Asked(text=_read(text), **asked))
    carried = [task for task in facts["tasks"] if task["state"] == "carried"]
    said = {project: levels(reader, project) for project in _projects(carried)}
    problems = _of_these(here, reader, facts)
    if problems:
        raise Invalid(problems, what="the records cannot be judged")
    wrong = _of_records(here, facts, strictest(said.values()))
    checked = check(here.session.schemas, facts, said, wrong)
    document = {"check": checked.as_json(), "pr": facts}
    forms: dict[str, Callable[[], Iterator[str]]] = {
        "text": lambda: outcome.lines(checked),
        "github": lambda: outcome.github(checked),
        "sarif": lambda: iter([meant(as_json(outcome.sarif(checked, __version__)), "verbatim")]),
        "junit": lambda: iter([meant(outcome.junit(checked), "verbatim")]),
    }
    here.output.result(document, forms[form]())
    return FAILED if checked.failed else 0


def _projects(tasks: list[Data]) -> list[str | None]:
    """The projects of some tasks, each once; None for that of those in none, or of no tasks."""
    return list(dict.fromkeys(task["project"] for task in tasks)) or [None]


def _of_these(here: Context, reader: Snapshot, facts: Data) -> list[Problem]:
    """What could not be read of the tasks that are judged, and of what holds for all."""
    schemas = here.session.schemas
    folders = tuple(
        schemas.path("task", task["id"])[: -len("task.yaml")] for task in facts["tasks"]
    )
    return [
        problem
        for problem in reader.problems
        if problem.file.startswith(folders) or not problem.file.startswith("tasks/")
    ]


def _of_records(here: Context, facts: Data, said: dict[str, Level]) -> dict[str, list[Problem]]:
    """What is wrong with the records of the tasks, since they were first written."""
    wanted = [rule for rule in ("authority", "signatures") if said[rule] != "off"]
    records = facts["records"]
    if not wanted or not records:
        return {}
    if records["from"] is None:
        message = "the history of the records is cut off here, so that nobody can tell"
        problem = Problem("", "", message, "fetch it: git fetch --unshallow origin gittask")
        return {rule: [problem] for rule in wanted}
    report = verify(here.session, f"{records['from']}..{records['to']}", here.at)
    found = {"authority": [finding.problem for finding in report.errors]}
    if "signatures" in wanted:
        signed = signatures(here.session, report.commits, required=True)
        found["signatures"] = [finding.problem for finding in signed]
    return found


# -- waive ------------------------------------------------------------------------------------


@pr_command.command("waive")
@click.argument("task", type=TASK)
@click.option(
    "--uncertain",
    "number",
    type=click.IntRange(min=1),
    required=True,
    help="Which one, as pr render counts them.",
)
@click.option("--reason", metavar="TEXT", required=True, help="Why it is right to go on.")
def pr_waive(task: str, number: int, reason: str) -> None:
    """Decide, as a person, to live with something that is uncertain. Prints the decision's id.

    It is a decision of the task like any other, and another one may supersede it. It holds for
    the same question in later handoffs too.

    \b
    gittask pr waive k3m9 --uncertain 1 --reason "Month's end is watched by hand"
    """
    here = context()

    def decide(reader: Reader, act: Act) -> Change:
        found = names.task(reader, task)
        known = uncertainties(reader, found)
        if number > len(known):
            message = f"task {found.id} has {len(known)} uncertainties, and no number {number}"
            raise NotFound(message, hint=f"see: gittask pr render --task {found.id}")
        one = known[number - 1]
        if one.waiver:
            return Change(one.waiver, (), "decide", one.waiver.data["title"], act.execution)
        return waive(reader, act, one.handoff, one.place, reason)

    outcome = here.act(decide, task=task)
    told(here, outcome, outcome.change.main.data["title"])
