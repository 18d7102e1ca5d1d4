"""Commands that add notes, decisions and messages."""

from __future__ import annotations

from typing import Any

import click

from gittask.actions import records as actions
from gittask.cli.command import command
from gittask.cli.commands.tasks import told
from gittask.cli.context import context
from gittask.cli.options import idempotency_key, task_argument, text_file
from gittask.errors import Usage

NOTE_KINDS = ["observation", "hypothesis", "constraint", "progress", "event", "files", "result"]


@command("note")
@task_argument
@click.argument("text", required=False)
@text_file()
@click.option("--kind", type=click.Choice(NOTE_KINDS), default="observation", show_default=True)
@click.option("--path", "paths", multiple=True, metavar="PATH", help="A file it speaks of; repeat.")
@idempotency_key()
def note_command(
    task: str,
    text: str | None,
    file: str | None,
    kind: str,
    paths: tuple[str, ...],
    key: str | None,
) -> None:
    """Keep something that was seen, thought or done. Prints the note's id.

    \b
    gittask note k3m9 "Fails only on the first request after midnight"
    gittask note k3m9 --kind hypothesis -F hypothesis.md
    journalctl -u api | tail -50 | gittask note k3m9 -F -
    """
    here = context()
    here.use_key(key)
    body = here.text(text, file, "text")
    files = [{"path": path, "what": "named by the note"} for path in paths]
    outcome = here.act(
        lambda reader, act: actions.note(reader, act, task, body, kind, files=files), task=task
    )
    told(here, outcome, f"noted on {outcome.change.main.data['task']}")


@command("decide")
@click.argument("task", required=False, metavar="[TASK]")
@click.argument("title", required=False)
@click.option("--outcome", metavar="TEXT", help="What was chosen, and why.")
@text_file("Read the outcome from a file; - is standard input.")
@click.option("--context", "context_", metavar="TEXT", help="What made a choice necessary.")
@click.option("--option", "options", multiple=True, metavar="TEXT", help="What was considered.")
@click.option("--consequences", metavar="TEXT", help="What follows from it.")
@click.option(
    "--by", "deciders", multiple=True, metavar="ACTOR", help="Who decided; you if not said."
)
@click.option("--supersedes", metavar="DECISION", help="The decision that it replaces.")
@click.option("--project", metavar="P", help="Decide for a whole project instead of a task.")
def decide_command(
    task: str | None,
    title: str | None,
    outcome: str | None,
    file: str | None,
    context_: str | None,
    project: str | None,
    **parts: Any,
) -> None:
    """Keep a decision: what was chosen, among what, and why. Prints its id.

    \b
    gittask decide k3m9 "Where to cache" --outcome "In the client" --option Redis
    gittask decide --project routing "Time zone" --outcome "UTC everywhere"
    """
    here = context()
    if project is not None and task is not None and title is None:
        task, title = None, task
    if title is None or (task is None) == (project is None):
        raise Usage("a decision needs a task (or --project) and a title", hint="gittask decide -h")
    text = here.text(outcome, file, "outcome")
    done = here.act(
        lambda reader, act: actions.decide(
            reader, act, task, title, text, project=project, context=context_, **parts
        ),
        task=task,
    )
    told(here, done, f"decided: {title}")


@command("ask")
@task_argument
@click.argument("text", required=False)
@text_file()
@click.option("--to", metavar="ACTOR", help="Who can answer; the task then waits for them.")
@click.option("--channel", default="cli", show_default=True, help="By which way it came.")
def ask_command(
    task: str, text: str | None, file: str | None, to: str | None, channel: str
) -> None:
    """Ask a question on a task. Prints its id, by which it is answered.

    \b
    gittask ask k3m9 "May I drop the old index?" --to alice
    """
    here = context()
    body = here.text(text, file, "text")
    done = here.act(
        lambda reader, act: actions.say(
            reader, act, task, body, kind="question", to=to, channel=channel
        ),
        task=task,
    )
    told(here, done, f"asked{f' {to}' if to else ''} on {done.change.main.data['task']}")


@command("answer")
@click.argument("question", metavar="QUESTION|TASK")
@click.argument("text", required=False)
@text_file()
@click.option("--channel", default="cli", show_default=True, help="By which way it came.")
def answer_command(question: str, text: str | None, file: str | None, channel: str) -> None:
    """Answer a question, named by its id, or by its task if that has only one open.

    \b
    gittask answer 20261130t100411z-k3m9q2 "Yes, after the backup"
    gittask answer k3m9 "Yes, after the backup" --channel chat
    """
    here = context()
    body = here.text(text, file, "text")
    asked = actions.question(here.reader, question)
    done = here.act(
        lambda reader, act: actions.answer(reader, act, asked.id, body, channel=channel),
        task=asked.data["task"],
    )
    told(here, done, f"answered {done.change.main.data['in_reply_to']}")


@command("say")
@task_argument
@click.argument("text", required=False)
@text_file()
@click.option("--kind", type=click.Choice(["comment", "instruction"]), default="comment")
@click.option("--to", metavar="ACTOR", help="Whom it is for.")
@click.option("--channel", default="cli", show_default=True, help="By which way it came.")
def say_command(
    task: str, text: str | None, file: str | None, kind: str, to: str | None, channel: str
) -> None:
    """Say something on a task: a comment, or an instruction to whoever works on it.

    \b
    gittask say k3m9 "Looks good from here"
    gittask say k3m9 --kind instruction "Do not touch the billing module"
    """
    here = context()
    body = here.text(text, file, "text")
    done = here.act(
        lambda reader, act: actions.say(reader, act, task, body, kind=kind, to=to, channel=channel),
        task=task,
    )
    told(here, done, f"said on {done.change.main.data['task']}")
