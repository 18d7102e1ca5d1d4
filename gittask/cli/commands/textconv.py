"""A record as git shows it in a diff."""

from __future__ import annotations

from pathlib import Path

import click

from gittask.cli.command import command
from gittask.cli.context import context
from gittask.errors import NotFound
from gittask.views import textconv


@command("textconv")
@click.argument("file", type=click.Path(path_type=Path))
def textconv_command(file: Path) -> None:
    """Show a record's file as lines for people, as git does in a diff.

    `gittask init` registers a faster form of it. A change of one field is a change of one line,
    which says who made it. What is no record, or cannot be read, is shown as it is, below a line
    that says why. The bytes themselves: git diff --no-textconv.

    \b
    git worktree add ../tasks gittask && git -C ../tasks log -p
    gittask textconv ../tasks/tasks/82/ej5y14xxaj82/task.yaml
    """
    here = context()
    try:
        content = (here.folder / file).read_bytes()
    except OSError as error:
        hint = "name a file that is there and can be read"
        raise NotFound(f"{file} cannot be read: {error.strerror}", hint=hint) from None
    lines = list(textconv.lines(content))
    here.output.result({"textconv": {"lines": lines}}, lines)
