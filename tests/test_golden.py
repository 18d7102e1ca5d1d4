"""The reading commands print of the example store what is kept in ``tests/golden``."""

from __future__ import annotations

from tests.golden import FOLDER, printed, repository


def test_they_print_what_they_printed() -> None:
    """If it was meant to change: ``python -m tests.golden``, and read what it changed."""
    with repository() as program:
        made = dict(printed(program))
    assert made == {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
