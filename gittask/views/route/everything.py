"""What is known of all tasks, by a look at each."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from gittask.core.happening import TELLING, Happening, providers, taking_part, told
from gittask.core.index import Place
from gittask.core.record import Reader, Record
from gittask.views.route.matching import Lookup


class Everything:
    """See ``Known``: where more may be told than is asked for, it is all tasks."""

    def __init__(self, reader: Reader, lookup: Lookup) -> None:
        self._reader = reader
        self._lookup = lookup

    @cached_property
    def _tasks(self) -> dict[str, Record]:
        return {task.id: task for task in self._reader.all("task")}

    @cached_property
    def _executions(self) -> list[Record]:
        return list(self._reader.all("execution"))

    def count(self) -> int:
        """See ``Known``; so are the others."""
        return len(self._tasks)

    def places(self, words: str) -> Iterator[Place]:
        return (place for place in self._lookup(words) if place.task in self._tasks)

    def titles(self, _: str) -> list[str]:
        return [task.data["title"] for task in self._tasks.values()]

    def told(self, task: str) -> list[Happening]:
        others = (self._reader.all(kind, task=task) for kind in TELLING if kind != "task")
        records = [self._tasks[task], *(record for found in others for record in found)]
        return sorted(happening for record in records for happening in told(record))

    def touched(self, _: str, __: str) -> list[str]:
        return list(self._tasks)

    def mattering(self, _: Collection[str]) -> list[str]:
        return list(self._tasks)

    def involving(self, actors: Collection[str]) -> list[str]:
        records = [*self._tasks.values(), *self._executions]
        found = {one.task for one in records if not taking_part(one).isdisjoint(actors)}
        return [id for id in self._tasks if id in found]

    def providers(self) -> list[str]:
        records = [*self._reader.all("project"), *self._tasks.values(), *self._executions]
        return [name for record in records for name in providers(record)]

    def works_by(self) -> dict[str, str]:
        named = (one.data for one in self._executions if one.data.get("provider"))
        return {data["actor"]: data["provider"] for data in named}
