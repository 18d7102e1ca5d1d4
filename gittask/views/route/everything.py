"""What is known of all tasks, by a look at each of their records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property

from gittask.core.happening import TELLING, Happening, providers, taking_part, told
from gittask.core.index import Place
from gittask.core.queue import CLOSED
from gittask.core.record import Reader, Record
from gittask.views.route.matching import Lookup


class Everything:
    """See ``Known``; of titles it tells all."""

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

    @cached_property
    def _happened(self) -> dict[str, list[Happening]]:
        records = (record for kind in TELLING for record in self._reader.all(kind))
        found: dict[str, list[Happening]] = {id: [] for id in self._tasks}
        for record in records:
            if record.task in found:
                found[record.task] += told(record)
        return {id: sorted(each) for id, each in found.items()}

    def _last(self, fits: Callable[[Happening], bool]) -> dict[str, str]:
        found = {id: [one.at for one in each if fits(one)] for id, each in self._happened.items()}
        return {id: times[-1] for id, times in found.items() if times}

    def told(self, task: str) -> list[Happening]:
        return self._happened[task]

    def touched(
        self, first: str, last: str, what: Collection[str] = (), by: str | None = None
    ) -> set[str]:
        def fits(one: Happening) -> bool:
            then = first <= one.at < last
            return then and (not what or one.what in what) and by in (None, one.by)

        return {*self._last(fits)}

    def met(self, what: Collection[str]) -> set[str]:
        return {*self._last(lambda one: one.what in what)}

    def moved(self, first: str) -> dict[str, str]:
        return self._last(lambda one: one.at >= first)

    def did(self, actors: Collection[str], until: str, but: Collection[str]) -> dict[str, str]:
        return self._last(lambda one: one.by in actors and one.at <= until and one.what not in but)

    def answered(self, actor: str, until: str) -> dict[str, str]:
        moved = self._last(lambda one: one.at <= until)
        tasks = self._tasks.values()
        return {
            one.id: moved.get(one.id, until) for one in tasks if one.data["responsible"] == actor
        }

    def unfinished(self) -> set[str]:
        tasks = self._tasks.values()
        return {one.id for one in tasks if one.data["state"]["status"] not in CLOSED}

    def involving(self, actors: Collection[str]) -> set[str]:
        records = [*self._tasks.values(), *self._executions]
        found = {one.task for one in records if not taking_part(one).isdisjoint(actors)}
        return {id for id in self._tasks if id in found}

    def providers(self) -> list[str]:
        records = [*self._reader.all("project"), *self._tasks.values(), *self._executions]
        return [name for record in records for name in providers(record)]

    def works_by(self) -> dict[str, str]:
        named = (one.data for one in self._executions if one.data.get("provider"))
        return {data["actor"]: data["provider"] for data in named}
