"""The boundary between the general store and the rules of one kind."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NamedTuple

from gittask.core.ids import NOBODY, second
from gittask.core.record import Data, Reader, Record, age
from gittask.errors import Invalid, Problem


class Attempt(NamedTuple):
    """A record that somebody wants to write, and what stood there before."""

    reader: Reader
    before: Record | None
    after: Record
    actor: str
    person: bool
    execution: str | None
    """The execution under which the actor writes; None for a person at work without one."""


def _anything(_: Attempt) -> Iterator[Problem]:
    return iter(())


class Kind(NamedTuple):
    """One kind of record.

    ``summary`` says a record in one line. ``may`` yields what is wrong with an attempt beyond its
    shape, and raises Refused where the actor has no authority for it.
    """

    name: str
    summary: Callable[[Data], str]
    may: Callable[[Attempt], Iterator[Problem]] = _anything


def names_nobody(attempt: Attempt) -> Iterator[Problem]:
    """What is wrong with the name of a new actor or project, if it says that there is none."""
    if attempt.before is None and attempt.after.id in NOBODY:
        message = f"cannot be {attempt.after.id!r}, which says that there is none"
        yield Problem("", "id", message, "choose another name")


def readable(reader: Reader, kind: str, id: str | None, *, task: str | None) -> Record | None:
    """The record, or None where there is none, or none that can be read."""
    if id is None:
        return None
    try:
        return reader.get(kind, id, task=task)
    except Invalid:
        return None


def newest(reader: Reader, kind: str, *, task: str) -> Iterator[Record]:
    """The readable records of a kind of a task, the newest first.

    Opened only as far as they are asked for. An id tells the second, the record the rest.
    """
    ids = reversed(reader.ids(kind, task=task))
    for _, group in groupby(ids, key=second):
        found = (readable(reader, kind, id, task=task) for id in group)
        yield from sorted(filter(None, found), key=age, reverse=True)


def kind(name: str) -> Kind:
    """The kind of this name, from ``gittask.kinds.<name>``. ModuleNotFoundError if unknown."""
    module = importlib.import_module(f"gittask.kinds.{name}")
    found: Kind = module.KIND
    return found
