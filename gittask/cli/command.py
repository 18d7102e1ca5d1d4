"""Commands that take the common options, and that notice an option whose value was forgotten."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import click

from gittask.cli.atonce import COMPLETE as COMPLETE
from gittask.cli.complete import ACTOR
from gittask.cli.output import Output
from gittask.core.meaning import meant

_REST = "gittask.rest"

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 80}


def COMMON() -> list[click.Option]:  # noqa: N802 - a constant, made anew for each command
    """The options that every command takes, before or after its name."""
    return [
        click.Option(["--json"], is_flag=True, help="Print one JSON document."),
        click.Option(["--as", "actor"], type=ACTOR, help="Who acts."),
        click.Option(["--execution"], metavar="ID", help="The execution under which to act."),
        click.Option(["-C", "folder"], metavar="DIR", help="Work in this folder's repository."),
        click.Option(["--exact"], is_flag=True, help="Times in full, on a terminal too."),
        click.Option(["--no-pager"], is_flag=True, help="Print a long text at once."),
    ]


class Common(click.Command):
    """What commands and groups share: the common options, and help that respects ``--json``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += COMMON()
        self._help: click.Option | None = None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        refuse_swallowed(ctx, args)
        return super().parse_args(ctx, args)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """As click's own, which would look for its few words in other languages each time."""
        if self._help is None:
            self._help = click.Option(
                [*self.get_help_option_names(ctx), "help"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                help="Show this message and exit.",
                callback=show_help,
            )
        return self._help

    def invoke(self, ctx: click.Context) -> Any:
        take_common(ctx)
        return super().invoke(ctx)


class Command(Common):
    """A command with the common options; they reach it through ``ctx.meta``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            refuse_placeholders(ctx, args)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own: list[tuple[str, str]] = []
        common: list[tuple[str, str]] = []
        names = {option.name for option in (*COMMON(), self.get_help_option(ctx)) if option}
        for param in self.get_params(ctx):
            row = param.get_help_record(ctx)
            if row and isinstance(param, click.Option):
                (common if param.name in names else own).append(row)
        for title, rows in (("Options", own), ("Common options", common)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Beside(Command):
    """A command after which, behind ``--``, words for another program stand: see ``rest``."""

    def __init__(self, *args: Any, rest: str = "COMMAND", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._rest = rest

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            ctx.meta[_REST] = args[place + 1 :]
            args = args[:place]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), f"[-- {self._rest} ...]"]


def rest(ctx: click.Context) -> list[str] | None:
    """The words behind ``--``; None where there is no ``--``."""
    words: list[str] | None = ctx.meta.get(_REST)
    return words


GUESSES = {
    "create": "new add",
    "add": "new",
    "new": "add",
    "done": "close",
    "finish": "close",
    "complete": "close",
    "claim": "start",
    "take": "start",
    "update": "set",
    "comment": "say",
    "reply": "answer say",
    "threads": "discussion",
    "messages": "discussion",
    "message": "say",
    "history": "timeline",
    "annotate": "blame",
    "who": "blame",
    "delete": "cancel remove",
    "remove": "cancel",
    "rm": "cancel remove",
    "version": "--version",
    "view": "show",
    "ls": "list",
    "push": "sync",
    "pull": "sync",
    "search": "find",
    "grep": "find",
    "board": "list",
    "graph": "tree",
    "next": "ready",
}
"""What people type, and the commands that they may mean by it."""


class Group(Common, click.Group):
    """A group whose commands take the common options, and which takes them itself."""

    command_class = Command
    group_class = type

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, no_args_is_help=False, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            show_help(ctx, None, True)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise click.UsageError(f"no command {name!r}{self._meant(ctx, name)}", ctx)
        return super().resolve_command(ctx, args)

    def _meant(self, ctx: click.Context, name: str) -> str:
        """What a command that does not exist was perhaps meant to be."""
        known = self.list_commands(ctx)
        near = difflib.get_close_matches(name.lower(), [*known, *GUESSES], 1)
        meant = [
            each
            for word in near
            for each in ([word] if word in known else GUESSES[word].split())
            if each in known or each.startswith("-")
        ]
        paths = [f"{ctx.command_path} {each}" for each in meant]
        return f"; did you mean: {' or '.join(paths)}" if paths else ""


def show_help(ctx: click.Context, _: click.Parameter | None, wanted: bool) -> None:
    """Print the help of a command as its result, and end."""
    if wanted and not ctx.resilient_parsing:
        text = ctx.get_help()
        ctx.ensure_object(Output).result({"help": text}, meant(text, "verbatim"))
        ctx.exit()


def take_common(ctx: click.Context) -> None:
    """Move the common options from a command's parameters to where all of them are looked up."""
    for option in COMMON():
        value = ctx.params.pop(option.name, None)
        if value is None or value is False:
            continue
        if value is not True and not value.strip():
            raise click.UsageError(f"{option.opts[0]} is empty: give a value, or leave it out", ctx)
        ctx.meta[f"gittask.{option.name}"] = value
    output = ctx.ensure_object(Output)
    output.paging = "gittask.no_pager" not in ctx.meta
    output.folder = Path(ctx.meta.get("gittask.folder", "."))


def refuse_swallowed(ctx: click.Context, args: Iterable[str]) -> None:
    """``--title --json`` is a forgotten value, not the title "--json"."""
    if ctx.resilient_parsing:  # for a shell that asks what could follow
        return
    options = [param for param in ctx.command.get_params(ctx) if isinstance(param, click.Option)]
    known = {name for option in options for name in (*option.opts, *option.secondary_opts)}
    known |= set(ctx.help_option_names)
    takes_value = {
        name
        for option in options
        if not option.is_flag and not option.count
        for name in option.opts
    }
    for word, following in pairwise(args):
        if word == "--":
            return
        if word in takes_value and following.partition("=")[0] in known:
            raise click.UsageError(
                f"{word} needs a value, but {following} is an option; "
                f"if you mean the text, write {word}={following}",
                ctx,
            )


_PLACEHOLDER = r"(?s)([\w.-]+[+-]?=|.*::\s*)?\.\.\."
"""What stands for words to come: ``...``, ``--why=...``, ``why=...`` or ``PATH :: ...``."""


def refuse_placeholders(ctx: click.Context, args: Iterable[str]) -> None:
    """A command that was pasted as it was shown does not say the ``...`` in it."""
    for word in takewhile(lambda word: word != "--", args):
        if "..." in word and re.fullmatch(_PLACEHOLDER, word.strip()):
            raise click.UsageError(
                f'{word}: "..." is to be replaced by your own words; '
                "as an argument that is meant it goes after --",
                ctx,
            )


def command(name: str, **settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a command of this name, with the common options."""
    settings.setdefault("context_settings", SETTINGS)
    return click.command(name, cls=Command, **settings)
