"""The command that commits code and records what it is worth, in one call."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from typing import Any

import click

from gittask.cli import beside
from gittask.cli.arrived import arrivals_judged
from gittask.cli.claiming import pace
from gittask.cli.command import SETTINGS, Beside, rest
from gittask.cli.complete import complete_task
from gittask.cli.context import Context, context
from gittask.cli.handing import Handing, handoff_options
from gittask.cli.mine import chosen
from gittask.cli.options import idempotency_key
from gittask.core import names, trailers
from gittask.core.record import Data, Record
from gittask.errors import GittaskError, Refused, Usage
from gittask.exchange.message import EDIT, SETTLE
from gittask.exchange.together import Pushed, push_together, remote_of_both
from gittask.kinds.execution import FINAL
from gittask.session import Outcome
from gittask.store.git import elsewhere, version

_STDERR = 2
"""Standard output is for the result; what git says goes here."""


class NotCommitted(GittaskError):
    """Git made no commit; the exit code is git's own."""

    code = "not_committed"

    def __init__(self, message: str, exit: int) -> None:
        super().__init__(message, hint="nothing was recorded; mend it, and call again")
        self.exit = exit


@click.command("commit", cls=Beside, rest="GIT-ARGUMENT", context_settings=SETTINGS)
@click.argument("task", required=False, metavar="[TASK]", shell_complete=complete_task)
@click.option("-m", "--message", "messages", multiple=True, metavar="TEXT", help="As git's.")
@click.option("-a", "--all", "everything", is_flag=True, help="As git's.")
@click.option(
    "--handoff",
    "file",
    metavar="FILE",
    help="Hand off too, as this YAML or JSON file says; - is standard input.",
)
@click.option("--push", is_flag=True, help="Push the code and the tasks: both, or neither.")
@handoff_options
@idempotency_key()
def commit_command(
    task: str | None,
    messages: tuple[str, ...],
    everything: bool,
    file: str | None,
    push: bool,
    key: str | None,
    **options: Any,
) -> None:
    """Commit code with git, and say by trailers for which task, in which execution.

    It is git commit, with your hooks, editor, signature and index; what stands after -- is
    passed on to it. With --handoff FILE, or with the options of handoff, the handoff is recorded
    too: it is checked first, and names the new commit. Checks (--run) run on that commit. If git
    makes no commit, its exit code is ours, and nothing is recorded.

    \b
    gittask commit k3m9 -am "Leave out closed depots"
    gittask commit k3m9 -am "Leave out depots" --handoff handoff.yaml --push
    gittask commit -- --amend --no-edit

    TASK is that of the current execution unless it is said.
    """
    here = context()
    here.use_key(key)
    execution = chosen(here, task)
    found = names.task(here.reader, execution.data["task"])
    handing = None
    if file is not None or any(value not in (None, ()) for value in options.values()):
        handing = Handing(here, found, file, options)
    if push:
        remote_of_both(here.repo)
    if handing and handing.done:
        _finish(here, found.id, None, handing, push=push)
        return
    _refuse_ended(here, execution, found)
    if handing:
        handing.rehearse()
    words = (["-a"] if everything else []) + (rest(click.get_current_context()) or [])
    commit = _commit(here, execution, messages, words)
    if commit is None and (handing or push):
        raise Refused("git made no commit, so that nothing was recorded or pushed")
    _finish(here, found.id, commit, handing, push=push)


def _refuse_ended(here: Context, execution: Record, task: Record) -> None:
    """An execution that has ended commits nothing; one that lost its task is told so."""
    status = execution.data["state"]["status"]
    if status in FINAL:
        raise Refused(
            f"execution {execution.id} has ended: {status}",
            hint=f"begin a new one: gittask start {task.id}",
        )
    if execution.data["lane"] == "edit" and task.data["state"]["holder"] != execution.id:
        here.output.warn(f"execution {execution.id} no longer holds task {task.id}")


