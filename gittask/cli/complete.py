"""What a shell offers for a word that is being typed: a few values from the store, at once.

Never an error: where something is wrong, nothing is offered, and the command says what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

import click
from click.types import StringParamType

from gittask.core import ids
from gittask.core.record import Reader, Record
from gittask.core.stamp import stamps
from gittask.core.text import one_line
from gittask.kinds import kind, readable

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from gittask.cli.context import Context

MOST = 50
"""How many values are offered."""
LOOKED_AT = 200
"""How many records are opened at most to find them."""

Offer = tuple[str, str]
"""A value, and what it is."""


class Word(StringParamType):
    """A word of which a shell is offered those values that begin as typed.

    ``offers`` gets what the store is read by, the call as far as it is typed, and the word.
    """

    def __init__(
        self, metavar: str, offers: Callable[[Context, click.Context, str], Iterable[Offer]]
    ) -> None:
        self.name = metavar
        self._offers = offers

    def get_metavar(self, *_: Any, **__: Any) -> str:
        return self.name

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        with suppress(Exception):
            offers = self._offers(_here(ctx), ctx, incomplete)
            fitting = (each for each in offers if each[0].startswith(incomplete))
            found = islice(fitting, MOST)
            return [CompletionItem(value, help=one_line(what)) for value, what in found]
        return []


def _here(ctx: click.Context) -> Context:
    """What would be acted on: no command runs, so nobody has taken the common options yet."""
    place: click.Context | None = ctx
    while place and not place.params.get("folder"):
        place = place.parent
    if place:
        ctx.meta["gittask.folder"] = place.params["folder"]
    from gittask.cli.context import Context  # only where a shell asks: it loads the library of git

    return Context(ctx)


def _tasks(here: Context, _: click.Context, typed: str) -> Iterator[Offer]:
    for id in here.reader.near("task", typed):
        task = readable(here.reader, "task", id, task=None) if id.startswith(typed) else None
        if task:
            yield id, task.data["title"]


def _named(metavar: str, name: str) -> Word:
    """The actors or projects."""

    def offers(here: Context, _: click.Context, __: str) -> Iterator[Offer]:
        for record in here.reader.all(name):
            yield record.id, record.data.get("name") or ""

    return Word(metavar, offers)


def _labels(here: Context, _: click.Context, __: str) -> list[Offer]:
    tasks = islice(here.reader.all("task"), LOOKED_AT)
    return [(each, "") for each in sorted({each for task in tasks for each in _of(task)})]


def _of(task: Record) -> list[str]:
    return task.data.get("labels") or []


def _roles(_: Context, __: click.Context, ___: str) -> list[Offer]:
    return [(role, "") for role in ("editor", "reviewer", "advisor")]


# -- records by their ids ---------------------------------------------------------------------


def _records(metavar: str, name: str, wanted: Callable[[Reader], Iterator[Record]]) -> Word:
    """Records of a kind, by the random end of their id or by all of it; else tasks."""

    def offers(here: Context, ctx: click.Context, typed: str) -> Iterator[Offer]:
        none = True
        for record in wanted(here.reader):
            whole = typed and record.id.startswith(typed)
            value = record.id if whole else ids.ending(record.id)
            if value.startswith(typed):
                none = False
                yield value, kind(name).summary(record.data)
        if none:
            yield from _tasks(here, ctx, typed)

    return Word(metavar, offers)


def _newest(reader: Reader, name: str) -> Iterator[Record]:
    """The newest records of a kind, of whatever task."""
    for id in reversed(reader.ids(name)[-LOOKED_AT:]):
        record = readable(reader, name, id, task=reader.owner(name, id))
        if record:
            yield record


def _questions(reader: Reader) -> Iterator[Record]:
    """The questions that nobody has answered, the newest first."""
    found = list(_newest(reader, "message"))
    answered = {one.data.get("in_reply_to") for one in found if one.data["kind"] == "answer"}
    for message in found:
        if message.data["kind"] == "question" and message.id not in answered:
            yield message


def _standing(name: str, status: str) -> Callable[[Reader], Iterator[Record]]:
    """The records of a kind of which the state is this one."""

    def wanted(reader: Reader) -> Iterator[Record]:
        found = reader.having(name, "state.status", (status,))
        return iter(sorted(found, key=lambda one: one.id, reverse=True))

    return wanted


# -- fields -----------------------------------------------------------------------------------


def fields_of(name: str) -> Word:
    """``FIELD=`` of a kind of record, as ``set`` takes it."""

    def offers(here: Context, _: click.Context, __: str) -> Iterator[Offer]:
        from gittask.actions.assign import settable

        for field, schema in settable(here.session.schemas, name).items():
            yield f"{field}=", schema.get("description", "")

    return Word("FIELD=VALUE", offers)


def _units(here: Context, ctx: click.Context, _: str) -> Iterator[Offer]:
    """The fields of the record that the call names, and the parts of them that were set."""
    from gittask.views.show.lookup import find

    said = ctx.params["record"] or ctx.args[0]  # behind an option without its value: not parsed
    record = find(here.reader, here.session.schemas, said)
    for name in dict.fromkeys([*here.session.schemas.fields(record.kind), *stamps(record.data)]):
        yield name, ""


ACTOR = _named("ACTOR", "actor")
PROJECT = _named("P", "project")
LABEL = Word("L", _labels)
ROLE = Word("R", _roles)
TASK = Word("TASK", _tasks)
QUESTION = _records("QUESTION|TASK", "message", _questions)
HANDOFF = _records("HANDOFF|TASK", "handoff", lambda reader: _newest(reader, "handoff"))
CONFLICT = _records("CONFLICT|TASK", "conflict", _standing("conflict", "open"))
REQUESTED = _records("APPROVAL|TASK", "approval", _standing("approval", "requested"))
GRANTED = _records("APPROVAL|TASK", "approval", _standing("approval", "granted"))
UNIT = Word("NAME", _units)

complete_task = TASK.shell_complete
