"""One record in full."""

from __future__ import annotations

import click

from gittask.cli import life
from gittask.cli.command import command
from gittask.cli.commands.status import marked, provisional, result
from gittask.cli.context import Context, context
from gittask.cli.options import complete_task
from gittask.core.codec import encode
from gittask.core.record import Record
from gittask.views.show import computed, find, text


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
        beside["provisional"] = provisional(here, found)
        beside["status"] = marked(beside["status"], provisional=beside["provisional"])
        result(here, {"task": found.data, "computed": beside}, text(found, beside))
    else:
        result(here, {found.kind: found.data}, _stored(here, found))


def _stored(here: Context, record: Record) -> list[str]:
    """Any record for people: as it is written, which says everything."""
    of = f" of task {record.task}" if record.task else ""
    written = encode(record.data, here.session.schemas.order(record.kind)).decode()
    return [f"{record.kind} {record.id}{of}", "", *written.splitlines()]
