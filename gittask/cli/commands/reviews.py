"""The command by which a receiver says what they make of a handoff."""

from __future__ import annotations

import click

from gittask.actions import reviews as actions
from gittask.cli.command import command
from gittask.cli.complete import HANDOFF
from gittask.cli.context import context
from gittask.cli.options import text_file
from gittask.cli.result import told
from gittask.core.change import Act, Change
from gittask.core.record import Reader

VERDICTS = ["acknowledged", "approved", "changes_requested"]


@command("review")
@click.argument("handoff", type=HANDOFF)
@click.option("--verdict", type=click.Choice(VERDICTS), required=True, help="What follows.")
@click.option("--synthesis", metavar="TEXT", help="What you understood, in your own words.")
@text_file("Read the synthesis from a file; - is standard input.")
@click.option(
    "--finding", "findings", multiple=True, metavar="TEXT", help="What is wrong; may be repeated."
)
@click.option(
    "--question", "questions", multiple=True, metavar="TEXT", help="What is open; may be repeated."
)
def review_command(
    handoff: str,
    verdict: str,
    synthesis: str | None,
    file: str | None,
    findings: tuple[str, ...],
    questions: tuple[str, ...],
) -> None:
    """Review a handoff, or a task's last one; acknowledge a late note by its id. Prints an id.

    acknowledged says what was understood, and changes nothing. changes_requested puts the task
    back to work: to its holder or, if that has ended, to whoever starts next. approved leaves
    the task in review until somebody closes it. Nobody approves a handoff of their own.

    \b
    gittask review k3m9 --verdict changes_requested \\
        --synthesis "Reads the new table" --finding "It still writes the old"
    gittask review k3m9q2 --verdict approved --synthesis "Right, and tested"
    """
    here = context()
    if file is not None or synthesis is not None:
        synthesis = here.text(synthesis, file, "synthesis")
    about = actions.subject(here.reader, handoff)

    def decide(reader: Reader, act: Act) -> Change:
        return actions.review(reader, act, about, verdict, synthesis, findings, questions)

    done = here.act(decide, task=about.data["task"])
    told(here, done, f"{verdict.replace('_', ' ')}: {about.kind} {about.id}")
