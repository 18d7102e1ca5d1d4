"""How a task stands, and how the whole store does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from gittask.cli import life
from gittask.cli.command import command
from gittask.cli.complete import complete_task
from gittask.cli.context import Context, context
from gittask.cli.result import provisional, result
from gittask.core import names
from gittask.core.meaning import joined, meant
from gittask.core.record import Data
from gittask.errors import NoIdentity
from gittask.views.concerning import at_work
from gittask.views.status import Overview, line, marked, overview
from gittask.views.words import first_line, short

SOME = 10
"""How many rows each part of the store's status shows to people."""


@command("status")
@click.argument("task", required=False, metavar="[TASK]", shell_complete=complete_task)
@click.option("--lease", metavar="TIME", help="The silence that is borne: 90s, 15m, 2h.")
def status_command(task: str | None, lease: str | None) -> None:
    """Say in one line how a task stands; without TASK, how the store and you stand.

    \b
    gittask status k3m9
    gittask status
    gittask status --as codex-1 --json
    """
    here = context()
    if task is None:
        _overview(here, lease)
        return
    found = names.task(here.reader, task)
    held = provisional(here, found)
    said = line(here.reader, found, here.at, life.heard(here, [found], lease), when=here.when)
    said = marked(said, provisional=held)
    shown = {
        "task": found.id,
        "title": found.data["title"],
        "status": found.data["state"]["status"],
        "provisional": held,
        "line": said,
    }
    result(here, {"status": shown}, said)


def _overview(here: Context, lease: str | None) -> None:
    try:
        actor = here.actor(here.reader).id
    except NoIdentity:
        actor = None
    heard = life.heard(here, at_work(here.reader), lease)
    most = None if here.output.json else SOME
    found = overview(here.reader, actor, here.at, heard, when=here.when, most=most)
    here.output.result({"status": found.as_json()}, _overview_lines(here, found), page=True)


def _overview_lines(here: Context, found: Overview) -> Iterator[str]:

    def title(row: Data) -> str:
        return joined(meant(short(here.reader, row["task"]), "id"), "  ", row["title"])

    def tasks(rows: Sequence[Data]) -> list[str]:
        return [joined(title(row), "\n    ", row["line"]) for row in rows]

    def asked(row: Data) -> str:
        return f"{row.get('message') or row['wait']}  {row['from']}: {first_line(row['body'])}"

    yield f"{found.actor or 'nobody in particular'}, in {here.repo.branch}"
    yield from _part("You hold", tasks(found.holds))
    yield from _part("You are asked", [asked(row) for row in (*found.questions, *found.waits)])
    yield from _part("You have to review", tasks(found.reviews))
    yield from _part("In work", tasks(found.working))
    ready, total = [title(row) for row in found.ready], found.count_ready(here.reader, here.at)
    yield from _part("Ready", ready, "gittask ready --all", total)
    conflicts = [joined(row["text"], "\n    ", row["command"]) for row in found.conflicts]
    yield from _part("Conflicts", conflicts)
    circles = [f"{' -> '.join(row['tasks'])}; perhaps {row['remedy']}" for row in found.circles]
    yield from _part("Circles", circles)
    yield from _part("Unreadable", [str(each) for each in found.problems], "gittask doctor")


def _part(
    title: str, rows: Sequence[str], rest: str = "gittask status --json", total: int = 0
) -> Iterator[str]:
    """One part of an overview, if there is anything in it; ``rows`` may be the first of more."""
    if not rows:
        return
    total = total or len(rows)
    yield ""
    yield meant(f"{title} ({total})", "heading")
    yield from (joined("  ", row) for row in rows[:SOME])
    if total > SOME:
        yield meant(f"  and {total - SOME} more: {rest}", "aside")
