"""What wants somebody, and the command that settles a conflict."""

from __future__ import annotations

from collections.abc import Iterator

import click

from gittask.actions import conflicts as actions
from gittask.cli import life
from gittask.cli.command import command
from gittask.cli.complete import CONFLICT
from gittask.cli.context import Context, context
from gittask.cli.options import after_option, limit_option, lines_option, page
from gittask.cli.result import stream, told
from gittask.core import names
from gittask.core.change import Act, Change
from gittask.core.meaning import joined, meant
from gittask.core.record import Reader, Record
from gittask.core.text import one_line
from gittask.views import conflicts
from gittask.views.concerning import at_work
from gittask.views.inbox import TROUBLE, inbox
from gittask.views.item import Item
from gittask.views.words import short


@command("inbox")
@click.option("--all", "everything", is_flag=True, help="What wants anybody, not only you.")
@limit_option(None)
@lines_option
@after_option("KIND/RECORD")
def inbox_command(everything: bool, limit: int | None, after: str | None) -> None:
    """Show what wants you, each with the command that settles it.

    Questions and answers, requests for approval, handoffs to review or to go on from, changes to
    make, waits that expired, executions that are lost or were superseded, late reports,
    conflicts, circles, commits that failed verification, and files that cannot be read.

    \b
    gittask inbox
    gittask inbox --all --json
    gittask inbox --as codex-1
    """
    here = context()
    reader = here.reader
    reader.survey()
    reader.note_problems()
    actor = None if everything else _known(reader, here.actor(reader))
    heard = life.heard(here, at_work(reader))
    failed = {span: one.said for span, one in here.local.failed().items()}
    found = inbox(reader, actor, here.at, heard, failed, when=here.when)
    items, more = page(found, limit, after, lambda item: f"{item.kind}/{item.record}")
    if here.output.lines:
        stream(here, (item.as_json() for item in items))
        return
    document = {"inbox": [item.as_json() for item in items], "total": len(found)}
    document |= {"next": more} if more else {}
    here.output.result(document, _lines(here, items, everything), page=True)
    if more:
        here.output.message(f"{len(items)} of {len(found)} items; --after {more} the next")
    if not found:
        here.output.message(f"nothing wants {actor or 'anybody'}")


def _known(reader: Reader, actor: Record) -> str:
    """The id of whom an inbox is asked for. Raises NotFound for a name that nobody has.

    The person whom git names may not have acted yet.
    """
    if actor.data["kind"] == "person":
        return actor.id
    return names.named(reader, "actor", actor.id).id


def _lines(here: Context, items: list[Item], everything: bool) -> Iterator[str]:
    for item in items:
        kind = meant(item.kind, "warning" if item.kind in TROUBLE else "heading")
        task = meant(short(here.reader, item.task), "id") if item.task else ""
        at = meant(here.when(item.at), "aside") if item.at else ""
        yield joined(kind, task, one_line(item.title or ""), at, between="  ")
        yield f"    {item.text}"
        if everything:
            yield f"    for {', '.join(item.to) or 'nobody'}"
        yield joined("    ", meant(item.command, "verbatim"))


@command("resolve")
@click.argument("conflict", type=CONFLICT)
@click.option(
    "--keep",
    required=True,
    metavar="early|late|kept|lost|VALUE",
    help="Of the two values the earlier or later, by the time that each says; the one that was "
    "kept or the one that lost; or another.",
)
@click.option("--reason", metavar="TEXT", help="Why.")
def resolve_command(conflict: str, keep: str, reason: str | None) -> None:
    """Settle a conflict of a merge, and write the value that was chosen.

    A conflict is named by its id, or by a task with only one that is open. What follows from
    claims and answers (state, spent), and what is written once, can only be left as it stands.
    Older conflicts of the field, which others have set since, are settled with it, and named.

    \b
    gittask resolve k3m9 --keep kept
    gittask resolve k3m9q2 --keep lost --reason "It is urgent after all"
    gittask resolve k3m9 --keep 1
    """
    here = context()
    known = actions.named(here.reader, conflict)

    def decide(reader: Reader, act: Act) -> Change:
        found = actions.named(reader, known.id)
        return actions.resolve(reader, act, here.session.schemas, found, keep, reason=reason)

    done = here.act(decide, task=known.task)
    told(here, done, f"settled {done.change.main.id}: {done.change.what}")
    after = here.session.reader()
    for one in done.change.records:
        if one.kind == "conflict" and one.id != known.id:
            here.output.message(f"settled with it {one.id}: {conflicts.within(after, one)}")