def _commit(
    here: Context, execution: Record, messages: Sequence[str], words: Sequence[str]
) -> str | None:
    """Let git commit; the new commit, or None if git was content without one."""
    if messages and not "".join(messages).strip():
        raise Usage("the message is empty", hint="say what was done: -m TEXT")
    lines = trailers.lines(execution.data["task"], execution.id)
    before = here.repo.head()
    argv = ["git", "-C", str(here.folder), *_told(here, lines, messages), *words]
    env = elsewhere(here.under(execution)) | _editor(here)
    ended = beside.shell_code(beside.run(argv, env, stdout=_STDERR))
    if ended:
        raise NotCommitted(f"git commit ended with exit code {ended}", ended)
    after = here.repo.head()
    return after if after != before else None


def _told(here: Context, lines: Sequence[str], messages: Sequence[str]) -> list[str]:
    """The words of ``git commit`` that give the message and its trailers."""
    given = [word for text in messages for word in ("-m", text)]
    if version() >= (2, 32):
        once = [
            word
            for name in (trailers.TASK, trailers.EXECUTION)
            for pair in (f"key={name}", "ifexists=addIfDifferent", "where=end")
            for word in ("-c", f"trailer.{name}.{pair}")
        ]
        return [*once, "commit", *(w for line in lines for w in ("--trailer", line)), *given]
    if not messages:
        raise Usage(
            "git before 2.32 takes trailers only with a message that is given here",
            hint="say it with -m; or: gittask hook install prepare-commit-msg, and git commit",
        )
    options = [word for line in lines for word in ("--trailer", line)]
    text = "\n\n".join(messages).encode("utf-8", "surrogateescape") + b"\n"
    whole = here.repo.git("interpret-trailers", *options, input=text).stdout
    return ["commit", "-m", whole.decode("utf-8", "surrogateescape")]


def _editor(here: Context) -> dict[str, str]:
    """The user's editor, with a line left for the subject, and with trailers that stand alone
    afterwards taken out: git is to see an empty message."""
    named = here.repo.git("var", "GIT_EDITOR", check=False)
    if named.code != 0:  # there is none that could be used here
        return {}
    editor = os.fsdecode(named.stdout).strip()
    python = f"{shlex.quote(sys.executable)} -P -m gittask.exchange.message"
    before, after = (f'{{ {python} {what} "" "$1" || :; }}' for what in (EDIT, SETTLE))
    return {"GIT_EDITOR": f'f() {{ {before}; {editor} "$@" && {after}; }}; f'}


def _finish(
    here: Context, task: str, commit: str | None, handing: Handing | None, *, push: bool
) -> None:
    """Record and push what was asked for, and say what came of all of it.

    The commit of code stays, whatever fails.
    """
    outcome = pushed = None
    try:
        if handing:
            outcome = handing.record(commit)
        if push:
            pushed = _push(here)
    except GittaskError as error:
        _say_what_stays(here, error, task, commit, outcome)
        raise
    code = {"sha": commit, "branch": here.repo.head_branch(), "task": task} if commit else None
    document: Data = {"code": code}
    if outcome:
        document |= {"handoff": outcome.change.main.data, "commit": outcome.commit}
    if pushed:
        document["pushed"] = pushed.as_json()
    here.output.result(document, [commit] if commit else [])
    if outcome and handing:
        here.output.message(f"{handing.came_to}: {outcome.change.main.id}")
    if pushed:
        here.output.message(f"pushed {pushed.ref} and {here.repo.branch} to {pushed.remote}")


def _say_what_stays(
    here: Context, error: GittaskError, task: str, commit: str | None, outcome: Outcome | None
) -> None:
    """Add to an error what is done already, and how to do the rest."""
    done = f"the code is committed as {commit[:12]}" if commit else "the code was committed before"
    then = f"what is left: gittask handoff {task} ..."
    if outcome:
        done += f", the handoff {outcome.change.main.id} is recorded"
        then = "what is left: gittask sync, then git push --atomic with both branches"
    here.output.message(f"{done}; {then}")
    error.message = f"{done}; but: {error.message}"
    error.hint = f"{error.hint}; {then}" if error.hint else then


def _push(here: Context) -> Pushed:
    with arrivals_judged(here):
        return push_together(here.session, here.committer, pace())
