"""The command that exchanges the store with the remote.

Mostly there is nothing to exchange: the remote is asked before the rest of the program is loaded.
"""

from __future__ import annotations

from pathlib import Path

import click

from gittask.cli.asking import progress, timeout_option
from gittask.cli.command import command
from gittask.cli.output import Output
from gittask.cli.syncing import ask, document


@command("sync")
@click.option("--to", metavar="BRANCH", help="Push to this branch of the remote instead.")
@timeout_option
@click.pass_context
def sync_command(ctx: click.Context, to: str | None, timeout: float) -> None:
    """Exchange the tasks with the remote: fetch, merge, push.

    Both sides end at the same commit, or it fails and everything stays here, unpushed. Nothing
    is ever pushed by force. Of two values that were set without seeing each other one stands, the
    same on every machine; the other is kept as a conflict for a person to look at. Git's hooks do
    not run: they are for code.

    Where the remote's branch is protected, --to pushes to another one, for a merge request into
    the first. Nothing is confirmed before that is merged; then sync again.

    \b
    gittask sync
    gittask sync --json --timeout 30
    gittask sync --to tasks-of-ann
    """
    output: Output = ctx.find_object(Output) or Output(json=False)
    folder = Path(ctx.meta.get("gittask.folder", "."))
    asked = None if to else ask(folder, timeout, progress(output))
    done = asked.idle if asked else None
    if done:
        output.result(document(done), done.summary)
        return
    from gittask.cli.exchanging import exchange

    exchange(asked, to, timeout)
