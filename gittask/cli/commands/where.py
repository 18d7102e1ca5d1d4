"""The command that finds the code of a handoff again."""

from __future__ import annotations

from datetime import datetime, timedelta

import click

from gittask.cli.command import command
from gittask.cli.complete import complete_task
from gittask.cli.context import Context, context
from gittask.core.moment import written
from gittask.core.record import Data, Record
from gittask.core.seen import Seen, Survey
from gittask.errors import Usage
from gittask.kinds import readable
from gittask.store.survey import Looker
from gittask.views import where
from gittask.views.show import lookup

_SLACK = timedelta(days=1)
"""Clocks of different machines differ; so much earlier may a later commit seem."""


@command("where")
@click.argument("record", metavar="TASK|HANDOFF", shell_complete=complete_task)
def where_command(record: str) -> None:
    """Find the commits of a handoff, or of all handoffs of a task, in the code as it is now.

    After a rebase, an amendment, a cherry-pick or a squash the commits have other ids. They are
    known again by their patch, by the trailers Task and Execution with the author's date, by the
    patch of all together, or by what the new message says of them; never by the subject alone.
    What cannot be found is said to be gone.

    \b
    gittask where k3m9
    gittask where 20261130t100411z-k3m9q2 --json
    """
    here = context()
    found = lookup.find(here.reader, here.session.schemas, record)
    if found.kind not in ("task", "handoff"):
        raise Usage(f"{found.id} is of kind {found.kind}", hint="name a task, or a handoff")
    handoffs = [found] if found.kind == "handoff" else here.reader.all("handoff", task=found.id)
    commits = where.wanted(list(handoffs))
    looker = Looker(here.repo)

    def likely(seen: Seen) -> bool:
        return where.likely(commits, seen)

    since = _since(here, commits)
    survey = looker.survey([each.sha for each in commits], since, likely)
    shown = [_placed(looker, survey, one) for one in where.find(commits, survey)]
    document = {
        "task": found.task or found.id,
        "commits": shown,
        "searched": {
            "since": since,
            "commits": len(survey.commits),
            "patches": survey.patches,
            "complete": survey.complete,
        },
    }
    here.output.result({"where": document}, where.lines(document))
    if not commits:
        here.output.message(f"no handoff of {document['task']} names a commit")


def _since(here: Context, commits: list[where.Wanted]) -> str:
    """From when on to look: a bit before the first of the commits, or of what began them."""
    times = [str(each.data["at"] or here.at) for each in commits if "at" in each.data]
    for id, task in {(each.execution, each.task) for each in commits}:
        execution: Record | None = readable(here.reader, "execution", id, task=task)
        times += [execution.data["created"]["at"]] if execution else []
    first = datetime.fromisoformat(min(times, default=here.at))
    return written(max(first, datetime.fromisoformat("1970-01-02T00:00:00Z")) - _SLACK)


def _placed(looker: Looker, survey: Survey, one: where.Found) -> Data:
    """What was found of a commit, with where each commit of it is."""
    shown = where.as_json(one)
    shown["kept"] = one.wanted.sha in survey.kept
    shown["branches"] = looker.places(one.wanted.sha) if one.state == "here" else []
    for seen in shown["new"]:
        seen["branches"] = looker.places(seen["sha"])
    branch = shown["branch"] if one.state == "gone" else None
    shown["tips"] = looker.tips(branch) if branch else {}
    return shown
