"""What the tests of the commands share: the program in a repository that has a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import Program


@pytest.fixture
def gittask(repo: Path) -> Program:
    """The program in ``repo``, which has a store."""
    program = Program(repo)
    program("init")
    return program
