"""One record in full."""

from __future__ import annotations

import click

from gittask.cli import life
from gittask.cli.command import command
from gittask.cli.complete import complete_task
from gittask.cli.context import Context, context
from gittask.cli.result import provisional, result
from gittask.core.codec import encode
from gittask.core.meaning import meant
from gittask.core.record import Record
from gittask.errors import NoIdentity, Usage
from gittask.kinds import readable
from gittask.views import effective
from gittask.views.show import execution as of_execution
from gittask.views.show import record as of_record
from gittask.views.show import task as of_task
from gittask.views.show.lookup import find
from gittask.views.status import marked


@command("show")
@click.argument("record", metavar="TASK|RECORD", shell_complete=complete_task)
@click.option(
    "--effective",
    "preferences",
    is_flag=True,
    help="Of a task: provider, instructions, approval policy, and where each comes from.",
)
@click.option("--raw", is_flag=True, help="Print the stored YAML, and nothing else.")
def show_command(record: str, preferences: bool, raw: bool) -> None:
    """Show a task, or any other record: of a message its thread, of an execution how it went.

    A record is named by its id or the beginning of it, the random end of it, or the path of its
    file on the data branch. With --json the record stands under its kind as it is stored; what
    follows from other records stands beside it under "computed".

    \b
    gittask show k3m9
    gittask show 20261130t100411z-k3m9q2
    gittask show alice
    gittask show k3m9 --raw
    gittask show k3m9 --effective --as codex-1
    """
    here = context()
    found = find(here.reader, here.session.schemas, record)
    if preferences:
        _effective(here, found)
    elif raw:
        written = encode(found.data, here.session.schemas.order(found.kind)).decode()
        lines = (meant(line, "verbatim") for line in written.splitlines())
        result(here, {found.kind: found.data}, lines, page=True)
    elif found.kind == "task":
        _task(here, found)
    else:
        _record(here, found)


def _task(here: Context, task: Record) -> None:
    beside = of_task.computed(here.reader, task, here.at, life.heard(here, [task]), when=here.when)
    beside["provisional"] = provisional(here, task)
    beside["status"] = marked(beside["status"], provisional=beside["provisional"])
    lines = of_task.text(task, beside, when=here.when)
    result(here, {"task": task.data, "computed": beside}, lines, page=True)


def _record(here: Context, record: Record) -> None:
    names = list(here.session.schemas.fields(record.kind))
    task = readable(here.reader, "task", record.task, task=None)
    if record.kind == "execution" and task:
        heard = life.heard(here, [task])
        beside = of_execution.computed(here.reader, record, task, here.at, heard)
        beside["provisional"] = here.session.unconfirmed(record)
        lines = of_execution.text(record, beside, names, when=here.when)
    else:
        beside = of_record.computed(here.reader, record, here.at)
        lines = of_record.text(record, names, beside, when=here.when)
    document = {record.kind: record.data} | ({"computed": beside} if beside else {})
    result(here, document, lines, page=True)


def _effective(here: Context, task: Record) -> None:
    """What holds for whoever calls, at work on a task."""
    if task.kind != "task":
        said = f"--effective is for tasks; {task.id} is of kind {task.kind}"
        raise Usage(said, hint="name a task")
    try:
        actor = here.actor(here.reader).id
    except NoIdentity:
        actor = None
    holds = effective.effective(here.reader, task, actor)
    lines = effective.text(task, holds, when=here.when)
    result(here, {"task": task.data, "effective": holds}, lines, page=True)
