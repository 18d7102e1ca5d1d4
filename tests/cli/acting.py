"""Several actors in one repository: each call says who acts."""

from __future__ import annotations

from typing import Any

from tests.program import Program, Result

HANDOFF = (
    *("--condition", "green", "--summary", "It is done", "--changed", "none"),
    *("--verified", "none", "--not-verified", "none", "--uncertain", "none"),
    *("--next", "look at it", "--next-by", "ann"),
)
"""A handoff in which nothing is left out."""


class Actor:
    """One who acts by the program: ``codex("start", task)``."""

    def __init__(self, program: Program, name: str) -> None:
        self.program = program
        self.name = name

    def __call__(self, *args: str, code: int | None = 0) -> Result:
        return self.program("--as", self.name, *args, code=code)

    def json(self, *args: str) -> Any:
        """The document that a call that succeeds prints under ``--json``."""
        return self.program.json("--as", self.name, *args)

    def error(self, *args: str, code: int) -> dict[str, Any]:
        """The error of a call that fails, under ``--json``."""
        return self("--json", *args, code=code).error

    def line(self, task: str) -> str:
        """The status line of a task."""
        line: str = self.json("status", task)["status"]["line"]
        return line

    def ready(self, task: str) -> bool:
        """Whether a task is among those that can be started."""
        return task in {row["id"] for row in self.json("ready", "--all")["tasks"]}

    def waiting(self, task: str) -> bool:
        """Whether a task is among those that wait."""
        return task in {row["id"] for row in self.json("list", "--waiting", "--all")["tasks"]}

    def inbox(self, *args: str) -> list[dict[str, Any]]:
        """The items of the inbox."""
        document = self.json("inbox", *args)
        assert document["total"] == len(document["inbox"])
        items: list[dict[str, Any]] = document["inbox"]
        return items

    def kinds(self, *args: str) -> list[str]:
        """The kinds of the items of the inbox."""
        return [item["kind"] for item in self.inbox(*args)]


def person(program: Program, name: str) -> Actor:
    """A person who is known to the store."""
    program("--as", "ann", "actor", "add", name, "--kind", "person", "--email", f"{name}@e.org")
    return Actor(program, name)
