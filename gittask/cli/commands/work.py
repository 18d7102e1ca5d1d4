"""Commands of those who work on a task: claim, report, hand off, let go."""

from __future__ import annotations

from typing import Any

import click

from gittask.actions import work as actions
from gittask.cli.claiming import claim_here, remote_options
from gittask.cli.command import command
from gittask.cli.complete import ROLE
from gittask.cli.context import Context, context
from gittask.cli.handing import Handing, handoff_options
from gittask.cli.options import idempotency_key, task_argument, text_file
from gittask.cli.result import told
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader
from gittask.session import Outcome
from gittask.store import code
from gittask.views import graph
from gittask.views.words import first_line


@command("start")
@task_argument
@click.option("--objective", metavar="TEXT", help="What this attempt is to reach.")
@click.option("--role", type=ROLE, help="editor, reviewer, advisor ...")
@click.option("--lane", type=click.Choice(["edit", "review"]), default="edit", show_default=True)
@click.option("--provider", metavar="P", help="The provider of the agent: claude-code, codex ...")
@click.option("--model", metavar="M", help="The model.")
@click.option("--session", metavar="ID", help="The provider's session.")
@click.option("--resume", metavar="COMMAND", help="The command that resumes that session.")
@click.option("--pid", type=click.IntRange(min=1), help="The process that works.")
@click.option("--why", metavar="TEXT", help="Why the work exists, if the task does not say yet.")
@click.option("--ack", metavar="TEXT", help="What you understood of another's last handoff.")
@click.option("--no-ack", metavar="REASON", help="Why you go on without saying that.")
@remote_options
def start_command(
    task: str,
    objective: str | None,
    role: str | None,
    lane: str,
    provider: str | None,
    why: str | None,
    ack: str | None,
    no_ack: str | None,
    offline: bool,
    no_push: bool,
    **runtime: object,
) -> None:
    """Claim a task and begin to work on it. Prints the execution's id.

    One execution at a time holds a task in the edit lane. The review lane stands beside it: it
    may read and add records, and changes nothing. Whoever goes on where another handed off says
    first what they understood (--ack), or why not (--no-ack).

    \b
    gittask start k3m9
    gittask start k3m9 --ack "The old index is still to be dropped"
    gittask start k3m9 --objective "Find the cause" --provider codex
    gittask start k3m9 --lane review --role reviewer
    """
    here = context()
    known: Data = {name: value for name, value in runtime.items() if value is not None}
    known["host"] = here.machine.host
    workspace = code.position(here.repo)

    def decide(reader: Reader, act: Act) -> Change:
        return actions.start(
            reader,
            act,
            task,
            objective=objective,
            role=role,
            lane=lane,
            provider=provider,
            why=why,
            ack=ack,
            no_ack=no_ack,
            workspace=workspace,
            runtime=known,
        )

    if lane == "review":  # stands beside the holder, so that nobody need be asked
        working(here, here.act(decide))
    else:
        working(here, claim_here(here, decide, offline=offline, no_push=no_push))


def working(here: Context, outcome: Outcome) -> None:
    """Remember the caller's execution as this work tree's current one, and say what follows."""
    execution = outcome.change.main.data
    mine = execution["actor"] == here.actor(here.reader).id
    if mine:
        here.remember(execution)
    if execution["lane"] == "edit":
        _warn_of_what_is_in_the_way(here, execution["task"])
    held = "holds" if execution["lane"] == "edit" else "looks at"
    task, epoch = execution["task"], execution["epoch"]
    told(here, outcome, f"{execution['actor']} {held} {task} (epoch {epoch})")
    here.output.message(
        f"say how it goes: gittask report {task} TEXT; at the end: gittask handoff {task} ...\n"
        f"from another terminal: export GITTASK_ACTOR={execution['actor']} "
        f"GITTASK_EXECUTION={execution['id']}"
    )
    if mine and here.named_for_once:
        here.output.message(
            f"from now on this work tree acts as {execution['actor']}; as another: --as NAME"
        )
    if execution["lane"] == "review" and here.repo.remote:
        here.output.message(f"the remote {here.repo.remote} has it after: gittask sync")


