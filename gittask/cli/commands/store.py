"""Commands for the store's own record: its name, and what holds for all tasks."""

from __future__ import annotations

import click

from gittask.actions import actors
from gittask.actions.assign import assign
from gittask.cli.command import Group
from gittask.cli.complete import fields_of
from gittask.cli.context import context
from gittask.cli.result import told
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.codec import encode
from gittask.core.meaning import meant
from gittask.core.record import Reader


@click.group("store", cls=Group)
def store_command() -> None:
    """The store itself: its name, and what holds for all tasks unless they say otherwise."""


@store_command.command("show")
def store_show() -> None:
    """Show the store's record as it is written.

    \b
    gittask store show
    """
    here = context()
    store = names.store(here.reader)
    written = encode(store.data, here.session.schemas.order("store")).decode()
    here.output.result({"store": store.data}, meant(written.rstrip("\n"), "verbatim"))


@store_command.command("set")
@click.argument(
    "words", nargs=-1, required=True, metavar="FIELD=VALUE ...", type=fields_of("store")
)
def store_set(words: tuple[str, ...]) -> None:
    """Set fields of the store: name, instructions, provider, allowed, approvers, lease,
    signatures.

    Only a person may set what is allowed without approval, and who approves.

    \b
    gittask store set name="Shop" lease=30m
    gittask store set instructions="Follow AGENTS.md"
    gittask store set "allowed+=glob:pytest *" allowed+="git status"
    gittask store set approvers=alice,bruno
    """
    here = context()

    def decide(reader: Reader, act: Act) -> Change:
        found = names.store(reader)
        data = assign(here.session.schemas, reader, act, "store", found.data, words)
        return actors.change(act, found, data)

    outcome = here.act(decide)
    touched = outcome.change.what
    told(here, outcome, f"set the store{f': {touched}' if touched else ''}")
