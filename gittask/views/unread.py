"""What could not be read, as much of it as is told at once: the doctor names all."""

from __future__ import annotations

from collections.abc import Sequence

from gittask.core.record import Data
from gittask.errors import Problem

MOST = 10
"""How many problems are told at once. Anybody may have pushed a hundred thousand."""


ALL = "gittask doctor"
"""The command that names all."""


def sentences(problems: Sequence[Problem], what: str) -> list[str]:
    """The first problems in words that begin with ``what``, and how many more there are."""
    said = [f"{what}: {problem}" for problem in problems[:MOST]]
    more = rest(problems)
    return [*said, f"{more}: {ALL}"] if more else said


def rest(problems: Sequence[Problem]) -> str:
    """How many problems there are that are not told, in words; empty if all are."""
    left = len(problems) - MOST
    return f"and {left} more cannot be read" if left > 0 else ""


def fields(problems: Sequence[Problem], name: str = "problems") -> Data:
    """The same as parts of a document: the first problems, and under ``<name>_total`` how many
    there are."""
    return {
        name: [problem.as_json() for problem in problems[:MOST]],
        f"{name}_total": len(problems),
    }