def _warn_of_what_is_in_the_way(here: Context, task: str) -> None:
    """Name what a task that was just claimed still needs, or waits for."""
    reader = here.session.reader()
    for needed in graph.blocked_by(reader, names.task(reader, task)):
        here.output.warn(f"{task} needs {needed.id}, which is {needed.status}")
    for wait in graph.waiting_for(reader, task, here.at):
        of = f" {wait.data['responder']}" if wait.data.get("responder") else ""
        condition = first_line(wait.data["condition"])
        here.output.warn(f"{task} waits for {wait.data['on']}{of}: {condition} ({wait.id})")


@command("takeover")
@task_argument
@click.option("--reason", required=True, metavar="TEXT", help="Why the holder cannot go on.")
@click.option("--objective", metavar="TEXT", help="What this attempt is to reach.")
@click.option("--provider", metavar="P", help="The provider of the agent.")
@remote_options
def takeover_command(
    task: str,
    reason: str,
    objective: str | None,
    provider: str | None,
    offline: bool,
    no_push: bool,
) -> None:
    """Claim a task although another holds it. The other's writes are refused from then on.

    What the other still reports is kept, marked as late.

    \b
    gittask takeover k3m9 --reason "codex-1 has been silent since yesterday"
    """
    here = context()
    workspace = code.position(here.repo)
    outcome = claim_here(
        here,
        lambda reader, act: actions.start(
            reader,
            act,
            task,
            objective=objective,
            provider=provider,
            workspace=workspace,
            runtime={"host": here.machine.host},
            takeover=reason,
        ),
        offline=offline,
        no_push=no_push,
    )
    working(here, outcome)


@command("report")
@task_argument
@click.argument("text", required=False)
@text_file()
@idempotency_key()
def report_command(task: str, text: str | None, file: str | None, key: str | None) -> None:
    """Say in passing how the work goes.

    \b
    gittask report k3m9 "Reproduced it with two workers"
    """
    here = context()
    here.use_key(key)
    body = here.text(text, file, "text")
    outcome = here.act(lambda reader, act: actions.report(reader, act, task, body), task=task)
    told(here, outcome, f"reported on {outcome.change.main.data['task']}")


@command("handoff")
@task_argument
@handoff_options
@text_file("Read the handoff from a YAML or JSON file; - is standard input. Options come on top.")
@idempotency_key()
def handoff_command(task: str, file: str | None, key: str | None, **options: Any) -> None:
    """Report an execution: what changed, what holds, what is uncertain, what comes next.

    Every part must be said; "none" is an answer, silence is not. Commits, changed files, branch
    and uncommitted changes since the start are filled in. A handoff is never edited. A check that
    --run names runs at the top of the work tree, wherever you are in it, until it ends itself:
    what it leaves running is not waited for.

    \b
    gittask handoff k3m9 --condition green \\
        --summary "Routing follows the new table" --run "pytest -q" \\
        --not-verified "Load :: no test data" --uncertain none \\
        --next "Review the migration" --next-by alice
    gittask handoff k3m9 -F handoff.yaml
    gittask handoff k3m9 -F - < handoff.json

    After progress the work goes on; review_request and deliverable put the task into review;
    final ends the execution; retry_context ends it as failed and opens the task for another.
    While a question to you is open, a handoff that says that the work is done is refused: answer
    first, or say why not (--anyway), which the handoff keeps.
    """
    here = context()
    here.use_key(key)
    found = names.task(here.reader, task)
    handing = Handing(here, found, file, options)
    outcome = handing.record()
    told(here, outcome, f"{handing.came_to}: {outcome.change.main.data['summary']}")


@command("release")
@task_argument
@click.option("--reason", metavar="TEXT", help="Why it is given up.")
def release_command(task: str, reason: str | None) -> None:
    """Give a claim up: the task is open for the next one.

    Of an execution that does not hold the task, only that ends (--execution names it).

    \b
    gittask release k3m9 --reason "Needs access that I do not have"
    """
    here = context()
    outcome = here.act(lambda reader, act: actions.release(reader, act, task, reason), task=task)
    change = outcome.change
    told(
        here,
        outcome,
        f"released {change.main.id}"
        if change.main in change.records
        else f"ended execution {change.execution}, which does not hold {change.main.id}",
    )
