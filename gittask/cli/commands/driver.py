"""The merge driver that git calls. It starts once for each file, so little is loaded here."""

from __future__ import annotations

import os
from pathlib import Path

import click

from gittask.cli.command import command
from gittask.errors import GittaskError
from gittask.merging.driver import keeper, merge_file
from gittask.store import packaged


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
    keep = keeper(Path.cwd(), os.environ.get("GIT_DIR"))
    try:
        clean = merge_file(packaged.schemas(), base, ours, theirs, path, keep)
    except OSError as error:
        raise GittaskError(f"{path} cannot be merged: {error}") from None
    return 0 if clean else 1
