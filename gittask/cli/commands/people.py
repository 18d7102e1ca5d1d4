"""Commands for actors and projects."""

from __future__ import annotations

from operator import attrgetter

import click

from gittask.actions import actors
from gittask.actions.assign import assign
from gittask.cli.command import Group, command
from gittask.cli.complete import ACTOR, PROJECT, fields_of
from gittask.cli.context import context
from gittask.cli.options import after_option, page, page_options
from gittask.cli.result import show_page, told
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.meaning import joined, meant
from gittask.core.record import Reader
from gittask.core.text import one_line
from gittask.kinds import kind as kind_of


@click.group("actor", cls=Group)
def actor_command() -> None:
    """Those who act: people, agents and services."""


@actor_command.command("add")
@click.argument("id")
@click.option(
    "--kind", type=click.Choice(["person", "agent", "service"]), default="agent", show_default=True
)
@click.option("--name", metavar="NAME", help="The name that commits carry.")
@click.option("--email", metavar="ADDRESS", help="The address that commits carry.")
@click.option("--delegated-by", metavar="PERSON", type=ACTOR, help="On whose behalf an agent acts.")
def actor_add(id: str, **fields: str | None) -> None:
    """Add an actor. Who acts for the first time is added without this.

    \b
    gittask actor add codex-1 --name "Codex 1" --delegated-by alice
    gittask actor add alice --kind person --email alice@example.com
    """
    here = context()
    outcome = here.act(lambda reader, act: actors.add(reader, act, "actor", id, fields))
    told(here, outcome, f"added actor {id}, kind {fields['kind']}")


@click.group("project", cls=Group)
def project_command() -> None:
    """Sets of tasks with common instructions and policy."""


@project_command.command("add")
@click.argument("id")
@click.option("--name", metavar="NAME", help="The project's name.")
@click.option("--instructions", metavar="TEXT", help="What actors in it should follow.")
@click.option("--responsible", type=ACTOR, help="Who is responsible for its tasks.")
@click.option("--provider", metavar="P", help="The provider that its work goes to.")
def project_add(id: str, **fields: str | None) -> None:
    """Add a project.

    \b
    gittask project add routing --name "Order routing" --responsible alice
    """
    here = context()
    outcome = here.act(lambda reader, act: actors.add(reader, act, "project", id, fields))
    told(here, outcome, f"added project {id}")


def _list(kind: str, plural: str) -> click.Command:
    @command("list", help=f"List the {plural}.")
    @page_options
    @after_option("ID", {"actor": ACTOR, "project": PROJECT}[kind])
    def list_(limit: int, everything: bool, after: str | None) -> None:
        here = context()
        records = list(here.reader.all(kind))
        most = None if everything else limit
        shown, more = page(records, most, after, attrgetter("id"))
        summaries = [(one.id, one_line(kind_of(kind).summary(one.data))) for one in shown]
        lines = [joined(meant(id, "id"), "  ", summary) for id, summary in summaries]
        show_page(here, plural, [one.data for one in shown], len(records), lines, more=more)

    return list_


_SET = {
    "actor": """Set fields of an actor.

    \b
    gittask actor set codex-1 provider=codex
    gittask actor set codex-1 instructions="Say what you did not test"
    gittask actor set codex-1 "allowed+=glob:pytest *"
    """,
    "project": """Set fields of a project.

    Only a person may set what is allowed without approval, and who approves.

    \b
    gittask project set routing responsible=alice provider=codex
    gittask project set routing approvers+=alice "allowed+=glob:pytest *"
    """,
}
"""What the help of ``set`` says for each kind."""


def _set(kind: str) -> click.Command:
    @command("set", help=_SET[kind])
    @click.argument("id", type={"actor": ACTOR, "project": PROJECT}[kind], metavar="ID")
    @click.argument(
        "words", nargs=-1, required=True, metavar="FIELD=VALUE ...", type=fields_of(kind)
    )
    def set_(id: str, words: tuple[str, ...]) -> None:
        here = context()

        def decide(reader: Reader, act: Act) -> Change:
            found = names.named(reader, kind, id)
            data = assign(here.session.schemas, reader, act, kind, found.data, words)
            return actors.change(act, found, data)

        outcome = here.act(decide)
        touched = outcome.change.what
        told(here, outcome, f"set {outcome.change.main.id}{f': {touched}' if touched else ''}")

    return set_


for group, one, many in (
    (actor_command, "actor", "actors"),
    (project_command, "project", "projects"),
):
    group.add_command(_list(one, many))
    group.add_command(_set(one))
