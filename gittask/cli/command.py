"""Commands that take the common options, and that notice an option whose value was forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import click

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def COMMON() -> list[click.Option]:  # noqa: N802 - a constant, made anew for each command
    """The options that every command takes, before or after its name."""
    return [
        click.Option(["--json"], is_flag=True, help="Print one JSON document."),
        click.Option(["--as", "actor"], metavar="ACTOR", help="Who acts."),
        click.Option(["--execution"], metavar="ID", help="The execution under which to act."),
        click.Option(["-C", "folder"], metavar="DIR", help="Work in this folder's repository."),
    ]


class Command(click.Command):
    """A command with the common options; they reach it through ``ctx.meta``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += COMMON()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        refuse_swallowed(ctx, args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        take_common(ctx)
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own: list[tuple[str, str]] = []
        common: list[tuple[str, str]] = []
        names = {option.name for option in COMMON()} | {"help"}
        for param in self.get_params(ctx):
            row = param.get_help_record(ctx)
            if row:
                (common if param.name in names else own).append(row)
        for title, rows in (("Options", own), ("Common options", common)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Group(click.Group):
    """A group whose commands take the common options, and which takes them itself."""

    command_class = Command
    group_class = type

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += COMMON()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        refuse_swallowed(ctx, args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        take_common(ctx)
        return super().invoke(ctx)


def take_common(ctx: click.Context) -> None:
    """Move the common options from a command's parameters to where all of them are looked up."""
    for option in COMMON():
        value = ctx.params.pop(option.name, None)
        if value and value is not True:
            ctx.meta[f"gittask.{option.name}"] = value


def refuse_swallowed(ctx: click.Context, args: Iterable[str]) -> None:
    """``--title --json`` is a forgotten value, not the title "--json"."""
    options = [param for param in ctx.command.get_params(ctx) if isinstance(param, click.Option)]
    known = {name for option in options for name in (*option.opts, *option.secondary_opts)}
    known |= set(ctx.help_option_names)
    takes_value = {
        name
        for option in options
        if not option.is_flag and not option.count
        for name in option.opts
    }
    words = list(args)
    for word, following in pairwise(words):
        if word == "--":
            return
        if word in takes_value and following in known:
            raise click.UsageError(
                f"{word} needs a value, but {following} is an option; "
                f"if you mean the text, write {word}={following}",
                ctx,
            )


def command(name: str, **settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a command of this name, with the common options."""
    settings.setdefault("context_settings", SETTINGS)
    return click.command(name, cls=Command, **settings)
