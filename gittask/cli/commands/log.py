"""The history of the data branch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

import click

from gittask.cli.command import command
from gittask.cli.complete import TASK
from gittask.cli.context import Context, context
from gittask.cli.options import after_option, following, page_options, span_options
from gittask.cli.result import result, stream
from gittask.core import ids, names
from gittask.core.meaning import Meaning, joined, meant
from gittask.core.moment import span
from gittask.core.record import Data
from gittask.core.text import one_line
from gittask.errors import Usage
from gittask.history.log import Changed, Log, Logged
from gittask.judging.verify import ends
from gittask.store import history
from gittask.store.past import asked
from gittask.views.words import When

_SIGNS: dict[str, Meaning] = {"+": "added", "-": "removed"}


@command("log")
@click.argument("words", metavar="[TASK] [OLD..NEW]", nargs=-1, type=TASK)
@click.option("-p", "--patch", is_flag=True, help="Show what each commit changed.")
@span_options
@page_options
@after_option("COMMIT")
def log_command(
    words: tuple[str, ...],
    patch: bool,
    since: str | None,
    until: str | None,
    limit: int,
    everything: bool,
    after: str | None,
) -> None:
    """Show the history of the data branch, the newest commits first.

    Each commit says what was done to which task, by whom, and under which execution. Of a merge,
    --patch shows what is unlike in both sides. OLD..NEW are the commits in NEW that are not in
    OLD, as in git. With --json, "next" is what to give --after for the following page.

    \b
    gittask log
    gittask log k3m9 --patch
    gittask log origin/gittask..gittask    what is not pushed yet
    gittask log --since yesterday --json --limit 20
    """
    here = context()
    task, spec = _named(words)
    task = None if task is None else names.task_id(here.reader, task)
    old, new = ends(here.session, spec or "..")
    folder = None
    if task is not None:
        folder = here.session.schemas.path("task", task).rpartition("/")[0]
    if folder is not None and old is None:
        found = asked.touching(here.repo, new, folder)
    else:
        found = history.revisions(here.repo.git, new, old, folder, by_date=True)
    last_shown = None if after is None else here.repo.resolve(after)
    log, (first, last) = Log(here.reader), span(since, until, here.at)
    commits = following(found, last_shown, str)
    rows: Iterator[Logged] = map(log.entry, commits)
    rest: Iterator[object] = commits  # of which none is opened to count them
    if first or last:
        rows = (row for row in rows if (first or "") <= row.at and (not last or row.at < last))
        rest = rows
    _Shown(here, log, patch=patch, of_one=task is not None).show(
        rows, rest, None if everything else limit
    )


def _named(words: tuple[str, ...]) -> tuple[str | None, str | None]:
    """The task and the range that were typed, in any order."""
    ranges = [word for word in words if ".." in word]
    tasks = [word for word in words if ".." not in word]
    if len(ranges) > 1 or len(tasks) > 1:
        raise Usage("too many arguments", hint="give one task, one range OLD..NEW, or both")
    return next(iter(tasks), None), next(iter(ranges), None)


class _Shown:
    """Commits as they are printed, each opened only when its turn has come."""

    def __init__(self, here: Context, log: Log, *, patch: bool, of_one: bool) -> None:
        self._here = here
        self._log = log
        self._patch = patch
        self._of_one = of_one

    def show(self, rows: Iterator[Logged], rest: Iterator[object], limit: int | None) -> None:
        """``rest`` has as many as ``rows``, and goes on with them."""
        page = islice(rows, limit)
        if self._here.output.lines:
            stream(self._here, map(self._as_json, page))
            return
        if self._here.output.json:
            shown = list(page)
            more = sum(1 for _ in rest)
            following = shown[-1].commit if more else None
            commits = [self._as_json(row) for row in shown]
            document = {"commits": commits, "total": len(shown) + more, "next": following}
            result(self._here, document, ())
            return
        lines = (line for row in page for line in self._entry(row))
        first = list(islice(lines, 1))
        result(self._here, {}, chain(first, lines), page=True)
        if not first:
            self._here.output.message("no commits")
        if limit is not None and next(rest, None) is not None:
            self._here.output.message(f"{limit} commits; --all shows the rest")

    def _as_json(self, row: Logged) -> Data:
        if not self._patch:
            return row.as_json()
        changes = [{**each.__dict__} for each in self._log.changes(row.commit)]
        return {**row.as_json(), "changes": changes}

    def _entry(self, row: Logged) -> Iterator[str]:
        yield _head(row, self._here.when)
        if row.title and not self._of_one and row.title not in row.subject:
            yield meant(f"    {one_line(row.title)}", "aside")
        for change in self._log.changes(row.commit) if self._patch else ():
            yield from _changed(change)
        if self._patch:
            yield ""


def _head(row: Logged, when: When) -> str:
    under = f" ({one_line(ids.ending(row.execution) or row.execution)})" if row.execution else ""
    return joined(
        meant(row.commit[:12], "id"),
        meant(when(row.at), "aside"),
        joined(one_line(row.actor), meant(under, "aside") if under else ""),
        one_line(row.subject) or "(no subject)",
        between="  ",
    )


def _changed(change: Changed) -> Iterator[str]:
    what = f"{change.kind} {change.id or ''}".rstrip() if change.kind else change.path
    yield meant(f"    {change.how}: {one_line(what)}", "heading")
    for line in change.lines:
        yield meant(f"      {line}".rstrip(), _SIGNS.get(line[:1]))
