"""The merge driver that git calls, as a command (see ``driving``)."""

from __future__ import annotations

from pathlib import Path

import click

from gittask.cli.command import command
from gittask.cli.driving import drive


@command("merge-driver")
@click.argument("base", metavar="%O", type=click.Path(path_type=Path))
@click.argument("ours", metavar="%A", type=click.Path(path_type=Path))
@click.argument("theirs", metavar="%B", type=click.Path(path_type=Path))
@click.argument("path", metavar="%P")
def merge_driver_command(base: Path, ours: Path, theirs: Path, path: str) -> int:
    """Merge one file of the data branch, as git asks for it.

    `gittask init` registers it; there is no need to call it by hand. The result replaces the
    file %A. It ends with another code than 0, and leaves %A as it was, for a version that cannot
    be read. Values that lose become conflict records with the next `gittask sync`.

    \b
    git config merge.gittask.driver "gittask merge-driver %O %A %B %P"
    """
    return drive(base, ours, theirs, path)
