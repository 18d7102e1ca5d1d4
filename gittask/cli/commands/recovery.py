"""Commands by which work goes on after an execution was lost, failed or was interrupted."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

import click

from gittask.actions import recovery as actions
from gittask.cli import beside, life
from gittask.cli.claiming import claim_here, remote_options
from gittask.cli.command import command
from gittask.cli.commands.work import working
from gittask.cli.complete import complete_task
from gittask.cli.context import Context, context
from gittask.cli.options import F
from gittask.core.meaning import meant, over
from gittask.core.record import Data, Record
from gittask.core.text import one_line
from gittask.errors import Invalid, NoIdentity, NotFound, Problem, Refused, Usage
from gittask.kinds.execution import last_runtime, own
from gittask.kinds.task import claimable
from gittask.views.liveness import WORKING, Liveness
from gittask.views.recovery import advise
from gittask.views.words import first_line, timed
from gittask.views.work import last_report

POLLUTED = "its context is polluted"

execution_argument = click.argument("what", metavar="EXECUTION|TASK", shell_complete=complete_task)


def runtime_options(command: F) -> F:
    """What is known of the process or session that begins."""
    options: list[Callable[[F], F]] = [
        click.option("--provider", metavar="P", help="Else the preferred one, or as before."),
        click.option("--model", metavar="M", help="The model."),
        click.option("--session", metavar="ID", help="The provider's session."),
        click.option("--resume", metavar="COMMAND", help="The command that resumes it."),
        click.option("--pid", type=click.IntRange(min=1), help="The process that works."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _runtime(here: Context, given: Data) -> Data:
    known = {name: value for name, value in given.items() if value is not None}
    return {**known, "host": here.machine.host}


@command("recover")
@execution_argument
@click.option("--same", "how", flag_value="same", help="Go on in it: a new process, same claim.")
@click.option("--new", "how", flag_value="new", help="Take over: a new execution, the next epoch.")
@click.option("--polluted", is_flag=True, help="What it knows is not to be trusted any more.")
@click.option("--reason", metavar="TEXT", help="Why, if it is not what was found.")
@click.option("--lease", metavar="TIME", help="The silence that is borne: 90s, 15m, 2h.")
@runtime_options
@remote_options
def recover_command(
    what: str,
    how: str | None,
    polluted: bool,
    reason: str | None,
    lease: str | None,
    offline: bool,
    no_push: bool,
    **runtime: Any,
) -> None:
    """Say what became of an execution and how to go on, or go on.

    A process that died: the same execution, with a new process. A silence longer than the
    lease, or a polluted context: a new execution, which takes over with the cause as reason.
    Without --same or --new nothing is changed.

    \b
    gittask recover k3m9
    gittask recover k3m9 --same --session abc123 --resume "codex resume abc123"
    gittask recover k3m9 --new
    gittask recover k3m9 --new --polluted
    """
    here = context()
    if not offline:
        life.listen(here)
    execution, task = life.named(here.reader, what)
    found = life.look(here, execution, task, lease)
    if how is None:
        _propose(here, execution, task, found, polluted)
        return
    known = _runtime(here, runtime)
    cause = reason or (POLLUTED if polluted else found.cause)
    if how == "same":
        _not_running(here, execution)
        cause = cause or "replaced"
        done = here.act(
            lambda reader, act: actions.go_on(reader, act, execution, cause, known), task=task.id
        )
    else:
        if found.state in WORKING and not (polluted or reason):
            raise Refused(
                f"execution {execution.id} is {found.state}, as far as is known",
                hint="say why it cannot go on: --polluted, or --reason TEXT",
            )
        done = claim_here(
            here,
            lambda reader, act: actions.renew(reader, act, execution, cause or found.state, known),
            offline=offline,
            no_push=no_push,
        )
    working(here, done)


def _propose(
    here: Context, execution: Record, task: Record, found: Liveness, polluted: bool
) -> None:
    advice = advise(
        execution,
        task,
        found,
        polluted=polluted,
        claimable=claimable(here.reader, task),
        own=_may_act_in(here, execution),
    )
    said = last_report(here.reader, execution)
    document = {
        "execution": execution.id,
        "task": task.id,
        "actor": execution.data["actor"],
        **found.as_json(),
        "last_report": said,
        **advice.as_json(),
    }
    since = f" {timed('since', here.when(found.since))}" if found.since else ""
    cause = f" ({found.cause})" if found.cause else ""
    stands = f"{execution.data['actor']} {found.state}{since}{cause}"
    lines = [
        meant(stands, "active" if found.state in WORKING else "warning"),
        f"last report: {first_line(said) if said else 'none'}",
        f"proposed: {_PROPOSALS[advice.proposal]}: {advice.why}",
        meant(advice.command, "verbatim"),
    ]
    here.output.result({"recovery": document}, (over(one_line, line) for line in lines))


def _may_act_in(here: Context, execution: Record) -> bool:
    """Whether whoever calls may act in an execution; not known of nobody in particular."""
    try:
        actor = here.actor(here.reader)
    except NoIdentity:
        return True
    return bool(actor.data["kind"] == "person" or actor.id == execution.data["actor"])


_PROPOSALS = {
    "same": "go on in the same execution",
    "new": "a new execution",
    "retry": "try again",
    "none": "nothing",
}


def _not_running(here: Context, execution: Record) -> None:
    """Two processes in one execution would both hold its claim."""
    pid = here.beats.running(execution.id)
    if pid is not None:
        raise Refused(
            f"process {pid} of execution {execution.id} still runs on this machine",
            hint=f"end it first (kill {pid}), or: gittask recover {execution.id} --new --polluted",
            details={"pid": pid},
        )


@command("retry")
@execution_argument
@click.option("--ack", metavar="TEXT", help="What you understood of another's last handoff.")
@click.option("--no-ack", metavar="REASON", help="Why you do not say what you understood.")
@runtime_options
@remote_options
def retry_command(
    what: str,
    ack: str | None,
    no_ack: str | None,
    offline: bool,
    no_push: bool,
    **runtime: Any,
) -> None:
    """Try again what an execution tried: same task, workspace and objective.

    \b
    gittask retry k3m9
    gittask retry 20261130t100411z-k3m9q2 --session abc124
    """
    here = context()
    execution, _ = life.named(here.reader, what)
    known = _runtime(here, runtime)
    done = claim_here(
        here,
        lambda reader, act: actions.retry(reader, act, execution, known, ack=ack, no_ack=no_ack),
        offline=offline,
        no_push=no_push,
    )
    working(here, done)


@command("resume")
@execution_argument
@click.option("--exec", "execute", is_flag=True, help="Run it, without a shell.")
def resume_command(what: str, execute: bool) -> Any:
    """Print the command by which the provider resumes the session of an execution.

    It is text from a record, which whoever may write to the store has written: look at it first.
    With --exec its words are run as they stand, without a shell; its streams, signals and exit
    code are its own.

    \b
    gittask resume k3m9
    gittask resume k3m9 --exec
    """
    here = context()
    execution, task = life.named(here.reader, what)
    runtime = last_runtime(execution.data)
    text = runtime["resume"] if runtime else None
    if runtime is None or not text:
        raise NotFound(
            f"execution {execution.id} has no command that resumes its session",
            hint=f'say it: gittask recover {execution.id} --same --resume "COMMAND"',
        )
    argv = _words(execution, text)
    elsewhere = runtime["host"] not in (None, here.machine.host)
    if elsewhere:
        here.output.warn(f"the session was on {runtime['host']}, and this is {here.machine.host}")
    if not execute:
        shown = {"execution": execution.id, "task": task.id, "command": text, "argv": argv}
        here.output.result({"resume": {**shown, "host": runtime["host"]}}, meant(text, "verbatim"))
        return None
    if here.output.json:
        raise Usage("--json: standard output is the command's own", hint="leave --json out")
    _, act = here.acting(task.id)
    own(execution, act.actor, act.person)
    here.output.message(f"running: {shlex.join(argv)}")
    return beside.shell_code(beside.run(argv, here.under(execution)))


def _words(execution: Record, text: str) -> list[str]:
    """The words of a command from a record. Refused if it could look like another than it is."""
    try:
        argv = shlex.split(text)
    except ValueError as error:
        raise Invalid([Problem("", "runtimes.resume", f"is no command: {error}")]) from None
    if one_line(text) != text or not argv:
        raise Refused(
            f"the command of execution {execution.id} holds characters that do not show",
            hint=f"look at it: gittask show {execution.id} --json",
        )
    return argv
