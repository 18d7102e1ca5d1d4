"""Handing off: what is said and known is put together and checked first, then recorded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gittask.actions import handoff as actions
from gittask.actions.records import earlier
from gittask.actions.work import own_execution
from gittask.cli.check import run_check
from gittask.cli.context import Context
from gittask.cli.report import faults, said
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader, Record
from gittask.errors import Invalid
from gittask.kinds.fence import lost
from gittask.kinds.handoff import nobody_known
from gittask.kinds.task import describe_holder
from gittask.session import Outcome
from gittask.store import code
from gittask.store.own import Begun

F = TypeVar("F", bound=Callable[..., Any])

_KINDS = ["progress", "review_request", "deliverable", "retry_context", "final", "auto"]
_OPTIONS = (
    click.option(
        "--kind", type=click.Choice(_KINDS), help="What sort of report it is; else deliverable."
    ),
    click.option("--condition", type=click.Choice(["green", "watch", "blocked"])),
    click.option("--summary", metavar="TEXT", help="One screen line: the answer on a phone."),
    click.option(
        "--changed", multiple=True, metavar="PATH::WHAT", help="What changed; else found out."
    ),
    click.option("--verified", multiple=True, metavar="CLAIM", help="What was checked."),
    click.option(
        "--run", "runs", multiple=True, metavar="COMMAND", help="Run a check as evidence."
    ),
    click.option(
        "--not-verified", multiple=True, metavar="CLAIM::WHY", help="What was not checked."
    ),
    click.option(
        "--uncertain", multiple=True, metavar="QUESTION::IMPACT", help="What nobody knows."
    ),
    click.option("--decision", multiple=True, metavar="ID", help="A decision that was made."),
    click.option("--next", "next_do", metavar="DO", help="What comes next, or none."),
    click.option("--next-by", metavar="WHO", help="Who does it: an actor, or a role."),
    click.option(
        "--contingency", multiple=True, metavar="TEXT", help="What to do if it goes wrong."
    ),
    click.option("--close", metavar="OUTCOME", help="The task is done by this, with that outcome."),
    click.option("--anyway", metavar="REASON", help="Why you leave questions to you open."),
)


def handoff_options(command: F) -> F:
    """The options by which the parts of a handoff are said."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class Handing:
    """A handoff of a task, as one call asks for it: read once, checked, and then recorded.

    ``file`` holds parts of it (``-``: standard input), ``options`` is what ``handoff_options``
    were given. Raises Invalid for a file that holds no handoff, NotFound without an execution.
    """

    def __init__(self, here: Context, task: Record, file: str | None, options: Data) -> None:
        self._here = here
        self._task = task.id
        self._runs: tuple[str, ...] = options.pop("runs")
        self._close: str | None = options.pop("close")
        self._anyway: str | None = options.pop("anyway")
        self.came_to = f"handed off {task.id}"
        """What it came to once it was recorded, in a few words."""
        reader, self._act = here.acting(task.id)
        self._earlier = earlier(reader, self._act, "handoff", task.id)
        if self._earlier:
            return
        self._execution = own_execution(reader, self._act, task)
        self._said, self._problems = said(here.session.schemas, file, task.id, options)

    @property
    def done(self) -> bool:
        """Whether an earlier call with the same idempotency key made it."""
        return self._earlier is not None

    def rehearse(self) -> None:
        """See that it would be taken. Nothing is run or written. Raises Invalid, or Refused."""
        report = self._checked(self._look(), {"changed": []})
        self._here.rehearse(self._decide(report), task=self._task)

    def record(self, commit: str | None = None) -> Outcome:
        """Run its checks, and write it. ``commit`` is one of code that it must name.

        Before anything is run, raises Refused for a question that is open, and Invalid with
        everything that is missing or wrong.
        """
        here = self._here
        outcome = here.act(self._decide(self._reported(commit)), task=self._task)
        main = outcome.change.main
        if self._anyway is not None and outcome.commit and "unanswered" not in main.data:
            here.output.warn("--anyway: no question stood in the way, so the reason is not kept")
        closed = any(record.kind == "task" for record in outcome.change.records)
        if self._close is not None and outcome.commit and not closed:
            here.output.warn(f"the report is kept as late; it does not close {self._task}")
        following = main.data["next_action"]["by"]
        if nobody_known(here.reader, following):
            here.output.warn(
                f"--next-by: {following!r} is no actor, so no inbox shows it; "
                "see: gittask actor list"
            )
        return outcome

    def _decide(self, report: Data) -> Callable[[Reader, Act], Change]:
        def decide(reader: Reader, act: Act) -> Change:
            gone = None if self.done else lost(reader, self._execution.id, task=self._task)
            if gone:
                state = gone.data["state"]
                how = "kept as late" if state["holder"] else "kept, and changed nothing"
                self.came_to = f"{how}: {gone.id} is {describe_holder(reader, gone.id, state)}"
            return actions.handoff(
                reader, act, self._task, report, close=self._close, anyway=self._anyway
            )

        return decide

    def _look(self, commit: str | None = None) -> code.Code:
        about = self._execution.data
        handoffs = self._here.reader.all("handoff", task=about["task"])
        mine = [each.data for each in handoffs if each.data["execution"] == self._execution.id]
        named = (one for each in mine for one in each.get("commits") or [])
        begun = Begun(
            self._execution.id,
            about["created"]["at"],
            (about.get("workspace") or {}).get("head"),
            frozenset((one.get("at"), one["patch_id"]) for one in named if one.get("patch_id")),
        )
        return code.look(self._here.repo, begun, commit)

    def _reported(self, commit: str | None) -> Data:
        """What is said, with what is known of the code and what the checks came to."""
        if self.done:
            return {}
        here, now = self._here, self._look(commit)
        if now.left_out:
            guess = f"; of those named, {now.guessed} only by a guess" if now.guessed else ""
            here.output.message(f"commits of others since the start: {now.left_out}{guess}")
        report = self._checked(now, {"changed": now.changed} if now.changed or now.commits else {})
        folder = here.repo.worktree or Path.cwd()
        checks = []
        for each in self._runs:
            checks.append(run_check(each, folder, now, here.at, show=not here.output.json))
            here.tick()
        return {**report, "verified": [*report["verified"], *checks]}

    def _checked(self, now: code.Code, known: Data) -> Data:
        report = {
            "kind": "deliverable",
            "commits": now.commits,
            "patch_id": now.patch_id,
            "workspace": now.workspace,
            **({"verified": []} if self._runs else {}),
            **known,
            **self._said,
        }
        schemas = self._here.session.schemas
        left_open = actions.unanswered(self._here.reader, self._execution, report, self._anyway)
        draft = actions.drafted(self._act, self._execution, {**report, **left_open})
        problems = self._problems + faults(schemas, draft.data, self._runs)
        if problems:
            raise Invalid(problems, what="handoff refused, nothing was written")
        return report
