"""Who set what of a record."""

from __future__ import annotations

import click

from gittask.cli.command import command
from gittask.cli.complete import UNIT, complete_task
from gittask.cli.context import context
from gittask.cli.result import result
from gittask.cli.table import table
from gittask.core.text import one_line
from gittask.errors import Usage
from gittask.history.blame import blame
from gittask.views.blamed import remarks, rows
from gittask.views.show.lookup import find


@command("blame")
@click.argument("record", metavar="TASK|RECORD", shell_complete=complete_task)
@click.option("--field", "fields", multiple=True, type=UNIT, help="Only this; may be repeated.")
def blame_command(record: str, fields: tuple[str, ...]) -> None:
    """Show who set each field, when, under which execution, and in which commit.

    Merges are passed through to the commit that a value came from. Fields that nobody ever set
    are left out, unless they are named. A ^ before the commit says that the history which is here
    begins with it. What was set by hand, and values that lost in a merge, are told below.

    \b
    gittask blame k3m9
    gittask blame k3m9 --field title --field acceptance
    gittask blame k3m9 --field labels.urgent --json
    """
    here = context()
    found = find(here.reader, here.session.schemas, record)
    if not here.session.schemas.mutable(found.kind):
        raise Usage(
            f"a {found.kind} is written once, so all of it is by who made it",
            hint=f"see: gittask show {found.id}",
        )
    lines = blame(here.reader, found, fields)
    for name in fields:
        if not any(line.field == name or line.field.startswith(f"{name}.") for line in lines):
            raise Usage(
                f"nobody ever set a field {one_line(name)!r} of this {found.kind}",
                hint=f"see what there is: gittask blame {record}",
            )
    shown = rows(lines, here.when, everything=bool(fields))
    told = {"kind": found.kind, "id": found.id, "fields": [line.as_json() for line in lines]}
    text = [*table(shown, here.output.terminal.width, (2, 3)), *remarks(lines, here.when)]
    result(here, {"blame": told}, text)
