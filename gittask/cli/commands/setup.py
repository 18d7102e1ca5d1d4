"""The command that makes the store."""

from __future__ import annotations

import secrets
import shutil
import sys
from pathlib import Path

import click

import gittask
from gittask.cli.asking import progress, timeout_option
from gittask.cli.command import command
from gittask.cli.context import Context, context
from gittask.core.text import one_line
from gittask.errors import Usage
from gittask.session import Writer
from gittask.setup.initialise import Plan, clone_settings, initialise
from gittask.setup.undo import undo
from gittask.store.repo import Repo
from gittask.store.snapshot import Snapshot


@command("init")
@click.option("--name", metavar="NAME", help="The store's name; else the repository's folder's.")
@click.option("--branch", metavar="NAME", help="The branch that holds the tasks.")
@click.option("--remote", metavar="NAME", help="The remote with which it is exchanged.")
@click.option("--offline", is_flag=True, help="Do not ask the remote whether it has a store.")
@click.option("--strategy", is_flag=True, help="Let git merge this branch as sync would.")
@click.option("--undo", "take_back", is_flag=True, help="Take back what init has set here.")
@timeout_option
def init_command(
    name: str | None,
    branch: str | None,
    remote: str | None,
    offline: bool,
    strategy: bool,
    take_back: bool,
    timeout: float,
) -> None:
    """Make the task store of this repository, or adopt the remote's.

    The tasks are on a branch of their own (gittask); files, index and branches of code are left
    alone. Git learns to merge and to show records: four variables of this repository's
    configuration. Calling it again changes nothing.

    \b
    gittask init
    gittask init --name "Depot" --branch tasks --remote upstream
    gittask init --offline        no remote now; a later sync joins the two
    gittask init --strategy       git merge into the branch does what sync does
    gittask init --undo           leaves a branch that holds tasks
    """
    here = context()
    if take_back:
        _undo(here)
        return
    if strategy and shutil.which("git-merge-gittask") is None:
        raise Usage(
            "git would not find the strategy: git-merge-gittask is not on the PATH",
            hint="put the folder of the program gittask on the PATH, and call again",
        )
    plan = Plan(
        name=_folder_name(here.repo) if name is None else name,
        settings=clone_settings(sys.executable, Path(gittask.__file__).parent),
        branch=branch,
        remote=remote,
        offline=offline,
        timeout=timeout,
        strategy=strategy,
    )

    def who(reader: Snapshot) -> Writer:
        return here.writer(reader, here.actor(reader))

    done = initialise(
        here.session, plan, who, here.at, secrets.token_bytes(16), progress(here.output)
    )
    for text in done.warnings:
        here.output.warn(text)
    store = here.reader.get("store", "")
    document = {
        "init": {
            "how": done.how,
            "branch": done.branch,
            "commit": done.tip,
            "settings": done.settings,
        },
        "store": store.data if store else None,
    }
    said = {
        "made": f"made the task store {plan.name!r} on the branch {done.branch}",
        "adopted": f"adopted the task store of {here.repo.remote} on the branch {done.branch}",
        "already": f"the task store is there already, on the branch {done.branch}",
    }
    here.output.result(document, one_line(said[done.how]))
    for key, value in done.settings.items():
        here.output.message(f"set in this repository's git configuration: {key} = {value}")


def _undo(here: Context) -> None:
    done = undo(here.repo)
    lines = [f"unset or set back: {key}" for key in done.settings]
    lines += [f"removed: the branch {here.repo.branch}"] if done.branch else []
    here.output.result({"undo": vars(done)}, lines or ["nothing was left to take back"])
    for kept in done.kept:
        here.output.message(f"left: {kept}")


def _folder_name(repo: Repo) -> str:
    """The name of the repository's folder, as a store may be called."""
    folder = repo.common_dir.parent if repo.common_dir.name == ".git" else repo.common_dir
    return one_line(folder.resolve().name.removesuffix(".git")).strip()[:500] or "tasks"
