"""The command that says to the next actor all that they need to go on."""

from __future__ import annotations

import click

from gittask.cli import life
from gittask.cli.command import command
from gittask.cli.complete import ROLE
from gittask.cli.context import context
from gittask.cli.options import task_argument
from gittask.cli.result import provisional, result
from gittask.core import ids, names
from gittask.core.meaning import meant
from gittask.core.record import Record
from gittask.core.text import one_line
from gittask.errors import Usage
from gittask.kinds import readable
from gittask.store.head import Head
from gittask.views.brief.compose import BUDGET, brief
from gittask.views.brief.item import About


@command("brief")
@task_argument
@click.option("--role", type=ROLE, help="For whom: editor, reviewer, advisor ...")
@click.option(
    "--budget",
    metavar="TOKENS",
    type=click.IntRange(min=1),
    default=BUDGET,
    show_default=True,
    help="How many tokens it may have.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "json"]),
    default="md",
    show_default=True,
    help="Markdown, or what --json prints.",
)
def brief_command(task: str, role: str | None, budget: int, form: str) -> None:
    """Say all that the next actor needs to go on with a task, in a bounded number of tokens.

    Who you are and what you may do, the goal, what is met of it, the last report, what is open,
    the instructions that govern and the exact commands are never dropped; the rest follows by
    worth, and what was left out is named. What others wrote is quoted. The same store gives the
    same text, until an approval or a wait in it lapses.

    \b
    gittask brief k3m9
    gittask brief k3m9 --as codex-1 --budget 4000
    gittask brief k3m9 --role reviewer --format json
    """
    here = context()
    if form == "json":
        here.output.use_json()
    if role is not None and ids.slug(role) != role:
        raise Usage(f"{one_line(role)!r} is no role", hint="say editor, reviewer or advisor")
    reader = here.reader
    found = names.task(reader, task)
    _, act = here.acting(found.id)
    execution = readable(reader, "execution", act.execution, task=found.id)
    about = About(
        reader=reader,
        task=found,
        actor=here.actor(reader),
        execution=execution,
        role=role or _role(found, execution),
        at=here.at,
        code=Head(here.repo),
        heard=life.heard(here, [found]),
        provisional=provisional(here, found),
        remote=here.repo.remote is not None,
    )
    fitted = brief(about, budget)
    # To be handed on as it is, so not broken into the lines of a terminal.
    lines = (meant(line, "verbatim") for line in fitted.lines)
    document = {"brief": fitted.as_json()} if here.output.json else {}
    result(here, document, lines, page=True)


def _role(task: Record, execution: Record | None) -> str:
    """The role of the reader's execution; without one, that in which the task needs somebody."""
    if execution:
        return str(execution.data["role"])
    return "reviewer" if task.data["state"]["status"] == "review" else "editor"
