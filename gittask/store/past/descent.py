"""What touched a path, and how these commits descend from each other: what git finds by a walk
over all of history, by the rows of the index for that path alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache

from gittask.store import history
from gittask.store.past.lines import simplified
from gittask.store.past.tables import ALL, DEPTH, MET, Known, Tables, Touching
from gittask.store.repo import Repo

Contents = dict[str, str | None]
"""By commit, the id of what stands at a path; None for nothing."""


def contents(repo: Repo, commits: Sequence[str], path: str) -> Contents:
    """What stands at a path in each of some commits."""
    return dict(zip(commits, history.contents(repo.git, commits, path), strict=True))


class Descent:
    """The history of one commit, all of which is known to the index."""

    def __init__(self, repo: Repo, tables: Tables, tip: Known) -> None:
        self._repo = repo
        self._tip = tip
        self._tables = tables

    def versions(self, path: str) -> tuple[dict[str, list[str]], Contents]:
        """As ``asked.versions``; so are the two that follow."""
        touched, above = self._nearest(path)
        ids = {number: touched[number].commit.id for number in above}
        stood = contents(self._repo, [*ids.values()], path)
        content: dict[int | None, str | None] = {None: None}
        content |= {number: stood[id] for number, id in ids.items()}
        kept = {
            ids[number]: [ids[each] for each in parents]
            for number, parents in simplified(above, content).items()
        }
        times = {id: self._repo.commit_info(id).author.time for id in kept}
        return {id: kept[id] for id in history.latest_first(kept, times)}, stood

    def merges(self, path: str) -> list[str]:
        touched, above = self._nearest(path)
        found = (touched[number] for number in above)
        return [one.commit.id for one in found if one.how == ALL and len(one.commit.above) > 1]

    def touching(self, path: str) -> list[str]:
        touched, above = self._nearest(path)
        ids = {number: touched[number].commit.id for number in above}
        parents = {
            ids[number]: [ids[each] for each in nearest if each is not None]
            for number, nearest in above.items()
        }
        times = {id: self._repo.commit_info(id).committer.time for id in parents}
        met = {ids[number] for number in above if touched[number].how == MET}
        return [id for id in history.latest_first(parents, times) if id not in met]

    def _nearest(self, path: str) -> tuple[dict[int, Touching], dict[int, list[int | None]]]:
        """All that touched the place of a path; and of what the tip descends from, what is
        nearest above it on the side of each of its parents."""
        place = "/".join(path.split("/")[:DEPTH])
        touched = {one.commit.number: one for one in self._tables.touching(place)}
        nearest = _Nearest(self._tables, [one.commit for one in touched.values()])
        above: dict[int, list[int | None]] = {}
        todo = [nearest.upto(self._tip)]
        while todo:
            here = todo.pop()
            if here is not None and here not in above:
                above[here] = [*map(nearest.upto_number, touched[here].commit.above)]
                todo += above[here]
        return touched, above


class _Nearest:
    """Finds the last of some commits that another one descends from, or is: there is one."""

    def __init__(self, tables: Tables, commits: Iterable[Known]) -> None:
        """``commits`` in order; with any two of them those are, too, in which both meet."""
        self._at = cache(tables.at)
        self._lines: dict[int, list[int]] = {}
        for commit in commits:
            self._lines.setdefault(commit.line, []).append(commit.number)
        self._before: dict[int, int | None] = {}
        """What was found above the beginning of a line."""

    def upto_number(self, number: int) -> int | None:
        """The nearest to the commit of a number."""
        return self.upto(self._at(number))

    def upto(self, commit: Known) -> int | None:
        """The nearest to a commit: in its line, or in those that this one comes of."""
        passed: list[int] = []
        found: int | None = None
        while True:
            line = self._lines.get(commit.line, ())
            if count := bisect_right(line, commit.number):
                found = line[count - 1]
                break
            if commit.line in self._before:
                found = self._before[commit.line]
                break
            passed.append(commit.line)
            onto = self._at(commit.line).onto
            if onto is None:
                break
            commit = self._at(onto)
        self._before.update(dict.fromkeys(passed, found))
        return found
