"""Commands that make, describe and end tasks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from gittask.actions import tasks as actions
from gittask.actions.assign import assign
from gittask.cli.command import Group, command
from gittask.cli.complete import ACTOR, LABEL, PROJECT, TASK, fields_of
from gittask.cli.context import Context, context
from gittask.cli.editor import edit_record
from gittask.cli.options import (
    after_option,
    idempotency_key,
    limit_option,
    lines_option,
    page,
    task_argument,
    text_file,
)
from gittask.cli.result import stream, told
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader
from gittask.errors import Usage
from gittask.kinds.message import open_questions
from gittask.session import Outcome
from gittask.views import graph
from gittask.views.words import first_line


@command("new")
@click.argument("title")
@click.option("--why", metavar="TEXT", help="Why the work exists; no work starts without it.")
@text_file("Read the why from a file; - is standard input.")
@click.option("--label", "labels", multiple=True, type=LABEL, help="A label; may be repeated.")
@click.option("--priority", type=click.IntRange(0, 4), metavar="0-4", help="0 is most urgent.")
@click.option("--type", "type_", metavar="TYPE", help="task, bug, feature, chore, epic ...")
@click.option("--project", type=PROJECT, help="The project.")
@click.option("--parent", type=TASK, help="The task of which this is a part.")
@click.option(
    "--depends-on", multiple=True, type=TASK, help="Must be done before; may be repeated."
)
@click.option("--responsible", type=ACTOR, help="Who answers for the outcome.")
@click.option("--accept", multiple=True, metavar="TEXT", help="What must be true; may be repeated.")
@click.option("--instructions", metavar="TEXT", help="What whoever works on it should follow.")
@click.option("--provider", metavar="P", help="The provider that the work goes to.")
@click.option("--due", metavar="DATE", help="The day by which it should be done: 2026-11-30.")
@click.option("--discovered-from", type=TASK, help="The task during which it was found.")
@idempotency_key()
def new_command(
    title: str,
    why: str | None,
    file: str | None,
    accept: tuple[str, ...],
    type_: str | None,
    key: str | None,
    **fields: Any,
) -> None:
    """Make a task. Prints its id.

    \b
    gittask new "Fix routing"
    gittask new "Fix routing" --why "Orders get lost" --label urgent
    gittask new "Add a test for it" --discovered-from k3m9 -F why.md
    """
    here = context()
    here.use_key(key)
    if file is not None:
        why = here.text(why, file, "why")
    outcome = here.act(
        lambda reader, act: actions.new(
            reader, act, title, acceptance=accept, why=why, type=type_, **fields
        )
    )
    task = outcome.change.main
    if outcome.commit is None:
        here.output.message(f"task {task.id} was made by an earlier call with this key")
        here.output.result({"task": task.data, "commit": None, "repeated": True}, task.id)
        return
    told(here, outcome, f"new {task.id}: {task.data['title']}")


@command("set")
@task_argument
@click.argument("words", nargs=-1, metavar="FIELD=VALUE ...", type=fields_of("task"))
@text_file("Read the value of the one FIELD that is named from a file; - is standard input.")
def set_command(task: str, words: tuple[str, ...], file: str | None) -> None:
    """Set fields of a task, all of them or none.

    \b
    gittask set k3m9 title="Fix routing" priority=0
    gittask set k3m9 labels+=urgent labels-=later  add to and take from a list
    gittask set k3m9 acceptance+="Orders of one day arrive"
    gittask set k3m9 acceptance.a1b2.met=true      a part of an item, by its id
    gittask set k3m9 due=none                      clear
    gittask set k3m9 why -F why.md                 long text from a file
    """
    here = context()
    if file is not None:
        if len(words) != 1 or "=" in words[0]:
            raise Usage("-F needs the name of one field", hint="gittask set TASK why -F FILE")
        words = (f"{words[0]}={here.text(None, file, words[0])}",)
    if not words:
        raise Usage("nothing to set", hint="gittask set TASK field=value ...")

    def decide(reader: Reader, act: Act) -> Change:
        found = names.task(reader, task)
        data = assign(here.session.schemas, reader, act, "task", found.data, words)
        return actions.describe(act, found, data)

    outcome = here.act(decide, task=task)
    told(here, outcome, f"set {outcome.change.what}")


@command("edit")
@task_argument
def edit_command(task: str) -> None:
    """Edit a task's YAML in $EDITOR.

    What you wrote is checked when the editor ends. If something is wrong, the editor opens again
    on your text with the problems at its head; nothing you wrote is lost. Ending without a change,
    or with an empty file, leaves the task as it is. Comments are not kept.
    """
    here = context()
    found = names.task(here.reader, task)
    rules = here.session.schemas.rules("task")

    def take(data: Data) -> Outcome:
        return here.act(
            lambda reader, act: actions.edit(reader, act, rules, found, data), task=found.id
        )

    outcome = edit_record(here, found, take)
    if outcome is None:
        here.output.message("nothing changed")
        here.output.result({"task": found.data, "commit": None}, found.id)
        return
    told(here, outcome, f"set {outcome.change.what}")


@command("close")
@task_argument
@click.option("--outcome", metavar="TEXT", help="What came of it.")
@text_file("Read the outcome from a file; - is standard input.")
def close_command(task: str, outcome: str | None, file: str | None) -> None:
    """Say that a task is done.

    \b
    gittask close k3m9 --outcome "Orders of a week went to the right depot"
    """
    here = context()
    if file is not None:
        outcome = here.text(outcome, file, "outcome")
    found = names.task(here.reader, task)
    unmet = [item for item in found.data.get("acceptance") or [] if not item["met"]]
    left: list[str] = []

    def decide(reader: Reader, act: Act) -> Change:
        left[:] = _left_open(here, reader, found.id)
        return actions.close(reader, act, task, outcome)

    done = here.act(decide, task=task)
    for item in unmet:
        here.output.warn(f"closed although not marked as met: {item['id']} {item['text']}")
    for each in left:
        here.output.warn(f"closed although {each}")
    told(here, done, f"closed {found.id}: {found.data['title']}")


def _left_open(here: Context, reader: Reader, task: str) -> Iterator[str]:
    """The open questions of a task, and what else it waits for, each in a line."""
    asked = open_questions(reader, task)
    for one in asked:
        to = f" {one.data['to']}" if one.data.get("to") else ""
        yield f"{one.data['from']} asks{to}: {first_line(one.data['body'])} ({one.id})"
    for wait in graph.waiting_for(reader, task, here.at):
        if wait.data.get("subject") not in {one.id for one in asked}:
            condition = first_line(wait.data["condition"])
            yield f"it waits for {wait.data['on']}: {condition} ({wait.id})"


@command("cancel")
@task_argument
@click.option("--reason", required=True, metavar="TEXT", help="Why it is given up.")
def cancel_command(task: str, reason: str) -> None:
    """Give a task up. It stays in the store, with the reason.

    \b
    gittask cancel k3m9 --reason "The depot closes in May"
    """
    here = context()
    done = here.act(lambda reader, act: actions.cancel(reader, act, task, reason), task=task)
    told(here, done, f"cancelled {done.change.main.id}")


@command("reopen")
@task_argument
@click.option("--reason", required=True, metavar="TEXT", help="Why it is not over.")
def reopen_command(task: str, reason: str) -> None:
    """Open a task again that was done or cancelled.

    \b
    gittask reopen k3m9 --reason "It came back on Friday"
    """
    here = context()
    done = here.act(lambda reader, act: actions.reopen(reader, act, task, reason), task=task)
    told(here, done, f"reopened {done.change.main.id}")


@click.group("dep", cls=Group)
def dep_command() -> None:
    """What must be done before a task."""


@dep_command.command("add")
@task_argument
@click.argument("others", nargs=-1, required=True, metavar="OTHER ...", type=TASK)
def dep_add(task: str, others: tuple[str, ...]) -> None:
    """Make TASK need OTHER to be done first. A circle is refused.

    \b
    gittask dep add k3m9 r7q2
    """
    here = context()
    done = here.act(lambda reader, act: actions.depend(reader, act, task, others), task=task)
    told(here, done, f"{done.change.main.id} {done.change.what}")


@dep_command.command("remove")
@task_argument
@click.argument("others", nargs=-1, required=True, metavar="OTHER ...", type=TASK)
def dep_remove(task: str, others: tuple[str, ...]) -> None:
    """Make TASK no longer need OTHER.

    \b
    gittask dep remove k3m9 r7q2
    """
    here = context()

    def decide(reader: Reader, act: Act) -> Change:
        return actions.depend(reader, act, task, others, remove=True)

    done = here.act(decide, task=task)
    told(here, done, f"{done.change.main.id} {done.change.what}")


@dep_command.command("list")
@task_argument
@limit_option(None)
@lines_option
@after_option("OTHER", TASK)
def dep_list(task: str, limit: int | None, after: str | None) -> None:
    """Show what a task needs, and then what needs it.

    \b
    gittask dep list k3m9
    gittask dep list k3m9 --jsonl
    """
    here = context()
    found = names.task(here.reader, task)
    rows = [("needs", *each) for each in graph.dependencies(here.reader, found)]
    needed = here.reader.having("task", "depends_on", (found.id,))
    rows += [("needed by", one.id, one.data["state"]["status"]) for one in needed]
    needs = {id for how, id, _ in rows if how == "needs"}

    def goes_by(row: tuple[str, str, str]) -> str:
        how, id, _ = row  # in a circle of two it is listed in both ways
        return f"needed_by/{id}" if how == "needed by" and id in needs else id

    listed = set(map(goes_by, rows))  # some perhaps of tasks that do not exist
    behind = names.task_id(here.reader, after) if after and after not in listed else after
    shown, more = page(rows, limit, behind, goes_by)
    if here.output.lines:
        stream(here, ({"relation": how, "id": id, "status": status} for how, id, status in shown))
        return
    document: Data = {
        name: [{"id": id, "status": status} for way, id, status in shown if way == how]
        for name, how in (("depends_on", "needs"), ("needed_by", "needed by"))
    }
    document |= {"total": len(rows)} | ({"next": more} if more else {})
    here.output.result(document, [f"{how} {id} ({status})" for how, id, status in shown])
    if more:
        here.output.message(f"{len(shown)} of {len(rows)}; --after {more} the next")
