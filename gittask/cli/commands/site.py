"""The store as pages for a browser."""

from __future__ import annotations

from pathlib import Path

import click

from gittask import __version__
from gittask.cli.command import Group
from gittask.cli.context import Context, context
from gittask.cli.result import result
from gittask.core.record import Record
from gittask.errors import Usage
from gittask.kinds import readable
from gittask.store import lock
from gittask.store.pages import Built, Pages, Wanted, digest, folders

LOCK = "site.lock"
PATIENCE = 3600.0
"""Seconds to wait for another build: two at once would put one's pages under the other's names."""


@click.group("site", cls=Group)
def site_command() -> None:
    """Pages for a browser: all tasks, what wants somebody, who does what. No server is needed."""


@site_command.command("build")
@click.argument("target", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--title", metavar="TEXT", help="The title of the pages; the name of the store.")
@click.option("--clean", is_flag=True, help="Make every page anew, whatever changed.")
def site_build(target: Path, title: str | None, clean: bool) -> None:
    """Write the store as pages into a folder, or bring them up to date there.

    They open from the disk and load nothing from elsewhere. Only pages that changed are written,
    and those that are no longer wanted are removed; other files in the folder are left alone. A
    folder that has files and is no site yet is refused. How things stand is told as of the last
    commit to the store, so that the same store gives the same bytes.

    \b
    gittask site build public
    gittask site build public --title "Tasks of the shop" --clean
    """
    here = context()
    with lock.hold(here.repo.common_dir / "gittask" / LOCK, PATIENCE):
        reader = here.reader
        commit = str(reader.commit)
        store = readable(reader, "store", "", task=None)
        title = _title(title, store)
        made = digest([commit, title, __version__])
        pages = Pages(here.folder / target, store.data["id"] if store else "")
        if clean:
            pages.forget()
        built = pages.unchanged(made) or _build(here, pages, made, commit, title)
    document = {"site": {**built._asdict(), "folder": str(pages.folder), "commit": commit}}
    said = f"{pages.folder / 'index.html'}"
    result(here, document, [said])
    here.output.message(
        f"{built.written} files written, {built.kept} unchanged, {built.removed} removed"
    )


def _title(said: str | None, store: Record | None) -> str:
    if said is not None and not said.strip():
        raise Usage("the title is empty", hint="give some text, or leave --title out")
    return said or (store.data["name"] if store else "Tasks")


def _build(here: Context, pages: Pages, made: str, commit: str, title: str) -> Built:
    from gittask.views.site.site import files  # only here: it loads a library

    reader = here.reader
    reader.survey()
    now = here.repo.commit_info(commit).committer.at
    found = files(reader, here.session.schemas, folders(here.repo, commit), title, now)
    wanted = (Wanted(each.name, digest([__version__, each.source]), each.make) for each in found)

    def progress(done: int, total: int) -> None:
        here.output.message(f"{done} of {total} files")

    return pages.build(made, wanted, progress)
