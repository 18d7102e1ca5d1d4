"""Histories of the task ``a``, made by hand of a few versions."""

from __future__ import annotations

from typing import Any

from gittask.core.record import Data
from gittask.core.units import stamped
from gittask.store.packaged import schemas
from gittask.views.blame import Origin, Origins
from gittask.views.versions import Maker
from tests.memory import at, task

RULES = schemas().rules("task")


class Graph:
    """A history by hand: ``graph.add("b", "a", title="x")`` is a version after that of ``a``.

    Commits are made in the order in which they are added, one a minute, by ``hand`` unless
    ``makers`` says who.
    """

    def __init__(self) -> None:
        self.versions: dict[str, Data | None] = {}
        self.above: dict[str, list[str]] = {}
        self.makers: dict[str, Maker] = {}
        self.opened: list[str] = []

    def add(self, name: str, parents: str = "", by: str = "", **fields: Any) -> None:
        """With ``by`` the change is stamped, as by the program; else it is by hand."""
        before = self.versions[parents[0]] if parents else task("a").data
        assert before is not None
        after = {**before, **fields}
        if by and parents:
            after = stamped(RULES, before, after, at(len(self.versions)), by)
        self.put(name, parents, after)

    def put(self, name: str, parents: str, data: Data | None) -> None:
        self.versions[name] = data
        self.above[name] = list(parents)

    def data(self, commit: str) -> Data | None:
        self.opened.append(commit)
        return self.versions[commit]

    def parents(self, commit: str) -> list[str]:
        return self.above[commit]

    @property
    def commits(self) -> list[str]:
        return list(self.versions)[::-1]

    def maker(self, commit: str) -> Maker:
        made = Maker("hand", at(list(self.versions).index(commit)))
        return self.makers.get(commit, made)

    def of(self, tip: str, unit: str) -> Origin:
        return Origins(RULES, self, tip).of(unit)
