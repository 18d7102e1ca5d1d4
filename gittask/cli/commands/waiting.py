"""The command by which a task waits, and stops waiting."""

from __future__ import annotations

from typing import Any

import click

from gittask.actions import waits as actions
from gittask.cli.command import command
from gittask.cli.complete import ACTOR
from gittask.cli.context import Context, context
from gittask.cli.options import task_argument
from gittask.cli.result import told
from gittask.core.change import Act, Change
from gittask.core.record import Reader
from gittask.errors import Usage

ON = ["person", "approval", "task", "time", "event"]


@command("wait")
@task_argument
@click.argument("subject", required=False, metavar="[SUBJECT]")
@click.option("--on", type=click.Choice(ON), help="What sort of thing is waited for.")
@click.option("--for", "condition", metavar="TEXT", help="What must come about.")
@click.option("--responder", type=ACTOR, help="Who can end it; not for a task or a time.")
@click.option("--until", metavar="TIME", help="The time that is waited for: 2026-11-30T10:00, 2h.")
@click.option("--expires", metavar="TIME", help="When waiting is given up: a time, or 2h, 3d.")
@click.option("--otherwise", metavar="TEXT", help="What happens then.")
@click.option("--met", metavar="WAIT", help="End this wait: it has come about.")
@click.option("--cancel", metavar="WAIT", help="End this wait: it matters no more.")
@click.option("--reason", metavar="TEXT", help="Why it ends.")
def wait_command(
    task: str,
    on: str | None,
    met: str | None,
    cancel: str | None,
    reason: str | None,
    **said: Any,
) -> None:
    """Make a task wait, or end a wait. Prints the wait's id.

    SUBJECT is the task, the approval or the question that is waited for. A task that waits is
    not ready. What can be computed ends by itself: a question that is answered, an approval that
    is given or denied, a task that is closed, a time that has come; an event, or a person who
    was not asked by a question, is ended by --met.

    \b
    gittask wait k3m9 --on event --for "The vendor's fix is out" \\
        --responder alice --expires 3d --otherwise "Use the old version"
    gittask wait k3m9 r7q2 --on task
    gittask wait k3m9 --on time --until 2026-12-01T06:00
    gittask wait k3m9 --met 20261130t100411z-k3m9q2 --reason "Released as 2.1"
    """
    here = context()
    ended = {status: wait for status, wait in (("met", met), ("cancelled", cancel)) if wait}
    if len(ended) + (on is not None) != 1:
        raise Usage("say one of --on, --met and --cancel", hint="see: gittask wait --help")
    if on is not None:
        _begin(here, task, on, reason, said)
    else:
        _end(here, task, *ended.popitem(), reason, said)


def _begin(here: Context, task: str, on: str, reason: str | None, said: dict[str, Any]) -> None:
    if reason is not None:
        raise Usage("--reason is for ending a wait", hint="say what is waited for: --for TEXT")

    def decide(reader: Reader, act: Act) -> Change:
        return actions.wait(reader, act, task, on, **said)

    done = here.act(decide, task=task)
    main = done.change.main.data
    told(here, done, f"{main['task']} waits for {on}: {main['condition']}")


def _end(
    here: Context, task: str, status: str, wait: str, reason: str | None, said: dict[str, Any]
) -> None:
    if reason is None or any(said.values()):
        raise Usage("ending a wait needs --reason, and nothing else", hint="gittask wait --help")

    def decide(reader: Reader, act: Act) -> Change:
        return actions.end(reader, act, task, wait, status, reason)

    told(here, here.act(decide, task=task), f"{wait} is {status}")
