"""Tasks with their parts and with what they need, as a tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, field
from functools import partial
from typing import NamedTuple

from gittask.core.dataclass import dataclass
from gittask.core.meaning import Meaning, joined, meant
from gittask.core.queue import UNFINISHED, Query, ordered
from gittask.core.record import Data, Reader, Record
from gittask.core.text import one_line
from gittask.kinds import readable
from gittask.kinds.task import CLOSED
from gittask.views import graph
from gittask.views.board import column
from gittask.views.listing import MEANINGS, STATUSES
from gittask.views.words import short

DOWN = ("part", "needs")
UP = ("part of", "needed by")
"""How a task can stand to the one above it in a tree, downward and upward."""

DEEPEST = 100


@dataclass
class Node:
    """A task in a tree, and those below it.

    ``relation`` is how it stands to the one above it (None: it has none above). ``standing`` is
    ready, blocked, waiting, another status, missing or unreadable. ``again`` is ``above`` where
    the task was shown in full before, ``circle`` where it stands below itself; ``more`` counts
    what is below but deeper than was asked for.
    """

    id: str
    relation: str | None
    standing: str
    title: str | None
    again: str | None = None
    more: int = 0
    below: list[Node] = field(default_factory=list)

    def as_json(self) -> Data:
        """The node as ``--json`` shows it."""
        return asdict(self)


def tree(
    reader: Reader, now: str, task: Record | None = None, *, closed: bool, depth: int
) -> Iterator[Node]:
    """The tree of a task or, without one, the trees of all that is unfinished, one by one.

    Below a task stand its parts and what it needs; below the one that was asked for also what it
    is part of, and what needs it. ``closed`` shows what is done or cancelled too; ``depth`` is how
    many levels are shown, at most ``DEEPEST``.
    """
    found = _Tree(reader, now, closed, depth)
    if task is not None:
        yield found.node(task.id, None, (*DOWN, *UP), ())
        return
    for id in found.roots():
        yield found.node(id, None, DOWN, ())


class _Tree:
    def __init__(self, reader: Reader, now: str, closed: bool, depth: int) -> None:
        self._reader = reader
        self._now = now
        self._depth = depth
        self._closed = closed
        self._parts: dict[str, list[str]] | None = None
        self._known: dict[tuple[str, tuple[str, ...]], list[tuple[str, str]]] = {}
        self._shown: set[tuple[str, bool]] = set()

    def _task(self, id: str) -> Record | None:
        return readable(self._reader, "task", id, task=None)

    def _hidden(self, id: str) -> bool:
        task = None if self._closed else self._task(id)
        return task is not None and task.data["state"]["status"] in CLOSED

    def _around(self, id: str, relations: tuple[str, ...]) -> list[tuple[str, str]]:
        """The tasks beside one that are to be seen, each with how it stands to it.

        What is missing or unreadable leads nowhere.
        """
        place = id, relations
        if place not in self._known:
            task = self._task(id)
            beside = {each: self._beside(task, each) for each in relations} if task else {}
            self._known[place] = [
                (relation, other)
                for relation, others in beside.items()
                for other in others
                if not self._hidden(other)
            ]
        return self._known[place]

    def _beside(self, task: Record, relation: str) -> list[str]:
        if relation == "needs":
            return task.data.get("depends_on") or []
        if relation == "part of":
            return [task.data["parent"]] if task.data.get("parent") else []
        if relation == "part" and self._parts is not None:
            return self._parts[task.id]
        field = "parent" if relation == "part" else "depends_on"
        return [one.id for one in ordered(self._reader.having("task", field, (task.id,)))]

    def roots(self) -> list[str]:
        """The fewest tasks below which all others stand; of a circle the most urgent."""
        self._parts = defaultdict(list)
        seen = list(self._reader.tasks(Query(STATUSES if self._closed else UNFINISHED)))
        for task in seen:
            if task.data.get("parent"):
                self._parts[task.data["parent"]].append(task.id)
        found = self._unreached(task.id for task in seen)
        # Of those, one can stand below another only if that came later.
        return self._unreached(reversed(found))[::-1]

    def _unreached(self, ids: Iterable[str]) -> list[str]:
        """The tasks, each of which stands below none of those before it."""
        found: list[str] = []
        reached: set[str] = set()
        for id in ids:
            if id not in reached:
                found.append(id)
                self._reach(id, reached)
        return found

    def _reach(self, root: str, reached: set[str]) -> None:
        todo = [root]
        while todo:
            id = todo.pop()
            if id not in reached:
                reached.add(id)
                todo += [other for _, other in self._around(id, DOWN)]

    def node(
        self, id: str, relation: str | None, relations: tuple[str, ...], path: tuple[str, ...]
    ) -> Node:
        """A task and what stands below it by these relations; ``path`` leads to it."""
        made = self._bare(id, relation)
        place = (id, relations == UP)
        below = self._around(id, relations)
        if relation is None and relations == DOWN:
            lost = self._around(id, ("part of",))
            below = [*below, *(each for each in lost if self._task(each[1]) is None)]
        if id in path:
            made.again = "circle"
        elif place in self._shown and below:
            made.again = "above"
        elif len(path) + 1 >= self._depth:
            made.more = len(below)
        else:
            self._shown.add(place)
            made.below = [
                self.node(other, how, DOWN if how in DOWN else UP, (*path, id))
                for how, other in below
            ]
        return made

    def _bare(self, id: str, relation: str | None) -> Node:
        task = self._task(id)
        if task is None:
            return Node(id, relation, graph.status(self._reader, id), None)
        how = column(self._reader, task, self._now)
        return Node(id, relation, how, task.data["title"])


# -- for people -------------------------------------------------------------------------------


class Row(NamedTuple):
    """The line of a task in a tree: ``title`` is what may be cut where there is little room."""

    before: str
    title: str
    after: str


Name = Callable[[str], str]
"""What a task is called by."""


def rows(reader: Reader, nodes: Iterable[Node]) -> Iterator[Row]:
    """The lines of trees, from above."""
    for node in nodes:
        yield from _rows(node, partial(short, reader), "", "")


def _rows(node: Node, name: Name, first: str, rest: str) -> Iterator[Row]:
    """A node and those below it; ``first`` stands before its line, ``rest`` before the others."""
    yield _row(node, name, first)
    for place, below in enumerate(node.below, 1):
        last = place == len(node.below)
        branch, on = ("└─ ", "   ") if last else ("├─ ", "│  ")
        yield from _rows(below, name, rest + branch, rest + on)


def _row(node: Node, name: Name, first: str) -> Row:
    relation = "" if node.relation in (None, "part") else f"{node.relation} "
    meaning: Meaning = MEANINGS.get(node.standing, "warning")
    return Row(
        joined(
            meant(first + relation, "aside"),
            meant(name(node.id), "id"),
            "  ",
            meant(node.standing, meaning),
        ),
        one_line(node.title or ""),
        _after(node),
    )


def _after(node: Node) -> str:
    if node.again == "circle":
        return meant("(circle)", "warning")
    said = "(above)" if node.again else f"({node.more} below)" if node.more else ""
    return meant(said, "aside")
