"""Commands that add notes, decisions and messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gittask.actions import records as actions
from gittask.cli.check import SHELL, run_check
from gittask.cli.command import command
from gittask.cli.complete import ACTOR, PROJECT, QUESTION
from gittask.cli.context import Context, context
from gittask.cli.options import F, idempotency_key, task_argument, text_file
from gittask.cli.report import pair
from gittask.cli.result import told
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.record import Data, Reader, Record
from gittask.errors import Invalid, Usage
from gittask.kinds.message import answers
from gittask.store import code
from gittask.views.words import first_line

NOTE_KINDS = ("observation", "hypothesis", "constraint", "progress", "event", "files", "result")


@command("note")
@task_argument
@click.argument("text", required=False)
@text_file()
@click.option("--kind", type=click.Choice(NOTE_KINDS), help="What it is; observation if not said.")
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="PATH[::WHAT]",
    help="A file it speaks of; may be repeated.",
)
@click.option("--run", metavar="COMMAND", help="Run a command, and keep what it came to.")
@idempotency_key()
def note_command(
    task: str,
    text: str | None,
    file: str | None,
    kind: str | None,
    paths: tuple[str, ...],
    run: str | None,
    key: str | None,
) -> None:
    """Keep something that was seen, thought or done. Prints the note's id.

    \b
    gittask note k3m9 "Fails only on the first request after midnight"
    gittask note k3m9 --kind hypothesis -F hypothesis.md
    gittask note k3m9 --kind files "Where it is" --path "route.py::the table"
    gittask note k3m9 --run "pytest -q tests/routing" "Before any change"
    journalctl -u api | tail -50 | gittask note k3m9 -F -

    --run runs a command at the top of the work tree, wherever you are in it, and keeps it with its
    exit code and the end of its output, which goes to standard error meanwhile. What it leaves
    running is not waited for. Whatever that exit code is, note itself ends with 0 once it is kept:
    the code is told on standard error, and with --json stands in note.command.exit_code.
    """
    here = context()
    here.use_key(key)
    if run is not None and kind is not None:
        raise Usage("--run keeps a note of kind command", hint="leave out --kind")
    body = (
        run if run is not None and (text, file) == (None, None) else here.text(text, file, "text")
    )
    files = [{"what": "named by the note", **pair(each, "path", "what")} for each in paths]
    said: Data = {"kind": kind or "observation", "body": body, "files": files}
    if run is not None:
        said |= {"kind": "command", "command": _ran(here, task, run, said)}
    outcome = here.act(lambda reader, act: actions.note(reader, act, task, **said), task=task)
    about = outcome.change.main.data
    came_to = f", exit code {about['command']['exit_code']}" if about.get("command") else ""
    told(here, outcome, f"noted on {about['task']}{came_to}")


def _ran(here: Context, task: str, command: str, said: Data) -> Data:
    """What a command came to, as a note keeps it; nothing is run that could not be kept.

    Of a repeated call the first one's note stands, and nothing is run.
    """
    reader, act = here.acting(task)
    owner = names.task(reader, task)
    argv = [*SHELL, command]
    if actions.earlier(reader, act, "note", owner.id):
        return {}
    planned = {**said, "kind": "command", "command": {"argv": argv, "exit_code": 0, "tail": ""}}
    draft = actions.made(act, "note", owner, planned)
    problems = here.session.schemas.check("note", draft.data)
    if problems:
        raise Invalid(problems, what="nothing was run")
    check = run_check(
        command,
        here.repo.worktree or Path.cwd(),
        code.look(here.repo, None),
        here.at,
        show=not here.output.json,
    )
    here.tick()
    return {"argv": argv, "exit_code": check["exit_code"], "tail": check["tail"]}


@command("decide")
@click.argument("task", required=False, metavar="[TASK]")
@click.argument("title", required=False)
@click.option("--outcome", metavar="TEXT", help="What was chosen, and why.")
@text_file("Read the outcome from a file; - is standard input.")
@click.option("--context", "context_", metavar="TEXT", help="What made a choice necessary.")
@click.option("--option", "options", multiple=True, metavar="TEXT", help="What was considered.")
@click.option("--consequences", metavar="TEXT", help="What follows from it.")
@click.option("--by", "deciders", multiple=True, type=ACTOR, help="Who decided; you if not said.")
@click.option("--supersedes", metavar="DECISION", help="The decision that it replaces.")
@click.option("--project", type=PROJECT, help="Decide for a whole project instead of a task.")
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


def message_options(command: F) -> F:
    """What every message can say of itself: ``--channel`` and ``--idempotency-key``."""
    channel = click.option(
        "--channel",
        envvar="GITTASK_CHANNEL",
        show_envvar=True,
        default="cli",
        show_default=True,
        metavar="NAME",
        help="By which way it came: web, chat ...",
    )
    return text_file()(channel(idempotency_key()(command)))


reply_option = click.option(
    "--reply-to", metavar="MESSAGE", help="The message that it replies to, in its thread."
)


@command("ask")
@task_argument
@click.argument("text", required=False)
@click.option("--to", type=ACTOR, help="Who can answer; the task then waits for them.")
@reply_option
@message_options
def ask_command(
    task: str, text: str | None, file: str | None, key: str | None, **said: Any
) -> None:
    """Ask a question on a task. Prints its id, by which it is answered.

    \b
    gittask ask k3m9 "May I drop the old index?" --to alice
    gittask ask k3m9 "And the table?" --to alice --reply-to k3m9q2
    """
    here = context()
    here.use_key(key)
    body = here.text(text, file, "text")
    done = here.act(
        lambda reader, act: actions.say(reader, act, task, body, kind="question", **said),
        task=task,
    )
    asked = done.change.main.data
    to = f" {asked['to']}" if asked.get("to") else ""
    told(here, done, f"asked{to} on {asked['task']}")


@command("answer")
@click.argument("question", type=QUESTION)
@click.argument("text", required=False)
@message_options
def answer_command(
    question: str, text: str | None, file: str | None, key: str | None, channel: str
) -> None:
    """Answer a question, named by its id, or by its task if that has only one open.

    A question to somebody is answered by them, by any person, or by who asked it. It can be
    answered again: both answers stand, and the later one is the last word.

    \b
    gittask answer 20261130t100411z-k3m9q2 "Yes, after the backup"
    gittask answer k3m9 "Yes, after the backup" --channel chat
    """
    here = context()
    here.use_key(key)
    body = here.text(text, file, "text")
    reader, act = here.acting(None)
    asked = actions.question(reader, act, question)
    before: list[Record] = []

    def decide(reader: Reader, act: Act) -> Change:
        before[:] = answers(reader, asked)
        return actions.answer(reader, act, asked, body, channel=channel)

    done = here.act(decide, task=asked.data["task"])
    for said in (one.data for one in before if done.commit):
        here.output.warn(f"{said['from']} has answered it already: {first_line(said['body'])}")
    told(here, done, f"answered {done.change.main.data.get('in_reply_to')}")


@command("say")
@task_argument
@click.argument("text", required=False)
@click.option("--kind", type=click.Choice(["comment", "instruction"]), default="comment")
@click.option("--to", type=ACTOR, help="Whom it is for.")
@reply_option
@message_options
def say_command(
    task: str, text: str | None, file: str | None, key: str | None, **said: Any
) -> None:
    """Say something on a task: a comment, or an instruction to whoever works on it.

    \b
    gittask say k3m9 "Looks good from here"
    gittask say k3m9 "I agree" --reply-to k3m9q2
    gittask say k3m9 --kind instruction "Do not touch the billing module"
    """
    here = context()
    here.use_key(key)
    body = here.text(text, file, "text")
    done = here.act(lambda reader, act: actions.say(reader, act, task, body, **said), task=task)
    told(here, done, f"said on {done.change.main.data['task']}")
