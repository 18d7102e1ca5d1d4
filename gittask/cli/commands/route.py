"""From words to a task and what is wanted of it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from gittask.cli import life
from gittask.cli.command import command
from gittask.cli.complete import ACTOR
from gittask.cli.context import Context, context
from gittask.cli.options import text_file, typed
from gittask.cli.result import result
from gittask.cli.zone import zone as time_zone
from gittask.core import names
from gittask.core.meaning import joined, meant
from gittask.core.text import one_line
from gittask.errors import NoIdentity, Usage
from gittask.kinds import readable
from gittask.store.index.words import Words, by_words
from gittask.store.search import Search
from gittask.views.concerning import at_work
from gittask.views.route.answer import Route, route
from gittask.views.route.matching import Place, searched
from gittask.views.route.standing import asker
from gittask.views.words import short


@command("route")
@click.argument("words", nargs=-1)
@click.option("--actor", "who", type=ACTOR, help="Who asks; whoever acts, if not said.")
@click.option("--zone", metavar="ZONE", help="Where yesterday is meant; else the asker's.")
@text_file()
def route_command(
    words: tuple[str, ...], who: str | None, zone: str | None, file: str | None
) -> None:
    """Say which task words mean, what is wanted of it, and the command for that.

    To continue, a second execution with a role (review), status, to retry, or something new.
    Where several tasks fit about as well, or none does well, the exit code is 3 and the
    candidates are named: nothing is guessed. Nothing is changed either.

    \b
    gittask route "continue the routing task"
    gittask route use cc to review it too
    gittask route "what happened with the thing from yesterday?"
    gittask route --actor alice --zone Europe/Berlin "retry that" --json
    """
    here = context()
    text = here.text(typed(words), file, "text")
    actor = _asker(here, who)
    local = time_zone(_zone_of(here, actor) if zone is None else zone)
    who_asks = asker(here.reader, actor, _at_work_here(here, actor))
    heard = life.heard(here, at_work(here.reader))

    def answer(kept: Words | None) -> Route:
        search = None if kept else Search(searched(here.reader, here.session.schemas))

        def lookup(word: str) -> Iterator[Place]:
            return (hit.key for hit in search.find(word)) if search else iter(())

        return route(
            here.reader,
            text,
            lookup,
            who_asks,
            now=here.now,
            zone=local,
            heard=heard,
            known=kept,
        )

    found = by_words(here.repo, here.session.schemas, here.reader, answer)
    result(here, {"route": found.as_json()}, _lines(here, found))


def _zone_of(here: Context, actor: str | None) -> str | None:
    """The zone that the asker's record names; of a machine that does not know it, none."""
    found = readable(here.reader, "actor", actor, task=None)
    named = found.data.get("zone") if found else None
    try:
        time_zone(named)
    except Usage:
        return None
    return str(named) if named else None


def _asker(here: Context, who: str | None) -> str | None:
    """Who asks: as named, or who acts; None if nobody is known."""
    if who is not None:
        return names.named(here.reader, "actor", who).id
    try:
        return here.actor(here.reader).id
    except NoIdentity:
        return None


def _at_work_here(here: Context, actor: str | None) -> str | None:
    """The task of this work tree's current execution, if that is the asker's."""
    kept = here.current
    execution = readable(here.reader, "execution", kept.get("execution"), task=kept.get("task"))
    return kept["task"] if execution and execution.data["actor"] == actor else None


def _lines(here: Context, found: Route) -> Iterator[str]:
    name = short(here.reader, found.task) if found.task else "new"
    yield joined(meant(name, "id"), f"  {one_line(found.title)}")
    by = f" by {found.provider}" if found.provider else ""
    role = f" as {found.role}" if found.role else ""
    yield f"{found.intent}{role}{by} ({found.score:.2f}): {one_line('; '.join(found.why))}"
    for one in found.candidates if found.task is None else ():
        id, title = short(here.reader, one.task.id), one_line(one.task.data["title"])
        yield joined("like it: ", meant(id, "id"), f"  {title}")
    yield meant(found.command, "verbatim")
