"""Commands that make the store and exchange it with the remote."""

from __future__ import annotations

import secrets
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

import gittask
from gittask.cli import life
from gittask.cli.arrived import arrivals_judged
from gittask.cli.claiming import pace
from gittask.cli.command import command
from gittask.cli.context import Context, context
from gittask.core import names
from gittask.core.record import Data, Record
from gittask.core.text import one_line
from gittask.errors import Usage
from gittask.exchange.sync import TIMEOUT, Synced, sync
from gittask.kinds.kind import readable
from gittask.kinds.task import describe_holder
from gittask.session import Writer
from gittask.setup.initialise import Plan, clone_settings, initialise
from gittask.setup.undo import undo
from gittask.store.beats import heard
from gittask.store.repo import Repo
from gittask.store.snapshot import Snapshot
from gittask.views import conflicts, unread
from gittask.views.graph import all_circles

timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="How long one call to the remote may take.",
)


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

    done = initialise(here.session, plan, who, here.at, secrets.token_bytes(16), _progress(here))
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


def _progress(here: Context) -> Callable[[str], None]:
    """Says what is being waited for, to a person at a terminal."""
    return here.output.message if sys.stderr.isatty() else lambda _: None


@command("sync")
@click.option("--to", metavar="BRANCH", help="Push to this branch of the remote instead.")
@timeout_option
def sync_command(to: str | None, timeout: float) -> None:
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
    here = context()
    claims = _provisional(here)
    remote = here.repo.remote
    with arrivals_judged(here):
        done = sync(
            here.session,
            here.committer,
            pace(),
            progress=_progress(here),
            timeout=timeout,
            to=to,
            also=[heard(remote)] if remote else [],
        )
    settled = _settle(here, done, claims)
    life.listen(here, fetched=done.also, moved=done.moved)
    for text in _findings(here, done):
        here.output.warn(text)
    here.output.result({"sync": {**done.as_json(), "claims": settled}}, _summary(done))


def _provisional(here: Context) -> list[Record]:
    """The executions that hold a task here, of which the remote does not know yet."""
    repo, schemas = here.repo, here.session.schemas
    tip, seen = repo.tip(), repo.tracking()
    if tip is None or repo.remote is None or tip == seen:
        return []
    reader = here.session.reader(tip)
    found = []
    was = repo.tree(seen) if seen else None
    for path, before, _ in repo.diff(was, repo.tree(tip), tolerant=True):
        place = schemas.locate(path)
        if before is None and place and place.kind == "execution" and place.task:
            task = readable(reader, "task", place.task, task=None)
            execution = readable(reader, "execution", place.id, task=place.task)
            if task and execution and task.data["state"]["holder"] == execution.id:
                found.append(execution)
    return found


def _settle(here: Context, done: Synced, claims: Sequence[Record]) -> list[Data]:
    """Say what became of claims that were provisional before the sync."""
    reader = here.session.reader(done.tip)
    settled = []
    for execution in claims:
        task = names.task(reader, execution.data["task"])
        state = task.data["state"]
        stands = state["epoch"] == execution.data["epoch"] and state["holder"] == execution.id
        confirmed = stands and not done.proposed
        settled.append({"task": task.id, "execution": execution.id, "confirmed": confirmed})
        if stands and done.proposed:
            here.output.warn(f"the claim of {task.id} is provisional until that is merged")
        elif stands:
            here.output.message(f"the claim of {task.id} is confirmed")
        else:
            here.output.warn(
                f"the claim of {task.id} is superseded: it is "
                f"{describe_holder(reader, task.id, state)}; what you report is kept as late: "
                f"gittask handoff {task.id} ..."
            )
    return settled


def _summary(done: Synced) -> str:
    if not done.moved:
        return f"up to date with {done.remote}"
    words = [f"{done.pulled} pulled", f"{done.pushed} pushed"]
    counts = {"merged": done.merged, "stamped": done.stamped, "in conflict": len(done.conflicts)}
    words += [f"{count} {what}" for what, count in counts.items() if count]
    if done.proposed:
        return (
            f"pushed to {done.remote}/{done.proposed}: {', '.join(words)}; next: have it merged "
            f"into {done.branch} there (do not squash), then: gittask sync"
        )
    return f"synced with {done.remote}: {', '.join(words)}"


def _findings(here: Context, done: Synced) -> list[str]:
    """What a person should look at after a sync."""
    found = unread.sentences(done.bad, "exchanged, but cannot be read")
    reader = here.session.reader(done.tip)
    found += [
        f"conflict: {conflicts.sentence(reader, one)}; settle it: {conflicts.command(one)}"
        for one in done.conflicts
    ]
    if done.rewritten:
        found.append(
            f"the history of {done.remote}/{done.branch} was rewritten; what was done here since "
            f"was applied to the new one; as it was here before: git log {done.before}"
        )
    aside = {here.session.schemas.path_of(one) for one in done.conflicts}
    found += [
        f"removed, altered, or lost in a merge, and brought back: {path}"
        for path in done.restored
        if path not in aside
    ]
    found += [f"left behind by a rebase here, and in no commit now: {path}" for path in done.left]
    if done.left_at:
        found.append(
            f"how it was before that rebase: git log {done.left_at}; to have it back, where the "
            f"branch is checked out: git merge -s gittask {done.left_at}; gittask sync"
        )
    found += [f"taken out there, so your change was not applied: {path}" for path in done.dropped]
    if done.pulled and done.pushed:  # two edits of different tasks may close a circle
        circles = all_circles(reader, here.at)
        found += [f"tasks wait for each other: {c}; break it: {c.remedy}" for c in circles]
    return found
