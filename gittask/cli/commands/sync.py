"""The command that exchanges the store with the remote.

Mostly there is nothing to exchange: the remote is asked before the rest of the program is loaded.
"""

from __future__ import annotations

from pathlib import Path

import click

from gittask.cli.asking import progress, timeout_option
from gittask.cli.command import command
from gittask.cli.output import Output
from gittask.errors import GittaskError
from gittask.exchange.asked import Asked
from gittask.exchange.synced import Synced
from gittask.store.repo import Repo


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
    output = ctx.ensure_object(Output)
    asked = None if to else _asked(ctx, output, timeout)
    tip = asked.idle if asked else None
    if asked and tip:
        done = Synced(asked.remote, asked.branch, tip, before=tip)
        output.result({"sync": {**done.as_json(), "claims": []}}, done.summary)
        return
    from gittask.cli.exchanging import exchange

    exchange(asked, to, timeout)


def _asked(ctx: click.Context, output: Output, timeout: float) -> Asked | None:
    """The remote's answer; None if there is nobody to ask, for which there may be a reason."""
    folder = Path(ctx.meta.get("gittask.folder", "."))
    try:
        repo = Repo.discover(folder.resolve()) if folder.is_dir() else None
        if repo is None or repo.remote is None or repo.tip() is None:
            return None
        progress(output)(f"fetching from {repo.remote}")
        return Asked(repo, repo.remote, timeout)
    except GittaskError:
        return None
