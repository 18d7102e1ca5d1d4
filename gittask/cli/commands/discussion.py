"""What was said on a task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

import click

from gittask.cli.command import command
from gittask.cli.context import context
from gittask.cli.options import after_option, page, page_options, task_argument
from gittask.cli.result import show_page
from gittask.core import names
from gittask.core.record import Data
from gittask.views.discussion import lines, threads
from gittask.views.words import When


@command("discussion")
@task_argument
@click.option("--open", "is_open", is_flag=True, help="Only threads with an open question.")
@page_options
@after_option("THREAD")
def discussion_command(
    task: str, is_open: bool, limit: int, everything: bool, after: str | None
) -> None:
    """Show what was said on a task, by thread, the threads that began last at the end.

    Each message stands below the one that it replies to. If not all threads fit, it is the
    newest that are shown, and those before a THREAD with --after.

    \b
    gittask discussion k3m9
    gittask discussion k3m9 --open
    gittask say k3m9 "I agree" --reply-to 3j7k7y
    """
    here = context()
    owner = names.task(here.reader, task)
    found = [each for each in threads(here.reader, owner.id) if each["open"] or not is_open]
    most = None if everything else limit
    newest, more = page(found[::-1], most, after, itemgetter("thread"))
    rows = newest[::-1]
    show_page(here, "threads", rows, len(found), _lines(rows, here.when), more=more)


def _lines(rows: Sequence[Data], when: When) -> Iterator[str]:
    for place, each in enumerate(rows):
        yield from ([""] if place else [])
        yield from lines(each, when=when)
