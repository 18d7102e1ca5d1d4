"""The program: its commands, and the one place where an outcome becomes output and exit code."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from gittask import __version__
from gittask.cli.ahead import INTERRUPTED
from gittask.cli.command import COMMON, COMPLETE, SETTINGS, Command, Group
from gittask.cli.output import Output, Unwritten
from gittask.core.text import one_line
from gittask.errors import GittaskError, Usage

PIPE_CLOSED = 141
"""The exit code when the reader of a pipe left early, as that of a program ended by SIGPIPE."""


SECTIONS = {
    "Tasks": "init new list ready show edit set close cancel reopen dep actor project",
    "Work": "start commit report handoff release takeover recover retry resume beat",
    "Memory": "note decide ask answer say",
    "Together": "wait approve review inbox resolve",
    "Reading": "status brief tree timeline log blame discussion find where route site",
    "Pull requests": "pr",
    "Store": "store sync verify doctor schema merge-driver textconv hook",
    "More": "help demo completion",
}
"""All commands, in the order of the help."""

MODULES = {
    "tasks": "new edit set close cancel reopen dep",
    "people": "actor project",
    "work": "start report handoff release takeover",
    "commit": "commit",
    "beat": "beat",
    "recovery": "recover retry resume",
    "records": "note decide ask answer say",
    "waiting": "wait",
    "approvals": "approve",
    "reviews": "review",
    "inbox": "inbox resolve",
    "lists": "list ready",
    "show": "show",
    "status": "status",
    "tree": "tree",
    "brief": "brief",
    "timeline": "timeline",
    "route": "route",
    "log": "log",
    "blame": "blame",
    "find": "find",
    "discussion": "discussion",
    "where": "where",
    "pr": "pr",
    "site": "site",
    "setup": "init",
    "sync": "sync",
    "store": "store",
    "driver": "merge-driver",
    "textconv": "textconv",
    "verify": "verify",
    "doctor": "doctor",
    "hook": "hook",
    "program": "schema help demo completion",
}
"""The module of ``gittask.cli.commands`` in which each command is; loaded when it is called."""


class Program(Group):
    """The outermost group: it loads a command's module only when that command is wanted."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [name for names in SECTIONS.values() for name in names.split()]

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        for module, names in MODULES.items():
            if cmd_name in names.split():
                found = importlib.import_module(f"gittask.cli.commands.{module}")
                command: click.Command = getattr(found, cmd_name.replace("-", "_") + "_command")
                return command
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, names in SECTIONS.items():
            commands = {name: self.get_command(ctx, name) for name in names.split()}
            rows = [(n, c.get_short_help_str(90)) for n, c in commands.items() if c]
            with formatter.section(section):
                formatter.write_dl(rows)


@click.group(
    cls=Program,
    context_settings=SETTINGS,
    help="""A task store in git: tasks, handoffs, notes and decisions on a branch of their own.

    \b
    gittask init                           make the store, or adopt the remote's
    gittask new "Fix routing" --why "..."  a task
    gittask start TASK                     claim it and work
    gittask handoff TASK ...               what changed, holds, is uncertain
    gittask sync                           exchange with the remote

    Every command takes --json. Exit codes: 0 done, 1 fault, 2 wrong call, 3 not found,
    4 refused, 5 invalid data, 6 remote, 7 try again.
    """,
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, wanted: _show_version(ctx, wanted),
    help="Show the version and exit.",
)
def program() -> None:
    pass


def _show_version(ctx: click.Context, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.ensure_object(Output).result({"version": __version__}, f"gittask {__version__}")
        ctx.exit()


def main(args: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Nothing that goes wrong shows a traceback."""
    argv = list(sys.argv[1:] if args is None else args)
    options = _before_separator(argv)
    output = Output(json="--json" in options, lines="--jsonl" in options)
    try:
        code = _run(argv, output)
        output.flush()
    except BrokenPipeError:
        output.abandon()
        return PIPE_CLOSED
    except OSError as error:  # what there is to say cannot be written: a full disk, say
        output.abandon()
        done = "" if output.failed else "it was done, but "
        said = error.strerror or error
        with suppress(OSError):
            click.echo(f"error: {done}the output cannot be written: {said}", err=True)
        return GittaskError.exit
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit:
        raise
    except BaseException as fault:  # while an error was told, or of a compiled module: a panic
        output.abandon()
        if "KeyboardInterrupt" in str(fault):  # one that was interrupted while it was loaded
            return INTERRUPTED
        with suppress(OSError):
            click.echo(f"error: {one_line(_said(fault))}", err=True)
        return GittaskError.exit
    return code


def _before_separator(argv: list[str]) -> list[str]:
    return argv[: argv.index("--")] if "--" in argv else argv


def _run(argv: list[str], output: Output) -> int:
    try:
        if any("\udc80" <= char <= "\udfff" for text in argv for char in text):
            raise Usage("an argument is not valid UTF-8", hint="pass it from a file: -F FILE")
        return _call(argv, output)
    except click.exceptions.Exit as end:
        return end.exit_code
    except GittaskError as error:
        return output.error(error)
    except click.UsageError as error:
        return output.error(_usage(error))
    except click.ClickException as error:
        return output.error(GittaskError(error.format_message()))
    except (click.exceptions.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except (BrokenPipeError, Unwritten):
        raise
    except OSError as error:
        return output.error(GittaskError(f"the system refused: {error}", hint="mend it, try again"))
    except Exception as error:  # the last line of defence: a fault of ours, said in one sentence
        if os.environ.get("GITTASK_DEBUG"):
            traceback.print_exc()
        fault = GittaskError(
            _said(error),
            hint="please report it; GITTASK_DEBUG=1 shows where it happened",
        )
        return output.error(fault)


def _said(fault: BaseException) -> str:
    return f"a fault in gittask: {type(fault).__name__}: {fault}"


def _call(argv: list[str], output: Output) -> int:
    """Parse and call. Not by click's own ``main``, which ends the process on a closed pipe."""
    completing = os.environ.get(COMPLETE)
    if completing:
        from click.shell_completion import shell_complete

        return shell_complete(program, {}, "gittask", COMPLETE, completing)
    with program.make_context("gittask", argv, obj=output) as ctx:
        result: Any = program.invoke(ctx)
    return result if isinstance(result, int) else 0


def _usage(error: click.UsageError) -> Usage:
    command = error.ctx.command_path if error.ctx else "gittask"
    hint = f"see: {command} --help"
    if isinstance(error, click.NoSuchOption):
        hint += f"; text that begins with a dash goes after --: {command} -- ..."
    return Usage(error.format_message(), hint=hint)


__all__ = ["COMMON", "Command", "main", "program"]
