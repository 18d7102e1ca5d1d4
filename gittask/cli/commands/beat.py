"""The command by which an execution says that it lives."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

import click

from gittask.cli import beside, life
from gittask.cli.command import SETTINGS, Beside, rest
from gittask.cli.complete import complete_task
from gittask.cli.context import Context, context
from gittask.cli.mine import chosen
from gittask.core import duration, names
from gittask.core.record import Record
from gittask.errors import GittaskError, NeedsDecision, Refused, RemoteError, Usage
from gittask.views.liveness import liveness


@click.command("beat", cls=Beside, context_settings=SETTINGS)
@click.argument("task", required=False, metavar="[TASK]", shell_complete=complete_task)
@click.option("--every", metavar="TIME", help="Beat so often beside COMMAND: 30s, 5m; 60s.")
@click.option(
    "--push/--no-push",
    default=None,
    help="Show the beat at the remote; tried if there is one and neither is said.",
)
@click.pass_context
def beat_command(ctx: click.Context, task: str | None, every: str | None, push: bool | None) -> Any:
    """Say that an execution lives: once, or for as long as a command runs.

    A beat is kept here, and at the remote as a reference of its own; the data branch never
    moves. Every report, note or handoff is a sign of life too. With COMMAND its input, output,
    signals and exit code are its own, and beats that fail do not disturb it. While it is
    stopped nothing beats for it.

    \b
    gittask beat
    gittask beat k3m9 --push
    gittask beat --every 60s -- codex exec "Fix the routing"
    """
    here = context()
    argv = rest(ctx)
    execution = chosen(here, task)
    _still_holds(here, execution)
    if argv is None:
        if every is not None:
            raise Usage("--every needs a command to beat beside", hint="gittask beat -- COMMAND")
        return _once(here, execution, push)
    if not argv:
        raise Usage("no command stands after --", hint="gittask beat -- COMMAND")
    if here.output.json:
        raise Usage("--json: standard output is the command's own", hint="leave --json out")
    pause = duration.seconds(every or "60s")
    if pause < 1:
        raise Usage("--every is too short", hint="beat once a second at most: --every 1s")
    pulse = Pulse(here, execution, push, pause)
    ended = beside.run(argv, here.under(execution), began=pulse.began, stopped=pulse.stopped)
    pulse.ended(ended)
    return beside.shell_code(ended)


def _once(here: Context, execution: Record, push: bool | None) -> None:
    id = execution.id
    pushed = False
    beat = here.beats.beat(id, execution.data["task"])
    remote = here.repo.remote if push is not False else None
    if push and remote is None:
        raise NeedsDecision(
            "there is no remote to show the beat at", hint="git remote add origin URL"
        )
    if remote:
        try:
            here.beats.push(id, remote)
            pushed = True
        except RemoteError as error:
            if push:
                raise
            here.output.warn(f"beaten here only: {error.message}")
    if remote and pushed:
        with suppress(RemoteError):  # the next sync removes it
            here.beats.prune(remote, life.over(here.reader))
    shown = {"execution": id, "task": beat.task, "count": beat.count, "pushed": pushed}
    here.output.result({"beat": shown}, id)
    here.output.message(f"beat {beat.count} of {execution.data['actor']} on {beat.task}")


def _still_holds(here: Context, execution: Record) -> None:
    """Tell an execution that is over, as it may not know."""
    task = names.task(here.reader, execution.data["task"])
    found = liveness(execution, task, None, here.at)
    if found.state not in ("ended", "superseded"):
        return
    here.beats.forget(execution.id)
    how = f"has ended: {found.cause}"
    if found.state == "superseded":
        how = f"no longer holds task {task.id}: {found.cause}"
    raise Refused(
        f"execution {execution.id} {how}",
        hint=f"what you did is not lost: gittask handoff {task.id} ... is kept; to work on: "
        f"gittask start {task.id}",
        details={"state": found.state, "epoch": task.data["state"]["epoch"]},
    )


class Pulse:
    """Beats beside a command, in a thread of their own, until it or the execution is over."""

    def __init__(self, here: Context, execution: Record, push: bool | None, every: float) -> None:
        self._here = here
        self._execution = execution.id
        self._task = str(execution.data["task"])
        self._remote = here.repo.remote if push is not False else None
        self._every = every
        self._file = threading.Lock()
        self._wake = threading.Event()
        self._stopped = False
        self._over = False

    def began(self, process: int) -> None:
        """The command runs as this process."""
        self._keep(process)
        threading.Thread(target=self._run, daemon=True).start()

    def stopped(self, is_stopped: bool) -> None:
        """The command was stopped, or goes on."""
        self._stopped = is_stopped
        self._wake.set()

    def ended(self, how: int) -> None:
        """The command has ended. A push that is under way is not waited for."""
        with self._file, suppress(OSError):
            self._over = True
            self._here.beats.end(self._execution, how)
        self._wake.set()

    def _run(self) -> None:
        beside.keep_signals_away()
        while not self._over:
            self.beat()
            self._wake.wait(self._every)
            self._wake.clear()

    def beat(self) -> None:
        """Beat if there is something to beat for; whatever fails is tried again next time."""
        if not self._stopped:
            with suppress(GittaskError, OSError):
                self._show()

    def _show(self) -> None:
        if life.over(self._here.session.reader())(self._execution, self._task):
            self._over = True
            self._here.beats.forget(self._execution)
            return
        self._keep()
        if self._remote:
            self._here.beats.push(self._execution, self._remote)

    def _keep(self, process: int | None = None) -> None:
        with self._file, suppress(OSError):  # a full disk is no reason to disturb
            if not self._over:
                self._here.beats.beat(self._execution, self._task, process=process)
