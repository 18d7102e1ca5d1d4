"""Commands that only read: lists, one record, how things stand, what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import click

from gittask.cli import life
from gittask.cli.command import command
from gittask.cli.context import Context, context
from gittask.cli.options import (
    F,
    complete_task,
    page,
    page_options,
    show_page,
    task_argument,
)
from gittask.cli.table import table, terminal_width
from gittask.core import names
from gittask.core.codec import encode
from gittask.core.moment import point
from gittask.core.record import Data, Record
from gittask.core.text import one_line, shorten
from gittask.errors import NoIdentity
from gittask.kinds.kind import readable
from gittask.kinds.task import CLOSED
from gittask.views import graph
from gittask.views.listing import STATUSES, UNFINISHED, Filter, listed
from gittask.views.show import computed, find, text
from gittask.views.status import LENGTH, Overview, line, overview
from gittask.views.timeline import NAMES, Entry, timeline
from gittask.views.words import block, first_line, short, when
from gittask.views.work import holding_actor

SOME = 10
"""How many rows each part of the store's status shows to people."""


def filters(command: F) -> F:
    """The options that say which tasks are meant by what their own records hold."""
    options: list[Callable[[F], F]] = [
        click.option("--label", "labels", multiple=True, metavar="L", help="Has this; repeat."),
        click.option("--project", metavar="P", help="Of this project."),
        click.option("--responsible", metavar="ACTOR", help="This actor answers for it."),
        click.option("--parent", metavar="TASK", shell_complete=complete_task, help="Part of it."),
        click.option("--type", metavar="TYPE", help="task, bug, feature, chore, epic ..."),
        click.option("--priority", type=click.IntRange(0, 4), metavar="0-4", help="0 is urgent."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@command("list")
@click.option(
    "--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="May be repeated."
)
@click.option("--closed", is_flag=True, help="Also what is done or cancelled.")
@filters
@click.option("--holder", metavar="ACTOR", help="This actor works on it.")
@click.option("--blocked", is_flag=True, help="Needs a task that is not done yet.")
@click.option("--waiting", is_flag=True, help="Waits for a person, an approval, a time ...")
@page_options
def list_command(
    statuses: tuple[str, ...], closed: bool, limit: int, everything: bool, **wanted: Any
) -> None:
    """List tasks that are not closed, the most urgent first.

    \b
    gittask list
    gittask list --status review --responsible alice
    gittask list --label urgent --blocked
    gittask list --closed --all --json
    """
    chosen = statuses or (STATUSES if closed else UNFINISHED)
    _list(context(), limit, everything, statuses=chosen, **wanted)


@command("ready")
@filters
@page_options
def ready_command(limit: int, everything: bool, **wanted: Any) -> None:
    """List the tasks that can be started now.

    They are open, nobody holds them, what they depend on is done or cancelled, and they wait
    for nothing. Tasks that wait for each other in a circle are named in a warning.

    \b
    gittask ready
    gittask ready --label urgent --limit 1
    """
    _list(context(), limit, everything, ready=True, **wanted)


def _list(here: Context, limit: int, everything: bool, **wanted: Any) -> None:
    """Show the tasks that fit."""
    reader = here.reader
    for name, kind in _NAMED.items():
        if wanted.get(name) is not None:
            wanted[name] = names.named(reader, kind, wanted[name]).id
    if wanted["parent"] is not None:
        wanted["parent"] = names.task_id(reader, wanted["parent"])
    found = listed(reader, Filter(**wanted), here.at)
    rows: Sequence[Record] = page(found, limit, everything)
    lines = [] if here.output.json else table([_row(here, one) for one in rows], terminal_width())
    if wanted.get("ready"):
        _warn(here, rows)
    show_page(here, "tasks", [task.data for task in rows], len(found), lines)


def _warn(here: Context, ready: Sequence[Record]) -> None:
    """Name what is ready only because something is gone, and what can never become ready."""
    for task in ready:
        for needed in graph.dependencies(here.reader, task):
            if needed.status == graph.MISSING:
                here.output.warn(f"{task.id} needs {needed.id}, which does not exist")
    for circle in graph.all_circles(here.reader, here.at):
        here.output.warn(f"these wait for each other: {circle}; perhaps {circle.remedy}")


_NAMED = {"project": "project", "responsible": "actor", "holder": "actor"}
"""The filters that name another record, and its kind."""


def _row(here: Context, task: Record) -> list[str]:
    data = task.data
    actor = holding_actor(here.reader, task)
    return [
        short(here.reader.ids("task"), task.id),
        data["state"]["status"],
        f"P{data.get('priority', 2)}",
        actor or f"({data['responsible']})",
        f"due {data['due']}" if data.get("due") else "",
        data["title"],
    ]


@command("show")
@click.argument("record", metavar="TASK|RECORD", shell_complete=complete_task)
def show_command(record: str) -> None:
    """Show a task, or any other record.

    A record is named by its id or the beginning of it, the random end of it, or the path of its
    file on the data branch. With --json the record stands under its kind as it is stored; what
    follows from other records stands beside a task under "computed".

    \b
    gittask show k3m9
    gittask show 20261130t100411z-k3m9q2
    gittask show alice
    """
    here = context()
    found = find(here.reader, here.session.schemas, record)
    if found.kind == "task":
        beside = computed(here.reader, found, here.at, life.heard(here, [found]))
        beside["provisional"] = _provisional(here, found)
        beside["status"] = _marked(beside["status"], provisional=beside["provisional"])
        _result(here, {"task": found.data, "computed": beside}, text(found, beside))
    else:
        _result(here, {found.kind: found.data}, _stored(here, found))


def _stored(here: Context, record: Record) -> list[str]:
    """Any record for people: as it is written, which says everything."""
    of = f" of task {record.task}" if record.task else ""
    written = encode(record.data, here.session.schemas.order(record.kind)).decode()
    return [f"{record.kind} {record.id}{of}", "", *written.splitlines()]


def _result(here: Context, document: Data, lines: Iterable[str]) -> None:
    """A result, and whatever could not be read on the way to it."""
    problems = here.reader.problems
    if problems:
        document["problems"] = [problem.as_json() for problem in problems]
    here.output.result(document, lines)
    for problem in problems:
        here.output.message(f"warning: unreadable: {problem}")


# -- how things stand -------------------------------------------------------------------------


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
    provisional = _provisional(here, found)
    said = line(here.reader, found, here.at, life.heard(here, [found], lease))
    said = _marked(said, provisional=provisional)
    shown = {
        "task": found.id,
        "title": found.data["title"],
        "status": found.data["state"]["status"],
        "provisional": provisional,
        "line": said,
    }
    _result(here, {"status": shown}, said)


def _provisional(here: Context, task: Record) -> bool:
    """Whether the remote does not know yet of the claim by which the task is held."""
    holder = readable(here.reader, "execution", task.data["state"]["holder"], task=task.id)
    return holder is not None and here.session.unconfirmed(holder)


def _marked(said: str, *, provisional: bool) -> str:
    return shorten(f"provisional: {said}", LENGTH) if provisional else said


def _overview(here: Context, lease: str | None) -> None:
    try:
        actor = here.actor(here.reader).id
    except NoIdentity:
        actor = None
    unfinished = (
        task for task in here.reader.all("task") if task.data["state"]["status"] not in CLOSED
    )
    found = overview(here.reader, actor, here.at, life.heard(here, unfinished, lease))
    here.output.result({"status": found.as_json()}, _overview_lines(here, found))


def _overview_lines(here: Context, found: Overview) -> Iterator[str]:
    known = here.reader.ids("task")

    def title(row: Data) -> str:
        return f"{short(known, row['task'])}  {row['title']}"

    def tasks(rows: Sequence[Data]) -> list[str]:
        return [f"{title(row)}\n    {row['line']}" for row in rows]

    def asked(row: Data) -> str:
        return f"{row.get('message') or row['wait']}  {row['from']}: {first_line(row['body'])}"

    yield f"{found.actor or 'nobody in particular'}, in {here.repo.branch}"
    yield from _part("You hold", tasks(found.holds))
    yield from _part("You are asked", [asked(row) for row in (*found.questions, *found.waits)])
    yield from _part("You have to review", tasks(found.reviews))
    yield from _part("In work", tasks(found.working))
    yield from _part("Ready", [title(row) for row in found.ready], "gittask ready --all")
    conflicts = [f"{row['conflict']} {row['field']} of {row['record']}" for row in found.conflicts]
    yield from _part("Conflicts", conflicts)
    circles = [f"{' -> '.join(row['tasks'])}; perhaps {row['remedy']}" for row in found.circles]
    yield from _part("Circles", circles)
    yield from _part("Unreadable", [str(problem) for problem in here.reader.problems])


def _part(title: str, rows: Sequence[str], rest: str = "gittask status --json") -> Iterator[str]:
    """One part of an overview, if there is anything in it."""
    if not rows:
        return
    yield f"\n{title} ({len(rows)})"
    yield from (f"  {row}" for row in rows[:SOME])
    if len(rows) > SOME:
        yield f"  and {len(rows) - SOME} more: {rest}"


# -- what happened ----------------------------------------------------------------------------


@command("timeline")
@task_argument
@click.option(
    "--kind",
    "kinds",
    metavar="KIND",
    multiple=True,
    type=click.Choice(sorted(NAMES)),
    help=f"May be repeated: {', '.join(sorted(NAMES))}.",
)
@click.option("--since", metavar="TIME", help="From this day or time (UTC) on: 2026-11-30.")
@click.option("--reverse", is_flag=True, help="The newest first.")
@page_options
def timeline_command(
    task: str,
    kinds: tuple[str, ...],
    since: str | None,
    reverse: bool,
    limit: int,
    everything: bool,
) -> None:
    """Show everything that happened to a task, the newest entries last.

    If not all fit, it is the newest that are shown.

    \b
    gittask timeline k3m9
    gittask timeline k3m9 --kind handoff --kind question
    gittask timeline k3m9 --since 2026-11-30T10:00 --reverse --limit 5
    """
    here = context()
    first = point(since) if since is not None else ""
    found = [
        entry
        for entry in timeline(here.reader, names.task(here.reader, task))
        if entry.at >= first and (not kinds or {entry.kind, entry.record} & set(kinds))
    ]
    rows = page(found[::-1], limit, everything)
    rows = rows if reverse else rows[::-1]
    lines = (text for entry in rows for text in _entry(entry))
    show_page(here, "entries", [entry.as_json() for entry in rows], len(found), lines)


_SHORT_IDS = ("note", "decision", "message", "handoff")
"""The kinds of record that commands take by the random end of their id."""


def _entry(entry: Entry) -> Iterator[str]:
    first, *rest = entry.text.splitlines() or [""]
    late = " (late)" if entry.late else ""
    id = f" {entry.id.partition('-')[2]}" if entry.record in _SHORT_IDS else ""
    yield one_line(f"{when(entry.at)}  {entry.by}  {entry.kind}{id}{late}  {first}")
    yield from block("\n".join([*rest, *entry.more]), "    ")
