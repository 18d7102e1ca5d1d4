"""What the tests of the commands share: the program in a repository that has a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.acting import Actor
from tests.program import Program


@pytest.fixture
def gittask(repo: Path) -> Program:
    """The program in ``repo``, which has a store."""
    program = Program(repo)
    program("init")
    return program


@pytest.fixture
def ann(gittask: Program) -> Actor:
    """The person whose repository it is."""
    return Actor(gittask, "ann")


@pytest.fixture
def codex(gittask: Program) -> Actor:
    """An agent."""
    return Actor(gittask, "codex-1")


@pytest.fixture
def claude(gittask: Program) -> Actor:
    """Another agent."""
    return Actor(gittask, "claude-1")


@pytest.fixture
def held(gittask: Program, codex: Actor) -> str:
    """A task that codex-1 holds, and ann answers for."""
    task = gittask.new("Fix it")
    codex("start", task)
    return task
