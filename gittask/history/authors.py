"""Who of the actors made a commit, by what git knows of its author."""

from __future__ import annotations

from functools import cached_property

from gittask.core import ids
from gittask.core.record import Reader
from gittask.store.repo import Person

UNKNOWN = "somebody"
"""The actor of a commit that names nobody who could be one."""


class Authors:
    """The authors of commits as the actors of one snapshot; those are read when first asked for."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def actor(self, author: Person) -> str:
        """The actor of this address, or a name made of the author's."""
        known = self._actors.get(author.email)
        local = author.email.partition("@")[0]
        return known or ids.slug(author.name) or ids.slug(local) or UNKNOWN

    @cached_property
    def _actors(self) -> dict[str, str]:
        actors = self._reader.all("actor")
        known = sorted((actor.id, actor.data.get("email")) for actor in actors)
        return {email: id for id, email in reversed(known) if email}
